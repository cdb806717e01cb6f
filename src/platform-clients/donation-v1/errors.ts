import type { RateLimit } from './wire.ts';

/** The platform responded with a status other than 2xx. The message is the platform's. */
export class DonationPlatformError extends Error {
  override readonly name: string = 'DonationPlatformError';
  /** HTTP status; 4xx for an invalid request, 5xx for a failure of the platform. */
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

/** A limit is reached: the platform rejected the request, or the client did not send it. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottledError';
  /** When the next request may be sent. */
  readonly retryAt: Date;
  /** True if the platform rejected the request; false if the client did not send it. */
  readonly wasSent: boolean;
  /** The platform's description of the limit and the wait. */
  readonly details: string | undefined;
  /** HTTP status; absent if the client did not send the request or could not read the response. */
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

  /** The response's body as text; empty if the client did not send the request. */
  get body(): string {
    return this.#body;
  }
}
