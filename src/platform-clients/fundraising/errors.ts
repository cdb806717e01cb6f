import { ResponseError } from '../http/call.ts';
import type { RateLimit } from './wire.ts';

/** A response with a status code other than 2xx. Contains the platform's message, if any. */
export class FundraisingError extends ResponseError<RateLimit> {
  override readonly name: string = 'FundraisingError';
}

/** Status 429. `rateLimit.resetsAt` is the start of the next hour, if known. */
export class RateLimitedError extends FundraisingError {
  override readonly name = 'RateLimitedError';
}

/** The query options do not allow the query, or the client cannot build it. It was not sent. */
export class InvalidQueryError extends Error {
  override readonly name = 'InvalidQueryError';
}
