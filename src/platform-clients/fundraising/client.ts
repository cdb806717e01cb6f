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
import type { QueryTypeName } from './enumerations.ts';
import { FundraisingError, InvalidQueryError, RateLimitedError } from './errors.ts';
import { assertValidPageRange, iteratePages, iterateRecords, type PagesOf } from './pagination.ts';
import {
  checkQuery,
  type QueryOptions,
  type QueryRequest,
  type QueryShape,
  toQueryBody,
} from './query.ts';
import type {
  ActivityListRequest,
  ApiResponse,
  CampaignListRequest,
  Page,
  RateLimit,
  UntypedRecord,
} from './wire.ts';

/** Options of a {@link FundraisingClient}. */
export interface FundraisingClientOptions {
  /** Base URL before `/api/`. Must use HTTPS, or plain HTTP on a loopback address. */
  readonly baseUrl: string;
  /** Sent only as the bearer token in the `Authorization` header. */
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds; 10,000 by default. */
  readonly timeout?: number;
  /** Query details that the specification does not document. */
  readonly query?: QueryShape;
  /** Case of names in query strings: `skip` (`camel`, the default) or `Skip` (`pascal`). */
  readonly parameterCase?: 'camel' | 'pascal';
}

/**
 * Client for the Fundraising Platform API, which requires a bearer key. The client has one method
 * for each documented call. It never retries a call, because only the caller can decide whether a
 * call is safe to repeat.
 *
 * @example
 * ```ts
 * import { FundraisingClient } from 'donation-platform-clients/fundraising';
 *
 * const client = new FundraisingClient({
 *   baseUrl: process.env.FUNDRAISING_URL!,
 *   apiKey: process.env.FUNDRAISING_API_KEY!,
 * });
 * for await (const { id, name } of client.iterateCampaigns({ filter: 'water' })) {
 *   console.log(id, name);
 * }
 * ```
 */
export class FundraisingClient {
  readonly #baseUrl: string;
  readonly #authorization: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;
  readonly #query: QueryShape;
  readonly #parameterCase: 'camel' | 'pascal';

  /**
   * @throws {TypeError} if the URL uses neither HTTPS nor a loopback address, or if an HTTP header
   *   cannot contain the key.
   * @throws {RangeError} if the timeout is not positive.
   */
  constructor({
    baseUrl,
    apiKey,
    fetch = globalThis.fetch,
    timeout = 10_000,
    query = {},
    parameterCase = 'camel',
  }: FundraisingClientOptions) {
    this.#baseUrl = normalizeBaseUrl(baseUrl);
    assertValidApiKeys({ apiKey });
    if (!(timeout > 0))
      throw new RangeError(`timeout is ${timeout}; expected more than 0 milliseconds.`);
    this.#authorization = `Bearer ${apiKey}`;
    this.#fetch = fetch;
    this.#timeout = timeout;
    this.#query = query;
    this.#parameterCase = parameterCase;
  }

