interface Rule {
  readonly period: string;
  readonly seconds: number;
  readonly limit: number;
}

const RULES: readonly Rule[] = [
  { period: '1m', seconds: 60, limit: 100 },
  { period: '1h', seconds: 3_600, limit: 1_000 },
  { period: '1d', seconds: 86_400, limit: 4_000 },
];

export interface WindowState extends Rule {
  readonly used: number;
  readonly remaining: number;
  readonly resetsAt: Date;
}

/**
 * The rules of the basic-key interface ('Limits'): each request counts in all windows, a throttled
 * one too, and all must allow it.
 * That a window begins with its first request is the sandbox's own.
 */
export class V1Windows {
  readonly #now: () => Date;
  #windows = RULES.map((rule) => ({ rule, used: 0, beganAt: -Infinity }));

  constructor(now: () => Date) {
    this.#now = now;
  }

  /**
   * Counts one request.
   * @returns the rule that it breaks, the one that is broken longest; `undefined` where it breaks
   *   none.
   */
  use(): WindowState | undefined {
    this.#windows = this.#current().map((window) => ({ ...window, used: window.used + 1 }));
    return this.states
      .filter(({ used, limit }) => used > limit)
      .reduce<WindowState | undefined>(
        (longest, state) => (longest && longest.resetsAt > state.resetsAt ? longest : state),
        undefined,
      );
  }

  /** Each window, the shortest first. */
  get states(): readonly [WindowState, ...WindowState[]] {
    const [first, ...others] = this.#current().map(({ rule, used, beganAt }) => ({
      ...rule,
      used,
      remaining: Math.max(0, rule.limit - used),
      resetsAt: new Date(beganAt + rule.seconds * 1_000),
    }));
    return [first!, ...others];
  }

  /** The window with the fewest requests left; of several, the longest. */
  get tightest(): WindowState {
    return this.states.reduce((tightest, state) =>
      state.remaining <= tightest.remaining ? state : tightest,
    );
  }

  /** Whole seconds until a window begins anew, 1 at least. */
  secondsUntil({ resetsAt }: WindowState): number {
    return Math.max(1, Math.ceil((resetsAt.getTime() - this.#now().getTime()) / 1_000));
  }

  /**
   * The windows at this moment: those that have ended, or that a clock set back left in the future,
   * begin now and are empty.
   */
  #current(): { readonly rule: Rule; readonly used: number; readonly beganAt: number }[] {
    const now = this.#now().getTime();
    return this.#windows.map((window) =>
      now >= window.beganAt && now < window.beganAt + window.rule.seconds * 1_000
        ? window
        : { ...window, used: 0, beganAt: now },
    );
  }
}
