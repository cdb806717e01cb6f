import type { Donation } from '../database/schema.ts';
import type { Payment } from '../payments/payment-gateway.ts';
import type { DonationTrigger } from './transition.ts';

/** In milliseconds after the start of a charge. Longer than the call's timeout. */
const UNUSED_PAYMENT_TIMEOUT = 60_000;
/**
 * In milliseconds after the start of a charge in one call. Longer than the call's timeout and the
 * lookup delay.
 */
const UNCLEAR_CHARGE_TIMEOUT = 80_000;
/** Time limit for the donor to act, such as to confirm the payment, in milliseconds. */
const ACTION_TIMEOUT = 3_600_000;

/** Statuses of donations whose payments the server still checks. */
export const IN_PROGRESS: readonly Donation['status'][] = [
  'unconfirmed',
  'requires_action',
  'processing',
];

/** Returns true if the donor was charged or will be charged later. */
export function isCharged({ status }: Pick<Payment, 'status'>): boolean {
  return status === 'processing' || status === 'succeeded';
}

type SeenCharge = Pick<Donation, 'status' | 'paymentId' | 'chargeStartedAt'>;

/** Trigger that a provider's record of a payment can cause. */
export type PaymentTrigger = Extract<
  DonationTrigger,
  { type: 'action_required' | 'accepted' | 'succeeded' | 'failed' | 'contradicted' }
>;

export type PaymentDecision =
  | PaymentTrigger
  /** Charge the payment, which the donor approved. */
  | { readonly type: 'charge' }
  | { readonly type: 'postpone' };

/** @param isAsAgreed true if the payment has the amount and currency that the donor agreed to. */
export function interpretPayment(
  { status: seenStatus }: SeenCharge,
  { status, reason }: Pick<Payment, 'status' | 'reason'>,
  isAsAgreed: boolean,
): PaymentDecision {
  if (!isAsAgreed && isCharged({ status })) return { type: 'contradicted' };
  // For example, PayPal may still report a subscription as approved after accepting its activation.
  if (seenStatus === 'processing' && (status === 'approved' || status === 'requires_action'))
    return { type: 'postpone' };
  switch (status) {
    case 'unconfirmed':
      return { type: 'postpone' };
    case 'approved':
      return isAsAgreed ? { type: 'charge' } : { type: 'failed', reason: 'payment-failed' };
    case 'requires_action':
      return { type: seenStatus === 'requires_action' ? 'postpone' : 'action_required' };
    case 'processing':
      return seenStatus === 'processing'
        ? { type: 'postpone' }
        : { type: 'accepted', awaiting: 'bank' };
    case 'failed': {
      const wasNeverConfirmed = seenStatus === 'unconfirmed' && reason !== 'card-declined';
      return {
        type: 'failed',
        reason: wasNeverConfirmed ? 'payment-failed' : (reason ?? 'card-declined'),
      };
    }
    case 'succeeded':
      return { type: 'succeeded' };
  }
}

/** If no payment was created in time, the donation fails. */
export function decideCheck(
  { status, paymentId, chargeStartedAt: startedAt }: SeenCharge,
  now: number,
): 'none' | 'retrieve' | 'postpone' | 'fail' {
  if (paymentId !== null) return 'retrieve';
  if (!IN_PROGRESS.includes(status)) return 'none';
  return now - startedAt < UNUSED_PAYMENT_TIMEOUT ? 'postpone' : 'fail';
}

export function decideAfterCheck(
  { status, chargeStartedAt: startedAt }: Pick<Donation, 'status' | 'chargeStartedAt'>,
  payment: Pick<Payment, 'status'>,
  { now, chargesInOneCall }: { readonly now: number; readonly chargesInOneCall: boolean },
): 'interpret' | 'cancel' | 'review' | 'none' {
  if (!IN_PROGRESS.includes(status))
    return status === 'failed' && isCharged(payment) ? 'review' : 'none';
  const isUnused = payment.status === 'unconfirmed' || payment.status === 'requires_action';
  const timeout = payment.status === 'unconfirmed' ? UNUSED_PAYMENT_TIMEOUT : ACTION_TIMEOUT;
  const isOverdue = isUnused && now - startedAt >= timeout;
  return isOverdue && !chargesInOneCall ? 'cancel' : 'interpret';
}

/**
 * @param charge.isNotCharged true if this call certainly charged nothing.
 * @param charge.isFirst true if no earlier call to charge the payment can still be in progress.
 */
export function decideAfterFailedCharge({
  isNotCharged,
  isFirst,
  chargesInOneCall,
}: Record<'isNotCharged' | 'isFirst' | 'chargesInOneCall', boolean>):
  'cancel' | 'fail' | 'retrieve' {
  if (!isNotCharged || !isFirst) return 'retrieve';
  return chargesInOneCall ? 'fail' : 'cancel';
}

/**
 * Returns the time at which an unknown result of a charge needs review, or `Infinity` for a charge
 * that can be repeated or canceled.
 */
export function getUnclearChargeDeadline(
  { status, paymentId, chargeStartedAt: startedAt }: SeenCharge,
  chargesInOneCall: boolean,
): number {
  return chargesInOneCall && status === 'unconfirmed' && paymentId !== null
    ? startedAt + UNCLEAR_CHARGE_TIMEOUT
    : Infinity;
}
