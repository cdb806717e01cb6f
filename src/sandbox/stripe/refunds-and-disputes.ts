import type { Stripe } from 'stripe';
import type { EventLog } from './events.ts';
import { createId, getReferencedId } from './ids.ts';
import { buildDispute, buildRefund } from './payment-objects.ts';
import type { Store } from './store.ts';
import { createInvalidRequestError } from './stripe-error.ts';

/** Creates refunds, as merchants do in the Dashboard, and disputes, as banks do. */
export class RefundsAndDisputes {
  readonly #store: Store;
  readonly #events: EventLog;

  constructor(store: Store, events: EventLog) {
    this.#store = store;
    this.#events = events;
  }

  /** Refunds a charge. Default amount: the entire remaining amount. */
  createRefund(intentId: string, amount?: number): Stripe.Refund {
    const charge = this.#getPaidCharge(intentId);
    const refundable = charge.amount - charge.amount_refunded;
    const refundAmount = amount ?? refundable;
    if (refundable === 0)
      throw createInvalidRequestError(`Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      });
    if (refundAmount > refundable)
      throw createInvalidRequestError(
        `Refund amount (${refundAmount}) is greater than unrefunded amount on charge (${refundable})`,
        { param: 'amount' },
      );
    const refund = this.#store.saveObject(buildRefund(charge, refundAmount, this.#store.now));
    charge.amount_refunded += refundAmount;
    charge.refunded = charge.amount_refunded === charge.amount;
    charge.refunds?.data.unshift(refund.id as unknown as Stripe.Refund);
    const isCard = charge.payment_method_details?.type === 'card';
    if (isCard) refund.status = 'succeeded';
    this.#events.recordEvent('refund.created', refund);
    this.#events.recordEvent('charge.refunded', charge);
    Object.assign(refund, {
      status: 'succeeded',
      ...(isCard && {
        destination_details: {
          type: 'card',
          card: {
            reference: createId('arn', 12),
            reference_status: 'available',
            reference_type: 'acquirer_reference_number',
            type: 'refund',
          },
        },
      }),
    } satisfies Partial<Stripe.Refund>);
    this.#events.recordEvent('refund.updated', refund);
    return refund;
  }

  /** Makes a refund fail, as if the bank had returned the money. */
  failRefund(id: string): Stripe.Refund {
    const refund = this.#store.getObject('refund', id);
    const charge = this.#store.getObject('charge', getReferencedId(refund.charge));
    Object.assign(refund, {
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
      failure_balance_transaction: createId('txn'),
    } satisfies Partial<Stripe.Refund>);
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    this.#events.recordEvent('refund.updated', refund);
    this.#events.recordEvent('refund.failed', refund);
    return refund;
  }

  /** Opens a dispute. Default amount: the charge's amount. */
  openDispute(intentId: string, amount?: number): Stripe.Dispute {
    const charge = this.#getPaidCharge(intentId);
    const dispute = this.#store.saveObject({
      ...buildDispute(charge, this.#store.now),
      ...(amount !== undefined && { amount }),
    });
    charge.disputed = true;
    this.#events.recordEvent('charge.dispute.created', dispute);
    this.#events.recordEvent('charge.dispute.funds_withdrawn', dispute);
    return dispute;
  }

  closeDispute(id: string, status: 'won' | 'lost'): Stripe.Dispute {
    const dispute = this.#store.getObject('dispute', id);
    if (dispute.status === 'won' || dispute.status === 'lost')
      throw createInvalidRequestError(`The dispute ${id} is already closed.`);
    dispute.status = status;
    if (status === 'won') this.#events.recordEvent('charge.dispute.funds_reinstated', dispute);
    this.#events.recordEvent('charge.dispute.closed', dispute);
    return dispute;
  }

  #getPaidCharge(intentId: string): Stripe.Charge {
    const { latest_charge } = this.#store.getObject('payment_intent', intentId);
    const charge = this.#store.getObject('charge', getReferencedId(latest_charge));
    if (!charge.captured) throw createInvalidRequestError(`The charge ${charge.id} was not paid.`);
    return charge;
  }
}
