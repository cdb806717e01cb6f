import { toMajorUnits } from '@donation-form/core/money';
import type { SubscriptionStatus } from '@donation-form/core/donation';
import { GiftStatus, RecurringGiftStatus } from '@donation-form/platform-clients/fundraising';
import type { OutboxEventKind, OutboxEvent, Donation } from '../database/schema.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { getDonationTotal } from './total.ts';
import type { GiftChange, PlatformGift } from '../platform/platform-adapter.ts';

/**
 * Converts a renewal to a platform gift. Copies the first donation without its comment and
 * consents, and uses the renewal's own reference, payment, and date.
 */
export function toRenewalGift(event: OutboxEvent, first: Donation): PlatformGift {
  const { gift, ...platformGift } = toPlatformGift(first);
  const { at = event.created_at, method } = event.payload;
  return {
    ...platformGift,
    gift: { ...gift, comment: undefined },
    consents: [],
    reference: event.reference,
    parent: first.reference,
    paymentId: event.payment_id ?? '',
    givenAt: new Date(at),
    giftStatus: GiftStatus.Approved,
    ...(method !== undefined && { paymentMethod: method }),
  };
}

/**
 * Gift status by kind of event, for events that always set the same status. After a refund, the
 * status depends on the refunded amount.
 */
const GIFT_STATUS: Readonly<Partial<Record<OutboxEventKind, GiftStatus>>> = {
  payment_settled: GiftStatus.Approved,
  payment_failed: GiftStatus.Declined,
  refund_failed: GiftStatus.Approved,
  dispute_opened: GiftStatus.Disputed,
  dispute_won: GiftStatus.DisputedWon,
  dispute_lost: GiftStatus.DisputedLost,
};
const RECURRING_STATUS: Readonly<Record<SubscriptionStatus, RecurringGiftStatus>> = {
  active: RecurringGiftStatus.Active,
  retrying: RecurringGiftStatus.Retrying,
  suspended: RecurringGiftStatus.Suspended,
  canceled: RecurringGiftStatus.Cancelled,
};
const SUBSCRIPTION_EVENTS: readonly OutboxEventKind[] = [
  'renewal_failed',
  'subscription_resumed',
  'subscription_suspended',
  'subscription_canceled',
];

/**
 * Returns the platform's gift status after an event, or `undefined` if the event does not change
 * the status.
 * @param total the donation's total, in minor units.
 */
export function getGiftStatus(event: OutboxEvent, total: number): GiftStatus | undefined {
  return event.kind === 'refund' && event.payload.refunded === total
    ? GiftStatus.Refunded
    : GIFT_STATUS[event.kind];
}

/** Returns true if the donation is partly refunded after the event. */
export function isPartialRefund({ kind, payload }: OutboxEvent, total: number): boolean {
  const { refunded = 0 } = payload;
  return (kind === 'refund' || kind === 'refund_failed') && refunded > 0 && refunded < total;
}

/**
 * Converts an event to an update of the platform's gift.
 * @param first the event's donation or, for a renewal, the first donation.
 * @param platformId the platform's ID for the gift.
 */
export function toGiftChange(
  kind: GiftChange['kind'],
  event: OutboxEvent,
  first: Donation,
  platformId: string,
): GiftChange {
  const { reference, parent_reference: parent } = event;
  const { at = event.created_at, amount, refunded } = event.payload;
  const { total, currency, decimals } = getDonationTotal(first);
  const giftStatus = getGiftStatus(event, total);
  // Uses the current status, not the one at the time of the event, because events can arrive late.
  const recurringGiftStatus = getRecurringGiftStatus(kind, first);
  return {
    kind,
    reference,
    ...(parent !== null && { parent }),
    platformId,
    at: new Date(at),
    currency,
    ...(giftStatus !== undefined && { giftStatus }),
    ...(recurringGiftStatus !== undefined && { recurringGiftStatus }),
    ...(amount !== undefined && { amount: toMajorUnits(amount, decimals) }),
    ...(refunded !== undefined && { refunded: toMajorUnits(refunded, decimals) }),
  };
}

function getRecurringGiftStatus(
  kind: OutboxEventKind,
  { subscription_status: status, subscription_id: subscriptionId }: Donation,
): RecurringGiftStatus | undefined {
  if (SUBSCRIPTION_EVENTS.includes(kind)) return RECURRING_STATUS[status ?? 'active'];
  return kind === 'payment_failed' && subscriptionId !== null
    ? RecurringGiftStatus.Cancelled
    : undefined;
}
