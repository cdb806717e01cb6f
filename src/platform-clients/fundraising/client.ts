import {
  NoAnswerError,
  baseOf,
  checkKeys,
  checkPath,
  nameOf,
  readJson,
  textIn,
} from '../http/call.ts';
import type { QueryTypeName } from './enumerations.ts';
import { FundraisingError, InvalidQueryError, RateLimitedError } from './errors.ts';
import { checkPaging, pagesOf, recordsOf, type Walk } from './paging.ts';
import {
  checkQuery,
  queryBody,
  type QueryOptions,
  type QueryRequest,
  type QueryShape,
} from './query.ts';
import type {
  ActivityListRequest,
  Answer,
  CampaignListRequest,
  OpenRecord,
  Page,
  RateLimit,
} from './wire.ts';

/** Where the platform is, the bearer key, and what calls it. */
export interface FundraisingClientOptions {
  /**
   * Where the paths of the specification, which start with `/api/`, begin. HTTPS, or plain HTTP on
   * loopback.
   */
  readonly baseUrl: string;
  /** The bearer key. It leaves this object in the Authorization header only. */
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds to wait for one answer. */
  readonly timeout?: number;
  /** What queries need and the specification does not show. */
  readonly query?: QueryShape;
}

/**
 * A client of the fundraising platform (bearer key): one method for each documented call. Nothing
 * is retried here: deciding belongs to the caller.
 */
export class FundraisingClient {
  readonly #baseUrl: string;
  readonly #authorization: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;
  readonly #query: QueryShape;

  /**
   * @throws {TypeError} where the address is neither HTTPS nor this machine, or the key cannot be
   *   one.
   * @throws {RangeError} where the timeout is none.
   */
  constructor({
    baseUrl,
    apiKey,
    fetch = globalThis.fetch,
    timeout = 10_000,
    query = {},
  }: FundraisingClientOptions) {
    this.#baseUrl = baseOf(baseUrl);
    checkKeys({ apiKey });
    if (!(timeout > 0))
      throw new RangeError(`timeout is ${timeout}; expected more than 0 milliseconds.`);
    this.#authorization = `Bearer ${apiKey}`;
    this.#fetch = fetch;
    this.#timeout = timeout;
    this.#query = query;
  }

  /**
   * `GET /api/campaign/list`.
   * @throws {RangeError} where skip or take is no whole number from 0.
   */
  async campaigns({
    skip,
    take,
    filter,
    sortBy,
    descending,
  }: CampaignListRequest): Promise<Answer<Page>> {
    checkPaging({ skip, take });
    const query = new URLSearchParams({ skip: String(skip), take: String(take) });
    if (filter !== undefined) query.set('filter', filter);
    if (sortBy !== undefined) query.set('sortBy', sortBy);
    if (descending !== undefined) query.set('descending', String(descending));
    return this.#page('GET', `/api/campaign/list?${query}`);
  }

  /** The pages of `GET /api/campaign/list`, one call each. */
  campaignPages(
    request: Omit<CampaignListRequest, keyof Walk> & Walk = {},
  ): AsyncGenerator<Answer<Page>> {
    return pagesOf((page) => this.campaigns(page), request);
  }

  /** All campaigns, one by one; a page is fetched when the one before is used up. */
  eachCampaign(
    request: Omit<CampaignListRequest, keyof Walk> & Walk = {},
  ): AsyncGenerator<OpenRecord> {
    return recordsOf(this.campaignPages(request));
  }

  /**
   * `POST /api/activity/list`.
   * @throws {RangeError} where skip or take is no whole number from 0.
   */
  async activities(request: ActivityListRequest): Promise<Answer<Page>> {
    checkPaging(request);
    return this.#page('POST', '/api/activity/list', request);
  }

  /** The pages of `POST /api/activity/list`, one call each. */
  activityPages(
    request: Omit<ActivityListRequest, keyof Walk> & Walk = {},
  ): AsyncGenerator<Answer<Page>> {
    return pagesOf((page) => this.activities(page), request);
  }

  /** All activities, one by one. */
  eachActivity(
    request: Omit<ActivityListRequest, keyof Walk> & Walk = {},
  ): AsyncGenerator<OpenRecord> {
    return recordsOf(this.activityPages(request));
  }

