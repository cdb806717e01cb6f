import { type Selectable, sql } from 'kysely';
import { parseRateLimit } from '@donation-form/platform-clients/fundraising';
import type { Database } from '../database/database.ts';
import type { ApiQuotaRow } from '../database/schema.ts';
import { BatchQueue } from '../lib/batch-queue.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Limit per hour until the platform reports its own (Fundraising Platform API, "Limits"). */
const DEFAULT_LIMIT = 1_500;
const INITIAL_STATE = {
  used: 0,
  resetsAt: 0,
  reportedLimit: DEFAULT_LIMIT,
  backoffUntil: 0,
  failures: 0,
} satisfies Omit<Selectable<ApiQuotaRow>, 'organization'>;
/** Share of the quota that is reserved for sending gifts, in percent. */
const RESERVED_FOR_GIFTS = 20;
/** Time that other calls wait for a probe after a failure, in milliseconds. */
const PROBE_TIMEOUT = 10 * SECOND;
/** A longer backoff is ignored, because the clock must have been set back by more than a minute. */
const MAX_BACKOFF = HOUR + MINUTE;
const MAX_BATCH_SIZE = 64;

/**
 * Calls for `reading` leave a reserve. Calls for `charges` are never deferred: a donor is waiting.
 */
export type CallPurpose = 'gifts' | 'reading' | 'charges';

export interface ApiQuotaOptions {
  readonly database: Database;
  readonly organization: string;
  /** Maximum number of calls per hour. Defaults to the limit that the platform reports. */
  readonly limit?: number | undefined;
  readonly now: () => number;
}

export interface ApiQuotaState {
  readonly limit: number;
  readonly used: number;
  readonly resetsAt: Date | undefined;
  readonly backoffUntil: Date | undefined;
}

/** The quota is exhausted, the platform is failing, or the database is down. */
export class CallDeferredError extends Error {
  override readonly name = 'CallDeferredError';
  readonly retryAt: Date;

  constructor(message: string, until: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAt = new Date(until);
  }
}

/** An organization's hourly quota and backoff for platform calls, shared by all servers. */
export class ApiQuota {
  readonly #options: ApiQuotaOptions;
  readonly #queues: Readonly<Record<CallPurpose, BatchQueue<void, Selectable<ApiQuotaRow>>>>;
  #latestRow: Selectable<ApiQuotaRow> | undefined;

  constructor(options: ApiQuotaOptions) {
    this.#options = options;
    const createQueue = (purpose: CallPurpose): BatchQueue<void, Selectable<ApiQuotaRow>> =>
      new BatchQueue({
        processBatch: async (calls) => {
          this.#latestRow = await this.#reserveCalls(purpose, calls.length);
          return calls.map(() => this.#latestRow!);
        },
        maxSize: MAX_BATCH_SIZE,
        // The quota may suffice for some of the calls.
        isItemError: (error) => error instanceof CallDeferredError,
      });
    this.#queues = {
      gifts: createQueue('gifts'),
      reading: createQueue('reading'),
      charges: createQueue('charges'),
    };
  }

  /**
   * Creates a fetch function that counts each call toward the quota and updates the quota from the
   * response. Returns the response even if the quota cannot be saved, and throws a {@link
   * CallDeferredError} if the call must not be made now.
   */
  createCountingFetch(
    purpose: CallPurpose,
    fetch: typeof globalThis.fetch = globalThis.fetch,
  ): typeof globalThis.fetch {
    return async (input, init) => {
      const taken = await this.#queues[purpose].add().catch((cause: unknown) => {
        throw cause instanceof CallDeferredError
          ? cause
          : new CallDeferredError(
              'cannot update the API quota in the database',
              this.#options.now() + SECOND,
              { cause },
            );
      });
      const response = await fetch(input, init).catch(async (error: unknown) => {
        if (purpose === 'gifts') await this.#endProbe(taken).catch(() => undefined);
        throw error;
      });
      await (purpose === 'charges' ? Promise.resolve() : this.#endProbe(taken))
        .then(() => this.#applyRateLimitHeaders(response.headers))
        .catch(() => undefined);
      return response;
    };
  }

