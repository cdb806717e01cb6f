import type { RateLimit } from './wire.ts';

/** The platform responded with a status other than 2xx. The message is the platform's. */
export class DonationPlatformError extends Error {
  override readonly name: string = 'DonationPlatformError';
  /** HTTP status; 4xx for an invalid request, 5xx for a failure of the platform. */
  readonly status: number;
  readonly rateLimit: RateLimit;

  constructor(message: string, status: number, rateLimit: RateLimit) {
    super(message);
    this.status = status;
    this.rateLimit = rateLimit;
  }
}

/** A limit is reached: the platform said so, or the client held back the request. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
  /** When the next request may be sent. */
  readonly retryAt: Date;
  /** True if the platform rejected the request; false if the client did not send it. */
  readonly wasSent: boolean;
  /** The platform's description of the limit and the wait. */
  readonly details: string | undefined;

  constructor(
    message: string,
    {
      retryAt,
      wasSent,
      details,
      cause,
    }: {
      readonly retryAt: Date;
      readonly wasSent: boolean;
      readonly details?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.retryAt = retryAt;
    this.wasSent = wasSent;
    this.details = details;
  }
}
