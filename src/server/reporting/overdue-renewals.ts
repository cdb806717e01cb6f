import type { DonationFrequency } from '@donation-form/core/donation';
import type { Kysely } from 'kysely';
import type { Donation, Tables } from '../database/schema.ts';
import type { PaymentEvent, PaymentGateway } from '../payments/payment-gateway.ts';

/** A recurring donation whose renewal is overdue. */
export interface OverdueDonation {
  readonly donation: Donation;
  /** The payment provider's ID for the most recent payment. */
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
/** Number of days after the expected payment date until a renewal counts as overdue. */
const GRACE_PERIOD = 2;
const PAGE_SIZE = 200;

/**
 * Yields an organization's recurring donations that are not canceled in the database but have an
 * overdue renewal. The payment provider might have ended these donations, and the webhooks might
 * have been lost.
 */
export async function* iterateOverdueDonations(
  db: Kysely<Tables>,
  organization: string,
  now: number,
): AsyncGenerator<OverdueDonation> {
  for (let last: string | undefined, size = PAGE_SIZE; size === PAGE_SIZE;) {
    const page = await db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('subscriptionId', 'is not', null)
      .where('status', '=', 'succeeded')
      .where('subscriptionStatus', 'is distinct from', 'canceled')
      .where('reference', '>', last ?? '')
      .orderBy('reference')
      .limit(PAGE_SIZE)
      .execute();
    const renewals = await findLatestRenewals(db, page);
    for (const donation of page) {
      const { at = donation.createdAt, paymentId = donation.paymentId } =
        renewals.get(donation.reference) ?? {};
      const days = INTERVALS[donation.payload.gift.frequency] + GRACE_PERIOD;
      if (paymentId !== null && now - at > days * DAY) yield { donation, paymentId };
    }
    last = page.at(-1)?.reference;
    size = page.length;
  }
}

/**
 * Finds each donation's most recent renewal. The keys of the result are the donations' references.
 */
async function findLatestRenewals(
  db: Kysely<Tables>,
  donations: readonly Donation[],
): Promise<ReadonlyMap<string, { readonly at: number; readonly paymentId: string | null }>> {
  if (donations.length === 0) return new Map();
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
  return new Map(
    renewals.map(({ parentReference: parent, happenedAt: at, paymentId }) => [
      parent!,
      { at, paymentId },
    ]),
  );
}

/** Fetches the event that contains a recurring donation's current status. */
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
