import Stripe from 'stripe';
import type { SubscriptionStatus } from '@donation-form/core/donation';
import {
  InvalidPayloadError,
  InvalidSignatureError,
  type PaymentEvent,
  PaymentNotFoundError,
} from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';
import { toMetadata } from './metadata.ts';
import { EXPAND, getObjectId, toPayment } from './payment.ts';
import { ignoreForbidden } from './permissions.ts';
import { getInvoicePaymentId, getInvoiceReference } from './recurring.ts';

interface EventObject {
  readonly id: string;
  readonly payment_intent?: string | Stripe.PaymentIntent | null;
}

type FetchEvents = (
  stripe: Stripe,
  object: EventObject,
  at: Date,
) => PaymentEvent[] | Promise<PaymentEvent[]>;

/** Uses only the event's type, time, and object IDs, because the rest may be outdated. */
export async function receiveStripeWebhook(
  stripe: Stripe,
  secret: string | undefined,
  body: string,
  headers: Headers,
): Promise<readonly PaymentEvent[]> {
  if (secret === undefined)
    throw new InvalidSignatureError(
      'webhookSecret is not configured, so the server rejects webhooks. Configure webhookSecret ' +
        "with the endpoint's signing secret.",
    );
  const event = await stripe.webhooks
    .constructEventAsync(body, headers.get('Stripe-Signature') ?? '', secret)
    .catch((cause: unknown) => {
      if (cause instanceof Stripe.errors.StripeSignatureVerificationError)
        throw new InvalidSignatureError(
          'The Stripe-Signature header is missing, has an old timestamp, or does not match this body ' +
            "and webhookSecret. Check webhookSecret and the server's clock.",
          { cause },
        );
      throw new InvalidPayloadError(
        'The body is a thin event or not JSON. In the Stripe Dashboard, create a webhook endpoint ' +
          'with the payload style "Snapshot".',
        { cause },
      );
    });
  if (!isWebhookEvent(event)) throw new InvalidPayloadError('The body is not a Stripe event.');
  try {
    const object = event.data.object as EventObject;
    const fetchEvents = FETCH_EVENTS.get(event.type);
    return (await fetchEvents?.(stripe, object, fromUnixSeconds(event.created))) ?? [];
  } catch (cause) {
    throw cause instanceof Stripe.errors.StripeInvalidRequestError &&
      cause.code === 'resource_missing'
      ? new PaymentNotFoundError(
          'Stripe has no record of the object that the event refers to. Check that secretKey ' +
            'belongs to the Stripe account and mode that sent the event.',
          { cause },
        )
      : cause;
  }
}

function isWebhookEvent(event: unknown): event is Stripe.Event {
  const { type, created, data } = (event ?? {}) as Partial<Stripe.Event>;
  const id = (data?.object as { id?: unknown } | null | undefined)?.id;
  return typeof type === 'string' && Number.isSafeInteger(created) && typeof id === 'string';
}

/** Fetches a payment's refunds as events. Each event includes the total refunded so far. */
async function fetchRefundEvents(
  stripe: Stripe,
  payment: string | Stripe.PaymentIntent | null | undefined,
): Promise<PaymentEvent[]> {
  if (!payment) return [];
  const paymentId = getObjectId(payment);
  const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: 100 });
  const refunded = data
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amount }) => sum + amount, 0);
  // Stripe lists the newest refund first, and its times are only in whole seconds.
  return data.toReversed().flatMap(({ id, status, amount, currency, created }): PaymentEvent[] => {
    if (status !== 'succeeded' && status !== 'failed' && status !== 'canceled') return [];
    const kind = status === 'succeeded' ? 'refund' : 'refund_failed';
    return [
      {
        kind,
        id: `${kind} ${id}`,
        paymentId,
        amount: fromStripeUnits(amount, currency).total,
        refunded: fromStripeUnits(refunded, currency).total,
        at: fromUnixSeconds(created),
      },
    ];
  });
}

/** Returns false for inquiries, which are not disputes yet, and for prevented disputes. */
export function isDispute({ status }: Stripe.Dispute): boolean {
  return !status.startsWith('warning_') && status !== 'prevented';
}

export function getStripeDisputeResult(status: string): 'won' | 'lost' | undefined {
  return (['won', 'lost'] as const).find((result) => result === status);
}

/**
 * @param dispute dispute with `charge` expanded.
 * @param at time of the webhook, used as the time of the dispute's result.
 */
function toDisputeEvents(dispute: Stripe.Dispute, at: Date): PaymentEvent[] {
  const { id, payment_intent: payment, created, status } = dispute;
  if (!payment || !isDispute(dispute)) return [];
  const result = getStripeDisputeResult(status);
  const common = { paymentId: getObjectId(payment), amount: getDisputedAmount(dispute) };
  return [
    { ...common, kind: 'dispute_opened', id: `dispute_opened ${id}`, at: fromUnixSeconds(created) },
    ...(result
      ? [{ ...common, kind: `dispute_${result}` as const, id: `dispute_${result} ${id}`, at }]
      : []),
  ];
}

/** Returns the whole charge if Stripe reports the amount in another currency. */
function getDisputedAmount({ amount, currency, charge }: Stripe.Dispute): number {
  return typeof charge === 'object' && charge.currency !== currency
    ? fromStripeUnits(charge.amount, charge.currency).total
    : fromStripeUnits(amount, currency).total;
}

/**
 * Fetches a payment's refund and dispute events, whose webhooks may have arrived before the payment
 * was in the database. Omits events that the key cannot read, because the server can record charges
 * without them.
 */
