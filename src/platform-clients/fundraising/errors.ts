import type { RateLimit } from './wire.ts';

/**
 * Error response: a status code other than 2xx. The message comes from the platform if it sent one.
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
   * Text of the response body. It may contain donor data, so it is a getter, not an own property,
   * and loggers omit it.
   */
  get body(): string {
    return this.#body;
  }
}

/**
 * Status 429: the hourly limit is reached. `rateLimit.resetsAt` is the start of the next hour, if
 * the response contains it.
 */
export class RateLimitedError extends FundraisingError {
  override readonly name = 'RateLimitedError';
}

/** A query contains something that its options do not allow. The client did not send the query. */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
}
