import { FundraisingError, NoAnswerError, RateLimitedError } from './errors.ts';
import type { ActivityListRequest, Answer, CampaignListRequest, Page, RateLimit } from './wire.ts';

export interface FundraisingClientOptions {
  /** Where the paths of the specification, which start with `/api/`, begin. HTTPS, or plain HTTP on loopback. */
  readonly baseUrl: string;
  /** The bearer key. It leaves this object in the Authorization header only. */
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds to wait for one answer. */
  readonly timeout?: number;
}

/** A client of the fundraising platform (bearer key): one method for each documented call. Nothing is retried here: deciding belongs to the caller. */
export class FundraisingClient {
  readonly #baseUrl: string;
  readonly #authorization: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;

  constructor({ baseUrl, apiKey, fetch = globalThis.fetch, timeout = 10_000 }: FundraisingClientOptions) {
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#authorization = `Bearer ${apiKey}`;
    this.#fetch = fetch;
    this.#timeout = timeout;
  }

  /** `GET /api/campaign/list`. */
  campaigns({ skip, take, filter, sortBy, descending }: CampaignListRequest): Promise<Answer<Page>> {
    const query = new URLSearchParams({ skip: String(skip), take: String(take) });
    if (filter !== undefined) query.set('filter', filter);
    if (sortBy !== undefined) query.set('sortBy', sortBy);
    if (descending !== undefined) query.set('descending', String(descending));
    return this.#page('GET', `/api/campaign/list?${query}`);
  }

  /** `POST /api/activity/list`. */
  activities(request: ActivityListRequest): Promise<Answer<Page>> {
    return this.#page('POST', '/api/activity/list', request);
  }

  /**
   * A call that the specification does not show, such as recording a gift; its path and body are the caller's knowledge.
   * @throws {RateLimitedError} status 429. @throws {FundraisingError} any other status but 200. @throws {NoAnswerError} no readable answer.
   */
  async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<unknown>> {
    let response: Response, text: string;
    try {
      response = await this.#fetch(this.#baseUrl + path, {
        method,
        headers: { Authorization: this.#authorization, Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }) },
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeout),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (cause) {
      throw new NoAnswerError(`${method} ${path}: no answer from the platform`, { cause });
    }
    const rateLimit = readRateLimit(response.headers);
    const parsed = parseJson(text);
    if (response.status === 429) throw new RateLimitedError(messageOf(parsed) ?? 'the hourly request limit is used up', 429, rateLimit);
    if (response.status !== 200) throw new FundraisingError(messageOf(parsed) ?? `${method} ${path}: the platform answered ${response.status}`, response.status, rateLimit);
    if (parsed === undefined) throw new NoAnswerError(`${method} ${path}: the platform's answer is no JSON`);
    return { body: parsed, rateLimit };
  }

  async #page(method: 'GET' | 'POST', path: string, request?: unknown): Promise<Answer<Page>> {
    const { body, rateLimit } = await this.call(method, path, request);
    if (!isPage(body)) throw new NoAnswerError(`${method} ${path}: the platform's answer has no array named items`);
    return { body, rateLimit };
  }
}

function isPage(body: unknown): body is Page {
  return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The field names of an error body are not shown in the specification; `message` is where most interfaces put it. */
function messageOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string' ? body.message : undefined;
}

function readRateLimit(headers: Headers): RateLimit {
  const count = (name: string): number | undefined => {
    const text = headers.get(name);
    return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  };
  const limit = count('X-RateLimit-Limit'), remaining = count('X-RateLimit-Remaining'), reset = count('X-RateLimit-Reset');
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(reset !== undefined && { resetsAt: new Date(reset * 1_000) }),
  };
}
