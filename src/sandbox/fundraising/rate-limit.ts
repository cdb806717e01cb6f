const HOUR = 3_600_000;

export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, in Unix seconds. */
  readonly resetsAt: number;
}

/**
 * Hourly rate limit (Fundraising Platform API, "Limits"). Every call counts toward the limit,
 * including a rejected call. The specification does not document when a window starts. In the
 * sandbox, windows start on the hour.
 */
export class HourlyRateLimit {
  readonly #limit: number;
  readonly #now: () => Date;
  #window = -1;
  #used = 0;

  constructor(limit: number, now: () => Date) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one call. Returns true if the call is within the limit. */
  countCall(): boolean {
    this.#updateWindow();
    this.#used += 1;
    return this.#used <= this.#limit;
  }

  get state(): RateLimitState {
    const window = this.#updateWindow();
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - this.#used),
      resetsAt: ((window + 1) * HOUR) / 1_000,
    };
  }

  #updateWindow(): number {
    const window = Math.floor(this.#now().getTime() / HOUR);
    if (window !== this.#window) [this.#window, this.#used] = [window, 0];
    return window;
  }
}
