import { type RawBuilder, sql, type Transaction, type UpdateObject } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Donation, OutboxEntryKind, Tables } from '../database/schema.ts';
import type { EntryInserter, NewEntry } from './outbox-entries.ts';
import {
  type DonationState,
  type DonationTrigger,
  type Transition,
  transition,
} from './transition.ts';

export type SeenDonation = Pick<Donation, 'reference' | keyof DonationState>;

export interface RepositoryContext {
  readonly database: Database;
  readonly insertEntries: EntryInserter;
  /** Called after each commit that adds a donation or changes its status. */
  readonly onTransition: (donation: Donation) => void;
}

/** What to save besides the change that the transition determines. */
export interface TransitionExtras {
  readonly columns?: UpdateObject<Tables, 'donations'> | undefined;
  /** Fields that override those of the outbox entry. */
  readonly outboxEntry?: Partial<NewEntry> | undefined;
  /** Time of the change. Default: the current time. */
  readonly now?: number | undefined;
}

/** If the row has changed since the caller read it, decides again with the current row. */
export async function applyTransition(
  transaction: Transaction<Tables>,
  seen: SeenDonation,
  trigger: DonationTrigger,
  context: RepositoryContext,
  { columns, outboxEntry, now = context.database.clock.now() }: TransitionExtras = {},
): Promise<{ readonly row: Donation; readonly isChanged: boolean }> {
  const updateIfUnchanged = async (
    current: SeenDonation,
    next: Transition | undefined,
  ): Promise<Donation | undefined> => {
    if (!next) return undefined;
    const { change, notify } = next;
    const row = await transaction
      .updateTable('donations')
      .set({ ...buildTriggerColumns(trigger, now), ...columns, ...change, updatedAt: now })
      .where('reference', '=', current.reference)
      .where('status', '=', current.status)
      .where('awaiting', 'is not distinct from', current.awaiting)
      .where('failureReason', 'is not distinct from', current.failureReason)
      .where('paymentId', 'is not distinct from', current.paymentId)
      .where('chargeStartedAt', '=', current.chargeStartedAt)
      .where('subscriptionStatus', 'is not distinct from', current.subscriptionStatus)
      .returningAll()
      .executeTakeFirst();
    if (row && notify) {
      const entry = { ...buildOutboxEntry(notify, row), ...outboxEntry };
      const isAboutGift = notify === 'donation' || notify === 'payment_settled';
      const donation = isAboutGift ? row : undefined;
      await context.insertEntries(transaction, row.organization, [entry], now, donation);
    }
    return row;
  };
  const changed = await updateIfUnchanged(seen, transition(seen, trigger, seen));
  if (changed) return { row: changed, isChanged: true };
  const current = await selectForUpdate(transaction, seen.reference, context.database.isShared);
  const row = await updateIfUnchanged(current, transition(current, trigger, seen));
  return { row: row ?? current, isChanged: row !== undefined };
}

/** Columns that a trigger changes besides those in `Transition.change`. */
function buildTriggerColumns(
  { type }: DonationTrigger,
  now: number,
): UpdateObject<Tables, 'donations'> {
  switch (type) {
    case 'charge_started':
      return { chargeStartedAt: buildChargeStart(now) };
    case 'action_required':
      return { lastError: null };
    case 'approved':
      return { chargeStartedAt: buildChargeStart(now), attempts: 0, lastError: null };
    case 'accepted':
    case 'succeeded':
    case 'reviewed':
      return { attempts: 0, lastError: null };
    default:
      return {};
  }
}

/** Different for each charge of a payment, so that {@link transition} can tell them apart. */
function buildChargeStart(now: number): RawBuilder<number> {
  return sql<number>`CASE WHEN charge_started_at = ${now} AND payment_id IS NOT NULL
    THEN charge_started_at + 1 ELSE ${now} END`;
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
