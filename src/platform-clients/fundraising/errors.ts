import type { RateLimit } from './wire.ts';

/**
 * Error for a response with a status code other than 2xx. Contains the platform's message, if any.
 */
export class FundraisingError extends Error {
  override readonly name: string = 'FundraisingError';
  readonly status: number;
  readonly rateLimit: RateLimit;
  readonly #body: string;

  constructor(message: string, status: number, rateLimit: RateLimit, body = '') {
    super(message);
    this.status = status;
    this.rateLimit = rateLimit;
    this.#body = body;
  }

  /**
   * Text of the response body, which can contain donor data. Loggers omit the text, because this
   * property is a getter and not an own property.
   */
  get body(): string {
    return this.#body;
  }
}

/**
 * Error for a response with status 429: the hourly rate limit is reached. If the response contains
 * the start of the next hour, `rateLimit.resetsAt` is that time.
 */
export class RateLimitedError extends FundraisingError {
  override readonly name = 'RateLimitedError';
}

/**
 * Error for a query that the query options do not allow or that the client cannot build. The client
 * did not send the query.
 */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
}
