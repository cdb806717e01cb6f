import { Hono } from 'hono';
import { toMajorUnits } from '@donation-form/core/money';
import type { OutboxEventKind } from '../database/schema.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { getTotal } from '../donations/total.ts';

const MAX_ITEMS = 1_000;

/** A donation or an event that needs a person. */
export interface ReviewItem {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: OutboxEventKind;
  /** Enter it at the platform, or find out first whether it was recorded or paid. */
  readonly status: 'manual' | 'needs_review';
  /** Of the donation or renewal. */
  readonly reference: string;
  /** Decimal string in major units; `null` if no money is involved. */
  readonly amount: string | null;
  readonly currency: string;
  readonly reason: string;
}

/** Lists what needs a person, without donor data. */
export function createReviewQueueRoutes({
  repository,
}: {
  readonly repository: DonationRepository;
}): Hono {
  const app = new Hono();
  app.get('/api/review-queue', async (c) => {
    const events = [
      ...(await repository.outbox.listByStatus('needs_review', MAX_ITEMS)),
      ...(await repository.outbox.listByStatus('manual', MAX_ITEMS)),
    ];
    const eventItems = await Promise.all(
      events.map(async (event): Promise<ReviewItem> => {
        const { at = event.created_at, amount } = event.payload;
        const { decimals, currency, total } = getTotal(
          (await repository.findByReference(event.parent_reference ?? event.reference))!,
        );
        const eventAmount = amount ?? (event.kind === 'donation' ? total : undefined);
        return {
          at: new Date(at).toISOString(),
          kind: event.kind,
          status: event.status as ReviewItem['status'],
          reference: event.reference,
          amount: eventAmount === undefined ? null : toMajorUnits(eventAmount, decimals),
          currency,
          reason: event.last_error ?? '',
        };
      }),
    );
    const donations = await repository.listByStatus('needs_review', MAX_ITEMS);
    const donationItems = donations.map((donation): ReviewItem => {
      const { decimals, currency, total } = getTotal(donation);
      return {
        at: new Date(donation.created_at).toISOString(),
        kind: 'donation',
        status: 'needs_review',
        reference: donation.reference,
        amount: toMajorUnits(total, decimals),
        currency,
        reason: donation.last_error ?? '',
      };
    });
    return c.json({ items: [...donationItems, ...eventItems] });
  });
  return app;
}
