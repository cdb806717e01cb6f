import type { Transaction, UpdateObject } from 'kysely';
import type { Donation, OutboxEntryKind, Tables } from '../database/schema.ts';
import type { EntryInserter, NewEntry } from './outbox-entries.ts';
import {
  type DonationState,
  type DonationTrigger,
  type Transition,
  transition,
} from './transition.ts';

export type SeenDonation = Pick<Donation, 'reference' | keyof DonationState>;

export interface TransitionOptions {
  /** Columns to update besides those that the transition changes. */
  readonly columns?: UpdateObject<Tables, 'donations'>;
  /** Fields that override those of the resulting outbox entry. */
  readonly outboxEntry?: Partial<NewEntry>;
  readonly insertEntries: EntryInserter;
  readonly now: number;
  /** True for PostgreSQL: another server can change the row between statements. */
  readonly isShared: boolean;
}

/** If the row has changed since the caller read it, decides again with the current row. */
export async function applyTransition(
  transaction: Transaction<Tables>,
  seen: SeenDonation,
  trigger: DonationTrigger,
  options: TransitionOptions,
): Promise<{ readonly row: Donation; readonly isChanged: boolean }> {
  const first = transition(seen, trigger);
  const changed = first && (await updateIfUnchanged(transaction, seen, first, options));
  if (changed) return { row: changed, isChanged: true };
  const current = await selectForUpdate(transaction, seen.reference, options.isShared);
  const second = transition(current, trigger);
  const row = second && (await updateIfUnchanged(transaction, current, second, options));
  return { row: row ?? current, isChanged: row !== undefined };
}

async function updateIfUnchanged(
  transaction: Transaction<Tables>,
  seen: SeenDonation,
  { change, notify }: Transition,
  { columns, outboxEntry, insertEntries, now }: TransitionOptions,
): Promise<Donation | undefined> {
  const row = await transaction
    .updateTable('donations')
    .set({ ...columns, ...change, updatedAt: now })
    .where('reference', '=', seen.reference)
    .where('status', '=', seen.status)
    .where('awaiting', 'is not distinct from', seen.awaiting)
    .where('failureReason', 'is not distinct from', seen.failureReason)
    .where('paymentId', 'is not distinct from', seen.paymentId)
    .where('chargeStartedAt', '=', seen.chargeStartedAt)
    .where('subscriptionStatus', 'is not distinct from', seen.subscriptionStatus)
    .returningAll()
    .executeTakeFirst();
  if (row && notify)
    await insertEntries(
      transaction,
      row.organization,
      [{ ...buildOutboxEntry(notify, row), ...outboxEntry }],
      now,
    );
  return row;
}

export function buildOutboxEntry(
  kind: OutboxEntryKind,
  { reference, restoredAt }: Donation,
): NewEntry {
  return { id: `${kind} ${reference}`, reference, kind, dispatchedAt: restoredAt };
}

async function selectForUpdate(
  transaction: Transaction<Tables>,
  reference: string,
  isShared: boolean,
): Promise<Donation> {
  const query = transaction.selectFrom('donations').selectAll().where('reference', '=', reference);
  const row = await (isShared ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw new Error(`donation ${reference} not found`);
  return row;
}
