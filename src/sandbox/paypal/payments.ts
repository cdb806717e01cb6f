import { NotFoundError, StateError, UnprocessableError } from './api-error.ts';
import type { PayPalContext } from './context.ts';
import { createId } from './ids.ts';
import { type Amount, formatMoney } from './money.ts';
import { serializeCapture, serializeCaptureDetails, serializeRefund } from './payment-views.ts';
import type { Payment, Refund } from './records.ts';
import { serializeSale, serializeSaleRefund } from './sale-views.ts';

export interface RefundOptions {
  /** Amount to refund. Default: the entire remaining amount. */
  readonly amount?: Amount | undefined;
  readonly customId?: string | undefined;
  readonly invoiceId?: string | undefined;
  readonly note?: string | undefined;
}

type NewPayment = Omit<Payment, 'kind' | 'id' | 'createTime' | 'updateTime'>;

/**
 * Manages order captures and subscription sales, including their settlement, refunds, and
 * reversals.
 */
export class Payments {
  readonly #context: PayPalContext;

  constructor(context: PayPalContext) {
    this.#context = context;
  }

  insertPayment(payment: NewPayment): Payment {
    const { store, getTime } = this.#context;
    const time = getTime();
    const inserted = store.insertRecord<Payment>({
      ...payment,
      kind: 'payment',
      id: createId(),
      createTime: time,
      updateTime: time,
    });
    this.#recordStatusEvent(inserted);
    return inserted;
  }

  /**
   * Returns a subscription payment.
   * @throws NotFoundError if no subscription payment has the given ID.
   */
  getSale(id: string): Payment {
    const payment = this.#context.store.getRecord('payment', id);
    if (payment.subscriptionId === undefined) throw new NotFoundError();
    return payment;
  }

  listRefunds(payment: Payment): Refund[] {
    return this.#context.store
      .listRecords('refund')
      .filter(({ paymentId }) => paymentId === payment.id);
  }

  /** Returns the amount refunded so far, excluding failed refunds. */
  getRefundedAmount(payment: Payment): Amount {
    return {
      currency: payment.amount.currency,
      units: this.listRefunds(payment)
        .filter(({ status }) => status !== 'FAILED')
        .reduce((sum, { amount }) => sum + amount.units, 0),
    };
  }

  /** Clears or declines a pending eCheck. */
  settleECheck(id: string, status: 'COMPLETED' | 'DECLINED'): void {
    const payment = this.#context.store.getRecord('payment', id);
    if (payment.status !== 'PENDING') throw new StateError(`Payment ${id} is not pending.`);
    payment.status = status;
    delete payment.statusReason;
    payment.updateTime = this.#context.getTime();
    this.#recordStatusEvent(payment);
  }

