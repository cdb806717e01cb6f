import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { countUnfinishedWork, listQuotas } from './queries.ts';

/** In milliseconds. */
const DATABASE_TIMEOUT = 2_000;
/** Age of the oldest pending outbox event that is a warning, in seconds. */
const MAX_OUTBOX_AGE = 900;
/** Used fraction of the hourly quota that is a warning. */
const QUOTA_WARNING_RATIO = 0.9;
/** In milliseconds. */
const CACHE_DURATION = 1_000;

/** A `warning` does not affect donors. If `failing`, the server cannot accept donations. */
type CheckState = 'ok' | 'warning' | 'failing';

/** Response body of `GET /readyz`. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: {
    /** `failing` once the server is shutting down. */
    readonly running: { readonly state: CheckState };
    readonly database: {
      readonly state: CheckState;
      /** SQLite file, or PostgreSQL URL without credentials. */
      readonly location: string;
      readonly milliseconds: number;
      readonly most: number;
    };
  } & Partial<Backlog>;
}

/** Known if the database responds. */
interface Backlog {
  readonly outbox: {
    readonly state: CheckState;
    readonly most: number;
    readonly organizations: Readonly<Record<string, { waiting: number; oldestSeconds: number }>>;
  };
  readonly quota: {
    readonly state: CheckState;
    readonly mostUsed: number;
    /** Times are in ISO 8601. */
    readonly organizations: Readonly<
      Record<string, { limit: number; used: number; resetsAt?: string; backoffUntil?: string }>
    >;
  };
}

export interface ReadinessOptions {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly now: () => number;
}

/** Platform problems are only warnings, because they do not affect donors. */
export class ReadinessCheck {
  readonly #options: ReadinessOptions;
  #isStopping = false;
  #last: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Call this method before shutting down. */
  markNotReady(): void {
    this.#isStopping = true;
    this.#last = undefined;
  }

  checkReadiness(): Promise<Readiness> {
    // A monotonic clock: an old result must not look new if the system clock is set back.
    const at = performance.now();
    if (!this.#last || at - this.#last.at >= CACHE_DURATION)
      this.#last = { at, readiness: this.#runChecks() };
    return this.#last.readiness;
  }

  async #runChecks(): Promise<Readiness> {
    const running = { state: this.#isStopping ? 'failing' : 'ok' } as const;
    const database = await this.#checkDatabase();
    const rest =
      database.state === 'ok'
        ? await rejectAfterTimeout(this.#checkBacklog()).catch(() => ({}))
        : {};
    return {
      ready: running.state === 'ok' && database.state === 'ok',
      checks: { running, database, ...rest },
    };
  }

  /** Commits a row to disk, because a full disk still allows reads. */
  async #checkDatabase(): Promise<Readiness['checks']['database']> {
    const { database, now } = this.#options;
    const began = performance.now();
    const row = { name: 'readiness', at: now() };
    const write = database.writer.write((transaction) =>
      transaction
        .insertInto('healthProbes')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ at: row.at }))
        .execute(),
    );
    const state = await rejectAfterTimeout(write).then(
      () => 'ok' as const,
      () => 'failing' as const,
    );
    return {
      state,
      location: database.location,
      milliseconds: Math.round(performance.now() - began),
      most: DATABASE_TIMEOUT,
    };
  }

  async #checkBacklog(): Promise<Backlog> {
    const { database, organizations, now } = this.#options;
    const ids = organizations.all.map(({ id }) => id);
    const [{ events }, quotas] = await Promise.all([
      countUnfinishedWork(database, ids),
      listQuotas(organizations.all),
    ]);
    const waiting = ids.map((id) => {
      const reading = events.find((one) => one.organization === id && one.status === 'pending');
      return [
        id,
        {
          waiting: reading?.count ?? 0,
          oldestSeconds: reading ? Math.round((now() - reading.oldest) / 1_000) : 0,
        },
      ] as const;
    });
    const isLow = quotas.some(
      ({ limit, used, backoffUntil }) =>
        backoffUntil !== undefined || used >= limit * QUOTA_WARNING_RATIO,
    );
    return {
      outbox: {
        state: waiting.some(([, { oldestSeconds }]) => oldestSeconds > MAX_OUTBOX_AGE)
          ? 'warning'
          : 'ok',
        most: MAX_OUTBOX_AGE,
        organizations: Object.fromEntries(waiting),
      },
      quota: {
        state: isLow ? 'warning' : 'ok',
        mostUsed: QUOTA_WARNING_RATIO,
        organizations: Object.fromEntries(
          quotas.map(({ organization, limit, used, resetsAt, backoffUntil }) => [
            organization,
            {
              limit,
              used,
              ...(resetsAt && { resetsAt: resetsAt.toISOString() }),
              ...(backoffUntil && { backoffUntil: backoffUntil.toISOString() }),
            },
          ]),
        ),
      },
    };
  }
}

/** @throws {Error} if `work` takes longer than {@link DATABASE_TIMEOUT}. */
function rejectAfterTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = setTimeout(DATABASE_TIMEOUT, undefined, { ref: false }).then(() => {
    throw new Error('database timeout');
  });
  return Promise.race([work, timeout]);
}
