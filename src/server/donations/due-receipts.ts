import type { Insertable, Transaction } from 'kysely';
import type { OutboxEntry, OutboxEntryKind, ReceiptRow, Tables } from '../database/schema.ts';

export type NewReceipt = Required<Insertable<ReceiptRow>>;

/** Kinds that change how much of an accepted gift is paid. */
const CHANGING_KINDS: readonly OutboxEntryKind[] = [
  'payment_settled',
  'payment_failed',
  'refund',
  'refund_failed',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
];

export function mayChangeReceipt({ kind }: Pick<OutboxEntry, 'kind'>): boolean {
  return CHANGING_KINDS.includes(kind);
}

/** Builds a row from which the worker decides what to issue, void, or replace. */
export function buildDueReceipt({
  id,
  organization,
  reference,
  createdAt,
  updatedAt: now,
}: Pick<OutboxEntry, 'id' | 'organization' | 'reference' | 'createdAt' | 'updatedAt'>): NewReceipt {
  return {
    id,
    organization,
    reference,
    status: 'due',
    series: null,
    year: null,
    number: null,
    template: null,
    payload: null,
    hash: null,
    replaces: null,
    issuedAt: null,
    keepUntil: null,
    voidedAt: null,
    voidReason: null,
    attempts: 0,
    nextRunAt: now,
    lastError: null,
    createdAt,
    updatedAt: now,
  };
}

/** Returns false for gifts that were accepted without receipts or restored from a backup. */
export async function hasReceipts(
  transaction: Transaction<Tables>,
  reference: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('receipts')
    .select('id')
    .where('reference', '=', reference)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets the worker decide again about an event that needed no receipt. */
export async function makeReceiptDue(
  transaction: Transaction<Tables>,
  id: string,
  now: number,
): Promise<void> {
  await transaction
    .updateTable('receipts')
    .set({ status: 'due', attempts: 0, nextRunAt: now, createdAt: now, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'not_needed')
    .execute();
}
