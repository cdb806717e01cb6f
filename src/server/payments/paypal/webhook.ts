import {
  InvalidPayloadError,
  InvalidSignatureError,
  type PaymentEvent,
  type WebhookContext,
} from '../payment-gateway.ts';
import type { PayPalClient } from './client.ts';
import { fetchCapture } from './captures.ts';
import { fetchEventsForDisputeId } from './dispute-events.ts';
import { toOrderPaymentId } from './orders.ts';
import {
  fetchCaptureEvents,
  fetchEventsForRefundId,
  fetchReversalEvents,
} from './refund-events.ts';
import { convertNotFoundError } from './ignore-errors.ts';
import { fetchSaleEvents, fetchSubscriptionEvents } from './subscription-events.ts';
import type { SignatureVerifier } from './webhook-signature.ts';

/** Event types that the PayPal webhook must receive. */
export const WEBHOOK_EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.SALE.COMPLETED',
  'PAYMENT.SALE.PENDING',
  'PAYMENT.SALE.DENIED',
  'PAYMENT.SALE.REFUNDED',
  'PAYMENT.SALE.REVERSED',
  'BILLING.SUBSCRIPTION.ACTIVATED',
  'BILLING.SUBSCRIPTION.RE-ACTIVATED',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
  'BILLING.SUBSCRIPTION.SUSPENDED',
  'BILLING.SUBSCRIPTION.CANCELLED',
  'BILLING.SUBSCRIPTION.EXPIRED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
] as const;

interface WebhookEvent {
  readonly event_type: string;
  /** State of the object at the time of the event. The server uses only the object's ID. */
  readonly resource: { readonly id?: unknown; readonly dispute_id?: unknown };
}

export interface WebhookOptions {
  readonly client: PayPalClient;
  readonly verifier: SignatureVerifier;
  readonly webhookId: string | undefined;
  readonly context?: WebhookContext | undefined;
}

/**
 * Verifies a webhook, and fetches the object named in the webhook. Uses only the event's type and
 * the object's ID, because the rest may be outdated.
 */
export async function verifyAndFetchEvents(
  { client, verifier, webhookId, context }: WebhookOptions,
  body: string,
  headers: Headers,
): Promise<readonly PaymentEvent[]> {
  if (webhookId === undefined)
    throw new InvalidSignatureError(
      'webhookId is not configured, so the server rejects webhooks. Set webhookId to the ID that ' +
        'PayPal shows for this webhook.',
    );
  await verifier.verifyWebhook(body, headers, webhookId, context);
  const event = parseEvent(body);
  return fetchEvents(client, event).catch((error: unknown) => {
    throw convertNotFoundError(error);
  });
}

function parseEvent(body: string): WebhookEvent {
  let event: Partial<Record<keyof WebhookEvent, unknown>> | null;
  try {
    event = JSON.parse(body) as typeof event;
  } catch (cause) {
    throw new InvalidPayloadError('The body is not JSON.', { cause });
  }
  const { event_type: type, resource } = event ?? {};
  if (typeof type !== 'string' || typeof resource !== 'object' || resource === null)
    throw new InvalidPayloadError('The body is not a PayPal event.');
  return { event_type: type, resource };
}

async function fetchEvents(
  client: PayPalClient,
  { event_type: type, resource }: WebhookEvent,
): Promise<readonly PaymentEvent[]> {
  switch (type as (typeof WEBHOOK_EVENTS)[number]) {
    case 'CHECKOUT.ORDER.APPROVED':
      return [{ kind: 'payment', paymentId: toOrderPaymentId(parseObjectId(resource.id)) }];
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DECLINED':
    case 'PAYMENT.CAPTURE.DENIED':
      return fetchCaptureEvents(client, await fetchCapture(client, parseObjectId(resource.id)));
    case 'PAYMENT.CAPTURE.REFUNDED':
    case 'PAYMENT.SALE.REFUNDED':
      return fetchEventsForRefundId(client, parseObjectId(resource.id));
    case 'PAYMENT.CAPTURE.REVERSED':
    case 'PAYMENT.SALE.REVERSED':
      return fetchReversalEvents(client, parseObjectId(resource.id));
    case 'PAYMENT.SALE.COMPLETED':
    case 'PAYMENT.SALE.PENDING':
    case 'PAYMENT.SALE.DENIED':
      return fetchSaleEvents(client, parseObjectId(resource.id));
    case 'BILLING.SUBSCRIPTION.ACTIVATED':
    case 'BILLING.SUBSCRIPTION.RE-ACTIVATED':
    case 'BILLING.SUBSCRIPTION.PAYMENT.FAILED':
    case 'BILLING.SUBSCRIPTION.SUSPENDED':
    case 'BILLING.SUBSCRIPTION.CANCELLED':
    case 'BILLING.SUBSCRIPTION.EXPIRED':
      return fetchSubscriptionEvents(client, parseObjectId(resource.id));
    case 'CUSTOMER.DISPUTE.CREATED':
    case 'CUSTOMER.DISPUTE.UPDATED':
    case 'CUSTOMER.DISPUTE.RESOLVED':
      return fetchEventsForDisputeId(client, parseObjectId(resource.dispute_id));
    default:
      return [];
  }
}

/**
 * Returns an ID that is safe to use in a URL path.
 * @throws {InvalidPayloadError} if the value is not such an ID.
 */
function parseObjectId(id: unknown): string {
  if (typeof id !== 'string' || !/^[\w-]{1,255}$/.test(id))
    throw new InvalidPayloadError("The event's object ID is missing or invalid.");
  return id;
}
