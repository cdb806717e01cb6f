import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { cors } from 'hono/cors';
import { parse } from 'qs';
import { Stripe } from 'stripe';
import type { z } from 'zod';
import { answerOf } from './expand.ts';
import type { Faults } from './faults.ts';
import { Idempotency, type Answer } from './idempotency.ts';
import { Misunderstanding, Refusal } from './refusal.ts';
import { understood } from './shapes.ts';
import { newId, type Store } from './store.ts';

export interface ApiOptions {
  readonly store: Store;
  readonly faults: Faults;
  readonly secretKey: string;
  readonly publishableKey: string;
}

export interface Call<Params> {
  readonly params: Params;
  /** The id in the path. */
  readonly id: string;
  /** Whether it comes from a browser, with the key that everybody may know. */
  readonly isPublic: boolean;
}

// oxlint-disable-next-line typescript/consistent-type-definitions -- Hono wants a type with an index
type Bindings = { Bindings: HttpBindings };
type Method = 'GET' | 'POST' | 'DELETE';
type Shape = z.ZodType<{ readonly expand: readonly string[] }>;

const headersOf = (key: string | undefined): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Request-Id': newId('req', 14),
  'Stripe-Version': Stripe.API_VERSION,
  ...(key !== undefined && { 'Idempotency-Key': key }),
});

/**
 * What each call to the API goes through: key, faults, idempotency, parameters, and at last its
 * work.
 */
export class Api {
  readonly app = new Hono<Bindings>();
  /** Such as `POST /v1/payment_intents`. */
  readonly calls: string[] = [];
  readonly idempotency = new Idempotency();
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.app.use('/v1/*', cors({ origin: '*' }), async (c, next) => {
      this.calls.push(`${c.req.method} ${c.req.path}`);
      return next();
    });
    this.app.notFound((c) =>
      refusalAnswer(
        new Refusal(404, {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${c.req.method}: ${c.req.path}).`,
        }),
      ),
    );
    this.app.onError((error) => refusalAnswer(error));
  }

  /** Adds a call. @param open whether browsers may make it. */
  on<Expected extends Shape>(
    method: Method,
    path: string,
    expected: Expected,
    work: (call: Call<z.output<Expected>>) => object,
    { open = false } = {},
  ): void {
    const { faults, store } = this.#options;
    this.app.on(method, `/v1${path}`, async (c) => {
      const call = `${c.req.method} ${c.req.path}`;
      const isPublic = this.#checkKey(c, open);
      const params = await readParams(c);
      const key = method === 'POST' ? c.req.header('Idempotency-Key') : undefined;
      const asked = faults.take('answer', call);
      if (asked !== undefined && asked !== 500) return failure(asked, key);
      const before =
        key === undefined ? undefined : this.idempotency.begin(key, c.req.path, canonical(params));
      const answer =
        before ??
        (await this.#answer(key, async () => {
          await faults.pass();
          if (asked !== undefined) return failure(asked, key);
          const known = understood(expected, params);
          const thing = work({ params: known, id: c.req.param('id') ?? '', isPublic });
          return new Response(JSON.stringify(answerOf(store, thing, known.expand), null, 2));
        }));
      if (faults.take('lose-reply', call) !== undefined) {
        c.env.outgoing.destroy();
        return RESPONSE_ALREADY_SENT;
      }
      return new Response(answer.body, {
        status: answer.status,
        headers: {
          ...headersOf(key),
          ...(before && { 'Idempotent-Replayed': 'true' }),
          ...(answer.status === 500 && { 'Stripe-Should-Retry': 'false' }),
        },
      });
    });
  }

  /**
   * Does some work, and keeps what came of it under its key: a refusal too, unless nothing was
   * begun.
   */
  async #answer(key: string | undefined, work: () => Promise<Response>): Promise<Answer> {
    const response = await work().catch((error: unknown) => {
      if (key !== undefined && error instanceof Misunderstanding) this.idempotency.free(key);
      return refusalAnswer(error);
    });
    const answer = { status: response.status, body: await response.text() };
    if (key !== undefined) this.idempotency.keep(key, answer);
    return answer;
  }

  /** @returns whether it is the key that everybody may know. @throws a refusal of any other key. */
  #checkKey(c: Context<Bindings>, open: boolean): boolean {
    const { secretKey, publishableKey } = this.#options;
    const [scheme, word = ''] = (c.req.header('Authorization') ?? '').split(' ');
    const key = scheme === 'Basic' ? atob(word).replace(/:$/, '') : word;
    const version = c.req.header('Stripe-Version');
    if (version !== undefined && version !== Stripe.API_VERSION)
      throw new Refusal(400, {
        type: 'invalid_request_error',
        message: `Invalid Stripe API version: ${version}. This fake knows ${Stripe.API_VERSION} only.`,
      });
    if (key === secretKey) return false;
    if (key === publishableKey && open) return true;
    if (key === publishableKey)
      throw new Refusal(401, {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        message:
          'This API call cannot be made with a publishable API key. Please use a secret API key.',
      });
    throw new Refusal(401, {
      type: 'invalid_request_error',
      message:
        key === ''
          ? 'You did not provide an API key.'
          : `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(Math.max(key.length - 8, 0))}`,
    });
  }
}

async function readParams(c: Context): Promise<unknown> {
  const body = c.req.method === 'GET' ? new URL(c.req.url).search.slice(1) : await c.req.text();
  return parse(body, { depth: 10, plainObjects: true });
}

function failure(status: number, key: string | undefined): Response {
  const error =
    status === 429
      ? {
          type: 'invalid_request_error',
          code: 'rate_limit',
          message:
            'Too many requests hit the API too quickly. We recommend an exponential backoff of your requests.',
        }
      : {
          type: 'api_error',
          message: 'Sorry! There was an error while talking to one of our backends.',
        };
  return new Response(JSON.stringify({ error }), { status, headers: headersOf(key) });
}

function refusalAnswer(error: unknown): Response {
  if (error instanceof Refusal)
    return new Response(JSON.stringify({ error: error.error }), {
      status: error.status,
      headers: headersOf(undefined),
    });
  console.error(error);
  return new Response(
    JSON.stringify({
      error: { type: 'api_error', message: `The fake itself failed: ${String(error)}` },
    }),
    { status: 500, headers: headersOf(undefined) },
  );
}

/** The same text for the same parameters in any order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => `${name}:${canonical(item)}`)
      .join()}}`;
  return JSON.stringify(value);
}
