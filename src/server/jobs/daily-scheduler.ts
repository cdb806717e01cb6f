import type { Database } from '../database/database.ts';
import { evaluateOncePerStatement } from '../database/database-clock.ts';
import type { Logger } from '../lib/logger.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Jobs scheduled further ahead are due, because the clock must have been set back. */
const MAX_DELAY = DAY + HOUR;

export interface SchedulerOptions {
  readonly database: Database;
  /** The names coordinate the servers, so they must not change. */
  readonly jobs: Readonly<Record<string, () => Promise<void>>>;
  readonly log: Logger;
}

/** Runs each job once a day, on one of the servers. A failed job runs again the next day. */
export class DailyScheduler {
  readonly #options: SchedulerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Runs due jobs now and every hour. Resolves once those due now have run. */
  wake(): Promise<void> {
    this.#running ??= this.#runDueJobs().finally(() => {
      this.#running = undefined;
      if (!this.#isStopped) this.#timer = setTimeout(() => void this.wake(), HOUR).unref();
    });
    return this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runDueJobs(): Promise<void> {
    const { jobs, log } = this.#options;
    clearTimeout(this.#timer);
    for (const [name, job] of Object.entries(jobs)) {
      try {
        if (!this.#isStopped && (await this.#claimJob(name))) await job();
      } catch (error) {
        log.error(
          { job: name, error: (error as Error).name },
          'a daily job failed; will retry tomorrow',
        );
      }
    }
  }

  /** @returns false if the job is already claimed for the next 24 hours. */
  async #claimJob(name: string): Promise<boolean> {
    const { database } = this.#options;
    const { clock } = database;
    return database.writer.write(async (transaction) => {
      await transaction
        .insertInto('jobs')
        .values({ name, nextRunAt: 0 })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
      const { numUpdatedRows } = await transaction
        .updateTable('jobs')
        .set({ nextRunAt: clock.in(DAY) })
        .where('name', '=', name)
        .where((build) =>
          build.or([
            build('nextRunAt', '<=', evaluateOncePerStatement(clock.in(0))),
            build('nextRunAt', '>', evaluateOncePerStatement(clock.in(MAX_DELAY))),
          ]),
        )
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    });
  }
}
