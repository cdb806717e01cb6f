import { sql, type Selectable } from 'kysely';
import { readRateLimit } from '@donation-form/platform-clients/fundraising';
import type { Database } from '../database/database.ts';
import type { BudgetRow } from '../database/schema.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Calls an hour until the platform's answers say otherwise: Fundraising Platform API, 'Limits'. */
const USUAL_LIMIT = 1_500;
/** What is known before the first call. */
const UNUSED = {
  used: 0,
  resets_at: 0,
  reported_limit: USUAL_LIMIT,
  backoff_until: 0,
  failures: 0,
} satisfies Omit<Selectable<BudgetRow>, 'organization'>;
/** What reading leaves of an hour's calls for gifts, in percent. */
const LEFT_FOR_GIFTS = 20;
/**
 * After a failure one call at a time tries whether the platform is back: for so long the others
 * wait for what comes of it.
 */
const PROBE_TIME = 10 * SECOND;
/**
 * A silence that ends later than this is none, since the clock was moved; the minute is for servers
 * whose clocks differ.
 */
const LATEST_END = HOUR + MINUTE;

/** What a call is for: gifts come first. */
export type Purpose = 'gifts' | 'reading';

export interface ApiQuotaOptions {
  readonly store: Database;
  readonly organization: string;
  /** Calls an hour, where the operator names them; else those of the platform. */
  readonly limit?: number | undefined;
  readonly now: () => number;
}

/** What is known of an organisation's calls. */
export interface ApiQuotaState {
  /** Calls an hour. */
  readonly limit: number;
  readonly used: number;
  /** Absent while no call of an hour was made. */
  readonly resetsAt: Date | undefined;
  /** The platform is in trouble, or asked for silence: no call before this time. */
  readonly silentUntil: Date | undefined;
}

/**
 * A call was not made, since the hour's calls are used up, the platform is in trouble, or the store
 * could not count it.
 */
export class CallDeferredError extends Error {
  override readonly name = 'HeldBackError';
  /** When to try again. */
  readonly until: Date;

  constructor(message: string, until: number, options?: ErrorOptions) {
    super(message, options);
    this.until = new Date(until);
  }
}

/**
 * The calls of an hour that an organisation's platform takes, and the silence that it needs,
 * counted for all servers together.
 */
export class ApiQuota {
  readonly #options: ApiQuotaOptions;

  constructor(options: ApiQuotaOptions) {
    this.#options = options;
  }

