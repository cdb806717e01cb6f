import {
  NoAnswerError,
  baseOf,
  checkKeys,
  checkPath,
  nameOf,
  readJson,
  textIn,
} from '../http/call.ts';
import { DonationPlatformError, ThrottledError } from './errors.ts';
import {
  LARGEST_PAGE,
  isUnreadableHeader,
  queryOf,
  readPagination,
  readRateLimit,
  readThrottle,
} from './messages.ts';
import { LIMITS, windowsOf, type RequestWindows } from './windows.ts';
import type { Answer, DonationListRequest, ListRequest, OpenRecord, PageAnswer } from './wire.ts';

const LONGEST_TIMEOUT = 60_000;

/** Where the platform is, the organization key, the license key, and what calls it. */
export interface DonationPlatformClientOptions {
  /**
   * Where the paths of the specification, which start with `/v1/`, begin. HTTPS, or plain HTTP on
   * loopback.
   */
  readonly baseUrl: string;
  /** The value of X-OrganizationKey. */
  readonly organizationKey: string;
  /** A license key of an active API application. */
  readonly licenseKey: string;
  /**
   * How the license key stands behind `Basic`, which the specification does not show: as it is, or
   * in base64.
   */
  readonly keyEncoding?: 'raw' | 'base64';
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds to wait for one answer: 60,000 at most. */
  readonly timeout?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * A client of the donation platform v1 (basic key). It keeps the three limits before it sends;
 * nothing is retried here: deciding belongs to the caller.
 */
export class DonationPlatformClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeout: number;
  readonly #now: () => number;
  readonly #windows: RequestWindows;

  /**
   * @throws {TypeError} where the address is neither HTTPS nor this machine, or a key cannot be
   *   one.
   * @throws {RangeError} where the timeout is longer than 60 s.
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
    this.#baseUrl = baseOf(baseUrl);
    checkKeys({ organizationKey, licenseKey });
    if (!(timeout > 0 && timeout <= LONGEST_TIMEOUT))
      throw new RangeError(
        `timeout is ${timeout}; expected more than 0 and ${LONGEST_TIMEOUT} milliseconds at most.`,
      );
    this.#headers = {
      'X-OrganizationKey': organizationKey,
      Authorization: `Basic ${keyEncoding === 'base64' ? btoa(licenseKey) : licenseKey}`,
    };
    this.#fetch = fetch;
    this.#timeout = timeout;
    this.#now = now;
    this.#windows = windowsOf(this.#baseUrl, organizationKey);
  }

  /** `GET /v1/donors`. @throws {RangeError} where a parameter is none of the documented values. */
  async donors(request: ListRequest = {}): Promise<PageAnswer> {
    return this.#list(`/v1/donors${queryOf(request)}`);
  }

  /**
   * `GET /v1/donations`.
   * @throws {RangeError} where a parameter is none of the documented values.
   */
  async donations(request: DonationListRequest = {}): Promise<PageAnswer> {
    return this.#list(`/v1/donations${queryOf(request)}`);
  }

  /** The pages of `GET /v1/donors`, by the links that the platform gives. */
  donorPages(request: ListRequest = {}): AsyncGenerator<PageAnswer> {
    return this.#pages(`/v1/donors${queryOf({ pageSize: LARGEST_PAGE, ...request })}`);
  }

  /** The pages of `GET /v1/donations`, by the links that the platform gives. */
  donationPages(request: DonationListRequest = {}): AsyncGenerator<PageAnswer> {
    return this.#pages(`/v1/donations${queryOf({ pageSize: LARGEST_PAGE, ...request })}`);
  }

  /** All donors, one by one; a page is fetched when the one before is used up. */
  async *eachDonor(request: ListRequest = {}): AsyncGenerator<OpenRecord> {
    for await (const { body } of this.donorPages(request)) yield* body;
  }

  /** All donations, one by one. */
  async *eachDonation(request: DonationListRequest = {}): AsyncGenerator<OpenRecord> {
    for await (const { body } of this.donationPages(request)) yield* body;
  }

  /**
   * A call whose path the specification does not show; path and body are the caller's knowledge.
   * The v1 campaign endpoints are deprecated, and refused: campaigns are read by v2. An answer
   * without a body is `undefined`.
   * @throws {ThrottledError} a limit is used up. @throws {DonationPlatformError} any other status
   *   but 2xx. @throws {NoAnswerError} no readable answer.
   */
  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer<unknown>> {
    const received = await this.#counted(method, path, body);
    return { body: received.body, rateLimit: received.rateLimit };
  }

