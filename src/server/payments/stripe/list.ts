import type Stripe from 'stripe';
import { getStripeDecimals, toMajorUnits } from '@donation-form/core/money';
import { iterateWithLimit, MAX_RECORDS } from '../../lib/page-limit.ts';
import type { ListedPayment, PaymentHistory } from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';
import { getPaymentReference, getPossibleReference } from './metadata.ts';
import { getObjectId } from './payment.ts';
import { ignoreForbidden } from './permissions.ts';
import { getInvoiceReference } from './recurring.ts';
import {
  fetchInvoiceEvents,
  fetchStripeReversals,
  getStripeDisputeResult,
  isDispute,
} from './webhook.ts';

const PAGE_SIZE = 100;

/** Omits charges with neither our reference nor a customer. */
export async function* iterateStripePayments(
  stripe: Stripe,
  from: Date,
  to: Date,
  maxCharges = MAX_RECORDS,
): AsyncGenerator<ListedPayment> {
  const created = { gte: toUnixSeconds(from), lt: toUnixSeconds(to) };
  const charges = stripe.charges.list({
    created,
    limit: PAGE_SIZE,
    expand: ['data.balance_transaction'],
  });
  for await (const charge of iterateWithLimit("Stripe's list of charges", charges, maxCharges)) {
    const { payment_intent: payment, metadata, customer, status, amount, currency } = charge;
    // The comparison uses the reference only to find donations in the database.
    const reference = getPossibleReference(metadata);
    if (
      !payment ||
      !['succeeded', 'pending'].includes(status) ||
      (reference === undefined && customer === null) ||
      amount === 0
    )
      continue;
    yield {
      paymentId: getObjectId(payment),
      reference,
      at: new Date(charge.created * 1_000),
      status: status === 'pending' ? 'processing' : 'succeeded',
      ...fromStripeUnits(amount, currency),
      cost: getCost(charge),
      refunded: fromStripeUnits(charge.amount_refunded, currency).total,
      dispute: charge.disputed ? await fetchDisputeStatus(stripe, charge.id) : undefined,
    };
  }
}

/** Except for subscription statuses, the events have the same IDs as in webhooks. */
export async function fetchStripeHistory(
  stripe: Stripe,
  paymentId: string,
): Promise<PaymentHistory> {
  const now = new Date();
  const {
    data: [invoicePayment],
  } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: paymentId },
    limit: 1,
  });
  if (!invoicePayment) {
    const payment = await stripe.paymentIntents.retrieve(paymentId);
    return {
      reference: getPaymentReference(payment),
      events: [
        { kind: 'payment', paymentId },
        ...(await fetchStripeReversals(stripe, paymentId, now)),
      ],
    };
  }
  const invoice = await stripe.invoices.retrieve(getObjectId(invoicePayment.invoice), {
    expand: ['payments'],
  });
  return {
    reference: getInvoiceReference(invoice),
    events: [
      ...(await fetchInvoiceEvents(stripe, invoice, now)),
      ...(invoice.billing_reason === 'subscription_create'
        ? await fetchStripeReversals(stripe, paymentId, now)
        : []),
    ],
  };
}

function getCost({ balance_transaction: transaction }: Stripe.Charge): ListedPayment['cost'] {
  if (typeof transaction !== 'object' || transaction === null) return undefined;
  const currency = transaction.currency.toUpperCase();
  const formatAmount = (sum: number): string =>
    `${sum < 0 ? '-' : ''}${toMajorUnits(Math.abs(sum), getStripeDecimals(currency))}`;
  return { fee: formatAmount(transaction.fee), net: formatAmount(transaction.net), currency };
}

/** Returns `undefined` if the key cannot read disputes. */
async function fetchDisputeStatus(stripe: Stripe, charge: string) {
  const disputes = await ignoreForbidden(
    stripe,
    'Disputes: Read',
    stripe.disputes.list({ charge, limit: PAGE_SIZE }),
  );
  const status = disputes?.data.find(isDispute)?.status;
  return status === undefined ? undefined : (getStripeDisputeResult(status) ?? 'open');
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
