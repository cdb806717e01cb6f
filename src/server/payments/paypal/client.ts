import { readJsonWithLimit } from '../../lib/response-limit.ts';

/** URLs of PayPal's API: https://developer.paypal.com/api/rest/requests/ */
export const API_URLS = {
  live: 'https://api-m.paypal.com',
  sandbox: 'https://api-m.sandbox.paypal.com',
} as const;

const TIMEOUT = 12_000;

/** Time before its expiry at which an access token is replaced, in milliseconds. */
const TOKEN_MARGIN = 60_000;

/**
 * Client error statuses after which a charge is still possible: PayPal may have processed the call
 * or might process a repeated call.
 */
const TEMPORARY_STATUSES: readonly number[] = [401, 408, 409, 429];

export interface PayPalClientOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly environment: keyof typeof API_URLS;
  /** URL of the sandbox that emulates the API. May include a path. */
  readonly apiUrl?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly now?: (() => number) | undefined;
}

export interface CallOptions {
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
  /** Idempotency key: PayPal repeats its first response, which contains the complete object. */
  readonly requestId?: string;
}

/** An error response from PayPal. The message contains no personal data. */
export class PayPalError extends Error {
  override readonly name = 'PayPalError';
  readonly status: number;
  /** PayPal's first issue or, without issues, the name of PayPal's error. */
  readonly code: string;
  readonly issues: readonly string[];
  /** ID that PayPal's support team asks for. */
  readonly requestId: string | undefined;

  constructor(call: string, status: number, body: unknown) {
    const {
      name,
      error,
      details,
      debug_id: requestId,
    } = (body ?? {}) as {
      name?: string;
      error?: string;
      details?: { issue?: unknown }[];
      debug_id?: string;
    };
    const issues = Array.isArray(details)
      ? details.flatMap(({ issue }) => (typeof issue === 'string' ? [issue] : []))
      : [];
    const code = issues[0] ?? name ?? error ?? 'unknown';
    super(`PayPal responded to ${call} with status ${status} (${code})`);
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.requestId = requestId;
  }

  /** True if PayPal would reject the call again, so it charged nothing. */
  get isRejection(): boolean {
    return this.status < 500 && !TEMPORARY_STATUSES.includes(this.status);
  }

  hasAnyIssue(...issues: readonly string[]): boolean {
    return issues.some((issue) => this.issues.includes(issue));
  }
}

/**
 * PayPal issued no access token, so the call was not made. This error does not show the state of the
 * payment. `cause` is PayPal's error response.
 */
export class AccessTokenError extends Error {
  override readonly name = 'AccessTokenError';
  readonly status: number;

  constructor(cause: PayPalError) {
    super(`PayPal issued no access token (${cause.code})`, { cause });
    this.status = cause.status;
  }
}

interface AccessToken {
  readonly value: string;
  /** OAuth scopes, as URLs separated by spaces. */
  readonly scope: string;
  readonly expiresAt: number;
}

export class PayPalClient {
  readonly apiUrl: string;
  readonly #credentials: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly now: () => number;
  #token: Promise<AccessToken> | undefined;

  constructor({
    clientId,
    clientSecret,
    environment,
    apiUrl = API_URLS[environment],
    fetch = globalThis.fetch,
    now = Date.now,
  }: PayPalClientOptions) {
    this.apiUrl = apiUrl.replace(/\/$/, '');
    this.#credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    this.#fetch = fetch;
    this.now = now;
  }

  /**
   * Calls the API. Returns `undefined` if the response has no body.
   * @throws {AccessTokenError} if PayPal issues no access token.
   * @throws {PayPalError} for an error response. After any other error, PayPal may have processed
   *   the call.
   */
  async call<Body>(method: string, path: string, options: CallOptions = {}): Promise<Body> {
    const token = await this.#getToken();
    try {
      return await this.#callWithToken<Body>(token, method, path, options);
    } catch (error) {
      if (!(error instanceof PayPalError) || error.status !== 401) throw error;
      // PayPal can revoke a token before it expires.
      this.#token = undefined;
      return this.#callWithToken<Body>(await this.#getToken(), method, path, options);
    }
  }

  get<Body>(path: string, query?: CallOptions['query']): Promise<Body> {
    return this.call('GET', path, query && { query });
  }

  /** Requests a new token. Returns its OAuth scopes, and the time according to PayPal. */
  async requestTokenDetails(): Promise<{ readonly scopes: string[]; readonly date: string }> {
    const { token, date } = await this.#requestToken();
    this.#token = Promise.resolve(token);
    return { scopes: token.scope.split(' '), date };
  }

  async #callWithToken<Body>(
    { value: token }: AccessToken,
    method: string,
    path: string,
    { body, query, requestId }: CallOptions,
  ): Promise<Body> {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const response = await this.#sendRequest(`${path}${search}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
        ...(requestId !== undefined && {
          'PayPal-Request-Id': requestId,
          Prefer: 'return=representation',
        }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = await parseResponseBody(response);
    if (!response.ok)
      throw new PayPalError(`${method} ${replaceIdsInPath(path)}`, response.status, parsed);
    return parsed as Body;
  }

  #getToken(): Promise<AccessToken> {
    const previous = this.#token;
    const token = (this.#token = this.#renewToken(previous));
    token.catch(() => {
      if (this.#token === token) this.#token = undefined;
    });
    return token;
  }

  async #renewToken(previous: Promise<AccessToken> | undefined): Promise<AccessToken> {
    const token = await previous?.catch(() => undefined);
    return token && this.now() < token.expiresAt ? token : (await this.#requestToken()).token;
  }

  async #requestToken(): Promise<{ readonly token: AccessToken; readonly date: string }> {
    const response = await this.#sendRequest('/v1/oauth2/token', {
      method: 'POST',
      headers: {
        Authorization: `Basic ${this.#credentials}`,
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const body = await parseResponseBody(response);
    if (!response.ok)
      throw new AccessTokenError(new PayPalError('POST /v1/oauth2/token', response.status, body));
    const {
      access_token: value,
      scope,
      expires_in: seconds,
    } = body as {
      readonly access_token: string;
      readonly scope: string;
      readonly expires_in: number;
    };
    return {
      token: { value, scope, expiresAt: this.now() + seconds * 1_000 - TOKEN_MARGIN },
      date: response.headers.get('Date') ?? '',
    };
  }

  #sendRequest(path: string, init: RequestInit): Promise<Response> {
    return this.#fetch(`${this.apiUrl}${path}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT),
    });
  }
}

/** Returns `undefined` for an error response that is not JSON, such as a proxy's. */
async function parseResponseBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  try {
    return await readJsonWithLimit(response);
  } catch (error) {
    if (!response.ok && error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Replaces the IDs in a path, so that log entries can be grouped. */
function replaceIdsInPath(path: string): string {
  return path.replace(/\/(?=[^/]*\d)(?!v\d)[^/]+/g, '/…');
}

/** Parses a time. Returns the current time if it is missing or invalid. */
export function parsePayPalTime(time = ''): Date {
  const parsed = Date.parse(time);
  return new Date(Number.isNaN(parsed) ? Date.now() : parsed);
}

/** Returns `undefined` if the app lacks permission for the call. @throws any other error. */
export function ignoreForbiddenError(error: unknown): undefined {
  if (!(error instanceof PayPalError) || error.status !== 403) throw error;
}

/** Returns `undefined` if PayPal does not have the object. @throws any other error. */
export function ignoreNotFoundError(error: unknown): undefined {
  if (!(error instanceof PayPalError) || error.status !== 404) throw error;
}
