import type { Logger } from '../lib/logger.ts';
import { describeError } from '../lib/describe-error.ts';

const BATCH = 50;
const SHORTEST_NAP = 100;
/** How long until the store is asked again: another server may have left something there. */
const LONGEST_NAP = 5_000;

export interface PollingWorkerOptions<Row> {
  readonly organization: string;
  /** What is due now, the first to be worked off first. */
  readonly due: (limit: number) => Promise<readonly Row[]>;
  /** When more will be due, in milliseconds since 1970. */
  readonly nextDue: () => Promise<number | undefined>;
  /**
   * Takes a row for this server alone, where several share the store.
   * @returns it as it is now; nothing where it was not to be had any more.
   */
  readonly claim?: ((row: Row) => Promise<Row | undefined>) | undefined;
  /** Takes one row one step further; it must no longer be due then. */
  readonly work: (row: Row) => Promise<unknown>;
  /** Nothing is worked off before this time. */
  readonly silentUntil?: () => number;
  readonly log: Logger;
  readonly now: () => number;
}

/** Works off an organisation's rows of one kind when they are due, one after the other. */
export class PollingWorker<Row> {
  readonly #options: PollingWorkerOptions<Row>;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = false;
  #isStopped = false;

  constructor(options: PollingWorkerOptions<Row>) {
    this.#options = options;
  }

  /**
   * Works off what is due, and comes back by itself when more is.
   * @returns when nothing is due any more.
   */
  wake(): Promise<void> {
    this.#isAsked = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Works off what is due, and does not come back.
   * @param until nothing is begun once it is aborted. @param counter what counts the steps that
   *   are told of.
   * @returns by how much the counter has grown. @throws where the store does not answer.
   */
  async drain(until: AbortSignal, counter = (): number => 0): Promise<number> {
    while (this.#running) await this.#running;
    const before = counter();
    const running = (async () => {
      while (await this.#workOff(until));
    })();
    this.#running = running
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
    await running;
    return counter() - before;
  }

  /** Ends after the call that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { nextDue, organization, now, log } = this.#options;
    clearTimeout(this.#timer);
    let next: number | undefined;
    try {
      do {
        while (await this.#workOff());
        next = this.#mayWork() ? await nextDue() : now();
      } while (this.#isAsked && this.#mayWork());
    } catch (error) {
      log.error(
        { organization, ...describeError(error) },
        'the journal could not be read or written',
      );
      next = now() + 1_000;
    }
    if (this.#isStopped) return;
    const nap = Math.max(next ?? Infinity, this.#silentUntil()) - now();
    this.#timer = setTimeout(
      () => void this.wake(),
      Math.min(Math.max(nap, SHORTEST_NAP), LONGEST_NAP),
    ).unref();
  }

  /** @returns whether there may be more. */
  async #workOff(until?: AbortSignal): Promise<boolean> {
    const { due, claim, work } = this.#options;
    // Whoever asks from here on may have left something that the store did not show yet.
    this.#isAsked = false;
    const mayWork = (): boolean => this.#mayWork() && until?.aborted !== true;
    const rows = mayWork() ? await due(BATCH) : [];
    for (const row of rows) {
      if (!mayWork()) return false;
      const own = claim ? await claim(row) : row;
      if (own !== undefined) await work(own);
    }
    return rows.length > 0;
  }

  #mayWork(): boolean {
    return !this.#isStopped && this.#options.now() >= this.#silentUntil();
  }

  #silentUntil(): number {
    return this.#options.silentUntil?.() ?? 0;
  }
}
