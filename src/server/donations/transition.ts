import type { Awaiting, DonationStatus, SubscriptionStatus } from '@donation-form/core/donation';
import type { Donation, OutboxEntryKind, ReviewDecision } from '../database/schema.ts';

/** The columns that determine which transitions a donation allows. */
export type DonationState = Pick<
  Donation,
  'status' | 'awaiting' | 'failureReason' | 'paymentId' | 'chargeStartedAt' | 'subscriptionStatus'
>;

export const INITIAL_STATE = {
  status: 'unconfirmed',
  awaiting: null,
  failureReason: null,
  subscriptionStatus: null,
} as const satisfies Partial<DonationState>;

/** Returns true if the donor or the server must still complete the payment. */
export function isUnfinished({ status }: Pick<Donation, 'status'>): boolean {
  return status === 'unconfirmed' || status === 'requires_action';
}

type Reason = Donation['failureReason'];

/** Event that can change a donation's state. */
export type DonationTrigger =
  /** The server is about to charge the payment. Not allowed if the donation has another payment. */
  | { readonly type: 'charge_started'; readonly paymentId: string | null }
  /** The donor must act first. */
  | { readonly type: 'action_required' }
  /** The donor approved the payment, and the server is about to charge it. */
  | { readonly type: 'approved' }
  | { readonly type: 'accepted'; readonly awaiting: Awaiting }
  | { readonly type: 'succeeded' }
  /** The payment failed or was canceled. */
  | { readonly type: 'failed'; readonly reason: Reason }
  /** No payment was created. */
  | { readonly type: 'not_charged'; readonly reason: Reason }
  /** The payment contradicts the donation, or its result is unknown. */
  | { readonly type: 'contradicted' }
  /** @param hasGift true if an event that creates the platform's gift exists. */
  | { readonly type: 'reviewed'; readonly decision: ReviewDecision; readonly hasGift: boolean }
  | { readonly type: 'subscription_changed'; readonly status: SubscriptionStatus };

export interface Transition {
  readonly change: Partial<
    Pick<Donation, 'status' | 'awaiting' | 'failureReason' | 'subscriptionStatus'>
  >;
  /** Kind of the resulting outbox entry. */
  readonly notify?: OutboxEntryKind | undefined;
}

export const ENTRY_KIND_BY_SUBSCRIPTION_STATUS: Readonly<
  Record<SubscriptionStatus, OutboxEntryKind>
> = {
  active: 'subscription_resumed',
  retrying: 'renewal_failed',
  suspended: 'subscription_suspended',
  canceled: 'subscription_canceled',
};

/**
 * Decides the status and the outbox entry after an event. No other code decides them.
 * @param seen the state that the caller read before it called the provider. It differs from
 *   `donation` if another server has changed the donation since.
 * @returns `undefined` if the event must not change the donation in its current state.
 */
export function transition(
  donation: DonationState,
  trigger: DonationTrigger,
  seen: DonationState,
): Transition | undefined {
  switch (trigger.type) {
    case 'charge_started':
      return isUnfinished(donation) && [null, trigger.paymentId].includes(donation.paymentId)
        ? { change: {} }
        : undefined;
    case 'action_required':
      return isUnfinished(donation) && !hasChargeStartedSince(donation, seen)
        ? { change: { status: 'requires_action' } }
        : undefined;
    case 'approved':
      return donation.status === 'requires_action'
        ? { change: { status: 'unconfirmed' } }
        : undefined;
    case 'accepted':
      return isUnfinished(donation)
        ? { change: { status: 'processing', awaiting: trigger.awaiting }, notify: 'donation' }
        : undefined;
    case 'succeeded':
      return succeed(donation);
    case 'failed':
      return fail(donation, trigger.reason, seen);
    case 'not_charged':
      return isUnfinished(donation) && !hasChargeStartedSince(donation, seen)
        ? { change: { status: 'failed', failureReason: trigger.reason } }
        : undefined;
    case 'contradicted':
      return contradict(donation, seen);
    case 'reviewed':
      return applyDecision(donation, trigger);
    case 'subscription_changed':
      return changeSubscription(donation, trigger.status);
  }
}

function hasChargeStartedSince(
  { paymentId, chargeStartedAt: startedAt }: DonationState,
  seen: DonationState,
): boolean {
  return startedAt !== seen.chargeStartedAt || paymentId !== seen.paymentId;
}

/** Notifies the platform of the donation or, if it was processing, of the settlement. */
function succeed(donation: DonationState): Transition | undefined {
  const change = { status: 'succeeded', awaiting: null } as const;
  if (isUnfinished(donation)) return { change, notify: 'donation' };
  return donation.status === 'processing' ? { change, notify: 'payment_settled' } : undefined;
}

/**
 * Marks the donation as failed, unless it was waiting for the donor and another server has begun to
 * charge it.
 */
function fail(
  donation: DonationState,
  reason: Reason,
  seen: DonationState,
): Transition | undefined {
  const change = { status: 'failed', awaiting: null, failureReason: reason } as const;
  if (donation.status === 'processing') return { change, notify: 'payment_failed' };
  const isAllowed =
    seen.status === 'requires_action' ? donation.status === seen.status : isUnfinished(donation);
  return isAllowed ? { change } : undefined;
}

/** A paid donation stays paid: receipts and claims for tax already contain it. */
function contradict({ status }: DonationState, seen: DonationState): Transition | undefined {
  return status === seen.status && status !== 'needs_review' && status !== 'succeeded'
    ? { change: { status: 'needs_review', awaiting: null } }
    : undefined;
}

const STATUS_AFTER_DECISION: Readonly<
  Partial<Record<ReviewDecision, Extract<DonationStatus, 'succeeded' | 'failed'>>>
> = { succeeded: 'succeeded', entered: 'succeeded', failed: 'failed' };

function applyDecision(
  { status: current, awaiting, failureReason: reason }: DonationState,
  { decision, hasGift }: Extract<DonationTrigger, { type: 'reviewed' }>,
): Transition | undefined {
  const isOpenPledge = current === 'processing' && awaiting === 'donor';
  const status = STATUS_AFTER_DECISION[decision];
  if (!status || (current !== 'needs_review' && !isOpenPledge)) return undefined;
  if (status === 'failed')
    return {
      change: { status, awaiting: null, failureReason: reason ?? 'payment-failed' },
      notify: hasGift ? 'payment_failed' : undefined,
    };
  const settled = decision === 'succeeded' ? 'payment_settled' : undefined;
  return { change: { status, awaiting: null }, notify: hasGift ? settled : 'donation' };
}

/** Ignores subscriptions that have not started and unchanged statuses. */
function changeSubscription(
  { status, subscriptionStatus: current }: DonationState,
  next: SubscriptionStatus,
): Transition | undefined {
  const hasStarted = status === 'succeeded' || status === 'processing' || status === 'needs_review';
  return hasStarted && next !== (current ?? 'active')
    ? { change: { subscriptionStatus: next }, notify: ENTRY_KIND_BY_SUBSCRIPTION_STATUS[next] }
    : undefined;
}
