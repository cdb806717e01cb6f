import type { RateLimit } from './wire.ts';

/** The platform answered with a status other than 2xx. The message is the platform's own. */
export class DonationPlatformError extends Error {
  override readonly name: string = 'DonationPlatformError';
  /** The HTTP status; 4xx: the request failed for what it said, 5xx: the platform failed. */
  readonly status: number;
  readonly rateLimit: RateLimit;

  constructor(message: string, status: number, rateLimit: RateLimit) {
    super(message);
    this.status = status;
    this.rateLimit = rateLimit;
  }
}

/** A limit is used up: the platform said so, or the request was not sent because it would have. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
  /** When the next request may be sent. */
  readonly retryAt: Date;
  /** Whether the platform said so; otherwise nothing was sent. */
  readonly wasSent: boolean;
  /** The platform's own words on the allowed maximum and the wait. */
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
