import { setTimeout } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import type { BlankEnv } from 'hono/types';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  assertKnownNames,
  createRequestError,
  formatForMessage,
  type JsonObject,
  parseString,
} from './request-parsing.ts';

/** Fault kinds, with the descriptions that the console displays. */
export const FAULTS = {
  decline: 'Declines every card',
  slow: 'Delays responses',
  'lost-reply': 'Processes the request, then drops the connection',
  'too-many': 'Rejects requests with status 429',
  'server-error': 'Rejects requests with a 5xx status',
  'broken-json': 'Processes the request, then truncates the JSON response',
  'duplicate-webhooks': 'Delivers every webhook twice',
  'reordered-webhooks': 'Delivers webhooks out of order',
  'late-search': 'Delays new gifts in Virtuous Raise search results',
  'method-inactive': 'Deactivates a Stripe payment method type',
  'no-wallets': 'Makes all wallets unavailable in the browser',
  'stripe-js-slow': 'Serves Stripe.js late',
  'stripe-js-blocked': 'Blocks Stripe.js, as a content blocker does',
  'stripe-js-hangs': 'Never finishes serving Stripe.js',
  'stripe-js-rejects': 'Makes every Stripe.js call fail',
  'stripe-js-silent': 'Leaves every Stripe.js call pending',
  'stripe-js-heavy': 'Pads Stripe.js to the estimated size of the real script',
} as const;

export type FaultKind = keyof typeof FAULTS;

/** APIs that can be the only target of a fault. */
export const FAULT_TARGETS = ['platform', 'crm', 'v1', 'stripe', 'paypal'] as const;

export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** A fault to inject. */
export interface Fault {
  readonly kind: FaultKind;
  /** Remaining number of occurrences, or `null` if the fault lasts until it is disabled. */
  readonly times: number | null;
  /**
   * Limits the fault to one API and its webhooks. Ignored for fault kinds that do not affect an
   * API.
   */
  readonly on?: FaultTarget;
  /**
   * Payment method type that `method-inactive` deactivates, such as `us_bank_account`. Default: all
   * types except cards.
   */
  readonly method?: string;
  /** Delay that `slow`, `stripe-js-slow`, and `late-search` add, in milliseconds. */
  readonly ms?: number;
  /** Status code of the responses that `server-error` sends. */
  readonly status?: number;
}

const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];
const FAULT_FIELDS = ['kind', 'times', 'on', 'ms', 'status', 'method'];

/** Active faults, at most one of each kind. */
export class Faults {
  readonly #active = new Map<FaultKind, Fault>();

