import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createBrokenResponse, type Faults, injectFaults } from '../lib/faults.ts';
import { getRequestOrigin, isJsonObject, type JsonObject } from '../lib/request-parsing.ts';
import type { ScriptedFaults } from '../lib/scripted-faults.ts';
import type { AccessTokens } from './access-tokens.ts';
import {
  ApiError,
  createErrorDetail,
  DeclinedError,
  type ErrorStatus,
  InvalidRequestError,
} from './api-error.ts';
import type { IdempotencyKeys } from './idempotency.ts';

export interface ApiOptions {
  /** Path at which the app is mounted, such as `/paypal`. */
  readonly basePath: string;
  readonly tokens: AccessTokens;
  readonly keys: IdempotencyKeys;
  readonly faults: Faults;
  readonly scriptedFaults: ScriptedFaults;
}

export interface ApiCall {
  /** ID from the URL path. */
  readonly id: string;
  readonly body: JsonObject;
  readonly text: string;
  readonly query: URLSearchParams;
  readonly requestId: string | undefined;
  /** True if the response should contain the complete resource. */
  readonly wantsRepresentation: boolean;
}

export interface ApiResult {
  readonly status: 200 | 201 | 202 | 204;
  /** Returns the current state of the resource. */
  readonly view?: () => object;
}

export interface RouteOptions {
  /**
   * Hours for which the emulator stores a `PayPal-Request-Id`. If undefined, the emulator ignores
   * the header.
   */
  readonly keyHours?: number;
  /** Status code of the response to a repeated call. Default: 200. */
  readonly repeatedStatus?: 200 | 201;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const HOUR = 3_600_000;
const MAX_BODY_BYTES = 256 * 1_024;

/**
 * Runs the steps of every API call in order: checks the token, applies faults, looks up the
 * idempotency key, parses the body, and calls the route's handler.
 */
export class Api {
  readonly app = new Hono();
  /** Calls received so far, such as `POST /v2/checkout/orders`. */
  readonly calls: string[] = [];
  readonly #options: ApiOptions;
  #origin = '';

  constructor(options: ApiOptions) {
    this.#options = options;
    const { tokens, faults, scriptedFaults } = options;
    this.app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
    this.app.use(async (c, next) => {
      this.#origin = getRequestOrigin(c.req.raw);
      return next();
    });
    const withFaults = injectFaults(
      faults,
      'paypal',
      () => new ApiError(429).response,
      (status) => new ApiError(status === 500 ? 500 : 503).response,
    );
    for (const version of ['/v1/*', '/v2/*']) {
      this.app.use(version, async (c, next) => {
        this.calls.push(this.#formatCall(c.req));
        return next();
      });
      this.app.use(version, withFaults, async (c, next) => {
        const call = this.#formatCall(c.req);
        const status = scriptedFaults.consumeFailure(call);
        if (status !== undefined) return new ApiError(toErrorStatus(status)).response;
        await next();
        if (scriptedFaults.consumeDroppedResponse(call)) c.res = createBrokenResponse(c.res);
        return undefined;
      });
    }
    this.app.post('/v1/oauth2/token', async (c) =>
      tokens.createTokenResponse(c.req.header('Authorization'), await c.req.text()),
    );
    this.app.onError((error) => toErrorResponse(error));
  }

  /** Base URL that callers use to reach the API. */
  get baseUrl(): string {
    return this.#origin + this.#options.basePath;
  }

  addRoute(
    method: Method,
    path: string,
    handle: (call: ApiCall) => ApiResult,
    { keyHours, repeatedStatus = 200 }: RouteOptions = {},
  ): void {
    const { tokens, keys, scriptedFaults } = this.#options;
    this.app.on(method, path, async (c) => {
      if (!tokens.isValidToken(c.req.header('Authorization'))) throw new ApiError(401);
      const requestId = c.req.header('PayPal-Request-Id');
      const key =
        keyHours === undefined || requestId === undefined
          ? undefined
          : `${this.#formatCall(c.req)} ${requestId}`;
      const respondAgain = key === undefined ? undefined : keys.claimKey(key, keyHours! * HOUR);
      if (respondAgain) return respondAgain();
      try {
        await scriptedFaults.waitIfHeld();
        const text = await c.req.text();
        const { status, view } = handle({
          id: c.req.param('id') ?? '',
          text,
          body: parseBody(text, path),
          query: new URL(c.req.url).searchParams,
          requestId,
          wantsRepresentation: c.req.header('Prefer') === 'return=representation',
        });
        const respond = (responseStatus: number): Response =>
          view
            ? Response.json(view(), { status: responseStatus })
            : new Response(null, { status: responseStatus });
        if (key !== undefined) keys.saveResponder(key, () => respond(repeatedStatus));
        return respond(status);
      } catch (error) {
        // A decline is a final result, so the emulator stores it. After any other error, callers
        // can correct and repeat the request.
        if (key !== undefined && error instanceof DeclinedError)
          keys.saveResponder(key, () => error.response);
        else if (key !== undefined) keys.releaseKey(key);
        throw error;
      }
    });
  }

  #formatCall({ method, path }: { readonly method: string; readonly path: string }): string {
    return `${method} ${path.slice(this.#options.basePath.length)}`;
  }
}

/** @throws InvalidRequestError if the text is not a JSON object. */
function parseBody(text: string, path: string): JsonObject {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isJsonObject(body)) return body;
  } catch {
    // Reported below.
  }
  const issue = path.startsWith('/v2/checkout/')
    ? 'MALFORMED_REQUEST_JSON'
    : 'INVALID_PARAMETER_SYNTAX';
  throw new InvalidRequestError([createErrorDetail(issue, { field: '/', location: 'body' })]);
}

function toErrorStatus(status: number): ErrorStatus {
  return status === 429 || status === 500 || status === 401 || status === 403 ? status : 503;
}

function toErrorResponse(error: unknown): Response {
  if (error instanceof ApiError) return error.response;
  console.error(error);
  return new ApiError(500).response;
}
