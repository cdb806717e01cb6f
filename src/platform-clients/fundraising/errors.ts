import type { RateLimit } from './wire.ts';

/** The platform responded with a status other than 200. The message is the platform's. */
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
   * The response's body as text. Loggers skip it, since it is not an own property and may repeat a
   * donor's data.
   */
  get body(): string {
    return this.#body;
  }
}

/** Status 429: the hourly limit is reached. `rateLimit.resetsAt` is the start of the next hour. */
export class RateLimitedError extends FundraisingError {
  override readonly name = 'RateLimitedError';
}

/** A query uses something that its options do not allow. The client did not send it. */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
}
