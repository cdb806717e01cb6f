import { toMajorUnits } from '@donation-form/core/money';
import type { Donation, OutboxEntry } from '../../database/schema.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { getDonationTotal } from '../../donations/total.ts';

const MAX_ITEMS = 1_000;

/** A payment or event that needs review or manual entry. Times are ISO 8601. */
export type ReviewItem = ReturnType<typeof toReviewItem>;

function toReviewItem(donation: Donation, event?: OutboxEntry) {
  const { decimals, currency, total } = getDonationTotal(donation);
  const { reference, status, createdAt, updatedAt, lastError } = event ?? donation;
  const kind = event?.kind ?? 'donation';
  const amount = event?.payload.amount ?? (kind === 'donation' ? total : undefined);
  return {
    at: new Date(event?.payload.at ?? createdAt).toISOString(),
    kind,
    /** Someone must check the platform or charge (`needs_review`) or enter the event (`manual`). */
    status: status as 'manual' | 'needs_review',
    reference,
    amount: amount === undefined ? null : toMajorUnits(amount, decimals),
    currency,
    reason: lastError ?? '',
    /** ID of the event, or `null` for a donation's payment. */
    event: event?.id ?? null,
    markedAt: new Date(updatedAt).toISOString(),
  };
}

/** Converts events that need review or manual entry to review items. */
export function toReviewItems(
  events: readonly OutboxEntry[],
  repository: DonationRepository,
): Promise<ReviewItem[]> {
  return Promise.all(
    events.map(async (event) => {
      const reference = event.parentReference ?? event.reference;
      return toReviewItem((await repository.findByReference(reference))!, event);
    }),
  );
}

/** @param organizations IDs. If undefined, lists items of all organizations. */
export async function listReviewItems(
  repository: DonationRepository,
  organizations: readonly string[] | undefined,
): Promise<ReviewItem[]> {
  const events = [
    ...(await repository.outbox.listByStatus('needs_review', MAX_ITEMS, organizations)),
    ...(await repository.outbox.listByStatus('manual', MAX_ITEMS, organizations)),
  ];
  const eventItems = await toReviewItems(events, repository);
  const donations = await repository.listByStatus('needs_review', MAX_ITEMS, organizations);
  return [...donations.map((donation) => toReviewItem(donation)), ...eventItems];
}
