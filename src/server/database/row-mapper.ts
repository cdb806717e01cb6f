import { CamelCasePlugin, type UnknownRow } from 'kysely';
import { toIntegerGiftId } from '../lib/to-integer-gift-id.ts';
import type { NewDonationRows } from './database.ts';
import { rejectUndefinedValue } from './database-error.ts';
import type { Donation, OutboxEntry } from './schema.ts';

/**
 * Maps snake_case names to camelCase, parses the `payload` column, and merges the columns with the
 * platform's gift ID. Code that writes a `payload` must serialize it.
 */
class RowMapper extends CamelCasePlugin {
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

  readonly toSnakeCase = (name: string): string => this.snakeCase(name);
}

export const rowMapper = new RowMapper();

/** Integers stay in their old column, so that the previous release can read them. */
export function toGiftIdColumns(id: string | null): {
  readonly platformGiftId: number | null;
  readonly platformGiftIdText: string | null;
} {
  const integerId = toIntegerGiftId(id);
  return { platformGiftId: integerId, platformGiftIdText: integerId === null ? id : null };
}

/** Splits the gift ID of a donation or outbox entry, and serializes the payload. */
export function toInsertableRow<Row extends Donation | OutboxEntry>(row: Row) {
  return {
    ...row,
    ...toGiftIdColumns(row.platformGiftId),
    payload: JSON.stringify(row.payload),
  };
}

/**
 * Returns a check that throws a `DatabaseError` if a column is undefined, or if a table's rows have
 * different columns, because the writers take the columns from the table's first row.
 */
export function createColumnCheck(): (newRows: NewDonationRows) => void {
  const columnsByTable = new Map<string, readonly string[]>();
  return (newRows) => {
    for (const [table, rows] of Object.entries(newRows))
      for (const row of rows as readonly UnknownRow[]) {
        const columns = Object.keys(row);
        const expected = columnsByTable.get(table) ?? columns;
        columnsByTable.set(table, expected);
        for (const column of [...expected, ...columns])
          if (row[column] === undefined || !expected.includes(column))
            rejectUndefinedValue(rowMapper.toSnakeCase(`${table}.${column}`));
      }
  };
}
