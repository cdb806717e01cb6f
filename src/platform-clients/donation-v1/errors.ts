import type { RateLimit } from './wire.ts';

/**
 * The platform responded with a status code other than 2xx. The message comes from the platform.
 */
export class DonationPlatformError extends Error {
  override readonly name: string = 'DonationPlatformError';
  /** HTTP status code: 4xx if the request is invalid, 5xx if the platform failed. */
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
   * Text of the response's body. Because it may contain donor data, it is not an own property, and
   * loggers skip it.
   */
  get body(): string {
    return this.#body;
  }
}

/**
 * A rate limit is reached. Either the platform rejected the request, or the client did not send it.
 */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
  /** Time at which the next request may be sent. */
  readonly retryAt: Date;
  /** True if the platform rejected the request; false if the client did not send it. */
  readonly wasSent: boolean;
  /** The platform's description of the limit and the wait. */
  readonly details: string | undefined;
  /**
   * HTTP status code. Undefined if the client did not send the request or could not read the
   * response.
   */
  readonly status: number | undefined;
  readonly #body: string;

  constructor(
    message: string,
    {
      retryAt,
      wasSent,
      details,
      status,
      body = '',
      cause,
    }: {
      readonly retryAt: Date;
      readonly wasSent: boolean;
      readonly details?: string | undefined;
      readonly status?: number;
      readonly body?: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.retryAt = retryAt;
    this.wasSent = wasSent;
    this.details = details;
    this.status = status;
    this.#body = body;
  }

  /** Text of the response's body. Empty if the client did not send the request. */
  get body(): string {
    return this.#body;
  }
}
