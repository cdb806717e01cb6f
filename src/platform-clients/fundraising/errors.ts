import { ResponseError } from '../http/response-error.ts';
import type { RateLimit } from './wire.ts';

/**
 * Error for a response with a status code other than 2xx. Contains the platform's message, if any.
 */
export class FundraisingError extends ResponseError<RateLimit> {
  override readonly name: string = 'FundraisingError';
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