  /**
   * Refunds a payment.
   * @throws UnprocessableError if PayPal would not refund the payment.
   */
  refundPayment(
    payment: Payment,
    { amount, customId, invoiceId, note }: RefundOptions = {},
  ): Refund {
    const refunded = this.getRefundedAmount(payment);
    const remaining = payment.amount.units - refunded.units;
    if (payment.status === 'PENDING') throw new UnprocessableError('PENDING_CAPTURE');
    if (remaining === 0) throw new UnprocessableError('CAPTURE_FULLY_REFUNDED');
    if (payment.status === 'DECLINED') throw new UnprocessableError('REFUND_NOT_ALLOWED');
    if (amount && amount.currency !== payment.amount.currency)
      throw new UnprocessableError('REFUND_CAPTURE_CURRENCY_MISMATCH', {
        field: '/amount/currency_code',
        value: amount.currency,
      });
    if (amount && amount.units > remaining)
      throw new UnprocessableError('REFUND_AMOUNT_EXCEEDED', {
        field: '/amount/value',
        value: formatMoney(amount).value,
      });
    const isDisputed = this.#context.store
      .listRecords('dispute')
      .some(({ paymentId, outcome }) => paymentId === payment.id && !outcome);
    if (amount && amount.units < payment.amount.units && isDisputed)
      throw new UnprocessableError('TRANSACTION_DISPUTED');
    return this.#insertRefund(payment, 'REFUNDED', {
      amount: amount ?? { currency: payment.amount.currency, units: remaining },
      customId: customId ?? payment.customId,
      invoiceId,
      note,
    });
  }

  /**
   * Reverses a payment in the buyer's favor, as PayPal does after a lost dispute or a chargeback.
   */
  reversePayment(payment: Payment, reason: 'BUYER_COMPLAINT' | 'CHARGEBACK'): Refund {
    const { amount } = payment;
    payment.statusReason = reason;
    return this.#insertRefund(payment, 'REVERSED', {
      amount: {
        currency: amount.currency,
        units: amount.units - this.getRefundedAmount(payment).units,
      },
      customId: payment.customId,
    });
  }

  /** Makes a refund fail, as if the buyer's bank had rejected it. */
  failRefund(id: string): void {
    const { store, getTime } = this.#context;
    const refund = store.getRecord('refund', id);
    refund.status = 'FAILED';
    refund.updateTime = getTime();
    const payment = store.getRecord('payment', refund.paymentId);
    payment.status =
      this.getRefundedAmount(payment).units === 0 ? 'COMPLETED' : 'PARTIALLY_REFUNDED';
    payment.updateTime = getTime();
    this.#context.events.recordEvent('PAYMENT.REFUND.FAILED', 'refund', () =>
      this.serializeRefund(refund),
    );
  }

  serializeCapture(payment: Payment): object {
    return serializeCapture(payment, this.#context.getBaseUrl());
  }

  serializeCaptureDetails(payment: Payment): object {
    return serializeCaptureDetails(payment, this.#context.getBaseUrl());
  }

  serializeRefund(refund: Refund): object {
    const { store, getBaseUrl } = this.#context;
    const payment = store.getRecord('payment', refund.paymentId);
    return serializeRefund(refund, payment, this.getRefundedAmount(payment), getBaseUrl());
  }

  serializeSale(payment: Payment): object {
    return serializeSale(payment, this.#context.getBaseUrl());
  }

  serializeSaleRefund(refund: Refund): object {
    return serializeSaleRefund(refund, this.#context.getBaseUrl());
  }

  #insertRefund(
    payment: Payment,
    event: 'REFUNDED' | 'REVERSED',
    { amount, customId, invoiceId, note }: RefundOptions & { readonly amount: Amount },
  ): Refund {
    const { store, events, getTime } = this.#context;
    const time = getTime();
    const refund = store.insertRecord<Refund>({
      kind: 'refund',
      id: createId(),
      paymentId: payment.id,
      isReversal: event === 'REVERSED',
      status: 'COMPLETED',
      amount,
      customId,
      invoiceId,
      note,
      createTime: time,
      updateTime: time,
    });
    payment.status =
      this.getRefundedAmount(payment).units === payment.amount.units
        ? 'REFUNDED'
        : 'PARTIALLY_REFUNDED';
    payment.updateTime = time;
    if (payment.subscriptionId === undefined)
      events.recordEvent(`PAYMENT.CAPTURE.${event}`, 'refund', () => this.serializeRefund(refund));
    else
      events.recordEvent(`PAYMENT.SALE.${event}`, 'refund', () => this.serializeSaleRefund(refund));
    return refund;
  }

  #recordStatusEvent(payment: Payment): void {
    const { events } = this.#context;
    if (payment.subscriptionId === undefined)
      events.recordEvent(`PAYMENT.CAPTURE.${payment.status}`, 'capture', () =>
        this.serializeCaptureDetails(payment),
      );
    else {
      const status = payment.status === 'DECLINED' ? 'DENIED' : payment.status;
      events.recordEvent(`PAYMENT.SALE.${status}`, 'sale', () => this.serializeSale(payment));
    }
  }
}
