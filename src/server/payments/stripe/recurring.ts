import type Stripe from 'stripe';
import type { GiftFrequency } from '@donation-form/core/donation';
import type { PaymentRequest, Payment } from '../payment-gateway.ts';
import { chargeOf } from './amounts.ts';
import { fitting } from './methods.ts';
import { EXPANDED, toPayment } from './payment.ts';

type Recurring = Stripe.SubscriptionCreateParams.Item.PriceData.Recurring;

const INTERVALS: Readonly<Record<Exclude<GiftFrequency, 'once'>, Recurring>> = {
  weekly: { interval: 'week' },
  everyOtherWeek: { interval: 'week', interval_count: 2 },
  monthly: { interval: 'month' },
  quarterly: { interval: 'month', interval_count: 3 },
  biannual: { interval: 'month', interval_count: 6 },
  annually: { interval: 'year' },
};

export function intervalOf(frequency: GiftFrequency): Recurring | undefined {
  return frequency === 'once' ? undefined : INTERVALS[frequency];
}

/** Prices need a product; all gifts of an account share this one. */
const PRODUCT = { id: 'donation-form-gift', name: 'Donation' } as const;

/** Opens a subscription whose first invoice is unpaid: its payment intent is the gift's payment. */
export async function beginRecurring(
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
            unit_amount: chargeOf(total, currency),
            recurring: intervalOf(frequency)!,
          },
        },
      ],
      payment_settings: {
        save_default_payment_method: 'on_subscription',
        payment_method_types: fitting(methods, currency),
      },
      expand: ['latest_invoice.payments'],
    },
    { idempotencyKey: reference },
  );
  const paymentId = paymentOfInvoice(subscription.latest_invoice);
  if (paymentId === undefined)
    throw new Error(`subscription ${subscription.id} has no payment to confirm`);
  return toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPANDED }),
    subscription.id,
  );
}

/** The id of the payment intent that pays an invoice, whose `payments` were expanded. */
export function paymentOfInvoice(invoice: Stripe.Invoice | string | null): string | undefined {
  const intent =
    typeof invoice === 'object'
      ? invoice?.payments?.data.find(({ status }) => status !== 'canceled')?.payment.payment_intent
      : undefined;
  return typeof intent === 'object' ? intent.id : intent;
}

/** Makes the product where the account has it not yet; once for each run. */
export function ensureProduct(stripe: Stripe): Promise<string> {
  const made =
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
  products.set(stripe, made);
  return made;
}

const products = new WeakMap<Stripe, Promise<string>>();
