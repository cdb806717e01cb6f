import {
  InvalidPayloadError,
  type PaymentEvent,
  PaymentNotFoundError,
} from '../payment-gateway.ts';
import { type PayPalClient, PayPalError } from './client.ts';
import { fetchCapture, toOrderPaymentId } from './orders.ts';
import {
  fetchCaptureEvents,
  type FetchEvents,
  fetchEventsForDisputeId,
  fetchEventsForRefundId,
  fetchReversalEvents,
  fetchSaleEvents,
  fetchSubscriptionEvents,
} from './payment-events.ts';

const fetchEventsForCaptureId: FetchEvents = async (client, id) =>
  fetchCaptureEvents(client, await fetchCapture(client, id));

/** Functions that fetch an event's object, by the event types that the webhook must receive. */
const FETCH_EVENTS = new Map<string, FetchEvents>([
  [
    'CHECKOUT.ORDER.APPROVED',
    (_client, id) => Promise.resolve([{ kind: 'payment', paymentId: toOrderPaymentId(id) }]),
  ],
  ['PAYMENT.CAPTURE.COMPLETED', fetchEventsForCaptureId],
  ['PAYMENT.CAPTURE.PENDING', fetchEventsForCaptureId],
  ['PAYMENT.CAPTURE.DECLINED', fetchEventsForCaptureId],
  ['PAYMENT.CAPTURE.DENIED', fetchEventsForCaptureId],
  ['PAYMENT.CAPTURE.REFUNDED', fetchEventsForRefundId],
  ['PAYMENT.CAPTURE.REVERSED', fetchReversalEvents],
  ['PAYMENT.SALE.COMPLETED', fetchSaleEvents],
  ['PAYMENT.SALE.PENDING', fetchSaleEvents],
  ['PAYMENT.SALE.DENIED', fetchSaleEvents],
  ['PAYMENT.SALE.REFUNDED', fetchEventsForRefundId],
  ['PAYMENT.SALE.REVERSED', fetchReversalEvents],
  ['BILLING.SUBSCRIPTION.ACTIVATED', fetchSubscriptionEvents],
  ['BILLING.SUBSCRIPTION.RE-ACTIVATED', fetchSubscriptionEvents],
  ['BILLING.SUBSCRIPTION.PAYMENT.FAILED', fetchSubscriptionEvents],
  ['BILLING.SUBSCRIPTION.SUSPENDED', fetchSubscriptionEvents],
  ['BILLING.SUBSCRIPTION.CANCELLED', fetchSubscriptionEvents],
  ['BILLING.SUBSCRIPTION.EXPIRED', fetchSubscriptionEvents],
  ['CUSTOMER.DISPUTE.CREATED', fetchEventsForDisputeId],
  ['CUSTOMER.DISPUTE.UPDATED', fetchEventsForDisputeId],
  ['CUSTOMER.DISPUTE.RESOLVED', fetchEventsForDisputeId],
]);

/** Event types that the PayPal webhook must receive. */
export const PAYPAL_WEBHOOK_EVENTS = [...FETCH_EVENTS.keys()];

interface WebhookEvent {
  readonly event_type: string;
  /** Only its ID is used. */
  readonly resource: { readonly id?: unknown; readonly dispute_id?: unknown };
}

/**
 * Fetches the object named in a webhook. Verify the webhook first. Uses only the type and the
 * object's ID, because the rest may be outdated.
 */
export async function fetchWebhookEvents(
  client: PayPalClient,
  body: string,
): Promise<readonly PaymentEvent[]> {
  const { event_type: type, resource } = parseEvent(body);
  const fetchEvents = FETCH_EVENTS.get(type);
  if (!fetchEvents) return [];
  const id = parseObjectId(type.startsWith('CUSTOMER.') ? resource.dispute_id : resource.id);
  return fetchEvents(client, id).catch((error: unknown) => {
    throw error instanceof PayPalError && error.status === 404
      ? new PaymentNotFoundError(
          'PayPal has no record of the object that the event refers to. Check that clientId and ' +
            'clientSecret belong to the PayPal app and environment that sent the event.',
          { cause: error },
        )
      : error;
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

/** @throws {InvalidPayloadError} if the ID is not safe to use in a URL path. */
function parseObjectId(id: unknown): string {
  if (typeof id !== 'string' || !/^[\w-]{1,255}$/.test(id))
    throw new InvalidPayloadError("The event's object ID is missing or invalid.");
  return id;
}
