import {
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type RefusalReason,
} from '../payment-gateway.ts';
import { checkPayPal } from './check.ts';
import { PayPalClient, type PayPalClientOptions, PayPalError } from './client.ts';
import { fetchPayPalHistory, iteratePayPalPayments } from './list.ts';
import {
  captureOrder,
  captureToPayment,
  createOrder,
  fetchCapture,
  getOrderId,
  retrieveOrder,
} from './orders.ts';
import { PlanRegistry } from './plans.ts';
import {
  activateSubscription,
  cancelDeclinedSubscription,
  createSubscription,
  retrieveFirstPayment,
  retrieveSale,
} from './subscriptions.ts';
import { fetchWebhookEvents } from './webhook.ts';
import { SignatureVerifier } from './webhook-signature.ts';

export interface PayPalGatewayOptions extends PayPalClientOptions {
  /** If undefined, the gateway rejects all webhooks. */
  readonly webhookId?: string | undefined;
}

/** Mistakes that the donor can correct, by issue code. */
const REFUSAL_REASONS: Readonly<Record<string, RefusalReason>> = {
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount-too-small',
  MAX_VALUE_EXCEEDED: 'amount-too-large',
};

const WEBSITE_URLS = {
  live: 'https://www.paypal.com',
  sandbox: 'https://www.sandbox.paypal.com',
} as const;

/**
 * Path of the "Automatic payments" page, on which donors cancel subscriptions and choose another
 * card. PayPal's help describes the way to it, but not its URL, which is in common use.
 * @see https://www.paypal.com/us/smarthelp/article/faq2254
 */
const PORTAL_PATH = '/myaccount/autopay';

/** The server captures an order or activates a subscription that the donor has approved. */
export function createPayPalGateway(options: PayPalGatewayOptions): PaymentGateway {
  const { apiUrl, environment, webhookId } = options;
  const client = new PayPalClient(options);
  const verifier = new SignatureVerifier(options);
  const plans = new PlanRegistry(client);

  const fetchPayment = async ({ paymentId, subscriptionId }: PaymentIds): Promise<Payment> => {
    const orderId = getOrderId(paymentId);
    if (orderId !== undefined) return retrieveOrder(client, orderId);
    if (subscriptionId === undefined)
      return captureToPayment(await fetchCapture(client, paymentId));
    return paymentId === subscriptionId
      ? retrieveFirstPayment(client, subscriptionId)
      : retrieveSale(client, paymentId);
  };

  /** Cancels a declined subscription, because PayPal would charge it again. */
  const cancelDeclinedPayment = async (payment: Payment, ids: PaymentIds): Promise<Payment> => {
    if (payment.reason !== 'card-declined' || ids.subscriptionId === undefined) return payment;
    await cancelDeclinedSubscription(client, ids.subscriptionId);
    // PayPal may have charged the donor before the cancellation.
    return fetchPayment(ids);
  };

  return {
    async createPayment(request) {
      if (request.token !== undefined)
        throw new NotChargedError('PayPal does not accept a token from a payment field');
      try {
        return request.frequency === 'once'
          ? await createOrder(client, request)
          : await createSubscription(client, plans, request);
      } catch (error) {
        throw toNotChargedError(error) ?? error;
      }
    },
    async chargePayment(ids, { reference }) {
      const orderId = getOrderId(ids.paymentId);
      if (orderId !== undefined) return captureOrder(client, orderId, reference);
      return ids.paymentId === ids.subscriptionId
        ? cancelDeclinedPayment(await activateSubscription(client, ids.subscriptionId), ids)
        : fetchPayment(ids);
    },
    retrievePayment: fetchPayment,
    /** PayPal moves no money unless the server captures or activates, which it no longer does. */
    async cancelPayment(ids) {
      const payment = await cancelDeclinedPayment(await fetchPayment(ids), ids);
      return payment.status === 'requires_action' || payment.status === 'approved'
        ? { ...ids, status: 'failed', reason: 'not-confirmed' }
        : payment;
    },
    async verifyAndFetchEvents(body, headers, context) {
      await verifier.verifyWebhook(body, headers, webhookId, context);
      return fetchWebhookEvents(client, body);
    },
    getPortalUrl: () =>
      Promise.resolve((apiUrl?.replace(/\/$/, '') ?? WEBSITE_URLS[environment]) + PORTAL_PATH),
    // The sandbox that emulates PayPal has no dashboard.
    ...(apiUrl === undefined && {
      getDashboardUrl: (id: string) => buildDashboardUrl(id, WEBSITE_URLS[environment]),
    }),
    iteratePayments: (from, to) => iteratePayPalPayments(client, from, to),
    listEvents: (paymentId) => fetchPayPalHistory(client, paymentId),
    runChecks: (subject) => checkPayPal(client, environment, webhookId, subject),
  };
}

/** PayPal does not document these URLs, but they are in common use. */
function buildDashboardUrl(id: string, website: string): string | undefined {
  if (getOrderId(id) !== undefined) return undefined;
  return `${website}/${id.startsWith('I-') ? 'billing/subscriptions' : 'activity/payment'}/${id}`;
}

/** Returns `undefined` unless PayPal rejected the payment. */
function toNotChargedError(error: unknown): NotChargedError | undefined {
  if (!(error instanceof PayPalError) || !error.isRejection) return undefined;
  const reason = error.issues.map((issue) => REFUSAL_REASONS[issue]).find(Boolean);
  return new NotChargedError(`PayPal rejected the payment (${error.code})`, {
    cause: error,
    ...(reason && { reason }),
  });
}
