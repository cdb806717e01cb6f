import { CamelCasePlugin, type UnknownRow } from 'kysely';
import { toIntegerGiftId } from '../lib/to-integer-gift-id.ts';

/**
 * Kysely plugin that maps the database's snake_case names to camelCase, parses the `payload` JSON
 * column of each row, and merges the columns with the platform's gift ID. Code that writes a
 * `payload` must serialize it.
 */
class RowMapper extends CamelCasePlugin {
  /** Converts a row of a query that bypasses the query builder. */
  override mapRow(row: UnknownRow): UnknownRow {
    const mapped: UnknownRow = {};
    for (const column of Object.keys(row)) mapped[this.camelCase(column)] = row[column];
    if (typeof mapped.payload === 'string') mapped.payload = JSON.parse(mapped.payload) as unknown;
    const { platformGiftId: integerId, platformGiftIdText: textId } = mapped;
    if (integerId !== undefined)
      mapped.platformGiftId = textId ?? (integerId === null ? null : `${integerId as number}`);
    delete mapped.platformGiftIdText;
    return mapped;
  }

  /** Returns the name that a property or table has in the database. */
  toSnakeCase(name: string): string {
    return this.snakeCase(name);
  }
}

export const rowMapper = new RowMapper();

/**
 * Splits a gift ID into its columns. Integers stay in the column that was there before text IDs, so
 * that the previous release can read them.
 */
export function toGiftIdColumns(id: string | null): {
  readonly platformGiftId: number | null;
  readonly platformGiftIdText: string | null;
} {
  const integerId = toIntegerGiftId(id);
  return { platformGiftId: integerId, platformGiftIdText: integerId === null ? id : null };
}
