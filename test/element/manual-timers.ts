/** Delays timers of at least one second until a test runs them. */
export class ManualTimers {
  readonly #setTimeout = window.setTimeout;
  readonly #clearTimeout = window.clearTimeout;
  readonly #pending = new Map<number, { readonly delay: number; readonly task: () => void }>();
  #last = 0;

  constructor() {
    window.setTimeout = ((task: () => void, delay = 0) => {
      if (delay < 1_000) return this.#setTimeout.call(window, task, delay);
      this.#last -= 1;
      this.#pending.set(this.#last, { delay, task });
      return this.#last;
    }) as typeof window.setTimeout;
    window.clearTimeout = (timer) => {
      if (!this.#pending.delete(timer as number)) this.#clearTimeout.call(window, timer);
    };
  }

  /** Runs the timers with this delay in milliseconds. @throws if there is none. */
  runTimers(delay: number): void {
    const timers = [...this.#pending].filter(([, timer]) => timer.delay === delay);
    if (timers.length === 0) throw new Error(`No timer has a delay of ${delay} ms.`);
    for (const [id, { task }] of timers) {
      this.#pending.delete(id);
      task();
    }
  }

  restoreTimers(): void {
    window.setTimeout = this.#setTimeout;
    window.clearTimeout = this.#clearTimeout;
  }
}
