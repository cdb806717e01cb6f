import { StateError } from './api-error.ts';
import { createLink, type PayPalContext } from './context.ts';
import { createId } from './ids.ts';
import { formatMoney } from './money.ts';
import type { Payments } from './payments.ts';
import type { Dispute } from './records.ts';

/** Time limit for the seller's response, in milliseconds. */
const RESPONSE_TIME = 10 * 86_400_000;

/** Disputes v1 (developer.paypal.com/docs/api/customer-disputes/v1). */
export class Disputes {
  readonly #context: PayPalContext;
  readonly #payments: Payments;

  constructor(context: PayPalContext, payments: Payments) {
    this.#context = context;
    this.#payments = payments;
  }

  /** Lists disputes, newest first. */
  listDisputes(paymentId?: string): Dispute[] {
    return this.#context.store
      .listRecords('dispute')
      .filter((dispute) => paymentId === undefined || dispute.paymentId === paymentId)
      .toReversed();
  }

  /** Opens a dispute, as the buyer does. */
  openDispute(paymentId: string, reason: Dispute['reason'] = 'UNAUTHORISED'): Dispute {
    const { store, getTime } = this.#context;
    const { amount } = store.getRecord('payment', paymentId);
    const time = getTime();
    const dispute = store.insertRecord<Dispute>({
      kind: 'dispute',
      id: createId('PP-R-', 12),
      paymentId,
      reason,
      amount,
      createTime: time,
      updateTime: time,
    });
    this.#recordEvent('CREATED', dispute);
    return dispute;
  }

  /**
   * Closes a dispute. If the seller loses, reverses the part of the payment that has not been
   * refunded.
   */
  closeDispute(id: string, outcome: 'won' | 'lost'): void {
    const { store, getTime } = this.#context;
    const dispute = store.getRecord('dispute', id);
    if (dispute.outcome) throw new StateError(`Dispute ${id} is closed.`);
    dispute.outcome = outcome;
    dispute.updateTime = getTime();
    const payment = store.getRecord('payment', dispute.paymentId);
    const isRefunded = this.#payments.getRefundedAmount(payment).units === payment.amount.units;
    if (outcome === 'lost' && !isRefunded)
      this.#payments.reversePayment(payment, 'BUYER_COMPLAINT');
    this.#recordEvent('RESOLVED', dispute);
  }

  serializeDispute(dispute: Dispute): object {
    const { store } = this.#context;
    const { amount, outcome, createTime } = dispute;
    const payment = store.getRecord('payment', dispute.paymentId);
    const { givenName, surname } = payment.buyer;
    return {
      ...this.serializeDisputeSummary(dispute),
      disputed_transactions: [
        {
          buyer_transaction_id: payment.id,
          seller_transaction_id: payment.id,
          create_time: payment.createTime,
          transaction_status: outcome === 'lost' ? 'REVERSED' : 'COMPLETED',
          gross_amount: formatMoney(payment.amount),
          ...(payment.customId !== undefined && { custom: payment.customId }),
          ...(payment.invoiceId !== undefined && { invoice_number: payment.invoiceId }),
          buyer: { name: `${givenName} ${surname}` },
          seller: { email: 'donations@example.org', merchant_id: '8LTDXJFC8MCGA' },
        },
      ],
      ...(outcome && {
        dispute_outcome: {
          outcome_code: outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
          ...(outcome === 'lost' && { amount_refunded: formatMoney(amount) }),
        },
      }),
      ...(!outcome && {
        seller_response_due_date: new Date(Date.parse(createTime) + RESPONSE_TIME).toISOString(),
      }),
    };
  }

  /** Returns a dispute in the format of the dispute list. */
  serializeDisputeSummary({
    id,
    reason,
    amount,
    outcome,
    createTime,
    updateTime,
  }: Dispute): object {
    return {
      dispute_id: id,
      create_time: createTime,
      update_time: updateTime,
      reason,
      status: outcome ? 'RESOLVED' : 'WAITING_FOR_SELLER_RESPONSE',
      dispute_amount: formatMoney(amount),
      dispute_life_cycle_stage: 'CHARGEBACK',
      dispute_channel: 'INTERNAL',
      links: [createLink(`${this.#context.getBaseUrl()}/v1/customer/disputes/${id}`, 'self')],
    };
  }

  #recordEvent(type: 'CREATED' | 'RESOLVED', dispute: Dispute): void {
    this.#context.events.recordEvent(`CUSTOMER.DISPUTE.${type}`, 'dispute', () =>
      this.serializeDispute(dispute),
    );
  }
}
