import type { Logger } from '../lib/logger.ts';

export interface ServerDescription {
  readonly version: string;
  /** SQLite file, or PostgreSQL URL without credentials. */
  readonly database: string;
  readonly organizations: readonly string[];
  readonly listeners?: readonly string[] | undefined;
}

/** Logs the start and stop of a server, including work that was interrupted. */
export class LifecycleLog {
  readonly #log: Logger;
  readonly #unfinishedParts = new Set<string>();
  #openRequests = 0;
  #startedAt: number | undefined;
  #stop: { readonly reason: string; readonly at: number; readonly requests: number } | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  logStart(server: ServerDescription): void {
    this.#startedAt = performance.now();
    this.#log.info(server, 'started');
    // Must run before pino's own exit listener, which flushes pino's buffer.
    process.prependOnceListener('exit', this.#logExit);
  }

  async trackRequest<Result>(handle: () => Result | Promise<Result>): Promise<Result> {
    this.#openRequests += 1;
    try {
      return await handle();
    } finally {
      this.#openRequests -= 1;
    }
  }

  /** Records the reason, and how many requests were open. */
  beginStop(reason = 'closed'): void {
    this.#stop ??= { reason, at: performance.now(), requests: this.#openRequests };
  }

  /** Waits for a part to stop. If the process exits first, the log says which. */
  async trackPart<Result>(name: string, stopped: Promise<Result>): Promise<Result> {
    this.#unfinishedParts.add(name);
    try {
      return await stopped;
    } finally {
      this.#unfinishedParts.delete(name);
    }
  }

  logStop(): void {
    process.off('exit', this.#logExit);
    if (this.#startedAt === undefined) return;
    const now = performance.now();
    const { reason, at, requests } = this.#stop ?? { reason: '', at: now, requests: 0 };
    this.#log.info(
      {
        reason,
        milliseconds: Math.round(now - at),
        uptimeSeconds: Math.round((now - this.#startedAt) / 1_000),
        requests,
        ...(this.#unfinishedParts.size > 0 && { waitingFor: [...this.#unfinishedParts] }),
      },
      'stopped',
    );
    this.#startedAt = undefined;
  }

  /** For an uncaught error, or after the close timeout. */
  readonly #logExit = (code: number): void => {
    if (this.#openRequests > 0) this.#unfinishedParts.add(`${this.#openRequests} requests`);
    this.beginStop(`the process exited with code ${code}`);
    this.logStop();
  };
}