export async function fetchStripeReversals(
  stripe: Stripe,
  paymentId: string,
  at: Date,
): Promise<PaymentEvent[]> {
  const refundEvents = await ignoreForbidden(
    stripe,
    'Charges and Refunds: Read',
    fetchRefundEvents(stripe, paymentId),
  );
  const disputes = await ignoreForbidden(
    stripe,
    'Disputes: Read',
    stripe.disputes.list({ payment_intent: paymentId, limit: 100, expand: ['data.charge'] }),
  );
  return [
    ...(refundEvents ?? []),
    ...(disputes?.data.toReversed().flatMap((dispute) => toDisputeEvents(dispute, at)) ?? []),
  ];
}

const fetchSessionEvents: FetchEvents = async (stripe, { id: sessionId }, at) => {
  const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(sessionId);
  return [
    { kind: 'payment', paymentId: sessionId },
    ...(payment ? await fetchStripeReversals(stripe, getObjectId(payment), at) : []),
  ];
};

/** Later invoices are renewals. @param invoice invoice with `payments` expanded. */
export async function fetchInvoiceEvents(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  at: Date,
): Promise<PaymentEvent[]> {
  const subscription = invoice.parent?.subscription_details?.subscription;
  const paymentId = getInvoicePaymentId(invoice);
  if (!subscription || paymentId === undefined) return [];
  const subscriptionId = getObjectId(subscription);
  const state = await fetchSubscriptionEvents(stripe, { id: subscriptionId }, at);
  if (invoice.billing_reason === 'subscription_create')
    return [{ kind: 'payment', paymentId }, ...state];
  if (invoice.status !== 'paid') return state;
  const payment = toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPAND }),
    subscriptionId,
  );
  return [
    {
      kind: 'renewal',
      id: `renewal ${invoice.id}`,
      subscriptionId,
      reference: getInvoiceReference(invoice),
      payment,
      at: fromUnixSeconds(invoice.status_transitions.paid_at ?? invoice.created),
    },
    ...(await fetchStripeReversals(stripe, paymentId, at)),
    ...state,
  ];
}

/** People can then search for the payment of an invoice. Ignores errors. */
async function copyReferenceToPayment(stripe: Stripe, invoice: Stripe.Invoice): Promise<void> {
  const paymentId = getInvoicePaymentId(invoice);
  const reference = getInvoiceReference(invoice);
  if (invoice.status !== 'paid' || paymentId === undefined || reference === undefined) return;
  await stripe.paymentIntents
    .update(paymentId, { metadata: toMetadata(reference) })
    .catch(() => undefined);
}

const fetchChangedInvoice: FetchEvents = async (stripe, { id }, at) => {
  const invoice = await stripe.invoices.retrieve(id, { expand: ['payments'] });
  await copyReferenceToPayment(stripe, invoice);
  return fetchInvoiceEvents(stripe, invoice, at);
};

const SUBSCRIPTION_STATUSES: Readonly<
  Partial<Record<Stripe.Subscription.Status, SubscriptionStatus>>
> = {
  active: 'active',
  trialing: 'active',
  past_due: 'retrying',
  unpaid: 'suspended',
  paused: 'suspended',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
};

const fetchSubscriptionEvents: FetchEvents = async (stripe, { id: subscriptionId }, at) => {
  const { status } = await stripe.subscriptions.retrieve(subscriptionId);
  const state = SUBSCRIPTION_STATUSES[status];
  if (!state) return [];
  // The same status can return later, so it does not identify the change.
  const id = `subscription ${subscriptionId} ${state} ${at.getTime()}`;
  return [{ kind: 'subscription', id, subscriptionId, status: state, at }];
};

function fromUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1_000);
}

const toPaymentEvents: FetchEvents = (_stripe, { id }) => [{ kind: 'payment', paymentId: id }];
const fetchRefundsOf: FetchEvents = (stripe, { payment_intent: payment }) =>
  fetchRefundEvents(stripe, payment);
const fetchDisputeEvents: FetchEvents = async (stripe, { id }, at) =>
  toDisputeEvents(await stripe.disputes.retrieve(id, { expand: ['charge'] }), at);

/** Functions that fetch an event's object, by the event types that the endpoint must receive. */
const FETCH_EVENTS = new Map<string, FetchEvents>([
  ['payment_intent.succeeded', toPaymentEvents],
  ['payment_intent.processing', toPaymentEvents],
  ['payment_intent.payment_failed', toPaymentEvents],
  ['payment_intent.canceled', toPaymentEvents],
  ['checkout.session.completed', fetchSessionEvents],
  ['checkout.session.expired', fetchSessionEvents],
  ['invoice.paid', fetchChangedInvoice],
  ['invoice.payment_failed', fetchChangedInvoice],
  ['invoice.payment_action_required', fetchChangedInvoice],
  ['customer.subscription.updated', fetchSubscriptionEvents],
  ['customer.subscription.deleted', fetchSubscriptionEvents],
  ['charge.refunded', fetchRefundsOf],
  ['refund.created', fetchRefundsOf],
  ['refund.updated', fetchRefundsOf],
  ['refund.failed', fetchRefundsOf],
  ['charge.dispute.created', fetchDisputeEvents],
  ['charge.dispute.updated', fetchDisputeEvents],
  ['charge.dispute.closed', fetchDisputeEvents],
]);

export const STRIPE_WEBHOOK_EVENTS = [...FETCH_EVENTS.keys()];