  async getQuotaState(): Promise<ApiQuotaState> {
    const { used, resetsAt, backoffUntil, reportedLimit } =
      (await this.#findRow()) ?? INITIAL_STATE;
    const now = this.#options.now();
    return {
      limit: this.#options.limit ?? reportedLimit,
      ...(isHourOver(resetsAt, now)
        ? { used: 0, resetsAt: undefined }
        : { used, resetsAt: new Date(resetsAt) }),
      backoffUntil: isBackingOff(backoffUntil, now) ? new Date(backoffUntil) : undefined,
    };
  }

  /** Ends the backoff, unless another server has had a failure since. */
  async endBackoff(): Promise<void> {
    const { database, organization } = this.#options;
    const failures = this.#latestRow?.failures;
    if (failures === 0) return;
    await database.db
      .updateTable('apiQuotas')
      .set({ failures: 0, backoffUntil: 0 })
      .where('organization', '=', organization)
      .where('failures', '>', 0)
      .$if(failures !== undefined, (update) => update.where('failures', '=', failures!))
      .execute();
  }

  /**
   * Counts a failure and starts a backoff, or extends another server's. The backoff ends at
   * `retryAt`, but lasts at most one hour. Without `retryAt`, the backoff lasts 2, 4, 8 … 60
   * seconds or, if `isLimited` is true, 1, 2, 4 … 60 minutes.
   * @returns the end of the backoff, in milliseconds since 1970.
   */
  async extendBackoff(reason: { retryAt?: Date | undefined; isLimited: boolean }): Promise<number> {
    const { retryAt, isLimited } = reason;
    const { database, organization, now } = this.#options;
    const { failures } = await this.#provideRow();
    const time = now();
    const delay = isLimited
      ? MINUTE * 2 ** failures
      : Math.min(2 ** (failures + 1) * SECOND, MINUTE);
    const requested = retryAt && retryAt.getTime() > time ? retryAt.getTime() : time + delay;
    const until = Math.min(Math.max(requested, time + SECOND), time + HOUR);
    const { backoffUntil: end } = await database.writer.write((transaction) =>
      transaction
        .updateTable('apiQuotas')
        .set({
          failures: failures + 1,
          backoffUntil: sql<number>`CASE
            WHEN backoff_until > ${until} AND backoff_until <= ${time + MAX_BACKOFF}
            THEN backoff_until ELSE ${until} END`,
        })
        .where('organization', '=', organization)
        .returning('backoffUntil')
        .executeTakeFirstOrThrow(),
    );
    this.#latestRow = undefined;
    return end;
  }

  /**
   * Counts calls, all or none. After a failure, counts only one call, a probe that blocks other
   * calls.
   * @throws {CallDeferredError} if these calls may not be made now.
   */
  async #reserveCalls(purpose: CallPurpose, count: number): Promise<Selectable<ApiQuotaRow>> {
    const { database, organization, limit, now } = this.#options;
    const time = now();
    const isDeferrable = purpose !== 'charges';
    const percent = purpose === 'reading' ? 100 - RESERVED_FOR_GIFTS : 100;
    const isOver = sql<boolean>`(resets_at <= ${time} OR resets_at > ${time + HOUR})`;
    const maxCalls =
      limit === undefined
        ? sql<number>`reported_limit * ${percent} / 100`
        : sql<number>`${Math.floor((limit * percent) / 100)}`;
    const taken = await database.writer.write((transaction) =>
      transaction
        .updateTable('apiQuotas')
        .set({
          used: sql<number>`CASE WHEN ${isOver} THEN ${count} ELSE used + ${count} END`,
          resetsAt: sql<number>`CASE WHEN ${isOver} THEN ${time + HOUR} ELSE resets_at END`,
          ...(isDeferrable && {
            backoffUntil: sql<number>`CASE
              WHEN failures > 0 THEN ${time + PROBE_TIMEOUT} ELSE backoff_until END`,
          }),
        })
        .where('organization', '=', organization)
        .$if(isDeferrable, (update) =>
          update
            .where((eb) =>
              eb.or([eb('backoffUntil', '<=', time), eb('backoffUntil', '>', time + MAX_BACKOFF)]),
            )
            .where(sql<boolean>`(${isOver} OR used + ${count} <= ${maxCalls})`),
        )
        .$if(isDeferrable && count > 1, (update) =>
          update.where('failures', '=', 0).where(sql<boolean>`${count} <= ${maxCalls}`),
        )
        .returningAll()
        .executeTakeFirst(),
    );
    if (taken) return taken;
    const row = await this.#findRow();
    if (!row) {
      await this.#insertRow();
      return this.#reserveCalls(purpose, count);
    }
    const { backoffUntil, resetsAt } = row;
    if (isBackingOff(backoffUntil, time))
      throw new CallDeferredError(
        'backing off because the platform failed or asked the server to back off',
        backoffUntil,
      );
    const max = Math.floor(((limit ?? row.reportedLimit) * percent) / 100);
    if (!isHourOver(resetsAt, time) && row.used + count > max)
      throw new CallDeferredError(
        'the hourly API quota is exhausted',
        Math.max(resetsAt, time + SECOND),
      );
    // After a failure, the queue counts the calls one at a time.
    if (count > 1)
      throw new CallDeferredError('after a failure, only one call at a time is allowed', time);
    // Another call has just reset the quota or ended the backoff.
    return this.#reserveCalls(purpose, count);
  }

