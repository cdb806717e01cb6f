import { setTimeout } from 'node:timers/promises';
import type { ServerBase } from '../database/database.ts';
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
export type Readiness = Awaited<ReturnType<typeof runChecks>>;

interface ReadinessOptions extends Omit<ServerBase, 'log'> {
  readonly organizations: Organizations;
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
      this.#last = { at, readiness: runChecks(this.#isStopping, this.#options) };
    return this.#last.readiness;
  }
}

async function runChecks(isStopping: boolean, options: ReadinessOptions) {
  const state: CheckState = isStopping ? 'failing' : 'ok';
  const database = await checkDatabase(options);
  const backlog =
    database.state === 'ok'
      ? await rejectAfterTimeout(checkBacklog(options)).catch(() => undefined)
      : undefined;
  return {
    ready: state === 'ok' && database.state === 'ok',
    /** The backlog is known if the database responds. `running` fails during shutdown. */
    checks: { running: { state }, database, ...backlog },
  };
}

/** Commits a row to disk, because a full disk still allows reads. */
async function checkDatabase({ database, now }: ReadinessOptions) {
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
    (): CheckState => 'ok',
    (): CheckState => 'failing',
  );
  return {
    state,
    /** SQLite file, or PostgreSQL URL without credentials. */
    location: database.location,
    milliseconds: Math.round(performance.now() - began),
    most: DATABASE_TIMEOUT,
  };
}

async function checkBacklog({ database, organizations, now }: ReadinessOptions) {
  const ids = organizations.all.map(({ id }) => id);
  const [{ events }, quotas] = await Promise.all([
    countUnfinishedWork(database, ids),
    listQuotas(organizations.all),
  ]);
  const waiting = ids.map((id) => {
    const pending = events.find((one) => one.organization === id && one.status === 'pending');
    const oldestSeconds = pending ? Math.round((now() - pending.oldest) / 1_000) : 0;
    return [id, { waiting: pending?.count ?? 0, oldestSeconds }] as const;
  });
  const isBehind = waiting.some(([, { oldestSeconds }]) => oldestSeconds > MAX_OUTBOX_AGE);
  const isLow = quotas.some(
    ({ limit, used, backoffUntil }) =>
      backoffUntil !== undefined || used >= limit * QUOTA_WARNING_RATIO,
  );
  const getState = (isWarning: boolean): CheckState => (isWarning ? 'warning' : 'ok');
  return {
    outbox: {
      state: getState(isBehind),
      most: MAX_OUTBOX_AGE,
      organizations: Object.fromEntries(waiting),
    },
    quota: {
      state: getState(isLow),
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

/** @throws {Error} if `work` takes longer than {@link DATABASE_TIMEOUT}. */
function rejectAfterTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = setTimeout(DATABASE_TIMEOUT, undefined, { ref: false }).then(() => {
    throw new Error('database timeout');
  });
  return Promise.race([work, timeout]);
}
