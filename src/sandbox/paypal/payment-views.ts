import { createLink } from './context.ts';
import { type Amount, calculateFee, formatMoney, subtractAmount } from './money.ts';
import type { Payment, Refund } from './records.ts';

/** Returns a capture in the format of Payments v2. */
export function serializeCapture(payment: Payment, baseUrl: string): object {
  const { id, status, statusReason, amount, customId, invoiceId, orderId } = payment;
  const fee = calculateFee(amount);
  const url = `${baseUrl}/v2/payments/captures/${id}`;
  return {
    id,
    status,
    ...(statusReason && { status_details: { reason: statusReason } }),
    amount: formatMoney(amount),
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    ...(status !== 'PENDING' &&
      status !== 'DECLINED' && {
        seller_receivable_breakdown: {
          gross_amount: formatMoney(amount),
          paypal_fee: formatMoney(fee),
          net_amount: formatMoney(subtractAmount(amount, fee)),
        },
      }),
    ...(invoiceId !== undefined && { invoice_id: invoiceId }),
    ...(customId !== undefined && { custom_id: customId }),
    create_time: payment.createTime,
    update_time: payment.updateTime,
    links: [
      createLink(url, 'self'),
      createLink(`${url}/refund`, 'refund', 'POST'),
      ...(orderId === undefined
        ? []
        : [createLink(`${baseUrl}/v2/checkout/orders/${orderId}`, 'up')]),
    ],
  };
}

/** Returns a capture with its payee and a reference to its order. */
export function serializeCaptureDetails(payment: Payment, baseUrl: string): object {
  return {
    ...serializeCapture(payment, baseUrl),
    payee: { email_address: 'donations@example.org', merchant_id: '8LTDXJFC8MCGA' },
    ...(payment.orderId !== undefined && {
      supplementary_data: { related_ids: { order_id: payment.orderId } },
    }),
  };
}

/**
 * Returns a refund in the format of Payments v2.
 * @param totalRefunded total amount of the payment's refunds so far.
 */
export function serializeRefund(
  refund: Refund,
  payment: Payment,
  totalRefunded: Amount,
  baseUrl: string,
): object {
  const { id, status, amount, customId, invoiceId, note } = refund;
  const noFee = { currency: amount.currency, units: 0 };
  return {
    id,
    status,
    amount: formatMoney(amount),
    ...(note !== undefined && { note_to_payer: note }),
    ...(invoiceId !== undefined && { invoice_id: invoiceId }),
    ...(customId !== undefined && { custom_id: customId }),
    // PayPal keeps its fee after a refund.
    seller_payable_breakdown: {
      gross_amount: formatMoney(amount),
      paypal_fee: formatMoney(noFee),
      net_amount: formatMoney(amount),
      total_refunded_amount: formatMoney(totalRefunded),
    },
    create_time: refund.createTime,
    update_time: refund.updateTime,
    links: [
      createLink(`${baseUrl}/v2/payments/refunds/${id}`, 'self'),
      createLink(`${baseUrl}/v2/payments/captures/${payment.id}`, 'up'),
    ],
  };
}
