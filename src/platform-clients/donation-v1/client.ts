import {
  assertPathWithinBase,
  assertValidApiKeys,
  createNoResponseError,
  describeCall,
  extractErrorMessage,
  NoResponseError,
  normalizeBaseUrl,
  parseJsonOrUndefined,
  readLimitedText,
} from '../http/call.ts';
import {
  assertValidMaxPages,
  createPageLimitError,
  DEFAULT_MAX_PAGES,
} from '../http/page-limit.ts';
import { DonationPlatformError, ThrottledError } from './errors.ts';
import { getSharedRateLimiter, LIMITS, type RateLimiter } from './rate-limiter.ts';
import {
  isUnreadableHeaderError,
  MAX_PAGE_SIZE,
  parsePagination,
  parseRateLimit,
  parseThrottle,
  toQueryString,
} from './serialization.ts';
import type {
  ApiResponse,
  DonationListRequest,
  ListRequest,
  PageLimit,
  PageResponse,
  UntypedRecord,
} from './wire.ts';

const MAX_TIMEOUT = 60_000;

/** Options of a {@link DonationPlatformClient}. */
export interface DonationPlatformClientOptions {
  /** Base URL before `/v1/`. Must use HTTPS, or plain HTTP on a loopback address. */
  readonly baseUrl: string;
  /** Sent in the `X-OrganizationKey` header. */
  readonly organizationKey: string;
  /** License key of an active API application, sent in the `Authorization` header. */
  readonly licenseKey: string;
  /** Encoding of the license key after `Basic`, which is undocumented; `raw` by default. */
  readonly keyEncoding?: 'raw' | 'base64';
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds; 30,000 by default, at most 60,000. */
  readonly timeout?: number;
  /** Current time, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
}

/**
 * Client for the Donation Platform API v1, which requires a basic key. The client does not send
 * calls that would exceed one of the platform's three rate limits. It never retries a call, because
 * only the caller can decide whether a call is safe to repeat.
 *
 * @example
 * ```ts
 * import { DonationPlatformClient } from 'donation-platform-clients/donation-v1';
 *
 * const client = new DonationPlatformClient({
 *   baseUrl: process.env.DONATION_V1_URL!,
 *   organizationKey: process.env.ORGANIZATION_KEY!,
 *   licenseKey: process.env.LICENSE_KEY!,
 * });
 * for await (const { id } of client.iterateDonations({ createdAfter: '2026-11-01' })) {
 *   console.log(id);
 * }
 * ```
 */
export class DonationPlatformClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;
  readonly #now: () => number;
  readonly #rateLimiter: RateLimiter;

