import { ResponseError } from '../http/call.ts';
import type { RateLimit } from './wire.ts';

/** Status other than 2xx: 4xx for an invalid request, 5xx for a platform failure. */
export class DonationPlatformError extends ResponseError<RateLimit> {
  override readonly name: string = 'DonationPlatformError';
}

/** A request exceeds a rate limit. The platform rejected it, or the client did not send it. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
  /** Time at which the client can send the next request. */
  readonly retryAt: Date;
  /** True if the platform rejected the request; false if the client did not send it. */
  readonly wasSent: boolean;
  /** The platform's description of the limit and the wait, if any. */
  readonly details: string | undefined;
  /** Undefined if the client did not send the request or could not read the response. */
  readonly status: number | undefined;
  readonly #body: string;

  constructor(
    message: string,
    throttling: {
      readonly retryAt: Date;
      readonly wasSent: boolean;
      readonly details?: string | undefined;
      readonly status?: number;
      readonly body?: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: throttling.cause });
    this.retryAt = throttling.retryAt;
    this.wasSent = throttling.wasSent;
    this.details = throttling.details;
    this.status = throttling.status;
    this.#body = throttling.body ?? '';
  }

  /** Empty if the client did not send the request or could not read the response. */
  get body(): string {
    return this.#body;
  }
}
