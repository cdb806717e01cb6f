import type { DonationStatus } from '@donation-form/core/donation';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import { getGiftStatus } from '../donations/to-gift-change.ts';
import { sumRefunds } from '../donations/refunds-and-disputes.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { OutboxEntry, Donation, Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';

/**
 * Maximum number of rows per query. SQLite queries block the event loop, so the generators let
 * other work run after each query.
 */
const PAGE_SIZE = 200;

/** A donation or renewal in the database, with its events. */
export interface LedgerEntry {
  readonly reference: string;
  /** The donation, or the first donation if the entry is a renewal. */
  readonly donation: Donation;
  /** The renewal event, or undefined if the entry is a donation. */
  readonly renewal: OutboxEntry | undefined;
  readonly provider: string;
  readonly paymentId: string | null;
  /**
   * Time at which the server accepted the donation, or time of the renewal's payment, in
   * milliseconds since 1970. Determines the day on which the entry counts.
   */
  readonly createdAt: number;
  /** Total of the donation or renewal, in minor units. */
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
  /** All events of the donation or renewal, oldest first. */
  readonly events: readonly OutboxEntry[];
}

type LedgerDatabase = Pick<Kysely<Tables>, 'selectFrom'>;

/**
 * Yields pages of a period's donations, then pages of the period's renewals. Both are sorted from
 * oldest to newest.
 */
export async function* iterateLedgerEntryPages(
  db: LedgerDatabase,
  organization: string,
  period: Period,
): AsyncGenerator<readonly LedgerEntry[]> {
  for await (const donations of iterateDonationPages(db, organization, period))
    yield await loadLedgerEntries(
      db,
      donations.map((donation) => ({ donation })),
    );
  for await (const renewals of iterateRenewalPages(db, organization, period)) {
    const references = renewals.map(({ parentReference: parent }) => parent!);
    const donations = await db
      .selectFrom('donations')
      .selectAll()
      .where('reference', 'in', references)
      .execute();
    const byReference = new Map(donations.map((donation) => [donation.reference, donation]));
    yield await loadLedgerEntries(
      db,
      renewals.map((renewal) => ({
        donation: byReference.get(renewal.parentReference!)!,
        renewal,
      })),
    );
  }
}

/**
 * Yields pages of the donations accepted in a period, oldest first.
 * @param withDonorDataOnly true to omit donations whose donor data has been deleted.
 */
export async function* iterateDonationPages(
  db: LedgerDatabase,
  organization: string,
  { from, to }: Period,
  { withDonorDataOnly = false } = {},
): AsyncGenerator<readonly Donation[]> {
  let last: Donation | undefined;
  for (;;) {
    let page = db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('createdAt', '>=', last?.createdAt ?? from)
      .where('createdAt', '<', to);
    if (withDonorDataOnly) page = page.where('donorDeletedAt', 'is', null);
    if (last)
      page = page.where((build) =>
        build.or([
          build('createdAt', '>', last!.createdAt),
          build('reference', '>', last!.reference),
        ]),
      );
    const rows = await page.orderBy('createdAt').orderBy('reference').limit(PAGE_SIZE).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

async function* iterateRenewalPages(
  db: LedgerDatabase,
  organization: string,
  { from, to }: Period,
): AsyncGenerator<readonly OutboxEntry[]> {
  const renewals = db
    .selectFrom('outbox')
    .selectAll()
    .where('organization', '=', organization)
    .where('kind', '=', 'renewal');
  let last: OutboxEntry | undefined;
  for (;;) {
    let page = renewals
      .where('happenedAt', '>=', last?.happenedAt ?? from)
      .where('happenedAt', '<', to);
    if (last)
      page = page.where((build) =>
        build.or([build('happenedAt', '>', last!.happenedAt), build('id', '>', last!.id)]),
      );
    const rows = await page.orderBy('happenedAt').orderBy('id').limit(PAGE_SIZE).execute();
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

/** Loads the events of donations and renewals, and returns the ledger entries. */
export async function loadLedgerEntries(
  db: LedgerDatabase,
  rows: readonly { readonly donation: Donation; readonly renewal?: OutboxEntry | undefined }[],
): Promise<LedgerEntry[]> {
  const references = rows.map(({ donation, renewal }) => (renewal ?? donation).reference);
  const events = new Map<string, OutboxEntry[]>(references.map((reference) => [reference, []]));
  if (references.length > 0)
    for (const event of await db
      .selectFrom('outbox')
      .selectAll()
      .where('reference', 'in', references)
      .orderBy('createdAt')
      .orderBy('id')
      .execute())
      events.get(event.reference)!.push(event);
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
      events: events.get(reference) ?? [],
    };
  });
}

/**
 * Returns the status of an entry's payment. A renewal's payment has always succeeded, because the
 * server saves only paid renewals.
 */
export function getDonationStatus({
  donation,
  renewal,
}: Pick<LedgerEntry, 'donation' | 'renewal'>): DonationStatus {
  return renewal ? 'succeeded' : donation.status;
}

/**
 * Returns the gift status that the platform should have after the server has delivered all events,
 * or `undefined` if the platform should not have the gift.
 */
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

/**
 * Returns the totals of an organization's successful refunds, in minor units. The keys are the
 * references of the refunded donations and renewals.
 */
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
  const eventsByReference = new Map<string, OutboxEntry[]>();
  for (const event of events) {
    const sameReference = eventsByReference.get(event.reference);
    if (sameReference) sameReference.push(event);
    else eventsByReference.set(event.reference, [event]);
  }
  return new Map(
    [...eventsByReference]
      .map(([reference, refunds]) => [reference, sumRefunds({ events: refunds })] as const)
      .filter(([, total]) => total > 0),
  );
}
