import type { Kysely } from 'kysely';
import type { Donation, OutboxEntry, Tables } from '../database/schema.ts';
import { selectEvents } from './outbox-entries.ts';
import { getDisputeStatus, getRemainingAmount } from './refunds-and-disputes.ts';
import { getDonationTotal } from './total.ts';

/** A payment of a donation or renewal. Times are in milliseconds since 1970. */
export interface ReceivedPayment {
  readonly reference: string;
  /** For a renewal, the first donation. */
  readonly donation: Donation;
  readonly isRenewal: boolean;
  readonly paidAt: number;
  /** Time at which the server learned of the payment. */
  readonly recordedAt: number;
  /** In minor units. */
  readonly total: number;
  /** Events of this payment only. */
  readonly events: readonly OutboxEntry[];
}

/** Loads the payments of donations and of their renewals, even if they were refunded later. */
export async function loadReceivedPayments(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  donations: readonly Donation[],
): Promise<ReceivedPayment[]> {
  // PostgreSQL rejects an empty `IN` list.
  if (donations.length === 0) return [];
  const references = donations.map(({ reference }) => reference);
  const events = Map.groupBy(
    await selectEvents(db, references).execute(),
    ({ reference, parentReference }) => parentReference ?? reference,
  );
  const decisions = await db
    .selectFrom('reviewDecisions')
    .select(['reference', 'decidedAt'])
    .where('reference', 'in', references)
    .where('event', 'is', null)
    .where('toStatus', '=', 'succeeded')
    .execute();
  const decidedAt = new Map(decisions.map((decision) => [decision.reference, decision.decidedAt]));
  return donations.flatMap((donation) => {
    const { reference } = donation;
    return listPayments(donation, events.get(reference) ?? [], decidedAt.get(reference));
  });
}

/** @param decidedAt time at which the staff confirmed the donation's payment, if they did. */
function listPayments(
  donation: Donation,
  events: readonly OutboxEntry[],
  decidedAt: number | undefined,
): ReceivedPayment[] {
  const own = events.filter(({ reference }) => reference === donation.reference);
  const payment =
    own.find(({ kind }) => kind === 'payment_settled') ??
    own.find(({ kind }) => kind === 'donation');
  const renewals = events.filter(({ kind }) => kind === 'renewal');
  const paid = payment && donation.status === 'succeeded' ? [payment, ...renewals] : renewals;
  return paid.map((entry) => {
    const isRenewal = entry.kind === 'renewal';
    // A decision adds no entry if the platform already has the gift.
    const confirmedAt = isRenewal ? undefined : decidedAt;
    return {
      reference: entry.reference,
      donation,
      isRenewal,
      paidAt: confirmedAt ?? entry.happenedAt,
      recordedAt: Math.max(confirmedAt ?? 0, entry.createdAt),
      total: getDonationTotal(donation, entry).total,
      events: events.filter(({ reference }) => reference === entry.reference),
    };
  });
}

/**
 * Returns what is paid, less refunds, in minor units.
 * @param until time until which events count, in milliseconds since 1970. Default: all events.
 */
export function getAmountPaid(
  { recordedAt, total, events }: ReceivedPayment,
  until = Infinity,
): number {
  const known = events.filter(({ createdAt }) => createdAt < until);
  // Without a result, a dispute may still take the whole payment back.
  if (recordedAt >= until || getDisputeStatus(known) === 'open') return 0;
  return getRemainingAmount({ total, events: known });
}
