import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';

/** In batches of 256, more rows share disk syncs: a fifth faster than in batches of 50. */
const BATCH_SIZE = 256;
const MIN_SLEEP = 100;
/** Limits how long rows added by other servers wait, in milliseconds. */
const MAX_SLEEP = 5_000;

export interface PollingWorkerOptions<Row> {
  readonly organization: string;
  /** In processing order. */
  readonly listDue: (limit: number) => Promise<readonly Row[]>;
  /** In milliseconds since 1970. */
  readonly findNextDueTime: () => Promise<number | undefined>;
  /**
   * Needed only if several servers share the database.
   * @returns `undefined` if the row is no longer available.
   */
  readonly claim?: ((row: Row) => Promise<Row | undefined>) | undefined;
  /** Afterward, the row must no longer be due. */
  readonly handle: (row: Row) => Promise<unknown>;
  /** By default 1. If 0, no row starts until one in progress ends. */
  readonly getConcurrency?: () => number;
  /** Rows of a group are handled in order. If one is no longer available, later ones wait. */
  readonly getGroup?: (row: Row) => string;
  /** In milliseconds since 1970. */
  readonly getEarliestRunTime?: () => number;
  readonly log: Logger;
  readonly now: () => number;
}

/** Handles an organization's due rows of one kind. */
export class PollingWorker<Row> {
  readonly #options: PollingWorkerOptions<Row>;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #wasWoken = false;
  #isStopped = false;

  constructor(options: PollingWorkerOptions<Row>) {
    this.#options = options;
  }

  /** Handles due rows now and whenever rows become due. Resolves when no row is due. */
  wake(): Promise<void> {
    this.#isPolling = true;
    this.#wasWoken = true;
    this.#running ??= this.#pollOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Handles the rows that are due now, without waiting for later ones.
   * @param stop signal that, once aborted, stops the worker from handling further rows.
   * @param getCount returns the number of rows handled so far.
   * @returns the increase in that number.
   * @throws {Error} if the database does not respond.
   */
  async handleDueRows(stop: AbortSignal, getCount = (): number => 0): Promise<number> {
    while (this.#running && !stop.aborted) await Promise.race([this.#running, once(stop, 'abort')]);
    if (stop.aborted) return 0;
    const countBefore = getCount();
    const running = this.#handleBatches(stop);
    this.#running = running
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
        // The polling timer may have fired during this run.
        if (this.#isPolling && !this.#isStopped) void this.wake();
      });
    await running;
    return getCount() - countBefore;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #pollOnce(): Promise<void> {
    const { findNextDueTime, organization, now, log } = this.#options;
    clearTimeout(this.#timer);
    let next: number | undefined;
    try {
      do {
        await this.#handleBatches();
        next = this.#canHandleNow() ? await findNextDueTime() : now();
      } while (this.#wasWoken && this.#canHandleNow());
    } catch (error) {
      log.error({ organization, ...describeError(error) }, 'cannot read or write the database');
      next = now() + 1_000;
    }
    if (this.#isStopped) return;
    const delay = Math.max(next ?? Infinity, this.#getEarliestRunTime()) - now();
    this.#timer = setTimeout(
      () => void this.wake(),
      Math.min(Math.max(delay, MIN_SLEEP), MAX_SLEEP),
    ).unref();
  }

  /** A handler that leaves its row due must not be called in a tight loop. */
  async #handleBatches(stop?: AbortSignal): Promise<void> {
    let previous: readonly Row[] = [];
    let isDone = false;
    while (!isDone) {
      // The query below may miss a row of a later `wake`.
      this.#wasWoken = false;
      const rows = this.#mayHandle(stop) ? await this.#options.listDue(BATCH_SIZE) : [];
      isDone = isDeepStrictEqual(rows, previous) || !(await this.#handleBatch(rows, stop));
      previous = rows;
    }
  }

  /** @returns true if there may be more rows. */
  async #handleBatch(rows: readonly Row[], stop?: AbortSignal): Promise<boolean> {
    const { getConcurrency = () => 1, getGroup } = this.#options;
    let waiting = rows.map((row) => ({ row, group: getGroup?.(row) ?? '' }));
    const inProgress = new Map<string, Promise<void>>();
    const errors: unknown[] = [];
    const findNext = (): number =>
      errors.length === 0 && this.#mayHandle(stop) && inProgress.size < getConcurrency()
        ? waiting.findIndex(({ group }) => !inProgress.has(group))
        : -1;
    const startRows = (): void => {
      for (let next = findNext(); next !== -1; next = findNext()) {
        const [{ row, group }] = waiting.splice(next, 1) as [(typeof waiting)[number]];
        const handled = this.#processRow(row)
          .then((isHandled) => {
            if (!isHandled && getGroup) waiting = waiting.filter((other) => other.group !== group);
          })
          .catch((error: unknown) => void errors.push(error))
          .finally(() => inProgress.delete(group));
        inProgress.set(group, handled);
      }
    };
    startRows();
    while (inProgress.size > 0) {
      await Promise.race(inProgress.values());
      startRows();
    }
    if (errors.length > 0) throw errors[0];
    return rows.length > 0 && waiting.length === 0;
  }

  /** @returns false if the row is no longer available. */
  async #processRow(row: Row): Promise<boolean> {
    const { claim, handle } = this.#options;
    const claimed = claim ? await claim(row) : row;
    if (claimed === undefined) return false;
    await handle(claimed);
    return true;
  }

  #mayHandle(stop: AbortSignal | undefined): boolean {
    return this.#canHandleNow() && stop?.aborted !== true;
  }

  #canHandleNow(): boolean {
    return !this.#isStopped && this.#options.now() >= this.#getEarliestRunTime();
  }

  #getEarliestRunTime(): number {
    return this.#options.getEarliestRunTime?.() ?? 0;
  }
}
