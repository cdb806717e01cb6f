import type Stripe from 'stripe';
import { majorUnits, stripeDecimals } from '@donation-form/core/money';
import type { ListedPayment, PaymentHistory } from '../payment-gateway.ts';
import { giftAmount } from './amounts.ts';
import { afterPayment, readInvoice } from './webhook.ts';

/** How many charges are asked for at once: the most that Stripe answers. */
const PAGE = 100;

/**
 * The charges of a time, with what each cost. Those that failed, and those of an account's other
 * business that cannot be a gift's, are left out:
 * single gifts carry our reference, renewals belong to a customer.
 */
export async function* listPayments(
  stripe: Stripe,
  from: Date,
  to: Date,
): AsyncGenerator<ListedPayment> {
  const created = { gte: secondsOf(from), lt: secondsOf(to) };
  for await (const charge of stripe.charges.list({
    created,
    limit: PAGE,
    expand: ['data.balance_transaction'],
  })) {
    const {
      id,
      payment_intent: payment,
      metadata: { reference },
      customer,
      status,
      amount,
      currency,
      amount_refunded: refunded,
      disputed,
    } = charge;
    if (
      payment === null ||
      !['succeeded', 'pending'].includes(status) ||
      (reference === undefined && customer === null) ||
      !isPayable(amount, currency)
    )
      continue;
    yield {
      paymentId: typeof payment === 'string' ? payment : payment.id,
      reference,
      at: new Date(charge.created * 1_000),
      state: status === 'pending' ? 'pending' : 'succeeded',
      ...giftAmount(amount, currency),
      cost: costOf(charge),
      refunded: giftAmount(refunded, currency).total,
      dispute: disputed ? await disputeOf(stripe, id) : undefined,
    };
  }
}

/** Whether a gift can have this amount: of an account's other business, one may be finer. */
function isPayable(amount: number, currency: string): boolean {
  try {
    return giftAmount(amount, currency).total > 0;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Where a payment came from, and everything that webhooks tell of it. */
export async function tracePayment(stripe: Stripe, paymentId: string): Promise<PaymentHistory> {
  const now = new Date();
  const {
    data: [paid],
  } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: paymentId },
    limit: 1,
  });
  if (!paid) {
    const {
      metadata: { reference },
    } = await stripe.paymentIntents.retrieve(paymentId);
    return {
      reference,
      events: [{ kind: 'payment', paymentId }, ...(await afterPayment(stripe, paymentId, now))],
    };
  }
  const {
    id,
    parent,
    billing_reason: reason,
  } = await stripe.invoices.retrieve(
    typeof paid.invoice === 'string' ? paid.invoice : paid.invoice.id,
  );
  return {
    reference: parent?.subscription_details?.metadata?.reference,
    events: [
      ...(await readInvoice(stripe, id, now)),
      ...(reason === 'subscription_create' ? await afterPayment(stripe, paymentId, now) : []),
    ],
  };
}

/** Of what is settled in another currency than it was given in, in that other one. */
function costOf({ balance_transaction: transaction }: Stripe.Charge): ListedPayment['cost'] {
  if (typeof transaction !== 'object' || transaction === null) return undefined;
  const currency = transaction.currency.toUpperCase();
  const inWords = (sum: number): string =>
    `${sum < 0 ? '-' : ''}${majorUnits(Math.abs(sum), stripeDecimals(currency))}`;
  return { fee: inWords(transaction.fee), net: inWords(transaction.net), currency };
}

/** An inquiry of a bank is no dispute yet. */
async function disputeOf(stripe: Stripe, charge: string): Promise<ListedPayment['dispute']> {
  const { data } = await stripe.disputes.list({ charge, limit: PAGE });
  const status = data.find(
    (one) => !one.status.startsWith('warning_') && one.status !== 'prevented',
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

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
