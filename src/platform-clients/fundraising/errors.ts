import type { RateLimit } from './wire.ts';

/**
 * The platform answered with a status other than 200, which is its only success. The message is the
 * platform's own.
 */
export class FundraisingError extends Error {
  override readonly name: string = 'FundraisingError';
  readonly status: number;
  readonly rateLimit: RateLimit;

  constructor(message: string, status: number, rateLimit: RateLimit) {
    super(message);
    this.status = status;
    this.rateLimit = rateLimit;
  }
}

/** Status 429: the hour's calls are used up; `rateLimit.resetsAt` says when there are more. */
export class RateLimitedError extends FundraisingError {
  override readonly name = 'RateLimitedError';
}

/** A query asks what its options do not allow. It was not sent. */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
}
