import { setTimeout } from 'node:timers/promises';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import { Stripe } from 'stripe';
import type { z } from 'zod';
import { createBrokenResponse } from '../lib/faults.ts';
import type { ScriptedFaults } from '../lib/scripted-faults.ts';
import { toResponseObject } from './expand.ts';
import { parseFormData } from './form-data.ts';
import { IdempotencyStore } from './idempotency.ts';
import { createId } from './ids.ts';
import { parseParams } from './params.ts';
import type { Store } from './store.ts';
import { InvalidParameterError, StripeApiError } from './stripe-error.ts';
import type { TestPaymentMethod } from './test-payment-methods.ts';

export interface ApiOptions {
  readonly store: Store;
  readonly faults: ScriptedFaults;
  readonly secretKey: string;
  readonly publishableKey: string;
  /** Finds the test payment method that a call would charge. */
  readonly findTestMethod: (params: unknown) => TestPaymentMethod | undefined;
  /** Delay of the slow test card, in milliseconds. */
  readonly slowCardDelay: number;
}

interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

export interface ApiCall<Params> {
  readonly params: Params;
  /** ID from the URL path. */
  readonly id: string;
  /** True if the call is authenticated with the publishable key. */
  readonly isPublic: boolean;
}

type Method = 'GET' | 'POST' | 'DELETE';
type ParamsSchema = z.ZodType<{ readonly expand: readonly string[] }>;

const createHeaders = (key: string | undefined): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Request-Id': createId('req', 14),
  'Stripe-Version': Stripe.API_VERSION,
  ...(key !== undefined && { 'Idempotency-Key': key }),
});

/**
 * Runs the steps of every API call in order: checks the API key, applies faults, looks up the
 * idempotency key, parses the parameters, and calls the route's handler.
 */
