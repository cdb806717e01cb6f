/** Holds back timers of a second and longer, so that a test need not wait for them. */
export class HeldTimers {
  readonly #setTimeout = window.setTimeout;
  readonly #clearTimeout = window.clearTimeout;
  readonly #held = new Map<number, { readonly delay: number; readonly task: () => void }>();
  #last = 0;

  constructor() {
    window.setTimeout = ((task: () => void, delay = 0) => {
      if (delay < 1_000) return this.#setTimeout.call(window, task, delay);
      this.#last -= 1;
      this.#held.set(this.#last, { delay, task });
      return this.#last;
    }) as typeof window.setTimeout;
    window.clearTimeout = (timer) => {
      if (!this.#held.delete(timer as number)) this.#clearTimeout.call(window, timer);
    };
  }

  /** Runs the timers of this many milliseconds, at least one. */
  run(delay: number): void {
    const due = [...this.#held].filter(([, timer]) => timer.delay === delay);
    if (due.length === 0) throw new Error(`no timer of ${delay} ms`);
    for (const [id, { task }] of due) {
      this.#held.delete(id);
      task();
    }
  }

  restore(): void {
    window.setTimeout = this.#setTimeout;
    window.clearTimeout = this.#clearTimeout;
  }
}
