import type Stripe from 'stripe';
import { filterStripeMethods } from '@donation-form/core/donation';
import type { Payment, PaymentRequest } from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';
import { toIdempotencyKey, toMetadata, toReceiptEmail } from './metadata.ts';
import { EXPAND, getObjectId, toPayment } from './payment.ts';
import {
  ensureProduct,
  getInvoicePaymentId,
  getSubscriptionMethods,
  METHOD_OPTIONS,
  toPriceData,
  toStripeInterval,
} from './recurring.ts';

type CheckoutLocale = NonNullable<Stripe.Checkout.SessionCreateParams['locale']>;

/** Locales of the form languages that Checkout supports. `auto` uses the browser's language. */
const LOCALES: Readonly<Record<string, CheckoutLocale>> = {
  en: 'en',
  'en-GB': 'en-GB',
  de: 'de',
  es: 'es',
  fr: 'fr',
  hi: 'hi-IN',
  it: 'it',
  ja: 'ja',
  nl: 'nl',
  pl: 'pl',
  'pt-BR': 'pt-BR',
  sv: 'sv',
  tr: 'tr',
  'zh-Hans': 'zh',
};

export function isCheckoutSessionId(paymentId: string): boolean {
  return paymentId.startsWith('cs_');
}

/** Creates a Stripe Checkout session for a form that cannot show the payment field. */
export async function createCheckoutPayment(
  stripe: Stripe,
  request: PaymentRequest,
  methods: readonly string[],
): Promise<Payment> {
  const { reference, total, currency, donor, description, returnUrl } = request;
  if (returnUrl === undefined) throw new Error('Stripe Checkout requires a return URL');
  const recurring = toStripeInterval(request.frequency);
  const metadata = toMetadata(reference);
  const shared = { metadata, description };
  await ensureProduct(stripe);
  return sessionToPayment(
    await stripe.checkout.sessions.create(
      {
        client_reference_id: reference,
        metadata,
        success_url: returnUrl,
        cancel_url: returnUrl,
        locale: LOCALES[request.language] ?? 'auto',
        // Prevents Stripe from charging a different currency or amount than the form showed.
        adaptive_pricing: { enabled: false },
        allowed_payment_method_types: recurring
          ? getSubscriptionMethods(methods, currency)
          : filterStripeMethods(methods, currency, false),
        payment_method_options: METHOD_OPTIONS,
        line_items: [
          {
            quantity: 1,
            price_data: { ...toPriceData(total, currency), ...(recurring && { recurring }) },
          },
        ],
        ...(donor.email !== undefined && { customer_email: donor.email }),
        ...(recurring
          ? { mode: 'subscription', subscription_data: shared }
          : {
              mode: 'payment',
              submit_type: 'donate',
              payment_intent_data: {
                ...shared,
                ...toReceiptEmail(request),
              },
            }),
      },
      { idempotencyKey: toIdempotencyKey(reference) },
    ),
  );
}

export async function retrieveCheckoutPayment(stripe: Stripe, sessionId: string): Promise<Payment> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['invoice.payments'],
  });
  const paymentId = session.payment_intent
    ? getObjectId(session.payment_intent)
    : getInvoicePaymentId(session.invoice);
  if (session.status !== 'complete' || paymentId === undefined) return sessionToPayment(session);
  return toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPAND }),
    session.subscription ? getObjectId(session.subscription) : undefined,
  );
}

function sessionToPayment(session: Stripe.Checkout.Session): Payment {
  const { id, status, url, amount_total: amount, currency } = session;
  const common = { paymentId: id, ...fromStripeUnits(amount ?? 0, currency ?? '') };
  if (status === 'open' && url !== null)
    return { ...common, status: 'requires_action', action: { kind: 'redirect', url } };
  return status === 'complete'
    ? { ...common, status: 'processing' }
    : { ...common, status: 'failed', reason: 'not-confirmed' };
}
