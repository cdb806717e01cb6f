import type { Transaction } from 'kysely';
import type { IgnoredSettings } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Database } from '../database/database.ts';
import type { IgnoredRow, Tables } from '../database/schema.ts';

const FLUSH_EVERY = 5_000;
const KEPT_DAYS = 90;
/** How many kinds are counted for one form and day: the segment is anybody's text. */
const MOST_KINDS = 1_000;
const DAY = 86_400_000;

/** How often a form ignored a setting, over some days. */
export interface IgnoredCount extends Omit<IgnoredRow, 'day'> {
  readonly lastDay: string;
}

export interface IgnoredSettingStatsOptions {
  readonly store: Database;
  readonly log: Logger;
  readonly now: () => number;
  /** Nothing is held back for seconds, since the process may not live so long. */
  readonly writesAtOnce?: boolean | undefined;
}

/**
 * Counts what forms ignored of their settings, by form, name, reason, segment and day. What was
 * counted in the last seconds before a crash is lost.
 */
export class IgnoredSettingStats {
  readonly #options: IgnoredSettingStatsOptions;
  readonly #pending = new Map<string, IgnoredRow>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: IgnoredSettingStatsOptions) {
    this.#options = options;
  }

  add({ form, segment = '', ignored }: IgnoredSettings): void {
    const day = dayOf(this.#options.now());
    for (const { name, reason } of ignored) {
      const kind = nameOf({ form, name, reason, segment, day, count: 0 });
      const count = (this.#pending.get(kind)?.count ?? 0) + 1;
      if (count > 1 || this.#pending.size < MOST_KINDS)
        this.#pending.set(kind, { form, name, reason, segment, day, count });
    }
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_EVERY).unref();
  }

  /** What is to be done before a report is answered: nothing, unless the process may end then. */
  async settle(): Promise<void> {
    if (this.#options.writesAtOnce) await this.flush();
  }

  /** Writes what was counted. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#pending.values()];
    this.#pending.clear();
    if (rows.length > 0) this.#flushing = this.#flushing.then(() => this.#write(rows));
    return this.#flushing;
  }

  /**
   * What was ignored in the last days, the most frequent first.
   * @param days 1 to 90, today included.
   */
  async report(days: number): Promise<IgnoredCount[]> {
    await this.flush();
    return this.#options.store.db
      .selectFrom('ignored_setting_stats')
      .where('day', '>', dayOf(this.#options.now() - days * DAY))
      .select(({ fn }) => [
        'form',
        'name',
        'reason',
        'segment',
        fn.sum<number>('count').as('count'),
        fn.max('day').as('lastDay'),
      ])
      .groupBy(['form', 'name', 'reason', 'segment'])
      .orderBy('count', 'desc')
      .orderBy('name')
      .limit(MOST_KINDS)
      .execute();
  }

  async #write(rows: readonly IgnoredRow[]): Promise<void> {
    const { store, log, now } = this.#options;
    try {
      await store.writer.write(async (transaction) => {
        await transaction
          .deleteFrom('ignored_setting_stats')
          .where('day', '<=', dayOf(now() - KEPT_DAYS * DAY))
          .execute();
        // In one order on all servers, so that none waits for another that waits for it.
        for (const row of rows.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
          await count(transaction, row);
      });
    } catch (error) {
      log.warn(describeError(error), 'what forms ignored could not be counted');
    }
  }
}

async function count(db: Transaction<Tables>, { count: more, ...kind }: IgnoredRow): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('ignored_setting_stats')
    .set(({ eb }) => ({ count: eb('count', '+', more) }))
    .where((eb) => eb.and(kind))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const { kinds } = await db
    .selectFrom('ignored_setting_stats')
    .where('form', '=', kind.form)
    .where('day', '=', kind.day)
    .select(({ fn }) => fn.countAll<number>().as('kinds'))
    .executeTakeFirstOrThrow();
  if (kinds >= MOST_KINDS) return;
  await db
    .insertInto('ignored_setting_stats')
    .values({ ...kind, count: more })
    .onConflict((conflict) =>
      conflict
        .columns(['form', 'name', 'reason', 'segment', 'day'])
        .doUpdateSet(({ eb }) => ({ count: eb('ignored_setting_stats.count', '+', more) })),
    )
    .execute();
}

function nameOf({ form, name, reason, segment, day }: IgnoredRow): string {
  return JSON.stringify([form, name, reason, segment, day]);
}

/** UTC, such as `2026-11-21`. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
