import type { Transaction } from 'kysely';
import type { SettingsReport } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Database } from '../database/database.ts';
import type { IgnoredSettingStatRow, Tables } from '../database/schema.ts';

const FLUSH_INTERVAL = 5_000;
const RETENTION_DAYS = 90;
/**
 * Maximum number of stored counts per form and day. A limit is needed because a segment can be any
 * text.
 */
const MAX_KEYS = 1_000;
const DAY = 86_400_000;

/**
 * Number of times that a form ignored a setting in a period. `lastDay` is the last day on which the
 * form ignored the setting.
 */
export interface IgnoredCount extends Omit<IgnoredSettingStatRow, 'day'> {
  readonly lastDay: string;
}

export interface IgnoredSettingStatsOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
  /**
   * True to write counts immediately. Required if the host might freeze the process after a
   * response.
   */
  readonly writesImmediately?: boolean | undefined;
}

/**
 * Counts ignored settings by form, name, reason, segment, and day. A crash loses the counts of the
 * last few seconds.
 */
export class IgnoredSettingStats {
  readonly #options: IgnoredSettingStatsOptions;
  readonly #pending = new Map<string, IgnoredSettingStatRow>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: IgnoredSettingStatsOptions) {
    this.#options = options;
  }

  /** Adds the ignored settings in a report to the pending counts. */
  countIgnoredSettings({ form, segment = '', ignored }: SettingsReport): void {
    const day = formatDay(this.#options.now());
    for (const { name, reason } of ignored) {
      const key = formatStatKey({ form, name, reason, segment, day, count: 0 });
      const count = (this.#pending.get(key)?.count ?? 0) + 1;
      if (count > 1 || this.#pending.size < MAX_KEYS)
        this.#pending.set(key, { form, name, reason, segment, day, count });
    }
    this.#timer ??= setTimeout(() => void this.writePendingCounts(), FLUSH_INTERVAL).unref();
  }

  /** Writes pending counts if {@link IgnoredSettingStatsOptions.writesImmediately} is true. */
  async writeCountsIfImmediate(): Promise<void> {
    if (this.#options.writesImmediately) await this.writePendingCounts();
  }

  writePendingCounts(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#pending.values()];
    this.#pending.clear();
    if (rows.length > 0)
      this.#flushing = this.#flushing.then(() => this.#pruneAndWriteCounts(rows));
    return this.#flushing;
  }

  /**
   * Writes pending counts, then lists ignored settings from most to least frequent.
   * @param days number of days to include, from 1 to 90. 1 includes only today.
   */
  async writeAndListCounts(days: number): Promise<IgnoredCount[]> {
    await this.writePendingCounts();
    return this.#options.database.db
      .selectFrom('ignored_setting_stats')
      .where('day', '>', formatDay(this.#options.now() - days * DAY))
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
      .limit(MAX_KEYS)
      .execute();
  }

  async #pruneAndWriteCounts(rows: readonly IgnoredSettingStatRow[]): Promise<void> {
    const { database, log, now } = this.#options;
    try {
      await database.writer.write(async (transaction) => {
        await transaction
          .deleteFrom('ignored_setting_stats')
          .where('day', '<=', formatDay(now() - RETENTION_DAYS * DAY))
          .execute();
        // Updating the rows in the same order on all servers prevents deadlocks.
        for (const row of rows.toSorted((a, b) => (formatStatKey(a) < formatStatKey(b) ? -1 : 1)))
          await incrementCount(transaction, row);
      });
    } catch (error) {
      log.warn(describeError(error), 'cannot save ignored-setting counts');
    }
  }
}

async function incrementCount(
  db: Transaction<Tables>,
  { count: increment, ...key }: IgnoredSettingStatRow,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('ignored_setting_stats')
    .set(({ eb }) => ({ count: eb('count', '+', increment) }))
    .where((eb) => eb.and(key))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const { keys } = await db
    .selectFrom('ignored_setting_stats')
    .where('form', '=', key.form)
    .where('day', '=', key.day)
    .select(({ fn }) => fn.countAll<number>().as('keys'))
    .executeTakeFirstOrThrow();
  if (keys >= MAX_KEYS) return;
  await db
    .insertInto('ignored_setting_stats')
    .values({ ...key, count: increment })
    .onConflict((conflict) =>
      conflict
        .columns(['form', 'name', 'reason', 'segment', 'day'])
        .doUpdateSet(({ eb }) => ({ count: eb('ignored_setting_stats.count', '+', increment) })),
    )
    .execute();
}

function formatStatKey({ form, name, reason, segment, day }: IgnoredSettingStatRow): string {
  return JSON.stringify([form, name, reason, segment, day]);
}

/**
 * Formats a time as a UTC date, such as `2026-11-21`.
 * @param time milliseconds since 1970.
 */
function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
