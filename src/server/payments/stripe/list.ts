import type Stripe from 'stripe';
import { toMajorUnits, getStripeDecimals } from '@donation-form/core/money';
import { MAX_RECORDS, iterateWithLimit } from '../../lib/page-limit.ts';
import type { ListedPayment, PaymentHistory } from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';
import { getPaymentReference, getPossibleReference } from './metadata.ts';
import { getObjectId } from './object-id.ts';
import { ignoreForbidden } from './permissions.ts';
import { getInvoiceReference } from './recurring.ts';
import { fetchReversalEvents, fetchInvoiceEvents } from './webhook.ts';

/** Stripe's maximum page size. */
const PAGE_SIZE = 100;

/**
 * Yields a period's charges with their fees. Omits failed charges, and charges with neither our
 * reference nor a customer, because they cannot be our donations.
 */
export async function* iteratePayments(
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
    const {
      id,
      payment_intent: payment,
      metadata,
      customer,
      status,
      amount,
      currency,
      amount_refunded: refunded,
      disputed,
    } = charge;
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
      refunded: fromStripeUnits(refunded, currency).total,
      dispute: disputed ? await fetchDisputeStatus(stripe, id) : undefined,
    };
  }
}

/**
 * Fetches a payment's reference and events. Except for subscription statuses, the events have the
 * same IDs as in webhooks.
 */
export async function fetchPaymentHistory(
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
        ...(await fetchReversalEvents(stripe, paymentId, now)),
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
        ? await fetchReversalEvents(stripe, paymentId, now)
        : []),
    ],
  };
}

/** Returns the fee and the net amount in the settlement currency. */
function getCost({ balance_transaction: transaction }: Stripe.Charge): ListedPayment['cost'] {
  if (typeof transaction !== 'object' || transaction === null) return undefined;
  const currency = transaction.currency.toUpperCase();
  const formatAmount = (sum: number): string =>
    `${sum < 0 ? '-' : ''}${toMajorUnits(Math.abs(sum), getStripeDecimals(currency))}`;
  return { fee: formatAmount(transaction.fee), net: formatAmount(transaction.net), currency };
}

/**
 * Fetches the status of a charge's dispute. Ignores inquiries, which are not disputes yet, and
 * prevented disputes. Returns `undefined` if the key cannot read disputes.
 */
async function fetchDisputeStatus(
  stripe: Stripe,
  charge: string,
): Promise<ListedPayment['dispute']> {
  const disputes = await ignoreForbidden(
    stripe,
    'Disputes: Read',
    stripe.disputes.list({ charge, limit: PAGE_SIZE }),
  );
  const status = disputes?.data.find(
    (dispute) => !dispute.status.startsWith('warning_') && dispute.status !== 'prevented',
  )?.status;
  switch (status) {
    case undefined:
      return undefined;
    case 'won':
      return 'won';
    case 'lost':
      return 'lost';
    default:
      return 'open';
  }
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
