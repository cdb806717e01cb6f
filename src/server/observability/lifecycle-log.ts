import type { Logger } from '../lib/logger.ts';

/** Fields of the `started` log line. */
export interface ServerDescription {
  readonly version: string;
  /** Path of the SQLite file, or the PostgreSQL URL without credentials. */
  readonly database: string;
  /** IDs of the organizations. */
  readonly organizations: readonly string[];
  /** URLs of the listeners. */
  readonly listeners?: readonly string[] | undefined;
}

/** Logs when a server starts and when it stops, including any work that was interrupted. */
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

  /** Counts a request as open until its response is complete. */
  async trackRequest<Result>(handle: () => Result | Promise<Result>): Promise<Result> {
    this.#openRequests += 1;
    try {
      return await handle();
    } finally {
      this.#openRequests -= 1;
    }
  }

  /** Records when and why the server began to stop, and how many requests were open. */
  beginStop(reason = 'closed'): void {
    this.#stop ??= { reason, at: performance.now(), requests: this.#openRequests };
  }

  /** Waits for a part of the server to stop. If the process exits first, the log says which. */
  async trackPart<Result>(name: string, stopped: Promise<Result>): Promise<Result> {
    this.#unfinishedParts.add(name);
    try {
      return await stopped;
    } finally {
      this.#unfinishedParts.delete(name);
    }
  }

  /** Logs that the server has stopped, unless it was never started. */
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

  /**
   * Logs a process exit that occurs before all parts have stopped, because of an uncaught error or
   * the close timeout.
   */
  readonly #logExit = (code: number): void => {
    if (this.#openRequests > 0) this.#unfinishedParts.add(`${this.#openRequests} requests`);
    this.beginStop(`the process exited with code ${code}`);
    this.logStop();
  };
}