  /**
   * `GET /api/query/options/{queryType}`: what a query may ask.
   * @throws {InvalidQueryError} where nobody said how to read the answer, whose shape is not shown.
   */
  async queryOptions(queryType: QueryTypeName): Promise<Answer<QueryOptions>> {
    const { readOptions } = this.#query;
    if (!readOptions)
      throw new InvalidQueryError(
        'The specification does not show the shape of the query options. Say how to read them: new FundraisingClient({ query: { readOptions } }).',
      );
    const { body, rateLimit } = await this.call(
      'GET',
      `/api/query/options/${encodeURIComponent(queryType)}`,
    );
    return { body: readOptions(body), rateLimit };
  }

  /**
   * `POST /api/campaign/query`.
   * @param options from {@link queryOptions} with 'Campaign': the request is checked against them
   *   before it is sent.
   * @throws {InvalidQueryError} naming what is allowed.
   */
  async queryCampaigns(request: QueryRequest, options: QueryOptions): Promise<Answer<Page>> {
    checkPaging(request);
    checkQuery(request, options);
    return this.#page('POST', '/api/campaign/query', queryBody('Campaign', request, this.#query));
  }

  /** The pages of `POST /api/campaign/query`, one call each. */
  queriedCampaignPages(
    request: Omit<QueryRequest, keyof Walk> & Walk,
    options: QueryOptions,
  ): AsyncGenerator<Answer<Page>> {
    return pagesOf((page) => this.queryCampaigns(page, options), request);
  }

  /** All campaigns that a query finds, one by one. */
  eachQueriedCampaign(
    request: Omit<QueryRequest, keyof Walk> & Walk,
    options: QueryOptions,
  ): AsyncGenerator<OpenRecord> {
    return recordsOf(this.queriedCampaignPages(request, options));
  }

  /**
   * A call that the specification does not show, such as recording a gift; its path and body are
   * the caller's knowledge.
   * @throws {RangeError} where the path is none.
   * @throws {RateLimitedError} status 429. @throws {FundraisingError} any other status but
   *   200. @throws {NoAnswerError} no readable answer.
   */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer<unknown>> {
    checkPath(this.#baseUrl, path);
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const asked = nameOf(method, path);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(this.#baseUrl + path, {
        method,
        headers: {
          Authorization: this.#authorization,
          Accept: 'application/json',
          ...(sent !== undefined && { 'Content-Type': 'application/json' }),
        },
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeout),
        ...(sent !== undefined && { body: sent }),
      });
      text = await response.text();
    } catch (cause) {
      throw new NoAnswerError(`${asked}: no answer from the platform`, { cause });
    }
    const rateLimit = readRateLimit(response.headers);
    const parsed = readJson(text);
    if (response.status === 429)
      throw new RateLimitedError(
        textIn(parsed, 'message') ?? 'the hourly request limit is used up',
        429,
        rateLimit,
      );
    if (response.status !== 200)
      throw new FundraisingError(
        textIn(parsed, 'message') ?? `${asked}: the platform answered ${response.status}`,
        response.status,
        rateLimit,
      );
    if (parsed === undefined) throw new NoAnswerError(`${asked}: the platform's answer is no JSON`);
    return { body: parsed, rateLimit };
  }

  async #page(method: 'GET' | 'POST', path: string, request?: unknown): Promise<Answer<Page>> {
    const { body, rateLimit } = await this.call(method, path, request);
    if (!isPage(body))
      throw new NoAnswerError(
        `${nameOf(method, path)}: the platform's answer has no array named items`,
      );
    return { body, rateLimit };
  }
}

function isPage(body: unknown): body is Page {
  return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items);
}

/**
 * The state of the hourly limit in an answer's headers; without those that are missing or no
 * numbers.
 */
export function readRateLimit(headers: Headers): RateLimit {
  const count = (name: string): number | undefined => {
    const text = headers.get(name);
    return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  };
  const limit = count('X-RateLimit-Limit');
  const remaining = count('X-RateLimit-Remaining');
  const reset = count('X-RateLimit-Reset');
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && { resetsAt: new Date(reset * 1_000) }),
  };
}
