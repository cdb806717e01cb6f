import { sql, type Selectable } from 'kysely';
import { parseRateLimit } from '@donation-form/platform-clients/fundraising';
import type { Database } from '../database/database.ts';
import type { ApiQuotaRow } from '../database/schema.ts';
import { BatchQueue } from '../lib/batch-queue.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * Hourly call limit that applies until the platform reports its own limit (Fundraising Platform
 * API, "Limits").
 */
const DEFAULT_LIMIT = 1_500;
/** Initial column values, before the first call. */
const INITIAL_STATE = {
  used: 0,
  resetsAt: 0,
  reportedLimit: DEFAULT_LIMIT,
  backoffUntil: 0,
  failures: 0,
} satisfies Omit<Selectable<ApiQuotaRow>, 'organization'>;
/** Share of the quota that is reserved for sending gifts, in percent. */
const RESERVED_FOR_GIFTS = 20;
/**
 * Time that other calls wait while one call probes the platform after a failure, in milliseconds.
 */
const PROBE_TIMEOUT = 10 * SECOND;
/**
 * Maximum backoff, in milliseconds. If a backoff ends later, the clock must have been set back, so
 * the server ignores the backoff. The extra minute tolerates small clock corrections.
 */
const MAX_BACKOFF = HOUR + MINUTE;
/** Maximum number of calls that one statement counts. */
const MAX_BATCH_SIZE = 64;

/**
 * Purpose of a call. Calls for `gifts` can use the whole quota. Calls for `reading`, which reports
 * make, leave a reserve for `gifts`. Calls for `charges` count toward the quota but are never
 * deferred, because a donor is waiting.
 */
export type CallPurpose = 'gifts' | 'reading' | 'charges';

export interface ApiQuotaOptions {
  readonly database: Database;
  readonly organization: string;
  /** Maximum number of calls per hour. Defaults to the limit that the platform reports. */
  readonly limit?: number | undefined;
  readonly now: () => number;
}

/** Current state of an organization's quota. */
export interface ApiQuotaState {
  /** Calls per hour. */
  readonly limit: number;
  readonly used: number;
  /** End of the current quota hour. Undefined if no call was made in the current hour. */
  readonly resetsAt: Date | undefined;
  /** End of the current backoff, if the platform failed or asked the server to back off. */
  readonly backoffUntil: Date | undefined;
}

/**
 * A call was not made because the quota is exhausted, the platform is failing, or the database is
 * down.
 */
export class CallDeferredError extends Error {
  override readonly name = 'CallDeferredError';
  /** Earliest time of the next call. */
  readonly retryAt: Date;

  constructor(message: string, until: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAt = new Date(until);
  }
}

/** An organization's hourly quota and backoff for platform calls, shared by all servers. */
export class ApiQuota {
  readonly #options: ApiQuotaOptions;
  /** Calls that wait to be counted. Calls of the same purpose are counted together. */
  readonly #queues: Readonly<Record<CallPurpose, BatchQueue<void, Selectable<ApiQuotaRow>>>>;
  /** The row after this server's last call was counted. */
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
   * response headers. The function returns the response even if the quota cannot be saved, and
   * throws a {@link CallDeferredError} if the call must not be made now.
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
              {
                cause,
              },
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

