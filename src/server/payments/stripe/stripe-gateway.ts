import { urlToHttpOptions } from 'node:url';
import Stripe from 'stripe';
import { filterStripeMethods } from '@donation-form/core/donation';
import {
  NotChargedError,
  type PaymentRequest,
  type PaymentEvent,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type RefusalReason,
} from '../payment-gateway.ts';
import { toStripeUnits } from './amounts.ts';
import { checkStripe } from './check.ts';
import { buildDashboardUrl } from './dashboard.ts';
import { createHttpClient } from './http-client.ts';
import { toIdempotencyKey, toMetadata } from './metadata.ts';
import { METHOD_OPTIONS } from './methods.ts';
import { createCheckoutPayment, isCheckoutSessionId, retrieveCheckoutPayment } from './checkout.ts';
import { iteratePayments, fetchPaymentHistory } from './list.ts';
import { EXPAND, toPayment } from './payment.ts';
import { providePortalUrl } from './portal.ts';
import { createSubscriptionPayment } from './recurring.ts';
import { verifyAndFetchEvents } from './webhook.ts';

export interface StripeGatewayOptions {
  readonly secretKey: string;
  /** Webhook signing secret. If undefined, the gateway rejects all webhooks. */
  readonly webhookSecret?: string | undefined;
  /** Stripe's names for the configured payment methods, such as `card` or `sepa_debit`. */
  readonly methods: readonly string[];
  /** URL of the sandbox that emulates the API. May include a path. */
  readonly apiUrl?: string | undefined;
  /**
   * URL of the sandbox's replacement for Stripe.js, which {@link PaymentGateway.runChecks}
   * requests.
   */
  readonly scriptUrl?: string | undefined;
  /**
   * HTTP client. Defaults to the Stripe library's client for Node, with size and time limits for
   * responses.
   */
  readonly httpClient?: Stripe.HttpClient;
  /** Delay before the Stripe library retries a call, in milliseconds. Defaults to 500. */
  readonly retryDelay?: number;
}

/** Timeout for one attempt by the Stripe library, in milliseconds. */
const TIMEOUT = 12_000;
/** Number of retries by the Stripe library after a failed attempt. */
const MAX_RETRIES = 1;

/**
 * Creates the gateway to Stripe. Each donation has one payment intent. The server creates the
 * intent before confirming it, so the database has the intent's ID before any money moves. A
 * recurring donation is a subscription with its own price, and the payment intent belongs to the
 * subscription's first invoice.
 */
