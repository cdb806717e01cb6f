import { createLink } from './context.ts';
import { type Amount, calculateFee, formatMoney } from './money.ts';
import type { Payment, Refund } from './records.ts';

/** Payment states in the Payments v1 API. */
const STATES: Readonly<Record<Payment['status'], string>> = {
  COMPLETED: 'completed',
  PENDING: 'pending',
  DECLINED: 'denied',
  PARTIALLY_REFUNDED: 'partially_refunded',
  REFUNDED: 'refunded',
};

/**
 * Returns a subscription payment in the format of Payments v1. Unlike other sales, a subscription
 * payment has no parent payment.
 */
export function serializeSale(payment: Payment, baseUrl: string): object {
  const { id, status, statusReason, amount, subscriptionId } = payment;
  const fee = formatMoney(calculateFee(amount));
  const url = `${baseUrl}/v1/payments/sale/${id}`;
  return {
    id,
    state: STATES[status],
    ...(statusReason && { reason_code: statusReason }),
    amount: { ...serializeAmount(amount), details: { subtotal: formatMoney(amount).value } },
    payment_mode: statusReason === 'ECHECK' ? 'ECHECK' : 'INSTANT_TRANSFER',
    protection_eligibility: 'ELIGIBLE',
    protection_eligibility_type: 'ITEM_NOT_RECEIVED_ELIGIBLE,UNAUTHORIZED_PAYMENT_ELIGIBLE',
    transaction_fee: { currency: fee.currency_code, value: fee.value },
    billing_agreement_id: subscriptionId,
    create_time: payment.createTime,
    update_time: payment.updateTime,
    links: [createLink(url, 'self'), createLink(`${url}/refund`, 'refund', 'POST')],
  };
}

/** Returns the refund of a subscription payment in the format of Payments v1. */
export function serializeSaleRefund(refund: Refund, baseUrl: string): object {
  const { id, status, amount, paymentId, createTime, updateTime } = refund;
  return {
    id,
    state: status.toLowerCase(),
    amount: serializeAmount(amount),
    sale_id: paymentId,
    create_time: createTime,
    update_time: updateTime,
    links: [
      createLink(`${baseUrl}/v1/payments/refund/${id}`, 'self'),
      createLink(`${baseUrl}/v1/payments/sale/${paymentId}`, 'sale'),
    ],
  };
}

function serializeAmount(amount: Amount): object {
  const { currency_code: currency, value: total } = formatMoney(amount);
  return { total, currency };
}
