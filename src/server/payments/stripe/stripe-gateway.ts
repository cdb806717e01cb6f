import type { IncomingMessage } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import Stripe from 'stripe';
import { filterStripeMethods } from '@donation-form/core/donation';
import { createByteCounter } from '../../lib/response-limit.ts';
import {
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type PaymentRequest,
  type RefusalReason,
} from '../payment-gateway.ts';
import { toStripeUnits } from './amounts.ts';
import { checkStripe } from './check.ts';
import { createCheckoutPayment, isCheckoutSessionId, retrieveCheckoutPayment } from './checkout.ts';
import { fetchStripeHistory, iterateStripePayments } from './list.ts';
import { toIdempotencyKey, toMetadata, toReceiptEmail } from './metadata.ts';
import { EXPAND, toPayment } from './payment.ts';
import { createSubscriptionPayment, METHOD_OPTIONS } from './recurring.ts';
import { receiveStripeWebhook } from './webhook.ts';

export interface StripeGatewayOptions {
  readonly secretKey: string;
  /** Webhook signing secret. If undefined, the gateway rejects all webhooks. */
  readonly webhookSecret?: string | undefined;
  /** Stripe's names for the configured payment methods, such as `card` or `sepa_debit`. */
  readonly methods: readonly string[];
  /** URL of the sandbox that emulates the API. May include a path. */
  readonly apiUrl?: string | undefined;
  /** URL of the sandbox's replacement for Stripe.js, which `runChecks` requests. */
  readonly scriptUrl?: string | undefined;
  /** Defaults to the library's client for Node, with size and time limits for responses. */
  readonly httpClient?: Stripe.HttpClient;
  /** Delay before the Stripe library retries a call, in milliseconds. Defaults to 500. */
  readonly retryDelay?: number;
}

const TIMEOUT = 12_000;
const MAX_RETRIES = 1;

/** Pages in the Stripe Dashboard, by the prefix of an object's ID. */
const DASHBOARD_PAGES: Readonly<Record<string, string>> = { pi: 'payments', sub: 'subscriptions' };

/** The database has the payment intent's ID before the intent is confirmed and any money moves. */
export function createStripeGateway(options: StripeGatewayOptions): PaymentGateway {
  const { secretKey, webhookSecret, methods, apiUrl, scriptUrl, httpClient, retryDelay } = options;
  let portal: Promise<string> | undefined;
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: MAX_RETRIES,
    timeout: TIMEOUT,
    telemetry: false,
    ...(apiUrl === undefined ? { httpClient: createHttpClient() } : toConnectionOptions(apiUrl)),
    ...(httpClient && { httpClient }),
  });
  if (retryDelay !== undefined) stripe.getInitialNetworkRetryDelay = () => retryDelay / 1_000;
  return {
    async createPayment(request) {
      try {
        if (request.token === undefined)
          return await createCheckoutPayment(stripe, request, methods);
        return request.frequency === 'once'
          ? await createSinglePayment(stripe, request, methods)
          : await createSubscriptionPayment(stripe, request, methods);
      } catch (error) {
        throw toNotChargedError(error) ?? error;
      }
    },
    chargePayment: (ids, request) => confirmPayment(stripe, ids, request),
    retrievePayment: (ids) => fetchPayment(stripe, ids),
    cancelPayment: (ids) => endPayment(stripe, ids),
    iteratePayments: (from, to) => iterateStripePayments(stripe, from, to),
    listEvents: (paymentId) => fetchStripeHistory(stripe, paymentId),
    verifyAndFetchEvents: (body, headers) =>
      receiveStripeWebhook(stripe, webhookSecret, body, headers),
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
      getDashboardUrl(id: string) {
        const page = DASHBOARD_PAGES[id.slice(0, id.indexOf('_'))];
        const mode = /^[rs]k_test_/.test(secretKey) ? 'test/' : '';
        return page && `https://dashboard.stripe.com/${mode}${page}/${id}`;
      },
    }),
    getPortalUrl: () =>
      (portal ??= providePortalUrl(stripe).catch((error: unknown) => {
        portal = undefined;
        throw error;
      })),
  };
}

async function createSinglePayment(
  stripe: Stripe,
  request: PaymentRequest,
  methods: readonly string[],
): Promise<Payment> {
  const { reference, total, currency, description } = request;
  return toPayment(
    await stripe.paymentIntents.create(
      {
        amount: toStripeUnits(total, currency),
        currency: currency.toLowerCase(),
        allowed_payment_method_types: filterStripeMethods(methods, currency, false),
        payment_method_options: METHOD_OPTIONS,
        metadata: toMetadata(reference),
        description,
        ...toReceiptEmail(request),
      },
      { idempotencyKey: toIdempotencyKey(reference) },
    ),
  );
}

async function confirmPayment(
  stripe: Stripe,
  ids: PaymentIds,
  { token, returnUrl }: PaymentRequest,
): Promise<Payment> {
  if (token === undefined) throw new NotChargedError('cannot confirm a payment without a token');
  // Cancels a declined intent, because anyone who has its client secret could confirm it again.
  const cancelFailedPayment = async (payment: Payment): Promise<Payment> =>
    payment.status === 'failed' ? endPayment(stripe, payment) : payment;
  try {
    const intent = await stripe.paymentIntents.confirm(ids.paymentId, {
      confirmation_token: token,
      expand: EXPAND,
      ...(returnUrl !== undefined && { return_url: returnUrl }),
    });
    return await cancelFailedPayment(toPayment(intent, ids.subscriptionId));
  } catch (error) {
    if (!isRejection(error)) throw error;
    if (
      error.code !== 'payment_intent_unexpected_state' &&
      !(error instanceof Stripe.errors.StripeCardError)
    )
      throw new NotChargedError(describeRejection(error), {
        cause: error,
        isTokenUnusable: isTokenUnusable(error),
      });
    return cancelFailedPayment(await fetchPayment(stripe, ids));
  }
}

