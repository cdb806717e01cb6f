const HOUR = 3_600_000;

export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds. */
  readonly resetsAt: number;
}

/**
 * The calls of an hour, all counted, those past the limit too (Fundraising Platform API, 'Limits').
 * That the hours are the clock's is the sandbox's own.
 */
export class HourlyLimit {
  readonly #limit: number;
  readonly #now: () => Date;
  #window = -1;
  #used = 0;

  constructor(limit: number, now: () => Date) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one call. @returns whether it is within the limit. */
  use(): boolean {
    this.#turn();
    this.#used += 1;
    return this.#used <= this.#limit;
  }

  get state(): LimitState {
    const window = this.#turn();
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - this.#used),
      resetsAt: ((window + 1) * HOUR) / 1_000,
    };
  }

  #turn(): number {
    const window = Math.floor(this.#now().getTime() / HOUR);
    if (window !== this.#window) [this.#window, this.#used] = [window, 0];
    return window;
  }
}
