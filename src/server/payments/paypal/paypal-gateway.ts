import {
  NotChargedError,
  type Payment,
  type PaymentEvent,
  type PaymentGateway,
  type PaymentIds,
  type PaymentRequest,
  type RefusalReason,
} from '../payment-gateway.ts';
import { fetchCapture } from './captures.ts';
import { checkPayPal } from './check.ts';
import { PayPalClient, PayPalError, type PayPalClientOptions } from './client.ts';
import { fetchPaymentHistory, iteratePayments } from './list.ts';
import {
  captureOrder,
  captureToPayment,
  createOrder,
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
import { SignatureVerifier } from './webhook-signature.ts';
import { verifyAndFetchEvents } from './webhook.ts';

export interface PayPalGatewayOptions extends PayPalClientOptions {
  /** ID of the webhook in PayPal. If undefined, the gateway rejects all webhooks. */
  readonly webhookId?: string | undefined;
}

/** Mistakes that the donor can correct, keyed by PayPal's issue code. */
const REFUSAL_REASONS: Readonly<Record<string, RefusalReason>> = {
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount-too-small',
  MAX_VALUE_EXCEEDED: 'amount-too-large',
};

/** PayPal's websites, where donors sign in. */
const WEBSITE_URLS = {
  live: 'https://www.paypal.com',
  sandbox: 'https://www.sandbox.paypal.com',
} as const;

/**
 * Path of the "Automatic payments" page, on which donors cancel subscriptions and choose another
 * card. PayPal's help describes how to open the page under Settings > Payments > Manage automatic
 * payments. PayPal does not document the page's URL, but the URL is in common use.
 * @see https://www.paypal.com/us/smarthelp/article/faq2254
 */
const PORTAL_PATH = '/myaccount/autopay';

/**
 * Creates the gateway to PayPal. A one-time donation is an order: the donor approves the order on
 * PayPal's page, and the server captures it. A recurring donation is a subscription: the donor
 * approves the subscription, and the server activates it.
 */
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

  /**
   * If a recurring donation's first payment was declined, cancels the subscription. Otherwise,
   * PayPal would retry the charge or charge renewals.
   */
  const cancelDeclinedPayment = async (payment: Payment, ids: PaymentIds): Promise<Payment> => {
    if (payment.reason !== 'card-declined' || ids.subscriptionId === undefined) return payment;
    await cancelDeclinedSubscription(client, ids.subscriptionId);
    // PayPal may have charged the donor before the cancellation.
    return fetchPayment(ids);
  };

  return {
    async createPayment(request: PaymentRequest): Promise<Payment> {
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
    async chargePayment(ids: PaymentIds, { reference }: PaymentRequest): Promise<Payment> {
      const orderId = getOrderId(ids.paymentId);
      if (orderId !== undefined) return captureOrder(client, orderId, reference);
      return ids.paymentId === ids.subscriptionId
        ? cancelDeclinedPayment(await activateSubscription(client, ids.subscriptionId), ids)
        : fetchPayment(ids);
    },
    retrievePayment: fetchPayment,
    /**
     * PayPal cannot cancel an order or subscription that is waiting for the donor. However, PayPal
     * moves no money unless the server captures the order or activates the subscription. After this
     * call, the server does neither.
     */
    async cancelPayment(ids: PaymentIds): Promise<Payment> {
      const payment = await cancelDeclinedPayment(await fetchPayment(ids), ids);
      return payment.status === 'requires_action' || payment.status === 'approved'
        ? { ...ids, status: 'failed', reason: 'not-confirmed' }
        : payment;
    },
    verifyAndFetchEvents: (body, headers, context): Promise<readonly PaymentEvent[]> =>
      verifyAndFetchEvents({ client, verifier, webhookId, context }, body, headers),
    getPortalUrl: () =>
      Promise.resolve((apiUrl?.replace(/\/$/, '') ?? WEBSITE_URLS[environment]) + PORTAL_PATH),
    // The sandbox that emulates PayPal has no dashboard.
    ...(apiUrl === undefined && {
      getDashboardUrl: (id: string) => buildDashboardUrl(id, WEBSITE_URLS[environment]),
    }),
    iteratePayments: (from: Date, to: Date) => iteratePayments(client, from, to),
    listEvents: (paymentId: string) => fetchPaymentHistory(client, paymentId),
    runChecks: ({ webhookPath }) => checkPayPal(client, { environment, webhookId, webhookPath }),
  };
}

/**
 * Returns the URL of a captured payment or subscription on PayPal's website. PayPal does not
 * document these URLs, but they are in common use.
 */
function buildDashboardUrl(id: string, website: string): string | undefined {
  if (getOrderId(id) !== undefined) return undefined;
  return `${website}/${id.startsWith('I-') ? 'billing/subscriptions' : 'activity/payment'}/${id}`;
}

/**
 * Converts PayPal's rejection of a new payment to a {@link NotChargedError}. Returns `undefined`
 * for any other error.
 */
function toNotChargedError(error: unknown): NotChargedError | undefined {
  if (!(error instanceof PayPalError) || !error.isRejection) return undefined;
  const reason = error.issues.map((issue) => REFUSAL_REASONS[issue]).find(Boolean);
  return new NotChargedError(`PayPal rejected the payment (${error.code})`, {
    cause: error,
    ...(reason && { reason }),
  });
}
