import type Stripe from 'stripe';
import { filterStripeMethods } from '@donation-form/core/donation';
import type { PaymentRequest, Payment } from '../payment-gateway.ts';
import { toStripeUnits, fromStripeUnits } from './amounts.ts';
import { getCheckoutLocale } from './locales.ts';
import { toIdempotencyKey, toMetadata } from './metadata.ts';
import { getSubscriptionMethods, METHOD_OPTIONS } from './methods.ts';
import { getObjectId } from './object-id.ts';
import { EXPAND, toPayment } from './payment.ts';
import { getProductId, toStripeInterval, getInvoicePaymentId } from './recurring.ts';

export function isCheckoutSessionId(paymentId: string): boolean {
  return paymentId.startsWith('cs_');
}

/** Creates a Stripe Checkout session for a form that cannot show the payment field. */
export async function createCheckoutPayment(
  stripe: Stripe,
  {
    reference,
    total,
    currency,
    frequency,
    donor,
    description,
    language,
    receiptSender,
    returnUrl,
  }: PaymentRequest,
  methods: readonly string[],
): Promise<Payment> {
  if (returnUrl === undefined) throw new Error('Stripe Checkout requires a return URL');
  const recurring = toStripeInterval(frequency);
  const metadata = toMetadata(reference);
  const shared = { metadata, description };
  return sessionToPayment(
    await stripe.checkout.sessions.create(
      {
        client_reference_id: reference,
        metadata,
        success_url: returnUrl,
        cancel_url: returnUrl,
        locale: getCheckoutLocale(language),
        // Prevents Stripe from charging a different currency or amount than the form showed.
        adaptive_pricing: { enabled: false },
        allowed_payment_method_types: recurring
          ? getSubscriptionMethods(methods, currency)
          : filterStripeMethods(methods, currency, false),
        payment_method_options: METHOD_OPTIONS,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: currency.toLowerCase(),
              unit_amount: toStripeUnits(total, currency),
              product: await getProductId(stripe),
              ...(recurring && { recurring }),
            },
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
                ...(receiptSender === 'processor' &&
                  donor.email !== undefined && { receipt_email: donor.email }),
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

function sessionToPayment({
  id,
  status,
  url,
  amount_total: amount,
  currency,
}: Stripe.Checkout.Session): Payment {
  return {
    paymentId: id,
    ...fromStripeUnits(amount ?? 0, currency ?? ''),
    ...toPaymentStatus(status, url),
  };
}

function toPaymentStatus(
  status: Stripe.Checkout.Session['status'],
  url: string | null,
): Pick<Payment, 'status' | 'reason' | 'action'> {
  if (status === 'open' && url !== null)
    return { status: 'requires_action', action: { kind: 'redirect', url } };
  if (status === 'complete') return { status: 'processing' };
  return { status: 'failed', reason: 'not-confirmed' };
}