export function createStripeGateway({
  secretKey,
  webhookSecret,
  methods,
  apiUrl,
  scriptUrl,
  httpClient,
  retryDelay,
}: StripeGatewayOptions): PaymentGateway {
  let portal: Promise<string> | undefined;
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: MAX_RETRIES,
    timeout: TIMEOUT,
    telemetry: false,
    ...(apiUrl === undefined ? { httpClient: createHttpClient() } : toConnectionOptions(apiUrl)),
    ...(httpClient && { httpClient }),
  });
  if (retryDelay !== undefined) stripe.getInitialNetworkRetryDelay = () => retryDelay / 1_000;

  async function createSinglePayment({
    reference,
    total,
    currency,
    description,
    donor,
    receiptSender,
  }: PaymentRequest): Promise<Payment> {
    return toPayment(
      await stripe.paymentIntents.create(
        {
          amount: toStripeUnits(total, currency),
          currency: currency.toLowerCase(),
          allowed_payment_method_types: filterStripeMethods(methods, currency, false),
          payment_method_options: METHOD_OPTIONS,
          metadata: toMetadata(reference),
          description,
          ...(receiptSender === 'processor' &&
            donor.email !== undefined && { receipt_email: donor.email }),
        },
        { idempotencyKey: toIdempotencyKey(reference) },
      ),
    );
  }

  async function fetchPayment({ paymentId, subscriptionId }: PaymentIds): Promise<Payment> {
    if (isCheckoutSessionId(paymentId)) return retrieveCheckoutPayment(stripe, paymentId);
    return toPayment(
      await stripe.paymentIntents.retrieve(paymentId, { expand: EXPAND }),
      subscriptionId,
    );
  }

  async function endPayment(ids: PaymentIds): Promise<Payment> {
    // Stripe rejects the cancellation of a payment that has ended. Fetch the current status in
    // either case.
    await requestCancellation(ids).catch(ignoreStateError);
    return fetchPayment(ids);
  }

  function requestCancellation({ paymentId, subscriptionId }: PaymentIds): Promise<unknown> {
    if (isCheckoutSessionId(paymentId)) return stripe.checkout.sessions.expire(paymentId);
    return subscriptionId === undefined
      ? stripe.paymentIntents.cancel(paymentId)
      : cancelUnpaidSubscription(paymentId, subscriptionId);
  }

  /** Cancels a subscription and voids its first invoice, unless the first payment was charged. */
  async function cancelUnpaidSubscription(
    paymentId: string,
    subscriptionId: string,
  ): Promise<void> {
    if (
      ['succeeded', 'processing'].includes((await stripe.paymentIntents.retrieve(paymentId)).status)
    )
      return;
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId, {
      expand: ['latest_invoice'],
    });
    await stripe.subscriptions.cancel(subscriptionId).catch(ignoreStateError);
    if (typeof invoice === 'object' && invoice?.status === 'open')
      await stripe.invoices.voidInvoice(invoice.id).catch(ignoreStateError);
  }

  /** Cancels a declined intent, because anyone who has its client secret could confirm it again. */
  const cancelFailedPayment = async (payment: Payment): Promise<Payment> =>
    payment.status === 'failed' ? endPayment(payment) : payment;

  return {
    async createPayment(request: PaymentRequest): Promise<Payment> {
      try {
        if (request.token === undefined)
          return await createCheckoutPayment(stripe, request, methods);
        return request.frequency === 'once'
          ? await createSinglePayment(request)
          : await createSubscriptionPayment(stripe, request, methods);
      } catch (error) {
        throw toNotChargedError(error) ?? error;
      }
    },
    async chargePayment(ids: PaymentIds, { token, returnUrl }: PaymentRequest): Promise<Payment> {
      if (token === undefined)
        throw new NotChargedError('cannot confirm a payment without a token');
      try {
        const intent = await stripe.paymentIntents.confirm(ids.paymentId, {
          confirmation_token: token,
          expand: EXPAND,
          ...(returnUrl !== undefined && { return_url: returnUrl }),
        });
        return await cancelFailedPayment(toPayment(intent, ids.subscriptionId));
      } catch (error) {
        if (
          isRejection(error) &&
          error.code !== 'payment_intent_unexpected_state' &&
          !(error instanceof Stripe.errors.StripeCardError)
        )
          throw new NotChargedError(describeRejection(error), {
            cause: error,
            isTokenUnusable: isTokenUnusable(error),
          });
        if (isRejection(error)) return cancelFailedPayment(await fetchPayment(ids));
        throw error;
      }
    },
    retrievePayment: fetchPayment,
    cancelPayment: endPayment,
    iteratePayments: (from: Date, to: Date) => iteratePayments(stripe, from, to),
    listEvents: (paymentId: string) => fetchPaymentHistory(stripe, paymentId),
    verifyAndFetchEvents: (body: string, headers: Headers): Promise<readonly PaymentEvent[]> =>
      verifyAndFetchEvents(stripe, webhookSecret, body, headers),
    runChecks: (subject) =>
      checkStripe(stripe, {
        ...subject,
        secretKey,
        methods,
        scriptUrl,
        hasWebhookSecret: webhookSecret !== undefined,
      }),
    // The sandbox has no dashboard.
    ...(apiUrl === undefined && {
      getDashboardUrl: (id: string) => buildDashboardUrl(id, /^[rs]k_test_/.test(secretKey)),
    }),
    getPortalUrl: () =>
      (portal ??= providePortalUrl(stripe).catch((error: unknown) => {
        portal = undefined;
        throw error;
      })),
  };
}

/** Mistakes that the donor can correct, keyed by Stripe's error code. */
const REFUSAL_REASONS: Readonly<Record<string, RefusalReason>> = {
  email_invalid: 'email-invalid',
  amount_too_small: 'amount-too-small',
  amount_too_large: 'amount-too-large',
};

/**
 * Converts an error that the donor can correct to a {@link NotChargedError}. Returns `undefined`
 * for any other error.
 */
function toNotChargedError(error: unknown): NotChargedError | undefined {
  const { code = '' } = error as Partial<Stripe.errors.StripeError>;
  const reason = REFUSAL_REASONS[code];
  return (
    reason && new NotChargedError(`Stripe rejected the payment (${code})`, { cause: error, reason })
  );
}

/** Returns true for an error response that means that Stripe did not carry out the call. */
function isRejection(error: unknown): error is Stripe.errors.StripeError {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.statusCode !== undefined &&
    error.statusCode < 500 &&
    error.statusCode !== 409
  );
}

/**
 * Returns true if the token is unknown or already used, which is not Stripe's failure: anyone can make
 * up tokens. A token of the other mode is unknown, too, but the server starts only if the modes of
 * both keys are equal.
 */
function isTokenUnusable({ code = '', param }: Stripe.errors.StripeError): boolean {
  return (
    param === 'confirmation_token' && ['token_already_used', 'resource_missing'].includes(code)
  );
}

function describeRejection(error: Stripe.errors.StripeError): string {
  const isUnknown = error.code === 'resource_missing' && isTokenUnusable(error);
  return (
    `Stripe rejected the charge (${error.code ?? error.type})` +
    (isUnknown
      ? ': the token is unknown. If this happens to all donations, use a publicKey and a secretKey ' +
        'of the same account'
      : '')
  );
}

/**
 * Ignores an error that means that the object's current state does not allow the call.
 * @throws any other error.
 */
function ignoreStateError(error: unknown): void {
  if (
    !(error instanceof Stripe.errors.StripeInvalidRequestError) ||
    ![400, 404].includes(error.statusCode ?? 0)
  )
    throw error;
}

function toConnectionOptions(
  apiUrl: string,
): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol' | 'httpClient'> {
  const { hostname, port, protocol, path } = urlToHttpOptions(new URL(apiUrl));
  return {
    host: hostname!,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port && { port: Number(port) }),
    httpClient: createHttpClient(path!.replace(/\/$/, '')),
  };
}
