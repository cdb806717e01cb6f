import type { SubscriptionStatus } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import { GiftStatus, RecurringGiftStatus } from '@donation-form/platform-clients/fundraising';
import type { Donation, OutboxEntry, OutboxEntryKind } from '../database/schema.ts';
import type { GiftChange, PlatformGift } from '../platform/platform-adapter.ts';
import { getDisputeStatus, getRefundedAmount, type GiftHistory } from './refunds-and-disputes.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { getDonationTotal } from './total.ts';
import { ENTRY_KIND_BY_SUBSCRIPTION_STATUS } from './transition.ts';

/** Copies the first donation without its comment and consents. */
export function toRenewalGift(event: OutboxEntry, first: Donation): PlatformGift {
  const { gift, ...platformGift } = toPlatformGift(first);
  const { at = event.createdAt, method } = event.payload;
  return {
    ...platformGift,
    gift: { ...gift, comment: undefined },
    consents: [],
    reference: event.reference,
    parent: first.reference,
    paymentId: event.paymentId ?? '',
    givenAt: new Date(at),
    giftStatus: GiftStatus.Approved,
    ...(method !== undefined && { paymentMethod: method }),
  };
}

const RECURRING_STATUS: Readonly<Record<SubscriptionStatus, RecurringGiftStatus>> = {
  active: RecurringGiftStatus.Active,
  retrying: RecurringGiftStatus.Retrying,
  suspended: RecurringGiftStatus.Suspended,
  canceled: RecurringGiftStatus.Cancelled,
};

function isSubscriptionEvent(kind: OutboxEntryKind): boolean {
  return Object.values(ENTRY_KIND_BY_SUBSCRIPTION_STATUS).includes(kind);
}

/**
 * Returns the status of a paid gift. Refunds and disputes can overlap, so the order is irrelevant.
 */
export function getGiftStatus({ total, events }: GiftHistory): GiftStatus {
  const dispute = getDisputeStatus(events);
  if (dispute === 'open') return GiftStatus.Disputed;
  if (dispute === 'lost') return GiftStatus.DisputedLost;
  if (total > 0 && getRefundedAmount(events) >= total) return GiftStatus.Refunded;
  return dispute === 'won' ? GiftStatus.DisputedWon : GiftStatus.Approved;
}

/** @returns `undefined` if the event does not change the status. */
function getChangedStatus({ kind }: OutboxEntry, gift: GiftHistory): GiftStatus | undefined {
  if (kind === 'payment_failed') return GiftStatus.Declined;
  if (isSubscriptionEvent(kind)) return undefined;
  const status = getGiftStatus(gift);
  return kind === 'refund' && status === GiftStatus.Approved ? undefined : status;
}

export function isPartialRefund({ kind }: OutboxEntry, { total, events }: GiftHistory): boolean {
  const refunded = getRefundedAmount(events);
  return (kind === 'refund' || kind === 'refund_failed') && refunded > 0 && refunded < total;
}

/**
 * @param first the event's donation or, for a renewal, the first donation.
 * @param platformId the platform's ID for the gift.
 * @param gift the donation's or renewal's own total and events.
 */
export function toGiftChange(
  kind: GiftChange['kind'],
  event: OutboxEntry,
  first: Donation,
  platformId: string,
  gift: GiftHistory,
): GiftChange {
  const { reference, parentReference: parent } = event;
  const { at = event.createdAt, amount, refunded } = event.payload;
  const { currency, decimals } = getDonationTotal(first);
  const giftStatus = getChangedStatus(event, gift);
  // Events can arrive late, so the current status counts.
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
  kind: OutboxEntryKind,
  { subscriptionStatus: status, subscriptionId }: Donation,
): RecurringGiftStatus | undefined {
  if (isSubscriptionEvent(kind)) return RECURRING_STATUS[status ?? 'active'];
  return kind === 'payment_failed' && subscriptionId !== null
    ? RecurringGiftStatus.Cancelled
    : undefined;
}
