import type { Transaction } from 'kysely';
import type { SettingsReport } from '@donation-form/core/schemas';
import type { ServerBase } from '../database/database.ts';
import type { IgnoredSettingStatRow, Tables } from '../database/schema.ts';
import { describeError } from '../lib/describe-error.ts';

const FLUSH_INTERVAL = 5_000;
const RETENTION_DAYS = 90;
/** Maximum number of counts per form and day, because a segment can be any text. */
const MAX_KEYS = 1_000;
const DAY = 86_400_000;

interface IgnoredSettingStatsOptions extends ServerBase {
  /** True if the host might freeze the process after a response. */
  readonly writesImmediately?: boolean | undefined;
}

/** Counts ignored settings. A crash loses the counts of the last few seconds. */
export class IgnoredSettingStats {
  readonly #options: IgnoredSettingStatsOptions;
  readonly #pending = new Map<string, IgnoredSettingStatRow>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: IgnoredSettingStatsOptions) {
    this.#options = options;
  }

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

  async writeImmediateCounts(): Promise<void> {
    if (this.#options.writesImmediately) await this.writePendingCounts();
  }

  writePendingCounts(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#pending.values()];
    this.#pending.clear();
    if (rows.length > 0) this.#flushing = this.#flushing.then(() => this.#saveCounts(rows));
    return this.#flushing;
  }

  /** @param days number of days to include, from 1 to 90. 1 includes only today. */
  async listCounts(days: number) {
    await this.writePendingCounts();
    return this.#options.database.db
      .selectFrom('ignoredSettingStats')
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

  async #saveCounts(rows: readonly IgnoredSettingStatRow[]): Promise<void> {
    const { database, log, now } = this.#options;
    try {
      await database.writer.write(async (transaction) => {
        await transaction
          .deleteFrom('ignoredSettingStats')
          .where('day', '<=', formatDay(now() - RETENTION_DAYS * DAY))
          .execute();
        for (const group of groupByFormAndDay(rows)) await incrementCounts(transaction, group);
      });
    } catch (error) {
      log.warn(describeError(error), 'cannot save ignored-setting counts');
    }
  }
}

/** Sorted, because updating rows in the same order prevents deadlocks. */
function groupByFormAndDay(rows: readonly IgnoredSettingStatRow[]) {
  const sorted = rows.toSorted((a, b) => (formatStatKey(a) < formatStatKey(b) ? -1 : 1));
  return Map.groupBy(sorted, ({ form, day }) => JSON.stringify([form, day])).values();
}

/** Needs two statements for any number of rows, because a flood must not block the server. */
async function incrementCounts(db: Transaction<Tables>, rows: readonly IgnoredSettingStatRow[]) {
  const { form, day } = rows[0]!;
  const stored = await db
    .selectFrom('ignoredSettingStats')
    .where((build) => build.and({ form, day }))
    .selectAll()
    .execute();
  const storedKeys = new Set(stored.map(formatStatKey));
  const newRows = rows.filter((row) => !storedKeys.has(formatStatKey(row)));
  const dropped = new Set(newRows.slice(Math.max(0, MAX_KEYS - storedKeys.size)));
  const kept = rows.filter((row) => !dropped.has(row));
  if (kept.length === 0) return;
  await db
    .insertInto('ignoredSettingStats')
    .values(kept)
    .onConflict((conflict) =>
      conflict.columns(['form', 'name', 'reason', 'segment', 'day']).doUpdateSet((builder) => ({
        count: builder('ignoredSettingStats.count', '+', builder.ref('excluded.count')),
      })),
    )
    .execute();
}

function formatStatKey({ form, name, reason, segment, day }: IgnoredSettingStatRow): string {
  return JSON.stringify([form, day, name, reason, segment]);
}

/** Formats milliseconds since 1970 as a UTC date, such as `2026-11-21`. */
function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