export class Api {
  readonly app = new Hono();
  /** Calls received so far, such as `POST /v1/payment_intents`. */
  readonly calls: string[] = [];
  readonly idempotency: IdempotencyStore;
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.idempotency = new IdempotencyStore(options.store);
    this.app.use('/v1/*', cors({ origin: '*' }), async (c, next) => {
      this.calls.push(`${c.req.method} ${c.req.path}`);
      return next();
    });
    this.app.notFound((c) =>
      toErrorResponse(
        new StripeApiError(404, {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${c.req.method}: ${c.req.path}).`,
        }),
      ),
    );
    this.app.onError((error) => toErrorResponse(error));
  }

  /**
   * Adds a route.
   * @param allowPublishableKey true if browsers can call the route with the publishable key.
   */
  addRoute<Schema extends ParamsSchema>(
    method: Method,
    path: string,
    schema: Schema,
    handle: (call: ApiCall<z.output<Schema>>) => object,
    { open: allowPublishableKey = false } = {},
  ): void {
    const { faults, store, findTestMethod, slowCardDelay } = this.#options;
    this.app.on(method, `/v1${path}`, async (c) => {
      const call = `${c.req.method} ${c.req.path}`;
      const isPublic = this.#authenticate(c, allowPublishableKey);
      if (faults.isForbidden(call))
        throw new StripeApiError(403, {
          type: 'invalid_request_error',
          message: 'The provided key does not have the required permissions for this endpoint.',
        });
      const params = await readRequestParams(c);
      const key = method === 'POST' ? c.req.header('Idempotency-Key') : undefined;
      const failureStatus = faults.consumeFailure(call);
      if (failureStatus !== undefined && failureStatus !== 500)
        return toErrorResponse(createFaultError(failureStatus));
      const request = { path: c.req.path, request: serializeSorted(params) };
      const replayed =
        key === undefined
          ? undefined
          : this.idempotency.claimKey(key, request.path, request.request);
      if (replayed) return createResponse(replayed, key, { 'Idempotent-Replayed': 'true' });
      await faults.waitIfHeld();
      const testMethod = findTestMethod(params);
      if (testMethod?.response === 'slow') await setTimeout(slowCardDelay);
      const response = this.#processOncePerKey(key, request, () => {
        if (failureStatus !== undefined) throw createFaultError(failureStatus);
        const parsed = parseParams(schema, params);
        const object = handle({ params: parsed, id: c.req.param('id') ?? '', isPublic });
        return JSON.stringify(toResponseObject(store, object, parsed.expand), null, 2);
      });
      return testMethod?.response === 'lost'
        ? createBrokenResponse(createResponse(response, key))
        : createResponse(response, key);
    });
  }

  /**
   * Processes a call in a transaction, and saves the response under the idempotency key. Also saves
   * errors, except those raised before processing starts.
   */
  #processOncePerKey(
    key: string | undefined,
    request: { readonly path: string; readonly request: string },
    handle: () => string,
  ): ApiResponse {
    try {
      return this.#options.store.runInTransaction(() => {
        let response: ApiResponse;
        let isInvalid = false;
        try {
          response = { status: 200, body: handle() };
        } catch (error) {
          if (!(error instanceof StripeApiError)) throw error;
          isInvalid = error instanceof InvalidParameterError;
          response = { status: error.status, body: JSON.stringify({ error: error.error }) };
        }
        if (key !== undefined)
          this.idempotency.saveResponseAndReleaseKey(
            key,
            isInvalid ? undefined : { ...request, ...response },
          );
        return response;
      });
    } catch (error) {
      if (key !== undefined) this.idempotency.saveResponseAndReleaseKey(key, undefined);
      throw error;
    }
  }

  /**
   * Returns true for the publishable key, and false for the secret key.
   * @throws StripeApiError for any other key.
   */
  #authenticate(c: Context, allowPublishableKey: boolean): boolean {
    const { secretKey, publishableKey } = this.#options;
    const [scheme, credentials = ''] = (c.req.header('Authorization') ?? '').split(' ');
    const key = scheme === 'Basic' ? atob(credentials).replace(/:$/, '') : credentials;
    const version = c.req.header('Stripe-Version');
    if (version !== undefined && version !== Stripe.API_VERSION)
      throw new StripeApiError(400, {
        type: 'invalid_request_error',
        message: `Invalid Stripe API version: ${version}. This emulator supports only ${Stripe.API_VERSION}.`,
      });
    if (key === secretKey) return false;
    if (key === publishableKey && allowPublishableKey) return true;
    if (key === publishableKey)
      throw new StripeApiError(401, {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        message:
          'This API call cannot be made with a publishable API key. Please use a secret API key.',
      });
    throw new StripeApiError(401, {
      type: 'invalid_request_error',
      message:
        key === ''
          ? 'You did not provide an API key.'
          : `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(Math.max(key.length - 8, 0))}`,
    });
  }
}

async function readRequestParams(c: Context): Promise<unknown> {
  const body = c.req.method === 'GET' ? new URL(c.req.url).search.slice(1) : await c.req.text();
  return parseFormData(body);
}

/** Creates the error response for an injected fault. */
export function createFaultError(status: number): StripeApiError {
  return new StripeApiError(
    status,
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
        },
  );
}

function createResponse(
  { status, body }: ApiResponse,
  key: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, {
    status,
    headers: {
      ...createHeaders(key),
      ...headers,
      ...(status === 500 && { 'Stripe-Should-Retry': 'false' }),
    },
  });
}

export function toErrorResponse(error: unknown): Response {
  if (error instanceof StripeApiError)
    return new Response(JSON.stringify({ error: error.error }), {
      status: error.status,
      headers: createHeaders(undefined),
    });
  console.error(error);
  return new Response(
    JSON.stringify({
      error: { type: 'api_error', message: `The emulator itself failed: ${String(error)}` },
    }),
    { status: 500, headers: createHeaders(undefined) },
  );
}

/** Serializes parameters in a fixed order, which makes the texts of equal parameters equal. */
function serializeSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serializeSorted).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => `${name}:${serializeSorted(item)}`)
      .join()}}`;
  return JSON.stringify(value);
}