  /**
   * A public endpoint, such as `/public/widgets/…`: without keys, and without a limit.
   * @throws {RangeError} for another path.
   */
  async publicCall(path: string): Promise<Answer<unknown>> {
    if (
      !path.startsWith('/public/') ||
      new URL(path, 'https://x').pathname !== path.replace(/\?.*/s, '')
    )
      throw new RangeError(`${path} is no public path; expected one that begins with /public/.`);
    const { body, rateLimit } = await this.#send('GET', path, {});
    return { body, rateLimit };
  }

  async #list(path: string): Promise<PageAnswer> {
    const { body, rateLimit, headers } = await this.#counted('GET', path);
    if (!Array.isArray(body))
      throw new NoAnswerError(`${nameOf('GET', path)}: the platform's answer is no list`);
    const pagination = readPagination(headers);
    return { body: body as readonly OpenRecord[], rateLimit, ...(pagination && { pagination }) };
  }

  async *#pages(first: string): AsyncGenerator<PageAnswer> {
    for (let path: string | undefined = first; path !== undefined;) {
      const answer: PageAnswer = await this.#list(path);
      if (!answer.pagination)
        throw new NoAnswerError(
          `${nameOf('GET', path)}: the answer has no header x-pagination that can be read, so where the list goes on is unknown`,
        );
      yield answer;
      const next = answer.pagination.nextPageLink;
      path = next === undefined ? undefined : this.#ownPath(next);
    }
  }

  /** The keys go with every page, so that a link that leads elsewhere is not followed. */
  #ownPath(link: string): string {
    const url = URL.canParse(link, `${this.#baseUrl}/`)
      ? new URL(link, `${this.#baseUrl}/`)
      : undefined;
    if (!url?.href.startsWith(`${this.#baseUrl}/`))
      throw new NoAnswerError(
        'the platform names a next page that does not lie at its own address; it is not followed',
      );
    return url.href.slice(this.#baseUrl.length);
  }

  /** A call with keys, which the limits count. */
  async #counted(method: string, path: string, body?: unknown): Promise<Received> {
    checkPath(this.#baseUrl, path);
    if (/\/v1\/campaigns?(?:\/|$)/i.test(new URL(this.#baseUrl + path).pathname))
      throw new RangeError(`${path}: the v1 campaign endpoints are deprecated; use those of v2.`);
    const full = this.#windows.take(this.#now());
    if (full)
      throw new ThrottledError(
        `${nameOf(method, path)} was not sent: ${full.period ? `the limit of ${full.period} is used up` : 'the platform asked for silence'} until ${full.until.toISOString()}`,
        { retryAt: full.until, wasSent: false },
      );
    try {
      return await this.#send(method, path, this.#headers, body);
    } catch (error) {
      if (error instanceof ThrottledError) this.#windows.silence(error.retryAt);
      throw error;
    }
  }

  async #send(
    method: string,
    path: string,
    keys: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Received> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const asked = nameOf(method, path);
    let response: Response;
    let text: string;
    try {
      response = await this.#fetch(this.#baseUrl + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeout),
        headers: { ...keys, Accept: 'application/json', 'Content-Type': 'application/json' },
        ...(sent !== undefined && { body: sent }),
      });
      text = await response.text();
    } catch (cause) {
      if (isUnreadableHeader(cause))
        throw new ThrottledError(`${asked}: the platform throttles`, {
          retryAt: this.#waitFrom(this.#now()),
          wasSent: true,
          cause,
        });
      throw new NoAnswerError(`${asked}: no answer from the platform`, { cause });
    }
    const rateLimit = readRateLimit(response.headers);
    const parsed = readJson(text);
    if (response.ok && parsed === undefined && text !== '')
      throw new NoAnswerError(`${asked}: the platform's answer is no JSON`);
    if (response.ok) return { body: parsed, rateLimit, headers: response.headers };
    const throttle = readThrottle(response, parsed);
    if (throttle) {
      const retryAt =
        throttle.seconds === undefined
          ? this.#waitFrom(this.#now())
          : new Date(this.#now() + throttle.seconds * 1_000);
      throw new ThrottledError(throttle.message, {
        retryAt,
        wasSent: true,
        details: throttle.details,
      });
    }
    throw new DonationPlatformError(
      textIn(parsed, 'message') ?? `${asked}: the platform answered ${response.status}`,
      response.status,
      rateLimit,
    );
  }

  /**
   * How long a throttle lasts that does not say it: as long as our own windows have it, or a
   * minute, the shortest of them.
   */
  #waitFrom(now: number): Date {
    return this.#windows.full(now)?.until ?? new Date(now + LIMITS[0].milliseconds);
  }
}

interface Received extends Answer<unknown> {
  readonly headers: Headers;
}
