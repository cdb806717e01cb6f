import type { Kysely } from 'kysely';
import type { DonationFrequency } from '@donation-form/core/donation';
import type { Donation, Tables } from '../database/schema.ts';
import type { PaymentEvent, PaymentGateway } from '../payments/payment-gateway.ts';
import { iterateDatabasePages } from './iterate-pages.ts';

export interface OverdueDonation {
  readonly donation: Donation;
  readonly paymentId: string;
}

type SubscriptionEvent = Extract<PaymentEvent, { kind: 'subscription' }>;

const DAY = 86_400_000;
/** Maximum time between two payments, in days, by frequency. */
const INTERVALS: Readonly<Record<DonationFrequency, number>> = {
  once: Infinity,
  weekly: 7,
  everyOtherWeek: 14,
  monthly: 31,
  quarterly: 92,
  biannual: 184,
  annually: 366,
};
/** Days after the expected payment until a renewal counts as overdue. */
const GRACE_PERIOD = 2;
const PAGE_SIZE = 200;

/**
 * The provider might have ended these recurring donations, and the webhooks might have been lost.
 */
export async function* iterateOverdueDonations(
  db: Kysely<Tables>,
  organization: string,
  now: number,
): AsyncGenerator<OverdueDonation> {
  const pages = iterateDatabasePages(
    (last: Donation | undefined, limit) =>
      db
        .selectFrom('donations')
        .selectAll()
        .where('organization', '=', organization)
        .where('subscriptionId', 'is not', null)
        .where('status', '=', 'succeeded')
        .where('subscriptionStatus', 'is distinct from', 'canceled')
        .where('reference', '>', last?.reference ?? '')
        .orderBy('reference')
        .limit(limit)
        .execute(),
    PAGE_SIZE,
  );
  for await (const page of pages) {
    const renewals = await findLatestRenewals(db, page);
    for (const donation of page) {
      const renewal = renewals.get(donation.reference);
      const at = renewal?.happenedAt ?? donation.createdAt;
      const paymentId = renewal ? renewal.paymentId : donation.paymentId;
      const days = INTERVALS[donation.payload.gift.frequency] + GRACE_PERIOD;
      if (paymentId !== null && now - at > days * DAY) yield { donation, paymentId };
    }
  }
}

async function findLatestRenewals(db: Kysely<Tables>, donations: readonly Donation[]) {
  const renewals = await db
    .selectFrom('outbox')
    .select(['parentReference', 'happenedAt', 'paymentId'])
    .where('kind', '=', 'renewal')
    .where(
      'parentReference',
      'in',
      donations.map(({ reference }) => reference),
    )
    .orderBy('happenedAt')
    .execute();
  return new Map(renewals.map((renewal) => [renewal.parentReference!, renewal]));
}

export async function fetchSubscriptionEvent(
  { donation, paymentId }: OverdueDonation,
  gateway: PaymentGateway,
): Promise<SubscriptionEvent | undefined> {
  const { events } = await gateway.listEvents!(paymentId);
  return events.find(
    (event): event is SubscriptionEvent =>
      event.kind === 'subscription' && event.subscriptionId === donation.subscriptionId,
  );
}
