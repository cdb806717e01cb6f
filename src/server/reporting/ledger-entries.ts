import type { Kysely } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import type { Donation, OutboxEntry, Tables } from '../database/schema.ts';
import { sumRefunds } from '../donations/refunds-and-disputes.ts';
import { getGiftStatus } from '../donations/to-gift-change.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Period } from '../lib/period.ts';
import { iterateDatabasePages } from './iterate-pages.ts';

const PAGE_SIZE = 200;

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

export type LedgerDatabase = Pick<Kysely<Tables>, 'selectFrom'>;

/** Yields pages of a period's donations, then of its renewals, both from oldest to newest. */
export async function* iterateLedgerEntryPages(
  db: LedgerDatabase,
  organization: string,
  period: Period,
): AsyncGenerator<readonly LedgerEntry[]> {
  for await (const donations of iterateStoredDonationPages(db, organization, period))
    yield await loadLedgerEntries(
      db,
      donations.map((donation) => ({ donation })),
    );
  for await (const renewals of iterateRenewalPages(db, organization, period))
    yield await loadLedgerEntries(db, await loadParents(db, renewals));
}

export async function loadParents(
  db: LedgerDatabase,
  renewals: readonly OutboxEntry[],
): Promise<{ readonly donation: Donation; readonly renewal: OutboxEntry }[]> {
  if (renewals.length === 0) return [];
  const references = renewals.map(({ parentReference: parent }) => parent!);
  const donations = await db
    .selectFrom('donations')
    .selectAll()
    .where('reference', 'in', references)
    .execute();
  const byReference = new Map(donations.map((donation) => [donation.reference, donation]));
  return renewals.map((renewal) => ({
    donation: byReference.get(renewal.parentReference!)!,
    renewal,
  }));
}

/** Oldest first. @param withDonorDataOnly true to omit donations without donor data. */
export function iterateStoredDonationPages(
  db: LedgerDatabase,
  organization: string,
  { from, to }: Period,
  { withDonorDataOnly = false } = {},
): AsyncGenerator<readonly Donation[]> {
  return iterateDatabasePages((last: Donation | undefined, limit) => {
    const { createdAt, reference } = last ?? { createdAt: from, reference: '' };
    return db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('createdAt', '>=', createdAt)
      .where('createdAt', '<', to)
      .$if(withDonorDataOnly, (page) => page.where('donorDeletedAt', 'is', null))
      .where((build) =>
        build.or([build('createdAt', '>', createdAt), build('reference', '>', reference)]),
      )
      .orderBy('createdAt')
      .orderBy('reference')
      .limit(limit)
      .execute();
  }, PAGE_SIZE);
}

function iterateRenewalPages(db: LedgerDatabase, organization: string, { from, to }: Period) {
  return iterateDatabasePages((last: OutboxEntry | undefined, limit) => {
    const { happenedAt, id } = last ?? { happenedAt: from, id: '' };
    return db
      .selectFrom('outbox')
      .selectAll()
      .where((build) => build.and({ organization, kind: 'renewal' }))
      .where('happenedAt', '>=', happenedAt)
      .where('happenedAt', '<', to)
      .where((build) => build.or([build('happenedAt', '>', happenedAt), build('id', '>', id)]))
      .orderBy('happenedAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }, PAGE_SIZE);
}

export async function loadLedgerEntries(
  db: LedgerDatabase,
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
    const { total, ...currency } = getDonationTotal(donation);
    return {
      reference,
      donation,
      renewal,
      provider: donation.payload.payment.provider,
      paymentId: (renewal ?? donation).paymentId,
      createdAt: renewal ? renewal.happenedAt : donation.createdAt,
      total: renewal ? (renewal.payload.amount ?? total) : total,
      ...currency,
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
  db: LedgerDatabase,
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
      .map(([reference, refunds]) => [reference, sumRefunds({ events: refunds })] as const)
      .filter(([, total]) => total > 0),
  );
}
