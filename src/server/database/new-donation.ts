import type { Insertable } from 'kysely';
import { rejectUndefinedValue } from './database-error.ts';
import type { DonationRow, OutboxRow, Tables, WebhookMessageRow } from './schema.ts';

/** A donation to insert, with the rows that exist only if the donation does. */
export interface NewDonationRows {
  readonly donations: readonly [Required<Insertable<DonationRow>>];
  readonly outbox: readonly Required<Insertable<OutboxRow>>[];
  readonly webhook_messages: readonly Required<Insertable<WebhookMessageRow>>[];
}

type TableName = keyof NewDonationRows;

/** Columns of the tables. The type makes sure that none is missing. */
export const NEW_DONATION_COLUMNS: {
  readonly [Name in TableName]: readonly (keyof Tables[Name])[];
} = {
  donations: listColumns<DonationRow>({
    reference: true,
    idempotency_key_hash: true,
    fingerprint: true,
    organization: true,
    status: true,
    awaiting: true,
    payload: true,
    payment_id: true,
    subscription_id: true,
    subscription_status: true,
    payment_method: true,
    failure_reason: true,
    platform_gift_id: true,
    platform_gift_id_text: true,
    attempts: true,
    charge_started_at: true,
    next_run_at: true,
    locked_until: true,
    last_error: true,
    created_at: true,
    updated_at: true,
    donor_deleted_at: true,
    donor_deleted_by: true,
    restored_at: true,
  }),
  outbox: listColumns<OutboxRow>({
    id: true,
    organization: true,
    reference: true,
    parent_reference: true,
    kind: true,
    status: true,
    payment_id: true,
    payload: true,
    platform_gift_id: true,
    platform_gift_id_text: true,
    dispatched_at: true,
    attempts: true,
    next_run_at: true,
    locked_until: true,
    last_error: true,
    happened_at: true,
    created_at: true,
    updated_at: true,
  }),
  webhook_messages: listColumns<WebhookMessageRow>({
    id: true,
    organization: true,
    url: true,
    event: true,
    type: true,
    status: true,
    attempts: true,
    next_run_at: true,
    last_error: true,
    created_at: true,
  }),
};

/** @throws {DatabaseError} if a column is undefined. */
export function assertNoUndefinedColumn(newRows: NewDonationRows): void {
  for (const table of Object.keys(newRows) as TableName[])
    for (const row of newRows[table] as readonly Readonly<Record<string, unknown>>[])
      for (const column of NEW_DONATION_COLUMNS[table])
        if (row[column] === undefined) rejectUndefinedValue(`${table}.${column}`);
}

function listColumns<Row>(columns: Readonly<Record<keyof Row, true>>): (keyof Row)[] {
  return Object.keys(columns) as (keyof Row)[];
}
