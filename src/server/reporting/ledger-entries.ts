import type { DonationStatus } from '@donation-form/core/donation';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import type { Donation, OutboxEntry } from '../database/schema.ts';
import { getRefundedAmount } from '../donations/refunds-and-disputes.ts';
import { getGiftStatus } from '../donations/to-gift-change.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Period } from '../lib/period.ts';
import { iterateListPages, type ListDatabase } from './iterate-pages.ts';

/** A donation or renewal in the database, with its events. */
export interface LedgerEntry {
  readonly reference: string;
  /** The donation, or the first donation if the entry is a renewal. */
  readonly donation: Donation;
  /** Undefined if the entry is a donation. */
  readonly renewal: OutboxEntry | undefined;
  readonly provider: string;
  readonly paymentId: string | null;
  /** Milliseconds since 1970. Determines the day on which the entry counts. */
  readonly createdAt: number;
  /** In minor units. */
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
  readonly events: readonly OutboxEntry[];
}

/** Yields pages of a period's donations, then of its renewals, both from oldest to newest. */
export async function* iterateLedgerEntryPages(
  db: ListDatabase,
  organization: string,
  period: Period,
  donorKey?: string,
): AsyncGenerator<readonly LedgerEntry[]> {
  const options = { organization, period, donorKey };
  for await (const donations of iterateListPages(db, 'donations', options))
    yield await loadLedgerEntries(
      db,
      donations.map((donation) => ({ donation })),
    );
  for await (const renewals of iterateListPages(db, 'renewals', options))
    yield await loadLedgerEntries(db, await loadRenewalsWithDonations(db, renewals));
}

export async function loadDonations(
  db: ListDatabase,
  references: readonly string[],
): Promise<ReadonlyMap<string, Donation>> {
  // PostgreSQL rejects an empty `IN` list.
  if (references.length === 0) return new Map();
  const donations = await db
    .selectFrom('donations')
    .selectAll()
    .where('reference', 'in', references)
    .execute();
  return new Map(donations.map((donation) => [donation.reference, donation]));
}

export async function loadRenewalsWithDonations(
  db: ListDatabase,
  renewals: readonly OutboxEntry[],
) {
  const references = renewals.map(({ parentReference: parent }) => parent!);
  const donations = await loadDonations(db, references);
  return renewals.map((renewal, index) => ({
    donation: donations.get(references[index]!)!,
    renewal,
  }));
}

export async function loadLedgerEntries(
  db: ListDatabase,
  rows: readonly { readonly donation: Donation; readonly renewal?: OutboxEntry | undefined }[],
): Promise<LedgerEntry[]> {
  const references = rows.map(({ donation, renewal }) => (renewal ?? donation).reference);
  const events =
    references.length === 0
      ? []
      : await db
          .selectFrom('outbox')
          .selectAll()
          .where('reference', 'in', references)
          .orderBy('createdAt')
          .orderBy('id')
          .execute();
  const byReference = Map.groupBy(events, ({ reference }) => reference);
  return rows.map(({ donation, renewal }, index) => {
    const reference = references[index]!;
    return {
      reference,
      donation,
      renewal,
      provider: donation.payload.payment.provider,
      paymentId: (renewal ?? donation).paymentId,
      createdAt: renewal ? renewal.happenedAt : donation.createdAt,
      ...getDonationTotal(donation, renewal),
      events: byReference.get(reference) ?? [],
    };
  });
}

/** A renewal's payment has always succeeded, because the server saves only paid renewals. */
export function getDonationStatus({
  donation,
  renewal,
}: Pick<LedgerEntry, 'donation' | 'renewal'>): DonationStatus {
  return renewal ? 'succeeded' : donation.status;
}

/** Returns `undefined` if the platform should not have the gift. */
export function getExpectedGiftStatus(entry: LedgerEntry): GiftStatus | undefined {
  switch (getDonationStatus(entry)) {
    case 'succeeded':
      return getGiftStatus(entry);
    case 'processing':
      return GiftStatus.Pending;
    case 'failed':
      return GiftStatus.Declined;
    default:
      return undefined;
  }
}

/** Returns successful refunds in minor units, by reference. */
export async function sumRefundsByReference(
  db: ListDatabase,
  organization: string,
): Promise<ReadonlyMap<string, number>> {
  const events = await db
    .selectFrom('outbox')
    .selectAll()
    .where('organization', '=', organization)
    .where('kind', 'in', ['refund', 'refund_failed'])
    .execute();
  return new Map(
    [...Map.groupBy(events, ({ reference }) => reference)]
      .map(([reference, refunds]) => [reference, getRefundedAmount(refunds)] as const)
      .filter(([, total]) => total > 0),
  );
}
