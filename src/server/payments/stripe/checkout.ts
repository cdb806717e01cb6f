import type Stripe from 'stripe';
import type { PaymentRequest, Payment } from '../payment-gateway.ts';
import { chargeOf, giftAmount } from './amounts.ts';
import { fitting } from './methods.ts';
import { EXPANDED, toPayment } from './payment.ts';
import { ensureProduct, intervalOf, paymentOfInvoice } from './recurring.ts';

export function isSession(paymentId: string): boolean {
  return paymentId.startsWith('cs_');
}

/** Opens Stripe's own page for a gift: for forms that cannot show the payment field. */
export async function beginOnPage(
  stripe: Stripe,
  {
    reference,
    total,
    currency,
    frequency,
    donor,
    description,
    wantsReceipt,
    returnUrl,
  }: PaymentRequest,
  methods: readonly string[],
): Promise<Payment> {
  if (returnUrl === undefined)
    throw new Error('the page of the processor needs an address to come back to');
  const recurring = intervalOf(frequency);
  const about = { metadata: { reference }, description };
  return toPagePayment(
    await stripe.checkout.sessions.create(
      {
        client_reference_id: reference,
        metadata: { reference },
        success_url: returnUrl,
        cancel_url: returnUrl,
        allowed_payment_method_types: fitting(methods, currency),
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: currency.toLowerCase(),
              unit_amount: chargeOf(total, currency),
              product: await ensureProduct(stripe),
              ...(recurring && { recurring }),
            },
          },
        ],
        ...(donor.email !== undefined && { customer_email: donor.email }),
        ...(recurring
          ? { mode: 'subscription', subscription_data: about }
          : {
              mode: 'payment',
              submit_type: 'donate',
              payment_intent_data: {
                ...about,
                ...(wantsReceipt && donor.email !== undefined && { receipt_email: donor.email }),
              },
            }),
      },
      { idempotencyKey: reference },
    ),
  );
}

export async function statusOfPage(stripe: Stripe, sessionId: string): Promise<Payment> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['invoice.payments'],
  });
  const paymentId = idOf(session.payment_intent) ?? paymentOfInvoice(session.invoice);
  if (session.status !== 'complete' || paymentId === undefined) return toPagePayment(session);
  return toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPANDED }),
    idOf(session.subscription),
  );
}

function toPagePayment({
  id,
  status,
  url,
  amount_total: amount,
  currency,
}: Stripe.Checkout.Session): Payment {
  return {
    paymentId: id,
    ...giftAmount(amount ?? 0, currency ?? ''),
    ...(status === 'open' && url !== null
      ? { state: 'action', action: { kind: 'redirect', url } }
      : { state: status === 'complete' ? 'pending' : 'canceled' }),
  };
}

function idOf(object: string | { readonly id: string } | null): string | undefined {
  return typeof object === 'object' ? object?.id : object;
}