  /**
   * Fetches one page: `GET /api/campaign/list`.
   * @throws {RangeError} if `skip` or `take` is not an integer of at least 0. Also throws the errors
   *   of {@link call}.
   */
  async listCampaigns(request: CampaignListRequest): Promise<ApiResponse<Page>> {
    const { skip, take, filter, sortBy, descending } = request;
    assertValidPageRange({ skip, take });
    const parameters = Object.entries({ skip, take, filter, sortBy, descending })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [
        this.#parameterCase === 'pascal' ? name[0]!.toUpperCase() + name.slice(1) : name,
        String(value),
      ]);
    return this.#fetchPage('GET', `/api/campaign/list?${new URLSearchParams(parameters)}`);
  }

  /**
   * Yields the pages of `GET /api/campaign/list`.
   * @throws {PageLimitError} if there are more than `maxPages` pages.
   */
  iterateCampaignPages(
    request: PagesOf<CampaignListRequest> = {},
  ): AsyncGenerator<ApiResponse<Page>> {
    return iteratePages<CampaignListRequest>(
      'GET /api/campaign/list',
      (page) => this.listCampaigns(page),
      request,
    );
  }

  /** Yields all campaigns. @throws {PageLimitError} if there are more than `maxPages` pages. */
  iterateCampaigns(request: PagesOf<CampaignListRequest> = {}): AsyncGenerator<UntypedRecord> {
    return iterateRecords(this.iterateCampaignPages(request));
  }

  /**
   * Fetches one page: `POST /api/activity/list`.
   * @throws {RangeError} if `skip` or `take` is not an integer of at least 0. Also throws the errors
   *   of {@link call}.
   */
  async listActivities(request: ActivityListRequest): Promise<ApiResponse<Page>> {
    assertValidPageRange(request);
    return this.#fetchPage('POST', '/api/activity/list', request);
  }

  /**
   * Yields the pages of `POST /api/activity/list`.
   * @throws {PageLimitError} if there are more than `maxPages` pages.
   */
  iterateActivityPages(
    request: PagesOf<ActivityListRequest> = {},
  ): AsyncGenerator<ApiResponse<Page>> {
    return iteratePages<ActivityListRequest>(
      'POST /api/activity/list',
      (page) => this.listActivities(page),
      request,
    );
  }

  /** Yields all activities. @throws {PageLimitError} if there are more than `maxPages` pages. */
  iterateActivities(request: PagesOf<ActivityListRequest> = {}): AsyncGenerator<UntypedRecord> {
    return iterateRecords(this.iterateActivityPages(request));
  }

  /**
   * Fetches what a query can use: `GET /api/query/options/{queryType}`.
   * @throws {InvalidQueryError} if the client has no `query.parseOptions` function. Also throws the
   *   errors of {@link call}.
   */
  async getQueryOptions(queryType: QueryTypeName): Promise<ApiResponse<QueryOptions>> {
    const { parseOptions } = this.#query;
    if (!parseOptions)
      throw new InvalidQueryError(
        'The specification does not document the shape of the query options. Pass a ' +
          'function that parses them: new FundraisingClient({ query: { parseOptions } }).',
      );
    const { body, rateLimit } = await this.call(
      'GET',
      `/api/query/options/${encodeURIComponent(queryType)}`,
    );
    return { body: parseOptions(body), rateLimit };
  }

  /**
   * Checks a query, and fetches one page: `POST /api/campaign/query`.
   * @param options query options that {@link getQueryOptions} returns for 'Campaign'.
   * @throws {RangeError} if `skip` or `take` is not an integer of at least 0.
   * @throws {InvalidQueryError} if the options do not allow the request. Also throws the errors of
   *   {@link call}.
   */
  async queryCampaigns(request: QueryRequest, options: QueryOptions): Promise<ApiResponse<Page>> {
    assertValidPageRange(request);
    checkQuery(request, options);
    return this.#fetchPage(
      'POST',
      '/api/campaign/query',
      toQueryBody('Campaign', request, this.#query),
    );
  }

  /**
   * Yields the pages of `POST /api/campaign/query`.
   * @throws {PageLimitError} if there are more than `maxPages` pages.
   */
  iterateQueriedCampaignPages(
    request: PagesOf<QueryRequest>,
    options: QueryOptions,
  ): AsyncGenerator<ApiResponse<Page>> {
    return iteratePages<QueryRequest>(
      'POST /api/campaign/query',
      (page) => this.queryCampaigns(page, options),
      request,
    );
  }

  /**
   * Yields all matching campaigns.
   * @throws {PageLimitError} if there are more than `maxPages` pages.
   */
  iterateQueriedCampaigns(
    request: PagesOf<QueryRequest>,
    options: QueryOptions,
  ): AsyncGenerator<UntypedRecord> {
    return iterateRecords(this.iterateQueriedCampaignPages(request, options));
  }

  /**
   * Makes an undocumented call, such as one that records a gift.
   * @param path path under `baseUrl` that starts with `/`.
   * @param body value to send as JSON.
   * @param options.allowEmptyBody true to accept any 2xx response without a body, not only status
   *   204.
   * @returns the response with its parsed body, which is `undefined` if the response is empty.
   * @throws {RangeError} if the path leads outside `baseUrl`.
   * @throws {RateLimitedError} for status 429.
   * @throws {FundraisingError} for any other status code that is not 2xx.
   * @throws {NoResponseError} if no readable response arrives.
   */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    { allowEmptyBody = false }: { readonly allowEmptyBody?: boolean } = {},
  ): Promise<ApiResponse<unknown>> {
    assertPathWithinBase(this.#baseUrl, path);
    const json = body === undefined ? undefined : JSON.stringify(body);
    const call = describeCall(method, path);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(this.#baseUrl + path, {
        method,
        headers: {
          Authorization: this.#authorization,
          Accept: 'application/json',
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeout),
        ...(json !== undefined && { body: json }),
      });
      text = await readLimitedText(response);
    } catch (cause) {
      throw createNoResponseError(call, cause);
    }
    const rateLimit = parseRateLimit(response.headers);
    const parsed = parseJsonOrUndefined(text);
    if (response.status === 429)
      throw new RateLimitedError(
        extractErrorMessage(text) ?? 'the hourly rate limit is reached',
        429,
        rateLimit,
        text,
      );
    if (!response.ok)
      throw new FundraisingError(
        extractErrorMessage(text) ??
          `${call}: the platform responded with status ${response.status}`,
        response.status,
        rateLimit,
        text,
      );
    const mayBeEmpty = response.status === 204 || (allowEmptyBody && text.trim() === '');
    if (parsed === undefined && !mayBeEmpty)
      throw new NoResponseError(`${call}: the platform's response is not JSON`);
    return { body: parsed, rateLimit };
  }

  async #fetchPage(method: 'GET' | 'POST', path: string, request?: unknown) {
    const { body, rateLimit } = await this.call(method, path, request);
    if (!isPage(body))
      throw new NoResponseError(
        `${describeCall(method, path)}: the platform's response has no items array`,
      );
    return { body, rateLimit };
  }
}

function isPage(body: unknown): body is Page {
  return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items);
}

/** Smallest timestamp that counts as milliseconds. In seconds, it would be in the year 5138. */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Parses the state of the hourly limit from response headers. Omits headers that are missing or not
 * numbers. Also accepts a reset time in milliseconds or with a fraction, because the specification
 * does not exclude these formats.
 *
 * @example
 * ```ts
 * import { parseRateLimit } from 'donation-platform-clients/fundraising';
 *
 * const { remaining } = parseRateLimit(new Headers({ 'X-RateLimit-Remaining': '1499' }));
 * console.log(remaining); // 1499
 * ```
 */
export function parseRateLimit(headers: Headers): RateLimit {
  const readNumber = (name: string): number | undefined => {
    const text = headers.get(name)?.trim() ?? '';
    return /^\d{1,13}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) : undefined;
  };
  const limit = readNumber('X-RateLimit-Limit');
  const remaining = readNumber('X-RateLimit-Remaining');
  const reset = readNumber('X-RateLimit-Reset');
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && {
      resetsAt: new Date(reset < MIN_MILLISECONDS ? reset * 1_000 : reset),
    }),
  };
}