  /** If the probe failed, the caller must then call {@link extendBackoff}. */
  async #endProbe({ failures, backoffUntil: until }: Selectable<ApiQuotaRow>): Promise<void> {
    const { database, organization } = this.#options;
    if (failures > 0)
      await database.db
        .updateTable('apiQuotas')
        .set({ backoffUntil: 0 })
        .where((build) => build.and({ organization, backoffUntil: until }))
        .execute();
  }

  /** The headers also count calls by other programs. Ignores implausible values. */
  async #applyRateLimitHeaders(headers: Headers): Promise<void> {
    const row = this.#latestRow;
    if (!row) return;
    const { database, organization, now } = this.#options;
    const time = now();
    const {
      limit: reported = row.reportedLimit,
      remaining,
      resetsAt: namedReset,
    } = parseRateLimit(headers);
    const reset = namedReset?.getTime() ?? 0;
    const used = remaining === undefined ? row.used : Math.max(row.used, reported - remaining);
    const resetsAt = reset > time && reset <= time + HOUR ? reset : row.resetsAt;
    if (reported === row.reportedLimit && used === row.used && resetsAt === row.resetsAt) return;
    await database.writer.write((transaction) =>
      transaction
        .updateTable('apiQuotas')
        .set({
          reportedLimit: reported,
          resetsAt,
          used: sql<number>`CASE WHEN used < ${used} THEN ${used} ELSE used END`,
        })
        .where('organization', '=', organization)
        .execute(),
    );
  }

  #findRow(): Promise<Selectable<ApiQuotaRow> | undefined> {
    const { database, organization } = this.#options;
    return database.db
      .selectFrom('apiQuotas')
      .selectAll()
      .where('organization', '=', organization)
      .executeTakeFirst();
  }

  async #provideRow(): Promise<Selectable<ApiQuotaRow>> {
    const row = await this.#findRow();
    if (row) return row;
    await this.#insertRow();
    return (await this.#findRow())!;
  }

  async #insertRow(): Promise<void> {
    const { database, organization } = this.#options;
    await database.writer.write((transaction) =>
      transaction
        .insertInto('apiQuotas')
        .values({ organization, ...INITIAL_STATE })
        .onConflict((conflict) => conflict.column('organization').doNothing())
        .execute(),
    );
  }
}

/** Ignores a backoff that ends more than {@link MAX_BACKOFF} from now. */
export function isBackingOff(until: number, now: number): boolean {
  return until > now && until <= now + MAX_BACKOFF;
}

/** Also returns true if the hour would end too late, because the clock must have been set back. */
function isHourOver(resetsAt: number, now: number): boolean {
  return resetsAt <= now || resetsAt > now + HOUR;
}