  /**
   * @throws {TypeError} if the URL uses neither HTTPS nor a loopback address, or if an HTTP header
   *   cannot contain one of the keys.
   * @throws {RangeError} if the timeout is not positive or is longer than 60 seconds.
   */
  constructor({
    baseUrl,
    organizationKey,
    licenseKey,
    keyEncoding = 'raw',
    fetch = globalThis.fetch,
    timeout = 30_000,
    now = Date.now,
  }: DonationPlatformClientOptions) {
    this.#baseUrl = normalizeBaseUrl(baseUrl);
    assertValidApiKeys({ organizationKey, licenseKey });
    if (!(timeout > 0 && timeout <= MAX_TIMEOUT))
      throw new RangeError(
        `timeout is ${timeout}; expected more than 0 and at most ${MAX_TIMEOUT} milliseconds.`,
      );
    this.#headers = {
      'X-OrganizationKey': organizationKey,
      Authorization: `Basic ${keyEncoding === 'base64' ? btoa(licenseKey) : licenseKey}`,
    };
    this.#fetch = fetch;
    this.#timeout = timeout;
    this.#now = now;
    this.#rateLimiter = getSharedRateLimiter(this.#baseUrl, organizationKey);
  }

  /**
   * Fetches one page: `GET /v1/donors`.
   * @throws {RangeError} for an invalid parameter. Also throws the errors of {@link call}.
   */
  async listDonors(request: ListRequest = {}): Promise<PageResponse> {
    return this.#fetchPage(`/v1/donors${toQueryString(request)}`);
  }

  /**
   * Fetches one page: `GET /v1/donations`.
   * @throws {RangeError} for an invalid parameter. Also throws the errors of {@link call}.
   */
  async listDonations(request: DonationListRequest = {}): Promise<PageResponse> {
    return this.#fetchPage(`/v1/donations${toQueryString(request)}`);
  }

  /**
   * Yields the pages of `GET /v1/donors`, with 200 records per page by default.
   * @throws {PageLimitError} if there are more than `maxPages` pages.
   */
  iterateDonorPages(request: ListRequest & PageLimit = {}): AsyncGenerator<PageResponse> {
    return this.#iteratePages('/v1/donors', request);
  }

  /**
   * Yields the pages of `GET /v1/donations`, with 200 records per page by default.
   * @throws {PageLimitError} if there are more than `maxPages` pages.
   */
  iterateDonationPages(
    request: DonationListRequest & PageLimit = {},
  ): AsyncGenerator<PageResponse> {
    return this.#iteratePages('/v1/donations', request);
  }

  /** Yields all donors. @throws {PageLimitError} if there are more than `maxPages` pages. */
  async *iterateDonors(request: ListRequest & PageLimit = {}): AsyncGenerator<UntypedRecord> {
    for await (const { body } of this.iterateDonorPages(request)) yield* body;
  }

  /** Yields all donations. @throws {PageLimitError} if there are more than `maxPages` pages. */
  async *iterateDonations(
    request: DonationListRequest & PageLimit = {},
  ): AsyncGenerator<UntypedRecord> {
    for await (const { body } of this.iterateDonationPages(request)) yield* body;
  }

  /**
   * Makes an undocumented call. Rejects the deprecated v1 campaign endpoints; use the v2 endpoints
   * instead.
   * @param path path under `baseUrl` that starts with `/`.
   * @param body value to send as JSON.
   * @returns the response with its parsed body, which is `undefined` if the response is empty.
   * @throws {RangeError} if the path leads outside `baseUrl` or belongs to a deprecated endpoint.
   * @throws {ThrottledError} if a rate limit is reached.
   * @throws {DonationPlatformError} for any status other than 2xx.
   * @throws {NoResponseError} if no readable response arrives.
   */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<ApiResponse<unknown>> {
    const response = await this.#callWithinLimits(method, path, body);
    return { body: response.body, rateLimit: response.rateLimit };
  }

  /**
   * Calls a public endpoint without API keys and rate limits.
   * @throws {RangeError} if the path is not under `/public/`, and the errors of {@link call}.
   */
  async callPublicEndpoint(path: string): Promise<ApiResponse<unknown>> {
    if (
      !path.startsWith('/public/') ||
      new URL(path, 'https://x').pathname !== path.replace(/\?.*/s, '')
    )
      throw new RangeError(
        `${path} is not a public path; expected a path that starts with /public/.`,
      );
    const { body, rateLimit } = await this.#sendRequest('GET', path, {});
    return { body, rateLimit };
  }

  async #fetchPage(path: string): Promise<PageResponse> {
    const { body, rateLimit, headers } = await this.#callWithinLimits('GET', path);
    if (!Array.isArray(body))
      throw new NoResponseError(
        `${describeCall('GET', path)}: the platform's response is not a list`,
      );
    const pagination = parsePagination(headers);
    return {
      body: body as readonly UntypedRecord[],
      rateLimit,
      ...(pagination && { pagination }),
    };
  }

  async *#iteratePages(
    list: string,
    { maxPages = DEFAULT_MAX_PAGES, ...request }: DonationListRequest & PageLimit,
  ): AsyncGenerator<PageResponse> {
    assertValidMaxPages(maxPages);
    let path = `${list}${toQueryString({ pageSize: MAX_PAGE_SIZE, ...request })}`;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const response = await this.#fetchPage(path);
      if (!response.pagination)
        throw new NoResponseError(
          `${describeCall('GET', path)}: the response has no valid x-pagination header, so the next page is unknown`,
        );
      yield response;
      const { nextPageLink } = response.pagination;
      if (nextPageLink === undefined) return;
      path = this.#toPathWithinBase(nextPageLink);
    }
    throw createPageLimitError(`GET ${list}`, maxPages);
  }

  /** Rejects links outside `baseUrl`, because every request contains the API keys. */
  #toPathWithinBase(link: string): string {
    const url = URL.parse(link, `${this.#baseUrl}/`);
    if (!url?.href.startsWith(`${this.#baseUrl}/`))
      throw new NoResponseError(
        'the next-page link points outside baseUrl, so the client did not follow it',
      );
    return url.href.slice(this.#baseUrl.length);
  }

  async #callWithinLimits(method: string, path: string, body?: unknown): Promise<ReceivedResponse> {
    assertPathWithinBase(this.#baseUrl, path);
    if (/\/v1\/campaigns?(?:\/|$)/i.test(new URL(this.#baseUrl + path).pathname))
      throw new RangeError(
        `${path}: the v1 campaign endpoints are deprecated. Use the v2 endpoints.`,
      );
    const exhausted = this.#rateLimiter.countRequest(this.#now());
    if (exhausted) {
      const reason = exhausted.period
        ? `the ${exhausted.period} rate limit is exhausted`
        : 'the platform asked the client to wait';
      throw new ThrottledError(
        `The client did not send ${describeCall(method, path)}, because ${reason} until ` +
          exhausted.until.toISOString(),
        { retryAt: exhausted.until, wasSent: false },
      );
    }
    try {
      return await this.#sendRequest(method, path, this.#headers, body);
    } catch (error) {
      if (error instanceof ThrottledError) this.#rateLimiter.rejectUntil(error.retryAt);
      throw error;
    }
  }

  async #sendRequest(
    method: string,
    path: string,
    keys: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<ReceivedResponse> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const call = describeCall(method, path);
    let response: Response | undefined;
    let text: string;
    try {
      response = await this.#fetch(this.#baseUrl + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeout),
        headers: { ...keys, Accept: 'application/json', 'Content-Type': 'application/json' },
        ...(json !== undefined && { body: json }),
      });
      text = await readLimitedText(response);
    } catch (cause) {
      if (!response && isUnreadableHeaderError(cause))
        throw new ThrottledError(`${call}: the platform is throttling requests`, {
          retryAt: this.#estimateRetryAt(this.#now()),
          wasSent: true,
          cause,
        });
      throw createNoResponseError(call, cause);
    }
    const rateLimit = parseRateLimit(response.headers);
    const parsed = parseJsonOrUndefined(text);
    if (response.ok && parsed === undefined && text !== '')
      throw new NoResponseError(`${call}: the platform's response is not JSON`);
    if (response.ok) return { body: parsed, rateLimit, headers: response.headers };
    const throttle = parseThrottle(response, parsed);
    if (throttle) {
      const { message, details, seconds } = throttle;
      const now = this.#now();
      const retryAt =
        seconds === undefined ? this.#estimateRetryAt(now) : new Date(now + seconds * 1_000);
      const { status } = response;
      throw new ThrottledError(message, { retryAt, wasSent: true, details, status, body: text });
    }
    throw new DonationPlatformError(
      extractErrorMessage(text) ?? `${call}: the platform responded with status ${response.status}`,
      response.status,
      rateLimit,
      text,
    );
  }

  /** Uses the end of the window that is exhausted by our own count, or of the shortest one. */
  #estimateRetryAt(now: number): Date {
    return (
      this.#rateLimiter.findExhaustedWindow(now)?.until ?? new Date(now + LIMITS[0].milliseconds)
    );
  }
}

interface ReceivedResponse extends ApiResponse<unknown> {
  readonly headers: Headers;
}
