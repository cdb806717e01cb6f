import { refusal } from '../lib/request-parsing.ts';
import type { Tell } from './events.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import type { Payment, Subscription } from './records.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface ReversalsOptions {
  readonly ledger: Ledger;
  readonly subscriptions: Subscriptions;
  readonly tell: Tell;
  readonly now: () => Date;
}

/**
 * What takes money back that has come: refunds and disputes. Each of these is a part of a change
 * that the caller makes.
 */
export class Reversals {
  readonly #options: ReversalsOptions;

  constructor(options: ReversalsOptions) {
    this.#options = options;
  }

  /** Gives back a part, or all that is left. @throws a refusal where it cannot be given back. */
  refund(payment: Payment, amount = leftOf(payment)): Payment {
    const { ledger, tell, now } = this.#options;
    const left = leftOf(payment);
    if (payment.state !== 'succeeded')
      throw refusal(
        `This payment is ${payment.state}; only one that succeeded can be refunded.`,
        409,
      );
    if (payment.dispute && payment.dispute.state !== 'won')
      throw refusal(
        `The dispute of this payment is ${payment.dispute.state}; it cannot be refunded.`,
        409,
      );
    if (left === 0) throw refusal('All of this payment was refunded already.', 409);
    if (!Number.isSafeInteger(amount) || amount < 1 || amount > left)
      throw refusal(
        `amount is ${amount}; expected a whole number of minor units from 1 to ${left}.`,
      );
    const refund = { id: newId('re'), amount, created: now().toISOString() };
    tell('payment.refunded', { payment: payment.id, refund: refund.id }, now());
    return ledger.keepPayment({
      ...payment,
      refunds: [...payment.refunds, refund],
      ...(amount === left && { dueAt: null }),
    });
  }

  /**
   * The card's owner says that the payment was not theirs.
   * @throws a refusal where there is nothing to dispute.
   */
  dispute(payment: Payment, at = this.#options.now()): Payment {
    const { ledger, subscriptions, tell } = this.#options;
    if (payment.state !== 'succeeded' || leftOf(payment) === 0)
      throw refusal('Only a payment that succeeded, and was not refunded, can be disputed.', 409);
    if (payment.dispute) throw refusal('This payment was disputed already.', 409);
    const dispute = { id: newId('dp'), state: 'open' } as const;
    const subscription = this.#subscriptionOf(payment);
    tell('dispute.opened', { payment: payment.id, dispute: dispute.id }, at);
    if (subscription) subscriptions.suspend(subscription);
    return ledger.keepPayment({ ...payment, dispute, dueAt: null });
  }

  /**
   * @param state how the dispute ended for the organisation.
   * @throws a refusal where none is open.
   */
  endDispute(payment: Payment, state: 'won' | 'lost'): Payment {
    const { ledger, subscriptions, tell, now } = this.#options;
    const subscription = this.#subscriptionOf(payment);
    if (payment.dispute?.state !== 'open')
      throw refusal('No dispute of this payment is open.', 409);
    tell(`dispute.${state}`, { payment: payment.id, dispute: payment.dispute.id }, now());
    if (subscription && state === 'won') subscriptions.resume(subscription, now());
    if (subscription && state === 'lost') subscriptions.end(subscription, now());
    return ledger.keepPayment({ ...payment, dispute: { ...payment.dispute, state } });
  }

  #subscriptionOf({ subscription }: Payment): Subscription | undefined {
    return subscription === null ? undefined : this.#options.ledger.subscription(subscription);
  }
}

/** What of a payment was not refunded, in minor units. */
export function leftOf({ amount, refunds }: Payment): number {
  return refunds.reduce((left, refund) => left - refund.amount, amount);
}
