import Stripe from 'stripe';
import type { RecurringState } from '@donation-form/core/donation';
import { InvalidSignatureError, type PaymentEvent } from '../payment-gateway.ts';
import { giftAmount } from './amounts.ts';
import { EXPANDED, toPayment } from './payment.ts';
import { paymentOfInvoice } from './recurring.ts';

/** The events that an endpoint has to be subscribed to. */
export const EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'checkout.session.completed',
  'checkout.session.expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const;

/**
 * What a webhook of Stripe tells; each thing is read back, so what an old or forged-in-time event
 * says of it does not count.
 */
export async function readWebhook(
  stripe: Stripe,
  secret: string | undefined,
  body: string,
  headers: Headers,
): Promise<readonly PaymentEvent[]> {
  if (secret === undefined)
    throw new InvalidSignatureError(
      'The configuration names no webhookSecret for these webhooks, so none is believed.',
    );
  const event = await stripe.webhooks
    .constructEventAsync(body, headers.get('Stripe-Signature') ?? '', secret)
    .catch((cause: unknown) => {
      throw new InvalidSignatureError(
        'The header Stripe-Signature does not fit this body and the signing secret of these webhooks, or is too old.',
        { cause },
      );
    });
  const at = dateOf(event.created);
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return [{ kind: 'payment', paymentId: event.data.object.id }];
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return readSession(stripe, event.data.object.id, at);
    case 'charge.refunded':
      return refundsOf(stripe, event.data.object.payment_intent);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return refundsOf(stripe, event.data.object.payment_intent);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return toDispute(await stripe.disputes.retrieve(event.data.object.id), at);
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
      return readInvoice(stripe, event.data.object.id, at);
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return readSubscription(stripe, event.data.object.id, at);
    default:
      return [];
  }
}

/** What was paid back, or was not after all. The sum is that of now, whichever refund is told. */
async function refundsOf(
  stripe: Stripe,
  payment: string | Stripe.PaymentIntent | null,
): Promise<PaymentEvent[]> {
  if (payment === null) return [];
  const paymentId = idOf(payment);
  const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
  const refunded = data
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount, currency }) => sum + giftAmount(amount, currency).total, 0);
  // Stripe lists the newest first, and tells seconds only.
  return data.toReversed().flatMap(({ id, status, amount, currency, created }): PaymentEvent[] => {
    const kind = kindOfRefund(status);
    return kind
      ? [
          {
            kind,
            id: `${kind} ${id}`,
            paymentId,
            amount: giftAmount(amount, currency).total,
            refunded,
            at: dateOf(created),
          },
        ]
      : [];
  });
}

function kindOfRefund(status: string | null): 'refund' | 'refund-failed' | undefined {
  if (status === 'succeeded') return 'refund';
  return status === 'failed' || status === 'canceled' ? 'refund-failed' : undefined;
}

/** @param at when this was told. An inquiry of a bank is no dispute yet. */
function toDispute(
  { id, payment_intent: payment, amount, currency, created, status }: Stripe.Dispute,
  at: Date,
): PaymentEvent[] {
  if (payment === null || status.startsWith('warning_') || status === 'prevented') return [];
  const end = endOfDispute(status);
  const told = { paymentId: idOf(payment), amount: giftAmount(amount, currency).total };
  return [
    { ...told, kind: 'dispute-opened', id: `dispute-opened ${id}`, at: dateOf(created) },
    ...(end ? [{ ...told, kind: end, id: `${end} ${id}`, at }] : []),
  ];
}

function endOfDispute(status: string): 'dispute-won' | 'dispute-lost' | undefined {
  if (status === 'won') return 'dispute-won';
  return status === 'lost' ? 'dispute-lost' : undefined;
}

/** What came after a payment, for what was told before the payment was known. */
export async function afterPayment(
  stripe: Stripe,
  paymentId: string,
  at: Date,
): Promise<PaymentEvent[]> {
  const { data: disputes } = await stripe.disputes.list({ payment_intent: paymentId, limit: 100 });
  return [
    ...(await refundsOf(stripe, paymentId)),
    ...disputes.toReversed().flatMap((dispute) => toDispute(dispute, at)),
  ];
}

async function readSession(stripe: Stripe, sessionId: string, at: Date): Promise<PaymentEvent[]> {
  const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(sessionId);
  return [
    { kind: 'payment', paymentId: sessionId },
    ...(payment === null ? [] : await afterPayment(stripe, idOf(payment), at)),
  ];
}

/** A first invoice is the gift's own payment, later ones its renewals. */
export async function readInvoice(
  stripe: Stripe,
  invoiceId: string,
  at: Date,
): Promise<PaymentEvent[]> {
  const invoice = await stripe.invoices.retrieve(invoiceId, { expand: ['payments'] });
  const subscription = invoice.parent?.subscription_details?.subscription;
  const paymentId = paymentOfInvoice(invoice);
  if (!subscription || paymentId === undefined) return [];
  const subscriptionId = idOf(subscription);
  const state = await readSubscription(stripe, subscriptionId, at);
  if (invoice.billing_reason === 'subscription_create')
    return [{ kind: 'payment', paymentId }, ...state];
  if (invoice.status !== 'paid') return state;
  const payment = toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPANDED }),
    subscriptionId,
  );
  return [
    {
      kind: 'renewal',
      id: `renewal ${invoice.id}`,
      subscriptionId,
      payment,
      at: dateOf(invoice.status_transitions.paid_at ?? invoice.created),
    },
    ...(await afterPayment(stripe, paymentId, at)),
    ...state,
  ];
}

const STATES: Readonly<Partial<Record<Stripe.Subscription.Status, RecurringState>>> = {
  active: 'active',
  trialing: 'active',
  past_due: 'retrying',
  unpaid: 'suspended',
  paused: 'suspended',
  canceled: 'cancelled',
  incomplete_expired: 'cancelled',
};

async function readSubscription(
  stripe: Stripe,
  subscriptionId: string,
  at: Date,
): Promise<PaymentEvent[]> {
  const { status, latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId);
  const state = STATES[status];
  return state
    ? [
        {
          kind: 'recurring',
          id: `recurring ${subscriptionId} ${state} ${invoice === null ? '' : idOf(invoice)}`,
          subscriptionId,
          status: state,
          at,
        },
      ]
    : [];
}

function idOf(object: string | { readonly id: string }): string {
  return typeof object === 'string' ? object : object.id;
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1_000);
}