async function fetchPayment(stripe: Stripe, { paymentId, subscriptionId }: PaymentIds) {
  if (isCheckoutSessionId(paymentId)) return retrieveCheckoutPayment(stripe, paymentId);
  return toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPAND }),
    subscriptionId,
  );
}

async function endPayment(stripe: Stripe, ids: PaymentIds): Promise<Payment> {
  // Stripe rejects the cancellation of a payment that has ended. Fetch its status in either case.
  await requestCancellation(stripe, ids).catch(ignoreStateError);
  return fetchPayment(stripe, ids);
}

function requestCancellation(stripe: Stripe, { paymentId, subscriptionId }: PaymentIds) {
  if (isCheckoutSessionId(paymentId)) return stripe.checkout.sessions.expire(paymentId);
  return subscriptionId === undefined
    ? stripe.paymentIntents.cancel(paymentId)
    : cancelUnpaidSubscription(stripe, paymentId, subscriptionId);
}

/** Cancels a subscription and voids its first invoice, unless the first payment was charged. */
async function cancelUnpaidSubscription(stripe: Stripe, paymentId: string, subscriptionId: string) {
  const { status } = await stripe.paymentIntents.retrieve(paymentId);
  if (status === 'succeeded' || status === 'processing') return;
  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId, {
    expand: ['latest_invoice'],
  });
  await stripe.subscriptions.cancel(subscriptionId).catch(ignoreStateError);
  if (typeof invoice === 'object' && invoice?.status === 'open')
    await stripe.invoices.voidInvoice(invoice.id).catch(ignoreStateError);
}

const PORTAL_METADATA = { donation_form: 'manage' } as const;

/** Uses a login page, which emails donors a sign-in link. */
async function providePortalUrl(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const withLoginPage = data.filter(({ login_page: page }) => page.enabled);
  const { login_page: page } =
    withLoginPage.find((configuration) => configuration.is_default) ??
    withLoginPage.find(
      ({ metadata }) => metadata?.donation_form === PORTAL_METADATA.donation_form,
    ) ??
    (await stripe.billingPortal.configurations.create({
      login_page: { enabled: true },
      metadata: PORTAL_METADATA,
      features: {
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'immediately' },
        invoice_history: { enabled: true },
      },
    }));
  if (page.url === null)
    throw new Error(
      'the Stripe customer portal has no login page; enable it in the Stripe Dashboard',
    );
  return page.url;
}

const REFUSAL_REASONS: Readonly<Record<string, RefusalReason>> = {
  email_invalid: 'email-invalid',
  amount_too_small: 'amount-too-small',
  amount_too_large: 'amount-too-large',
};

/** Returns `undefined` for an error that the donor cannot correct. */
function toNotChargedError(error: unknown): NotChargedError | undefined {
  const { code = '' } = error as Partial<Stripe.errors.StripeError>;
  const reason = REFUSAL_REASONS[code];
  return (
    reason && new NotChargedError(`Stripe rejected the payment (${code})`, { cause: error, reason })
  );
}

/** Returns true if Stripe did not carry out the call. */
function isRejection(error: unknown): error is Stripe.errors.StripeError {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.statusCode !== undefined &&
    error.statusCode < 500 &&
    error.statusCode !== 409
  );
}

/** Anyone can make up tokens, so an unknown or used token is not Stripe's failure. */
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

/** Ignores an error that means that the object's state does not allow the call. @throws others. */
function ignoreStateError(error: unknown): void {
  if (
    !(error instanceof Stripe.errors.StripeInvalidRequestError) ||
    ![400, 404].includes(error.statusCode ?? 0)
  )
    throw error;
}

function toConnectionOptions(apiUrl: string) {
  const { hostname, port, protocol, path } = urlToHttpOptions(new URL(apiUrl));
  return {
    host: hostname!,
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    ...(port && { port: Number(port) }),
    httpClient: createHttpClient(path!.replace(/\/$/, '')),
  };
}

/**
 * Creates the HTTP client with a size limit and a time limit for responses, which the library
 * lacks.
 * @param basePath prefix for all paths, for which the library has no option.
 */
function createHttpClient(basePath = ''): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (host, port, path, ...request) => {
    const response = await makeRequest(host, port, basePath + path, ...request);
    const timeout = request.at(-1) as number;
    const readJson = response.toJSON.bind(response);
    response.toJSON = () => {
      // Set the limits after the library has added its listeners, so that it reports the error.
      const json = readJson();
      limitBody(response.getRawResponse() as IncomingMessage, timeout);
      return json;
    };
    return response;
  };
  return client;
}

function limitBody(body: IncomingMessage, timeout: number): void {
  const count = createByteCounter();
  const timer = setTimeout(() => {
    body.destroy(new Error(`the response took longer than ${timeout} ms`));
  }, timeout);
  body.once('close', () => clearTimeout(timer));
  body.on('data', (chunk: string) => {
    try {
      count({ byteLength: Buffer.byteLength(chunk) });
    } catch (error) {
      body.destroy(error as Error);
    }
  });
}
