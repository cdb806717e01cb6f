import Stripe from 'stripe';
import type { SubscriptionStatus } from '@donation-form/core/donation';
import {
  InvalidPayloadError,
  InvalidSignatureError,
  PaymentNotFoundError,
  type PaymentEvent,
} from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';
import { toMetadata } from './metadata.ts';
import { getObjectId } from './object-id.ts';
import { EXPAND, toPayment } from './payment.ts';
import { ignoreForbidden } from './permissions.ts';
import { getInvoicePaymentId, getInvoiceReference } from './recurring.ts';

/** Event types that the Stripe webhook endpoint must receive. */
export const WEBHOOK_EVENTS = [
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
 * Verifies a Stripe webhook, and fetches the objects named in the webhook. Uses only the event's
 * type, time, and object IDs, because the rest may be outdated.
 */
export async function verifyAndFetchEvents(
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
  return fetchEvents(stripe, event).catch((cause: unknown) => {
    throw cause instanceof Stripe.errors.StripeInvalidRequestError &&
      cause.code === 'resource_missing'
      ? new PaymentNotFoundError(
          'Stripe has no record of the object that the event refers to. Check that secretKey ' +
            'belongs to the Stripe account and mode that sent the event.',
          { cause },
        )
      : cause;
  });
}

/** Returns true if a signed body has the fields that {@link fetchEvents} reads. */
function isWebhookEvent(event: unknown): event is Stripe.Event {
  const { type, created, data } = (event ?? {}) as Partial<Stripe.Event>;
  const id = (data?.object as { id?: unknown } | null | undefined)?.id;
  return typeof type === 'string' && Number.isSafeInteger(created) && typeof id === 'string';
}

async function fetchEvents(stripe: Stripe, event: Stripe.Event): Promise<readonly PaymentEvent[]> {
  const at = fromUnixSeconds(event.created);
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return [{ kind: 'payment', paymentId: event.data.object.id }];
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return fetchSessionEvents(stripe, event.data.object.id, at);
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return fetchRefundEvents(stripe, event.data.object.payment_intent);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return toDisputeEvents(
        await stripe.disputes.retrieve(event.data.object.id, { expand: ['charge'] }),
        at,
      );
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      const invoice = await stripe.invoices.retrieve(event.data.object.id, {
        expand: ['payments'],
      });
      await copyReferenceToPayment(stripe, invoice);
      return fetchInvoiceEvents(stripe, invoice, at);
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return fetchSubscriptionEvents(stripe, event.data.object.id, at);
    default:
      return [];
  }
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
  // Stripe lists the newest refund first. Sorting by time could change the order, because Stripe's
  // times are in whole seconds.
  return data.toReversed().flatMap(({ id, status, amount, currency, created }): PaymentEvent[] => {
    const kind = toRefundEventKind(status);
    return kind
      ? [
          {
            kind,
            id: `${kind} ${id}`,
            paymentId,
            amount: fromStripeUnits(amount, currency).total,
            refunded: fromStripeUnits(refunded, currency).total,
            at: fromUnixSeconds(created),
          },
        ]
      : [];
  });
}

function toRefundEventKind(status: string | null): 'refund' | 'refund_failed' | undefined {
  if (status === 'succeeded') return 'refund';
  return status === 'failed' || status === 'canceled' ? 'refund_failed' : undefined;
}

/**
 * Converts a dispute to events. Ignores inquiries, which are not disputes yet, and prevented
 * disputes.
 * @param dispute dispute with `charge` expanded.
 * @param at time of the webhook, used as the time of the dispute's result.
 */
function toDisputeEvents(dispute: Stripe.Dispute, at: Date): PaymentEvent[] {
  const { id, payment_intent: payment, created, status } = dispute;
  if (!payment || status.startsWith('warning_') || status === 'prevented') return [];
  const result = getDisputeResult(status);
  const common = {
    paymentId: getObjectId(payment),
    amount: getDisputedAmount(dispute),
  };
  return [
    { ...common, kind: 'dispute_opened', id: `dispute_opened ${id}`, at: fromUnixSeconds(created) },
    ...(result ? [{ ...common, kind: result, id: `${result} ${id}`, at }] : []),
  ];
}

/**
 * Returns the disputed amount in the charge's currency. If the dispute has another currency, returns
 * the whole charge, because Stripe does not report the amount in the charge's currency.
 */
function getDisputedAmount({ amount, currency, charge }: Stripe.Dispute): number {
  return typeof charge === 'object' && charge.currency !== currency
    ? fromStripeUnits(charge.amount, charge.currency).total
    : fromStripeUnits(amount, currency).total;
}

function getDisputeResult(status: string): 'dispute_won' | 'dispute_lost' | undefined {
  if (status === 'won') return 'dispute_won';
  return status === 'lost' ? 'dispute_lost' : undefined;
}

/**
 * Fetches a payment's refund and dispute events. Webhooks for these events may have arrived before
 * the payment was in the database. Omits events that the key cannot read, because the server can
 * record charges without them.
 */
export async function fetchReversalEvents(
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

async function fetchSessionEvents(
  stripe: Stripe,
  sessionId: string,
  at: Date,
): Promise<PaymentEvent[]> {
  const { payment_intent: payment } = await stripe.checkout.sessions.retrieve(sessionId);
  return [
    { kind: 'payment', paymentId: sessionId },
    ...(payment ? await fetchReversalEvents(stripe, getObjectId(payment), at) : []),
  ];
}

/**
 * Fetches an invoice's events. A subscription's first invoice is the initial payment, and later
 * invoices are renewals.
 * @param invoice invoice with `payments` expanded.
 */
export async function fetchInvoiceEvents(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  at: Date,
): Promise<PaymentEvent[]> {
  const subscription = invoice.parent?.subscription_details?.subscription;
  const paymentId = getInvoicePaymentId(invoice);
  if (!subscription || paymentId === undefined) return [];
  const subscriptionId = getObjectId(subscription);
  const state = await fetchSubscriptionEvents(stripe, subscriptionId, at);
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
    ...(await fetchReversalEvents(stripe, paymentId, at)),
    ...state,
  ];
}

/**
 * Copies a subscription's reference to the payment of a paid invoice, so that people can search for
 * it. Ignores errors, and subscriptions of other applications that use the same Stripe account.
 */
async function copyReferenceToPayment(stripe: Stripe, invoice: Stripe.Invoice): Promise<void> {
  const paymentId = getInvoicePaymentId(invoice);
  const reference = getInvoiceReference(invoice);
  if (invoice.status !== 'paid' || paymentId === undefined || reference === undefined) return;
  await stripe.paymentIntents
    .update(paymentId, { metadata: toMetadata(reference) })
    .catch(() => undefined);
}

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

async function fetchSubscriptionEvents(
  stripe: Stripe,
  subscriptionId: string,
  at: Date,
): Promise<PaymentEvent[]> {
  const { status } = await stripe.subscriptions.retrieve(subscriptionId);
  const state = SUBSCRIPTION_STATUSES[status];
  return state
    ? [
        {
          kind: 'subscription',
          // The same status can return later, so it does not identify the change.
          id: `subscription ${subscriptionId} ${state} ${at.getTime()}`,
          subscriptionId,
          status: state,
          at,
        },
      ]
    : [];
}

function fromUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1_000);
}