  get active(): readonly Fault[] {
    return [...this.#active.values()];
  }

  enableFault(fault: Fault): void {
    this.#active.set(fault.kind, fault);
  }

  disableFault(kind?: FaultKind): void {
    if (kind) this.#active.delete(kind);
    else this.#active.clear();
  }

  /** Returns the active fault of the given kind without counting an occurrence. */
  findActiveFault(kind: FaultKind): Fault | undefined {
    return this.#active.get(kind);
  }

  /**
   * Returns the active fault of the given kind if it applies to the target, and counts one
   * occurrence.
   */
  consumeFault(kind: FaultKind, target?: FaultTarget): Fault | undefined {
    const fault = this.#active.get(kind);
    if (!fault || (target !== undefined && fault.on !== undefined && fault.on !== target))
      return undefined;
    if (fault.times === 1) this.#active.delete(kind);
    else if (fault.times !== null) this.#active.set(kind, { ...fault, times: fault.times - 1 });
    return fault;
  }
}

/**
 * Parses a fault from JSON or form fields.
 * @throws HTTPException if a field is unknown or invalid.
 */
export function parseFaultFields(fields: JsonObject): Fault {
  assertKnownNames('fault field', Object.keys(fields), FAULT_FIELDS);
  const kind = parseFaultKind(fields.kind);
  const on = FAULT_TARGETS.find((target) => target === fields.on);
  if (fields.on !== undefined && on === undefined)
    throw createRequestError(
      `on is ${formatForMessage(fields.on)}; expected one of ${FAULT_TARGETS.join(', ')}. ` +
        'Omit this field to apply the fault to all targets.',
    );
  const method = parseString(fields, 'method');
  const times = parseIntegerInRange('times', fields.times, 1, 1_000_000);
  const ms = parseIntegerInRange('ms', fields.ms, 0, 60_000);
  const status = parseIntegerInRange('status', fields.status, 500, 599);
  return {
    kind,
    times: times ?? null,
    ...(on && { on }),
    ...(method !== '' && { method }),
    ...(ms !== undefined && { ms }),
    ...(status !== undefined && { status }),
  };
}

/** @throws HTTPException if the kind is unknown. */
export function parseFaultKind(value: unknown): FaultKind {
  const kind = FAULT_KINDS.find((candidate) => candidate === value);
  if (kind === undefined)
    throw createRequestError(
      `kind is ${formatForMessage(value)}; expected one of ${FAULT_KINDS.join(', ')}.`,
    );
  return kind;
}

/**
 * Parses the value of a `--fault` option: `slow`, or `slow,ms=2000,times=3,on=stripe`.
 * @throws HTTPException if the value is invalid.
 *
 * @example
 * ```ts
 * import { parseFault } from 'donation-form-sandbox';
 *
 * console.log(parseFault('slow,ms=2000,times=3').ms); // 2000
 * ```
 */
export function parseFault(text: string): Fault {
  const [kind, ...pairs] = text.split(',');
  return parseFaultFields({
    kind,
    ...Object.fromEntries(
      pairs.map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return [name, value];
      }),
    ),
  });
}

function parseIntegerInRange(
  name: string,
  input: unknown,
  min: number,
  max: number,
): number | undefined {
  if (input === undefined || input === null || input === '') return undefined;
  const value = typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input;
  if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
    throw createRequestError(
      `${name} is ${formatForMessage(input)}; expected an integer from ${min} to ${max}.`,
    );
  return Number(value);
}

/**
 * Creates middleware that injects the active faults into the responses of one API.
 * @param toRateLimitResponse function that creates the 429 response for the `too-many` fault.
 * @param toServerErrorResponse function that creates the response for the `server-error` fault.
 */
export function injectFaults(
  faults: Faults,
  target: FaultTarget,
  toRateLimitResponse: (c: Context<BlankEnv>) => Response,
  toServerErrorResponse = (status: number, c: Context<BlankEnv>): Response =>
    c.json({ message: 'The sandbox injected this failure.' }, status as ContentfulStatusCode),
): MiddlewareHandler<BlankEnv> {
  return async (c, next) => {
    const slow = faults.consumeFault('slow', target);
    if (slow) await setTimeout(slow.ms ?? 2_000);
    if (faults.consumeFault('too-many', target)) return toRateLimitResponse(c);
    const serverError = faults.consumeFault('server-error', target);
    if (serverError) return toServerErrorResponse(serverError.status ?? 503, c);
    await next();
    if (faults.consumeFault('lost-reply', target)) c.res = createBrokenResponse(c.res);
    else if (faults.consumeFault('broken-json', target)) {
      const text = await c.res.text();
      c.res = new Response(text.slice(0, Math.ceil(text.length / 2)), c.res);
    }
    return;
  };
}

/**
 * Returns a response whose connection breaks before the body is sent. Keeps the original status
 * code, but changes 204 to 200 because a 204 response has no body to interrupt.
 */
export function createBrokenResponse({ status, statusText, headers }: Response): Response {
  const brokenHeaders = new Headers(headers);
  // Without this header, Node's server would read the body first, fail, and respond with a 500.
  brokenHeaders.set('Transfer-Encoding', 'chunked');
  return new Response(createFailingBody(), {
    ...(status === 204 ? { status: 200 } : { status, statusText }),
    headers: brokenHeaders,
  });
}

/** Creates a body that fails when read, which breaks the connection. */
function createFailingBody(): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull(controller) {
        const error = new Error(
          'The sandbox interrupted this response to simulate a lost connection.',
        );
        error.stack = error.message;
        controller.error(error);
      },
    },
    { highWaterMark: 0 },
  );
}
