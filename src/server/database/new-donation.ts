import type { Insertable } from 'kysely';
import { rejectUndefinedValue } from './database-error.ts';
import { rowMapper } from './row-mapper.ts';
import type { DonationRow, OutboxRow, Tables, WebhookMessageRow } from './schema.ts';

/** A donation to insert, with the rows that exist only if the donation does. */
export interface NewDonationRows {
  readonly donations: readonly [Required<Insertable<DonationRow>>];
  readonly outbox: readonly Required<Insertable<OutboxRow>>[];
  readonly webhookMessages: readonly Required<Insertable<WebhookMessageRow>>[];
}

type TableName = keyof NewDonationRows;

export const NEW_DONATION_COLUMNS: {
  readonly [Name in TableName]: readonly (keyof Tables[Name])[];
} = {
  donations: listColumns<DonationRow>({
    reference: true,
    idempotencyKeyHash: true,
    fingerprint: true,
    organization: true,
    status: true,
    awaiting: true,
    payload: true,
    paymentId: true,
    subscriptionId: true,
    subscriptionStatus: true,
    paymentMethod: true,
    failureReason: true,
    platformGiftId: true,
    platformGiftIdText: true,
    attempts: true,
    chargeStartedAt: true,
    nextRunAt: true,
    lockedUntil: true,
    lastError: true,
    createdAt: true,
    updatedAt: true,
    donorDeletedAt: true,
    donorDeletedBy: true,
    restoredAt: true,
  }),
  outbox: listColumns<OutboxRow>({
    id: true,
    organization: true,
    reference: true,
    parentReference: true,
    kind: true,
    status: true,
    paymentId: true,
    payload: true,
    platformGiftId: true,
    platformGiftIdText: true,
    dispatchedAt: true,
    attempts: true,
    nextRunAt: true,
    lockedUntil: true,
    lastError: true,
    happenedAt: true,
    createdAt: true,
    updatedAt: true,
  }),
  webhookMessages: listColumns<WebhookMessageRow>({
    id: true,
    organization: true,
    url: true,
    event: true,
    type: true,
    status: true,
    attempts: true,
    nextRunAt: true,
    lastError: true,
    createdAt: true,
  }),
};

/** @throws {DatabaseError} if a column is undefined. */
export function assertNoUndefinedColumn(newRows: NewDonationRows): void {
  for (const table of Object.keys(newRows) as TableName[])
    for (const row of newRows[table] as readonly Readonly<Record<string, unknown>>[])
      for (const column of NEW_DONATION_COLUMNS[table])
        if (row[column] === undefined)
          rejectUndefinedValue(rowMapper.toSnakeCase(`${table}.${column}`));
}

function listColumns<Row>(columns: Readonly<Record<keyof Row, true>>): (keyof Row)[] {
  return Object.keys(columns) as (keyof Row)[];
}