  /**
   * A fetch that takes each call from the budget, and learns from the answers what is left. It
   * throws {@link CallDeferredError}. An answer is returned even where the store could not keep what it
   * says.
   */
  fetch(
    purpose: Purpose,
    fetch: typeof globalThis.fetch = globalThis.fetch,
  ): typeof globalThis.fetch {
    return async (input, init) => {
      const taken = await this.#take(purpose).catch((cause: unknown) => {
        throw cause instanceof CallDeferredError
          ? cause
          : new CallDeferredError(
              'the store could not count the call',
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
      await this.#endProbe(taken)
        .then(() => this.#learn(taken, response.headers))
        .catch(() => undefined);
      return response;
    };
  }

  async state(): Promise<ApiQuotaState> {
    const {
      used,
      resets_at: resetsAt,
      backoff_until: silentUntil,
      reported_limit: told,
    } = (await this.#find()) ?? UNUSED;
    const now = this.#options.now();
    return {
      limit: this.#options.limit ?? told,
      ...(isOver(resetsAt, now)
        ? { used: 0, resetsAt: undefined }
        : { used, resetsAt: new Date(resetsAt) }),
      silentUntil: isBackingOff(silentUntil, now) ? new Date(silentUntil) : undefined,
    };
  }

  /** The platform answered: whatever trouble there was is over. */
  async succeeded(): Promise<void> {
    const {
      store: { db },
      organization,
    } = this.#options;
    await db
      .updateTable('api_quotas')
      .set({ failures: 0, backoff_until: 0 })
      .where('organization', '=', organization)
      .where('failures', '>', 0)
      .execute();
  }

  /**
   * The platform failed: nobody calls it for 2, 4, 8 … 60 seconds, or until the time that it names,
   * an hour at most.
   * @param isLimited its calls are used up: the silence is minutes, where it names no time.
   * @returns until when, in milliseconds since 1970.
   */
  async failed({
    retryAt,
    isLimited,
  }: {
    readonly retryAt?: Date | undefined;
    readonly isLimited: boolean;
  }): Promise<number> {
    const {
      store: { writer },
      organization,
      now,
    } = this.#options;
    const { failures } = await this.#row();
    const time = now();
    const nap = isLimited ? MINUTE * 2 ** failures : Math.min(2 ** (failures + 1) * SECOND, MINUTE);
    const named = retryAt && retryAt.getTime() > time ? retryAt.getTime() : time + nap;
    const until = Math.min(Math.max(named, time + SECOND), time + HOUR);
    await writer.write((transaction) =>
      transaction
        .updateTable('api_quotas')
        .set({ failures: failures + 1, backoff_until: until })
        .where('organization', '=', organization)
        .execute(),
    );
    return until;
  }

  /**
   * @returns what is known with this call; after a failure nobody else calls until it is answered.
   */
  async #take(purpose: Purpose): Promise<Selectable<BudgetRow>> {
    const {
      store: { writer },
      organization,
      limit,
      now,
    } = this.#options;
    const time = now();
    const percent = purpose === 'gifts' ? 100 : 100 - LEFT_FOR_GIFTS;
    const most =
      limit === undefined
        ? sql<number>`reported_limit * ${percent} / 100`
        : Math.floor((limit * percent) / 100);
    const taken = await writer.write((transaction) =>
      transaction
        .updateTable('api_quotas')
        .set(({ eb }) => ({
          used: eb
            .case()
            .when(over(time))
            .then(1)
            .else(sql<number>`used + 1`)
            .end(),
          resets_at: eb
            .case()
            .when(over(time))
            .then(eb.val(time + HOUR))
            .else(sql<number>`resets_at`)
            .end(),
          backoff_until: eb
            .case()
            .when('failures', '>', 0)
            .then(eb.val(time + PROBE_TIME))
            .else(sql<number>`backoff_until`)
            .end(),
        }))
        .where('organization', '=', organization)
        .where((eb) =>
          eb.or([eb('backoff_until', '<=', time), eb('backoff_until', '>', time + LATEST_END)]),
        )
        .where((eb) => eb.or([over(time), eb('used', '<', most)]))
        .returningAll()
        .executeTakeFirst(),
    );
    if (taken) return taken;
    const known = await this.#find();
    if (!known) {
      await this.#open();
      return this.#take(purpose);
    }
    const { backoff_until: silentUntil, resets_at: resetsAt } = known;
    if (isBackingOff(silentUntil, time))
      throw new CallDeferredError(
        'the platform is left alone after it failed or asked for it',
        silentUntil,
      );
    // Another server has opened it just now, or ended the silence.
    if (isOver(resetsAt, time)) return this.#take(purpose);
    throw new CallDeferredError(
      'the calls of this hour are used up',
      Math.max(resetsAt, time + SECOND),
    );
  }

  /**
   * Lets others call again: whether the platform is back is known now, or is told to {@link failed}
   * next.
   */
  async #endProbe({ failures, backoff_until: until }: Selectable<BudgetRow>): Promise<void> {
    const {
      store: { db },
      organization,
    } = this.#options;
    if (failures > 0)
      await db
        .updateTable('api_quotas')
        .set({ backoff_until: 0 })
        .where('organization', '=', organization)
        .where('backoff_until', '=', until)
        .execute();
  }

  /**
   * Takes over what the headers say of the hour: calls that were made elsewhere with the same key
   * count too. Headers that cannot be true are passed over.
   */
  async #learn(row: Selectable<BudgetRow>, headers: Headers): Promise<void> {
    const {
      store: { writer },
      organization,
      now,
    } = this.#options;
    const time = now();
    const {
      limit: told = row.reported_limit,
      remaining,
      resetsAt: namedReset,
    } = readRateLimit(headers);
    const reset = namedReset?.getTime() ?? 0;
    const used = remaining === undefined ? row.used : Math.max(row.used, told - remaining);
    const resetsAt = reset > time && reset <= time + HOUR ? reset : row.resets_at;
    if (told === row.reported_limit && used === row.used && resetsAt === row.resets_at) return;
    await writer.write((transaction) =>
      transaction
        .updateTable('api_quotas')
        .set(({ eb }) => ({
          reported_limit: told,
          resets_at: resetsAt,
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

  #find(): Promise<Selectable<BudgetRow> | undefined> {
    const {
      store: { db },
      organization,
    } = this.#options;
    return db
      .selectFrom('api_quotas')
      .selectAll()
      .where('organization', '=', organization)
      .executeTakeFirst();
  }

  async #row(): Promise<Selectable<BudgetRow>> {
    const known = await this.#find();
    if (known) return known;
    await this.#open();
    return (await this.#find())!;
  }

  async #open(): Promise<void> {
    const {
      store: { writer },
      organization,
    } = this.#options;
    await writer.write((transaction) =>
      transaction
        .insertInto('api_quotas')
        .values({ organization, ...UNUSED })
        .onConflict((conflict) => conflict.column('organization').doNothing())
        .execute(),
    );
  }
}

/** Whether a silence that ends then is going on. */
export function isBackingOff(until: number, now: number): boolean {
  return until > now && until <= now + LATEST_END;
}

/** Whether an hour is over; one that ends too late is none, since the clock was moved. */
function isOver(resetsAt: number, now: number): boolean {
  return resetsAt <= now || resetsAt > now + HOUR;
}

function over(now: number) {
  return sql<boolean>`(resets_at <= ${now} OR resets_at > ${now + HOUR})`;
}
