import { toMajorUnits } from '@donation-form/core/money';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { getDonationTotal } from '../../donations/total.ts';
import type { OutboxEntry, OutboxEntryKind } from '../../database/schema.ts';

const MAX_ITEMS = 1_000;

/** A donation or an event that needs review or manual entry. */
export interface ReviewItem {
  /** Time of the donation or event, ISO 8601. */
  readonly at: string;
  readonly kind: OutboxEntryKind;
  /**
   * `manual`: a person must enter the event on the platform. `needs_review`: a person must check
   * whether the platform has the event or, for a payment, whether the donor was charged.
   */
  readonly status: 'manual' | 'needs_review';
  /** Reference of the donation or renewal. */
  readonly reference: string;
  /** Amount as a decimal string in major units, or `null` if no money is involved. */
  readonly amount: string | null;
  readonly currency: string;
  readonly reason: string;
  /** ID of the event, or `null` if the item is a donation's payment. */
  readonly event: string | null;
  /** Time when the server marked the item for review, ISO 8601. */
  readonly markedAt: string;
}

/** Converts events that need review or manual entry to review items. */
export function toReviewItems(
  events: readonly OutboxEntry[],
  repository: DonationRepository,
): Promise<ReviewItem[]> {
  return Promise.all(
    events.map(async (event): Promise<ReviewItem> => {
      const { at = event.createdAt, amount } = event.payload;
      const { decimals, currency, total } = getDonationTotal(
        (await repository.findByReference(event.parentReference ?? event.reference))!,
      );
      const eventAmount = amount ?? (event.kind === 'donation' ? total : undefined);
      return {
        at: new Date(at).toISOString(),
        kind: event.kind,
        status: event.status as ReviewItem['status'],
        reference: event.reference,
        amount: eventAmount === undefined ? null : toMajorUnits(eventAmount, decimals),
        currency,
        reason: event.lastError ?? '',
        event: event.id,
        markedAt: new Date(event.updatedAt).toISOString(),
      };
    }),
  );
}

/** Lists all donations and events that need review or manual entry. */
export async function listReviewItems(repository: DonationRepository): Promise<ReviewItem[]> {
  const events = [
    ...(await repository.outbox.listByStatus('needs_review', MAX_ITEMS)),
    ...(await repository.outbox.listByStatus('manual', MAX_ITEMS)),
  ];
  const eventItems = await toReviewItems(events, repository);
  const donations = await repository.listByStatus('needs_review', MAX_ITEMS);
  const donationItems = donations.map((donation): ReviewItem => {
    const { decimals, currency, total } = getDonationTotal(donation);
    return {
      at: new Date(donation.createdAt).toISOString(),
      kind: 'donation',
      status: 'needs_review',
      reference: donation.reference,
      amount: toMajorUnits(total, decimals),
      currency,
      reason: donation.lastError ?? '',
      event: null,
      markedAt: new Date(donation.updatedAt).toISOString(),
    };
  });
  return [...donationItems, ...eventItems];
}
