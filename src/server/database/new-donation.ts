import type { Insertable } from 'kysely';
import { rejectUndefinedValue } from './database-error.ts';
import { rowMapper } from './row-mapper.ts';
import type { DonationRow, OutboxRow, WebhookMessageRow } from './schema.ts';

/** A donation to insert, with the rows that exist only if it does. Each row has all columns. */
export interface NewDonationRows {
  readonly donations: readonly [Required<Insertable<DonationRow>>];
  readonly outbox: readonly Required<Insertable<OutboxRow>>[];
  readonly webhookMessages: readonly Required<Insertable<WebhookMessageRow>>[];
}

/** @throws {DatabaseError} if a column is undefined. */
export function assertNoUndefinedColumn(newRows: NewDonationRows): void {
  for (const [table, rows] of Object.entries(newRows))
    for (const row of rows as readonly object[])
      for (const [column, value] of Object.entries(row))
        if (value === undefined) rejectUndefinedValue(rowMapper.toSnakeCase(`${table}.${column}`));
}
