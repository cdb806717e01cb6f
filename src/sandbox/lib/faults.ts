import { setTimeout } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import type { BlankEnv } from 'hono/types';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type JsonObject, refusal, refuseUnknown, shown } from './request-parsing.ts';

/** What can be made to go wrong, and what a person reads of it. */
export const FAULTS = {
  decline: 'Every card is declined',
  slow: 'Answers come late',
  'lost-reply': 'The work is done, and the answer breaks off',
  'too-many': 'Calls are answered 429, and not done',
  'server-error': 'Calls are answered 5xx, and not done',
  'broken-json': "The work is done, and half of the answer's JSON comes",
  'duplicate-webhooks': 'Every webhook is delivered twice',
  'reordered-webhooks': 'A webhook is held back until the one after it was delivered',
} as const;

export type FaultKind = keyof typeof FAULTS;

/** Where calls can go wrong. */
export const PLACES = ['platform', 'v1', 'processor'] as const;

export type Place = (typeof PLACES)[number];

/** What goes wrong at the sandbox, and how often. */
export interface Fault {
  readonly kind: FaultKind;
  /** How often it is still to happen; `null` until it is switched off. */
  readonly times: number | null;
  /**
   * Calls to one place only, or webhooks of one. Declines are the processor's, whatever stands
   * here.
   */
  readonly on?: Place;
  /** How late an answer comes, in milliseconds. */
  readonly ms?: number;
  /** The status of `server-error`. */
  readonly status?: number;
}

/** Milliseconds that a server has for sending what there is of a reply. */
const BREAK_AFTER = 20;

const KINDS = Object.keys(FAULTS) as FaultKind[];
const FIELDS = ['kind', 'times', 'on', 'ms', 'status'];

/** The faults that are switched on: at most one of a kind. */
export class Faults {
  readonly #on = new Map<FaultKind, Fault>();

  get list(): readonly Fault[] {
    return [...this.#on.values()];
  }

  switchOn(fault: Fault): void {
    this.#on.set(fault.kind, fault);
  }

  switchOff(kind?: FaultKind): void {
    if (kind) this.#on.delete(kind);
    else this.#on.clear();
  }

  /** Says whether a fault is to happen here and now, and counts that it does. */
  take(kind: FaultKind, place?: Place): Fault | undefined {
    const fault = this.#on.get(kind);
    if (!fault || (place !== undefined && fault.on !== undefined && fault.on !== place))
      return undefined;
    if (fault.times === 1) this.#on.delete(kind);
    else if (fault.times !== null) this.#on.set(kind, { ...fault, times: fault.times - 1 });
    return fault;
  }
}

/**
 * Reads a fault from JSON or from a form's fields.
 * @throws a refusal that says what is expected.
 */
export function readFault(fields: JsonObject): Fault {
  refuseUnknown('field of a fault', Object.keys(fields), FIELDS);
  const kind = readKind(fields.kind);
  const on = PLACES.find((place) => place === fields.on);
  if (fields.on !== undefined && on === undefined)
    throw refusal(
      `on is ${shown(fields.on)}; expected one of ${PLACES.join(', ')}, or none for all.`,
    );
  const times = readWithin('times', fields.times, 1, 1_000_000);
  const ms = readWithin('ms', fields.ms, 0, 60_000);
  const status = readWithin('status', fields.status, 500, 599);
  return {
    kind,
    times: times ?? null,
    ...(on && { on }),
    ...(ms !== undefined && { ms }),
    ...(status !== undefined && { status }),
  };
}

/** @throws a refusal that lists the kinds. */
export function readKind(written: unknown): FaultKind {
  const kind = KINDS.find((known) => known === written);
  if (kind === undefined)
    throw refusal(`kind is ${shown(written)}; expected one of ${KINDS.join(', ')}.`);
  return kind;
}

/**
 * Reads a fault as the command's option has it: `slow`, or `slow,ms=2000,times=3,on=processor`.
 * @throws an error that says what is expected.
 */
export function parseFault(written: string): Fault {
  const [kind, ...pairs] = written.split(',');
  return readFault({
    kind,
    ...Object.fromEntries(
      pairs.map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return [name, value];
      }),
    ),
  });
}

function readWithin(
  name: string,
  written: unknown,
  least: number,
  most: number,
): number | undefined {
  if (written === undefined || written === null || written === '') return undefined;
  const value = typeof written === 'string' && /^\d+$/.test(written) ? Number(written) : written;
  if (!Number.isInteger(value) || Number(value) < least || Number(value) > most)
    throw refusal(
      `${name} is ${shown(written)}; expected a whole number from ${least} to ${most}.`,
    );
  return Number(value);
}

/**
 * Lets the calls of a place go wrong.
 * @param tooMany answers a call that is to be refused with 429.
 */
export function goWrong(
  faults: Faults,
  place: Place,
  tooMany: (c: Context<BlankEnv>) => Response,
): MiddlewareHandler<BlankEnv> {
  return async (c, next) => {
    const slow = faults.take('slow', place);
    if (slow) await setTimeout(slow.ms ?? 2_000);
    if (faults.take('too-many', place)) return tooMany(c);
    const failing = faults.take('server-error', place);
    if (failing)
      return c.json(
        { message: 'The sandbox was told to fail.' },
        (failing.status ?? 503) as ContentfulStatusCode,
      );
    await next();
    if (faults.take('lost-reply', place)) c.res = new Response(breakingOff(), c.res);
    else if (faults.take('broken-json', place)) {
      const text = await c.res.text();
      c.res = new Response(text.slice(0, Math.ceil(text.length / 2)), c.res);
    }
    return;
  };
}

/**
 * A body of one byte that never comes to its end: over a socket, the connection breaks. Only a
 * server that has sent something cannot answer 500 instead.
 */
function breakingOff(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(new Uint8Array([0x20]));
    },
    async pull(controller) {
      await setTimeout(BREAK_AFTER);
      const error = new Error('The sandbox was told to lose this reply.');
      error.stack = error.message;
      controller.error(error);
    },
  });
}
