interface RateLimit {
  readonly period: string;
  readonly seconds: number;
  readonly limit: number;
}

const RATE_LIMITS: readonly RateLimit[] = [
  { period: '1m', seconds: 60, limit: 100 },
  { period: '1h', seconds: 3_600, limit: 1_000 },
  { period: '1d', seconds: 86_400, limit: 4_000 },
];

export interface RateLimitState extends RateLimit {
  readonly used: number;
  readonly remaining: number;
  readonly resetsAt: Date;
}

/**
 * Rate limits of the basic-key interface (specification, "Limits"). Every request, including a
 * rejected one, counts toward all limits. The specification does not document when a window starts.
 * In the sandbox, a window starts with its first request.
 */
export class V1RateLimits {
  readonly #now: () => Date;
  #windows = RATE_LIMITS.map((rateLimit) => ({ rateLimit, used: 0, startedAt: -Infinity }));

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Counts one request toward all limits.
   * @returns the exceeded limit that resets last, or `undefined` if no limit is exceeded.
   */
  countRequest(): RateLimitState | undefined {
    this.#windows = this.#getCurrentWindows().map((window) => ({
      ...window,
      used: window.used + 1,
    }));
    return this.states
      .filter(({ used, limit }) => used > limit)
      .reduce<RateLimitState | undefined>(
        (longest, state) => (longest && longest.resetsAt > state.resetsAt ? longest : state),
        undefined,
      );
  }

  /** States of all limits, shortest period first. */
  get states(): readonly [RateLimitState, ...RateLimitState[]] {
    const [first, ...others] = this.#getCurrentWindows().map(({ rateLimit, used, startedAt }) => ({
      ...rateLimit,
      used,
      remaining: Math.max(0, rateLimit.limit - used),
      resetsAt: new Date(startedAt + rateLimit.seconds * 1_000),
    }));
    return [first!, ...others];
  }

  /**
   * Limit with the fewest remaining requests. If several limits have equally few, the limit with
   * the longest period.
   */
  get tightest(): RateLimitState {
    return this.states.reduce((tightest, state) =>
      state.remaining <= tightest.remaining ? state : tightest,
    );
  }

  /** Returns the number of seconds until a limit resets, rounded up to at least 1. */
  getSecondsUntilReset({ resetsAt }: RateLimitState): number {
    return Math.max(1, Math.ceil((resetsAt.getTime() - this.#now().getTime()) / 1_000));
  }

  /**
   * Returns the current windows. If a window has ended, or starts in the future because the clock
   * was set back, returns an empty window that starts now.
   */
  #getCurrentWindows(): {
    readonly rateLimit: RateLimit;
    readonly used: number;
    readonly startedAt: number;
  }[] {
    const now = this.#now().getTime();
    return this.#windows.map((window) =>
      now >= window.startedAt && now < window.startedAt + window.rateLimit.seconds * 1_000
        ? window
        : { ...window, used: 0, startedAt: now },
    );
  }
}
