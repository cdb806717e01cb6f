import { majorUnits } from '@donation-form/core/money';
import type { PaymentMethodType, RecurringState } from '@donation-form/core/donation';
import { GiftStatus, RecurringGiftStatus } from '@donation-form/platform-clients/fundraising';
import type { EventKind, EventRow, Donation } from '../database/schema.ts';
import { toPlatformGift } from './to-platform-gift.ts';
import { totalOf } from './total.ts';
import type { GiftChange, PlatformGift } from '../platform/platform-adapter.ts';

/**
 * What the journal keeps of an event beside its columns. Amounts in minor units, `at` in
 * milliseconds since 1970.
 */
export interface EventDetail {
  readonly at?: number;
  readonly amount?: number;
  /** All that was paid back when this was read. */
  readonly refunded?: number;
  readonly method?: PaymentMethodType | undefined;
}

export function readDetail({ detail }: Pick<EventRow, 'detail'>): EventDetail {
  return JSON.parse(detail) as EventDetail;
}

/**
 * A renewal, as a gift for the platform: its first gift's parts under a reference of its own. What
 * was said once, a comment and consents, is the first gift's alone.
 */
export function toRenewal(event: EventRow, first: Donation): PlatformGift {
  const { gift, ...recordable } = toPlatformGift(first);
  const { at = event.created_at, method } = readDetail(event);
  return {
    ...recordable,
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

/** What a change makes of a gift, where it makes one; a refund only where nothing is left of it. */
const GIFT_STATUS: Readonly<Partial<Record<EventKind, GiftStatus>>> = {
  settled: GiftStatus.Approved,
  failed: GiftStatus.Declined,
  'refund-failed': GiftStatus.Approved,
  'dispute-opened': GiftStatus.Disputed,
  'dispute-won': GiftStatus.DisputedWon,
  'dispute-lost': GiftStatus.DisputedLost,
};
const RECURRING_STATUS: Readonly<Record<RecurringState, RecurringGiftStatus>> = {
  active: RecurringGiftStatus.Active,
  retrying: RecurringGiftStatus.Retrying,
  suspended: RecurringGiftStatus.Suspended,
  cancelled: RecurringGiftStatus.Cancelled,
};
const ABOUT_RECURRING: readonly EventKind[] = [
  'renewal-failed',
  'resumption',
  'suspension',
  'cancellation',
];

/**
 * What an event makes of a gift or renewal; `undefined` where it makes nothing of it.
 * @param total of the gift, minor units.
 */
export function giftStatusAfter(event: EventRow, total: number): GiftStatus | undefined {
  return event.kind === 'refund' && readDetail(event).refunded === total
    ? GiftStatus.Refunded
    : GIFT_STATUS[event.kind];
}

/**
 * @param kind the event's.
 * @param platformId the platform's id of the gift or renewal that it happened to.
 */
export function toChange(
  kind: GiftChange['kind'],
  event: EventRow,
  first: Donation,
  platformId: number,
): GiftChange {
  const { reference, parent } = event;
  const { at = event.created_at, amount, refunded } = readDetail(event);
  const { total, currency, decimals } = totalOf(first);
  const giftStatus = giftStatusAfter(event, total);
  // What it is now, not what it was when this happened: events may be told late.
  const recurringGiftStatus = recurringStatusAfter(kind, first);
  return {
    kind,
    reference,
    ...(parent !== null && { parent }),
    platformId,
    at: new Date(at),
    currency,
    ...(giftStatus !== undefined && { giftStatus }),
    ...(recurringGiftStatus !== undefined && { recurringGiftStatus }),
    ...(amount !== undefined && { amount: majorUnits(amount, decimals) }),
    ...(refunded !== undefined && { refunded: majorUnits(refunded, decimals) }),
  };
}

function recurringStatusAfter(
  kind: EventKind,
  { subscription_status: state, subscription_id: subscriptionId }: Donation,
): RecurringGiftStatus | undefined {
  if (ABOUT_RECURRING.includes(kind)) return RECURRING_STATUS[state ?? 'active'];
  return kind === 'failed' && subscriptionId !== null ? RecurringGiftStatus.Cancelled : undefined;
}
