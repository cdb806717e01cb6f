import type Stripe from 'stripe';
import type { DonationFrequency } from '@donation-form/core/donation';
import type { PaymentRequest, Payment } from '../payment-gateway.ts';
import { toStripeUnits } from './amounts.ts';
import { filterMethodsByCurrency } from './methods.ts';
import { EXPAND, toPayment } from './payment.ts';

type Recurring = Stripe.SubscriptionCreateParams.Item.PriceData.Recurring;

const INTERVALS: Readonly<Record<Exclude<DonationFrequency, 'once'>, Recurring>> = {
  weekly: { interval: 'week' },
  everyOtherWeek: { interval: 'week', interval_count: 2 },
  monthly: { interval: 'month' },
  quarterly: { interval: 'month', interval_count: 3 },
  biannual: { interval: 'month', interval_count: 6 },
  annually: { interval: 'year' },
};

export function getInterval(frequency: DonationFrequency): Recurring | undefined {
  return frequency === 'once' ? undefined : INTERVALS[frequency];
}

/** Prices require a product. All donations of an account share this one. */
const PRODUCT = { id: 'donation-form-gift', name: 'Donation' } as const;

/** Creates a subscription with an unpaid first invoice, whose payment intent is to be confirmed. */
export async function createSubscriptionPayment(
  stripe: Stripe,
  { reference, total, currency, frequency, donor, description, language }: PaymentRequest,
  methods: readonly string[],
): Promise<Payment> {
  await ensureProduct(stripe);
  const customer = await stripe.customers.create(
    {
      name: donor.name,
      metadata: { reference },
      preferred_locales: [language],
      ...(donor.email !== undefined && { email: donor.email }),
    },
    { idempotencyKey: `${reference} customer` },
  );
  const subscription = await stripe.subscriptions.create(
    {
      customer: customer.id,
      description,
      metadata: { reference },
      payment_behavior: 'default_incomplete',
      items: [
        {
          price_data: {
            currency: currency.toLowerCase(),
            product: PRODUCT.id,
            unit_amount: toStripeUnits(total, currency),
            recurring: getInterval(frequency)!,
          },
        },
      ],
      payment_settings: {
        save_default_payment_method: 'on_subscription',
        payment_method_types: filterMethodsByCurrency(methods, currency),
      },
      expand: ['latest_invoice.payments'],
    },
    { idempotencyKey: reference },
  );
  const paymentId = getInvoicePaymentId(subscription.latest_invoice);
  if (paymentId === undefined)
    throw new Error(`subscription ${subscription.id} has no payment to confirm`);
  return toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPAND }),
    subscription.id,
  );
}

/** Returns the id of an invoice's payment intent. The invoice's `payments` must be expanded. */
export function getInvoicePaymentId(invoice: Stripe.Invoice | string | null): string | undefined {
  const intent =
    typeof invoice === 'object'
      ? invoice?.payments?.data.find(({ status }) => status !== 'canceled')?.payment.payment_intent
      : undefined;
  return typeof intent === 'object' ? intent.id : intent;
}

/** Creates the product if the account does not have it. Calls Stripe once per process. */
export function ensureProduct(stripe: Stripe): Promise<string> {
  const product =
    products.get(stripe) ??
    stripe.products.create(PRODUCT).then(
      ({ id }) => id,
      (error: unknown) => {
        if ((error as Stripe.errors.StripeError).code === 'resource_already_exists')
          return PRODUCT.id;
        products.delete(stripe);
        throw error;
      },
    );
  products.set(stripe, product);
  return product;
}

const products = new WeakMap<Stripe, Promise<string>>();