  /** Ends the backoff after a successful call, unless another server has had a failure since. */
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
   * Counts a failure and starts a backoff, or extends the one that another server started. The
   * backoff ends at `retryAt`, but lasts at most one hour. Without `retryAt`, the backoff lasts 2, 4,
   * 8 … 60 seconds or, if `isLimited` is true, 1, 2, 4 … 60 minutes.
   * @param retryAt time at which the platform allows the next call.
   * @param isLimited true if the platform's quota is exhausted.
   * @returns the end of the backoff, in milliseconds since 1970.
   */
  async extendBackoff({
    retryAt,
    isLimited,
  }: {
    readonly retryAt?: Date | undefined;
    readonly isLimited: boolean;
  }): Promise<number> {
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
        .set(({ eb }) => ({
          failures: failures + 1,
          backoffUntil: eb
            .case()
            .when(sql<boolean>`backoff_until > ${until} AND backoff_until <= ${time + MAX_BACKOFF}`)
            .then(sql<number>`backoff_until`)
            .else(eb.val(until))
            .end(),
        }))
        .where('organization', '=', organization)
        .returning('backoffUntil')
        .executeTakeFirstOrThrow(),
    );
    this.#latestRow = undefined;
    return end;
  }

  /**
   * Counts calls, all or none. After a failure, counts only one call, and blocks other calls until it
   * has returned.
   * @throws {CallDeferredError} if these calls may not be made now.
   */
  async #reserveCalls(purpose: CallPurpose, count: number): Promise<Selectable<ApiQuotaRow>> {
    const { database, organization, limit, now } = this.#options;
    const time = now();
    const isDeferrable = purpose !== 'charges';
    const percent = purpose === 'reading' ? 100 - RESERVED_FOR_GIFTS : 100;
    const maxCalls =
      limit === undefined
        ? sql<number>`reported_limit * ${percent} / 100`
        : sql<number>`${Math.floor((limit * percent) / 100)}`;
    const taken = await database.writer.write((transaction) =>
      transaction
        .updateTable('apiQuotas')
        .set(({ eb }) => ({
          used: eb
            .case()
            .when(buildIsHourOverExpression(time))
            .then(eb.val(count))
            .else(sql<number>`used + ${count}`)
            .end(),
          resetsAt: eb
            .case()
            .when(buildIsHourOverExpression(time))
            .then(eb.val(time + HOUR))
            .else(sql<number>`resets_at`)
            .end(),
          ...(isDeferrable && {
            backoffUntil: eb
              .case()
              .when('failures', '>', 0)
              .then(eb.val(time + PROBE_TIMEOUT))
              .else(sql<number>`backoff_until`)
              .end(),
          }),
        }))
        .where('organization', '=', organization)
        .$if(isDeferrable, (update) =>
          update
            .where((eb) =>
              eb.or([eb('backoffUntil', '<=', time), eb('backoffUntil', '>', time + MAX_BACKOFF)]),
            )
            .where((eb) =>
              eb.or([
                buildIsHourOverExpression(time),
                sql<boolean>`used + ${count} <= ${maxCalls}`,
              ]),
            ),
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

  /**
   * Allows other calls after a probe. If the probe failed, the caller must then call {@link
   * extendBackoff}.
   */
  async #endProbe({ failures, backoffUntil: until }: Selectable<ApiQuotaRow>): Promise<void> {
    const { database, organization } = this.#options;
    if (failures > 0)
      await database.db
        .updateTable('apiQuotas')
        .set({ backoffUntil: 0 })
        .where('organization', '=', organization)
        .where('backoffUntil', '=', until)
        .execute();
  }

  /**
   * Updates the quota from rate limit headers, which also count calls by other programs with the
   * same API key. Ignores implausible values.
   */
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
        .set(({ eb }) => ({
          reportedLimit: reported,
          resetsAt,
          used: eb
            .case()
            .when('used', '<', used)
            .then(eb.val(used))
            .else(sql<number>`used`)
            .end(),
        }))
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

/**
 * Returns true if a backoff is in effect. Ignores a backoff that ends more than {@link MAX_BACKOFF}
 * from now.
 */
export function isBackingOff(until: number, now: number): boolean {
  return until > now && until <= now + MAX_BACKOFF;
}

/**
 * Returns true if the quota hour has ended. Also returns true if the hour would end more than an
 * hour from now, because the clock must have been set back.
 */
function isHourOver(resetsAt: number, now: number): boolean {
  return resetsAt <= now || resetsAt > now + HOUR;
}

function buildIsHourOverExpression(now: number) {
  return sql<boolean>`(resets_at <= ${now} OR resets_at > ${now + HOUR})`;
}
