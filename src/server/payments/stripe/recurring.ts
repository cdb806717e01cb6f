import type Stripe from 'stripe';
import {
  type DonationFrequency,
  filterStripeMethods,
  getStripeMethodFacts,
} from '@donation-form/core/donation';
import type { Payment, PaymentRequest } from '../payment-gateway.ts';
import { toStripeUnits } from './amounts.ts';
import { getPossibleReference, toIdempotencyKey, toMetadata } from './metadata.ts';
import { EXPAND, getObjectId, toPayment } from './payment.ts';

type Recurring = Stripe.SubscriptionCreateParams.Item.PriceData.Recurring;

const INTERVALS: Readonly<Record<Exclude<DonationFrequency, 'once'>, Recurring>> = {
  weekly: { interval: 'week' },
  everyOtherWeek: { interval: 'week', interval_count: 2 },
  monthly: { interval: 'month' },
  quarterly: { interval: 'month', interval_count: 3 },
  biannual: { interval: 'month', interval_count: 6 },
  annually: { interval: 'year' },
};

export function toStripeInterval(frequency: DonationFrequency): Recurring | undefined {
  return frequency === 'once' ? undefined : INTERVALS[frequency];
}

/** Product of all donation prices, because Stripe requires one. */
const PRODUCT = { id: 'donation-form-gift', name: 'Donation' } as const;

/** Call {@link ensureProduct} first. */
export function toPriceData(total: number, currency: string) {
  return {
    currency: currency.toLowerCase(),
    product: PRODUCT.id,
    unit_amount: toStripeUnits(total, currency),
  };
}

/** Without instant verification, the donor would have to confirm small deposits days later. */
export const METHOD_OPTIONS = {
  us_bank_account: { verification_method: 'instant' },
} as const;

/** Adds SEPA debit if Stripe renews one of the methods by SEPA debit. */
export function getSubscriptionMethods(methods: readonly string[], currency: string): string[] {
  const supported = filterStripeMethods(methods, currency, true);
  return supported.some((method) => getStripeMethodFacts(method)?.renewal === 'sepa_debit')
    ? [...new Set([...supported, 'sepa_debit'])]
    : supported;
}

/** Creates a subscription, and returns its first invoice's unconfirmed payment. */
export async function createSubscriptionPayment(
  stripe: Stripe,
  { reference, total, currency, frequency, donor, description, language }: PaymentRequest,
  methods: readonly string[],
): Promise<Payment> {
  await ensureProduct(stripe);
  const customer = await stripe.customers.create(
    {
      metadata: toMetadata(reference),
      preferred_locales: [language],
      // Stripe rejects an empty name.
      ...(donor.name !== '' && { name: donor.name }),
      ...(donor.email !== undefined && { email: donor.email }),
    },
    { idempotencyKey: `${toIdempotencyKey(reference)} customer` },
  );
  // Stripe rejects the whole list if one method is not activated. Then try again without it.
  const createSubscription = async (
    types: string[],
    idempotencyKey: string,
  ): Promise<Stripe.Subscription> => {
    try {
      return await stripe.subscriptions.create(
        {
          customer: customer.id,
          description,
          metadata: toMetadata(reference),
          payment_behavior: 'default_incomplete',
          items: [
            {
              price_data: {
                ...toPriceData(total, currency),
                recurring: toStripeInterval(frequency)!,
              },
            },
          ],
          payment_settings: {
            save_default_payment_method: 'on_subscription',
            payment_method_types: types,
            payment_method_options: METHOD_OPTIONS,
          },
          expand: ['latest_invoice.payments'],
        },
        { idempotencyKey },
      );
    } catch (error) {
      const index = findInactiveTypeIndex(error);
      if (index === undefined || types.length === 1) throw error;
      return createSubscription(types.toSpliced(index, 1), `${idempotencyKey} ${index}`);
    }
  };
  const types = getSubscriptionMethods(methods, currency);
  const subscription = await createSubscription(types, toIdempotencyKey(reference));
  const paymentId = getInvoicePaymentId(subscription.latest_invoice);
  if (paymentId === undefined)
    throw new Error(`Stripe subscription ${subscription.id} has no payment to confirm`);
  return toPayment(
    await stripe.paymentIntents.retrieve(paymentId, { expand: EXPAND }),
    subscription.id,
  );
}

function findInactiveTypeIndex(error: unknown): number | undefined {
  const { param = '' } = error as Partial<Stripe.errors.StripeError>;
  const match = /^payment_settings\[payment_method_types\]\[(\d{1,3})\]$/.exec(param);
  return match ? Number(match[1]) : undefined;
}

/** @param invoice invoice with `payments` expanded. */
export function getInvoicePaymentId(invoice: Stripe.Invoice | string | null): string | undefined {
  const intent =
    typeof invoice === 'object'
      ? invoice?.payments?.data.find(({ status }) => status !== 'canceled')?.payment.payment_intent
      : undefined;
  return intent && getObjectId(intent);
}

/** Returns `undefined` if the invoice belongs to another application. */
export function getInvoiceReference({ lines, parent }: Stripe.Invoice): string | undefined {
  return lines.data.some(({ pricing }) => pricing?.price_details?.product === PRODUCT.id)
    ? getPossibleReference(parent?.subscription_details?.metadata)
    : undefined;
}

/** Creates the product, or reactivates an archived one, once per process. */
export function ensureProduct(stripe: Stripe): Promise<void> {
  const product =
    products.get(stripe) ??
    provideProduct(stripe).catch((error: unknown) => {
      products.delete(stripe);
      throw error;
    });
  products.set(stripe, product);
  return product;
}

const products = new WeakMap<Stripe, Promise<void>>();

async function provideProduct(stripe: Stripe): Promise<void> {
  try {
    const { active } = await stripe.products.retrieve(PRODUCT.id);
    if (!active) await stripe.products.update(PRODUCT.id, { active: true });
  } catch (error) {
    if (!hasErrorCode(error, 'resource_missing')) throw error;
    await stripe.products.create(PRODUCT).catch((error: unknown) => {
      // This error means that another server has created the product in the meantime.
      if (!hasErrorCode(error, 'resource_already_exists')) throw error;
    });
  }
}

function hasErrorCode(error: unknown, code: string): boolean {
  return (error as Partial<Stripe.errors.StripeError>).code === code;
}
