import { createRequestError } from '../lib/request-parsing.ts';
import type { RecordEvent } from './events.ts';
import { createId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import type { Payment, Subscription } from './records.ts';
import type { SubscriptionService } from './subscriptions.ts';

export interface ReversalServiceOptions {
  readonly ledger: Ledger;
  readonly subscriptions: SubscriptionService;
  readonly recordEvent: RecordEvent;
  readonly now: () => Date;
}

/** Refunds and disputes. Every method must be called within a transaction. */
export class ReversalService {
  readonly #options: ReversalServiceOptions;

  constructor(options: ReversalServiceOptions) {
    this.#options = options;
  }

  /**
   * Refunds a payment in part, or in full without an amount.
   * @throws HTTPException if the payment cannot be refunded.
   */
  refund(payment: Payment, amount = getRefundableAmount(payment)): Payment {
    const { ledger, recordEvent, now } = this.#options;
    const refundable = getRefundableAmount(payment);
    if (payment.state !== 'succeeded')
      throw createRequestError(
        `This payment is ${payment.state}; only a succeeded payment can be refunded.`,
        409,
      );
    if (payment.dispute && payment.dispute.state !== 'won')
      throw createRequestError(
        `The dispute of this payment is ${payment.dispute.state}; it cannot be refunded.`,
        409,
      );
    if (refundable === 0) throw createRequestError('This payment is already fully refunded.', 409);
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > refundable)
      throw createRequestError(
        `amount is ${amount}; expected an integer from 1 to ${refundable}, in minor units.`,
      );
    const refund = { id: createId('re'), amount, created: now().toISOString() };
    recordEvent('payment.refunded', { payment: payment.id, refund: refund.id }, now());
    return ledger.savePayment({
      ...payment,
      refunds: [...payment.refunds, refund],
      ...(amount === refundable && { dueAt: null }),
    });
  }

  /**
   * Opens a dispute, as if the cardholder did not recognize the payment.
   * @throws HTTPException if the payment cannot be disputed.
   */
  openDispute(payment: Payment, at = this.#options.now()): Payment {
    const { ledger, subscriptions, recordEvent } = this.#options;
    if (payment.state !== 'succeeded' || getRefundableAmount(payment) === 0)
      throw createRequestError(
        'Only a succeeded payment that is not fully refunded can be disputed.',
        409,
      );
    if (payment.dispute) throw createRequestError('This payment has already been disputed.', 409);
    const dispute = { id: createId('dp'), state: 'open' } as const;
    const subscription = this.#findSubscription(payment);
    recordEvent('dispute.opened', { payment: payment.id, dispute: dispute.id }, at);
    if (subscription) subscriptions.suspendSubscription(subscription);
    return ledger.savePayment({ ...payment, dispute, dueAt: null });
  }

  /**
   * Closes the open dispute of a payment.
   * @param state outcome for the organization.
   * @throws HTTPException if no dispute is open.
   */
  closeDispute(payment: Payment, state: 'won' | 'lost'): Payment {
    const { ledger, subscriptions, recordEvent, now } = this.#options;
    const subscription = this.#findSubscription(payment);
    if (payment.dispute?.state !== 'open')
      throw createRequestError('This payment has no open dispute.', 409);
    recordEvent(`dispute.${state}`, { payment: payment.id, dispute: payment.dispute.id }, now());
    if (subscription && state === 'won') subscriptions.resumeSubscription(subscription, now());
    if (subscription && state === 'lost') subscriptions.cancelSubscription(subscription, now());
    return ledger.savePayment({ ...payment, dispute: { ...payment.dispute, state } });
  }

  #findSubscription({ subscription }: Payment): Subscription | undefined {
    return subscription === null ? undefined : this.#options.ledger.findSubscription(subscription);
  }
}

/** Returns the amount that is not refunded yet, in minor units. */
function getRefundableAmount({ amount, refunds }: Payment): number {
  return refunds.reduce((remaining, refund) => remaining - refund.amount, amount);
}
