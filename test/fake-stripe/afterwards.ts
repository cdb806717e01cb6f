import type { Stripe } from 'stripe';
import type { Events } from './events.ts';
import { dispute, refund } from './payment-objects.ts';
import { refused } from './refusal.ts';
import { idOf, newId, type Store } from './store.ts';

/** What happens to a payment long after it was made, by other hands than the server's. */
export class Afterwards {
  readonly #store: Store;
  readonly #events: Events;

  constructor(store: Store, events: Events) {
    this.#store = store;
    this.#events = events;
  }

  /** Gives money back; what is left where no amount is given. */
  refund(intentId: string, amount?: number): Stripe.Refund {
    const charge = this.#chargeOf(intentId);
    const left = charge.amount - charge.amount_refunded;
    const sum = amount ?? left;
    if (left === 0)
      throw refused(`Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      });
    if (sum > left)
      throw refused(
        `Refund amount (${sum}) is greater than unrefunded amount on charge (${left})`,
        { param: 'amount' },
      );
    const made = this.#store.keep(refund(charge, sum, this.#store.time));
    charge.amount_refunded += sum;
    charge.refunded = charge.amount_refunded === charge.amount;
    charge.refunds?.data.unshift(made);
    const isCard = charge.payment_method_details?.type === 'card';
    if (isCard) made.status = 'succeeded';
    this.#events.add('refund.created', made);
    this.#events.add('charge.refunded', charge);
    Object.assign(made, {
      status: 'succeeded',
      ...(isCard && {
        destination_details: {
          type: 'card',
          card: {
            reference: newId('arn', 12),
            reference_status: 'available',
            reference_type: 'acquirer_reference_number',
            type: 'refund',
          },
        },
      }),
    } satisfies Partial<Stripe.Refund>);
    this.#events.add('refund.updated', made);
    return made;
  }

  /** The bank sends the money of a refund back: the gift stays. */
  failRefund(id: string): Stripe.Refund {
    const made = this.#store.get('refund', id);
    const charge = this.#store.get('charge', idOf(made.charge));
    Object.assign(made, {
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
      failure_balance_transaction: newId('txn'),
    } satisfies Partial<Stripe.Refund>);
    charge.amount_refunded -= made.amount;
    charge.refunded = false;
    this.#events.add('refund.updated', made);
    this.#events.add('refund.failed', made);
    return made;
  }

  dispute(intentId: string): Stripe.Dispute {
    const charge = this.#chargeOf(intentId);
    const made = this.#store.keep(dispute(charge, this.#store.time));
    charge.disputed = true;
    this.#events.add('charge.dispute.created', made);
    this.#events.add('charge.dispute.funds_withdrawn', made);
    return made;
  }

  closeDispute(id: string, status: 'won' | 'lost'): Stripe.Dispute {
    const made = this.#store.get('dispute', id);
    if (made.status === 'won' || made.status === 'lost')
      throw new Error(`The dispute ${id} is closed already.`);
    made.status = status;
    if (status === 'won') this.#events.add('charge.dispute.funds_reinstated', made);
    this.#events.add('charge.dispute.closed', made);
    return made;
  }

  #chargeOf(intentId: string): Stripe.Charge {
    const { latest_charge } = this.#store.get('payment_intent', intentId);
    const charge = this.#store.get('charge', idOf(latest_charge));
    if (!charge.captured) throw refused(`The charge ${charge.id} was not paid.`);
    return charge;
  }
}
