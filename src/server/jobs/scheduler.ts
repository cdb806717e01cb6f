import type { Logger } from '../lib/logger.ts';
import type { Database } from '../database/database.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/**
 * A job that is due later than this is due now, since the clock was moved; the hour is for servers
 * whose clocks differ.
 */
const LATEST_DUE = DAY + HOUR;

export interface SchedulerOptions {
  readonly store: Database;
  /** By names that stay the same: what one server did today, no other does. */
  readonly jobs: Readonly<Record<string, () => Promise<void>>>;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * Does some jobs once a day, whichever of the servers that share a store comes first. One that
 * fails is tried again the next day.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Does what is due, now and from now on. @returns when what is due now is done. */
  wake(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (!this.#isStopped) this.#timer = setTimeout(() => void this.wake(), HOUR).unref();
    });
    return this.#running;
  }

  /** Ends after the job that is going on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { jobs, log } = this.#options;
    clearTimeout(this.#timer);
    for (const [name, job] of Object.entries(jobs)) {
      try {
        if (!this.#isStopped && (await this.#claim(name))) await job();
      } catch (error) {
        log.error({ job: name, error: (error as Error).name }, 'a daily job failed');
      }
    }
  }

  /** @returns whether no server has done it today. */
  async #claim(name: string): Promise<boolean> {
    const { store, now } = this.#options;
    return store.writer.write(async (transaction) => {
      await transaction
        .insertInto('jobs')
        .values({ name, next_run_at: 0 })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const time = now();
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set({ next_run_at: time + DAY })
        .where('name', '=', name)
        .where((build) =>
          build.or([
            build('next_run_at', '<=', time),
            build('next_run_at', '>', time + LATEST_DUE),
          ]),
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }
}
