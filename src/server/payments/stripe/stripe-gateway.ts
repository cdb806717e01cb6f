import Stripe from 'stripe';
import {
  NotChargedError,
  type PaymentRequest,
  type PaymentEvent,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
} from '../payment-gateway.ts';
import { chargeOf } from './amounts.ts';
import { checkStripe } from './check.ts';
import { fitting } from './methods.ts';
import { beginOnPage, isSession, statusOfPage } from './checkout.ts';
import { listPayments, tracePayment } from './list.ts';
import { EXPANDED, toPayment } from './payment.ts';
import { createPortalUrl } from './portal.ts';
import { beginRecurring } from './recurring.ts';
import { readWebhook } from './webhook.ts';

export interface StripeGatewayOptions {
  readonly secretKey: string;
  /** Absent: no webhook is believed. */
  readonly webhookSecret?: string | undefined;
  /** Stripe's names of the payment methods, such as `card` or `sepa_debit`. */
  readonly methods: readonly string[];
  /** Where the API is, if not at Stripe's own address. */
  readonly baseUrl?: string | undefined;
  /** Milliseconds before the library repeats a call; its own half second by default. */
  readonly retryDelay?: number;
}

/** Milliseconds for one try of a call, and how often the library repeats it by itself. */
const TIMEOUT = 12_000;
const REPETITIONS = 1;

/**
 * Stripe: one payment intent for each gift, created before it is confirmed, so that its id is in
 * the journal before any money moves.
 * Recurring gifts are subscriptions with a price of their own, of whose first invoice the payment
 * intent is the gift's.
 */
export function stripeGateway({
  secretKey,
  webhookSecret,
  methods,
  baseUrl,
  retryDelay,
}: StripeGatewayOptions): PaymentGateway {
  let portal: Promise<string> | undefined;
  const stripe = new Stripe(secretKey, {
    maxNetworkRetries: REPETITIONS,
    timeout: TIMEOUT,
    telemetry: false,
    ...placeOf(baseUrl),
  });
  if (retryDelay !== undefined) stripe.getInitialNetworkRetryDelay = () => retryDelay / 1_000;

  async function status({ paymentId, subscriptionId }: PaymentIds): Promise<Payment> {
    if (isSession(paymentId)) return statusOfPage(stripe, paymentId);
    return toPayment(
      await stripe.paymentIntents.retrieve(paymentId, { expand: EXPANDED }),
      subscriptionId,
    );
  }

  async function cancel(ids: PaymentIds): Promise<Payment> {
    // What has ended in the meantime cannot be ended, and says so by an error; what it came to is
    // read in any case.
    await end(ids).catch(passOverState);
    return status(ids);
  }

  function end({ paymentId, subscriptionId }: PaymentIds): Promise<unknown> {
    if (isSession(paymentId)) return stripe.checkout.sessions.expire(paymentId);
    return subscriptionId === undefined
      ? stripe.paymentIntents.cancel(paymentId)
      : endUnpaid(paymentId, subscriptionId);
  }

  /**
   * Ends a subscription whose first payment took nothing, whatever Stripe would still try: its
   * invoice can then not be paid any more.
   */
  async function endUnpaid(paymentId: string, subscriptionId: string): Promise<void> {
    if (
      ['succeeded', 'processing'].includes((await stripe.paymentIntents.retrieve(paymentId)).status)
    )
      return;
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscriptionId, {
      expand: ['latest_invoice'],
    });
    await stripe.subscriptions.cancel(subscriptionId).catch(passOverState);
    if (typeof invoice === 'object' && invoice?.status === 'open')
      await stripe.invoices.voidInvoice(invoice.id).catch(passOverState);
  }

  /**
   * A refused intent could be confirmed again by whoever has its secret: it is ended, so that a
   * decline stays one.
   */
  const settled = async (payment: Payment): Promise<Payment> =>
    payment.state === 'declined' || payment.state === 'canceled' ? cancel(payment) : payment;

  return {
    async create(gift: PaymentRequest): Promise<Payment> {
      if (gift.token === undefined) return beginOnPage(stripe, gift, methods);
      if (gift.frequency !== 'once') return beginRecurring(stripe, gift, methods);
      const { reference, total, currency, description, donor, wantsReceipt } = gift;
      return toPayment(
        await stripe.paymentIntents.create(
          {
            amount: chargeOf(total, currency),
            currency: currency.toLowerCase(),
            allowed_payment_method_types: fitting(methods, currency),
            metadata: { reference },
            description,
            ...(wantsReceipt && donor.email !== undefined && { receipt_email: donor.email }),
          },
          { idempotencyKey: reference },
        ),
      );
    },
    async confirm(ids: PaymentIds, { token, returnUrl }: PaymentRequest): Promise<Payment> {
      if (token === undefined)
        throw new NotChargedError('a payment cannot be confirmed without a token');
      try {
        const intent = await stripe.paymentIntents.confirm(ids.paymentId, {
          confirmation_token: token,
          expand: EXPANDED,
          ...(returnUrl !== undefined && { return_url: returnUrl }),
        });
        return await settled(toPayment(intent, ids.subscriptionId));
      } catch (error) {
        if (
          isRefusal(error) &&
          error.code !== 'payment_intent_unexpected_state' &&
          !(error instanceof Stripe.errors.StripeCardError)
        )
          throw new NotChargedError(`Stripe refused to charge (${error.code ?? error.type})`, {
            cause: error,
          });
        if (isRefusal(error)) return settled(await status(ids));
        throw error;
      }
    },
    async retrieve(ids: PaymentIds): Promise<Payment> {
      const payment = await status(ids);
      return isSession(ids.paymentId) ? payment : settled(payment);
    },
    cancel,
    list: (from: Date, to: Date) => listPayments(stripe, from, to),
    listEvents: (paymentId: string) => tracePayment(stripe, paymentId),
    webhook: (body: string, headers: Headers): Promise<readonly PaymentEvent[]> =>
      readWebhook(stripe, webhookSecret, body, headers),
    check: ({ webhookPath }) =>
      checkStripe(stripe, {
        secretKey,
        hasWebhookSecret: webhookSecret !== undefined,
        webhookPath,
      }),
    portalUrl: () =>
      (portal ??= createPortalUrl(stripe).catch((error: unknown) => {
        portal = undefined;
        throw error;
      })),
  };
}

/** Whether Stripe answered that it did not do what was asked. */
function isRefusal(error: unknown): error is Stripe.errors.StripeError {
  return (
    error instanceof Stripe.errors.StripeError &&
    error.statusCode !== undefined &&
    error.statusCode < 500 &&
    error.statusCode !== 409
  );
}

/** Lets a call fail that asks for what the thing's state does not allow, and nothing else. */
function passOverState(error: unknown): void {
  if (
    !(error instanceof Stripe.errors.StripeInvalidRequestError) ||
    ![400, 404].includes(error.statusCode ?? 0)
  )
    throw error;
}

function placeOf(
  baseUrl: string | undefined,
): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (baseUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port && { port: Number(port) }),
  };
}
