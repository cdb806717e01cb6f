import type { Stripe } from 'stripe';
import { createId, getReferencedId } from './ids.ts';

export interface PriceFields {
  readonly currency: string;
  readonly product: string;
  readonly unit_amount: number;
  readonly recurring?: Recurring | undefined;
}

export interface Recurring {
  readonly interval: 'day' | 'week' | 'month' | 'year';
  readonly interval_count: number;
}

const toDecimal = (amount: number): Stripe.Price['unit_amount_decimal'] =>
  String(amount) as unknown as Stripe.Price['unit_amount_decimal'];

export function buildCustomer(
  fields: Pick<Stripe.Customer, 'email' | 'description' | 'metadata'> & {
    readonly name: string | null;
    readonly phone: string | null;
    readonly preferred_locales: string[];
  },
  created: number,
): Stripe.Customer {
  return {
    id: createId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created,
    currency: null,
    default_source: null,
    delinquent: false,
    discount: null,
    invoice_prefix: createId('F', 7).slice(2).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...fields,
  };
}

export function buildProduct(
  {
    id = createId('prod', 14),
    name,
    description = null,
    metadata = {},
  }: {
    readonly id?: string | undefined;
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly metadata?: Stripe.Metadata | undefined;
  },
  created: number,
): Stripe.Product {
  return {
    id,
    object: 'product',
    active: true,
    created,
    default_price: null,
    description,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata,
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: created,
    url: null,
  };
}

export function buildPrice(
  { currency, product, unit_amount, recurring }: PriceFields,
  created: number,
): Stripe.Price {
  return {
    id: createId('price'),
    object: 'price',
    active: false,
    billing_scheme: 'per_unit',
    created,
    currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: recurring
      ? { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: toDecimal(unit_amount),
  };
}

function buildPlan({
  id,
  created,
  currency,
  product,
  recurring,
  unit_amount,
}: Stripe.Price): Stripe.Plan {
  return {
    id,
    object: 'plan',
    active: false,
    amount: unit_amount,
    amount_decimal: toDecimal(unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created,
    currency,
    interval: recurring?.interval ?? 'month',
    interval_count: recurring?.interval_count ?? 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

export type NewSubscription = Pick<Stripe.Subscription, 'customer' | 'description' | 'metadata'> & {
  readonly payment_settings: {
    readonly payment_method_types: Stripe.Subscription.PaymentSettings.PaymentMethodType[] | null;
    readonly save_default_payment_method: 'on_subscription' | 'off';
  };
};

export function buildSubscription(
  { payment_settings, ...fields }: NewSubscription,
  price: Stripe.Price,
  created: number,
): Stripe.Subscription {
  const id = createId('sub');
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency: price.currency,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
      data: [
        {
          id: createId('si', 14),
          object: 'subscription_item',
          billing_thresholds: null,
          created,
          current_period_start: created,
          current_period_end: getPeriodEnd(created, price.recurring),
          current_trial: null,
          discounts: [],
          metadata: {},
          plan: buildPlan(price),
          price: price,
          quantity: 1,
          subscription: id,
          tax_rates: [],
        },
      ],
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, ...payment_settings },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: 'incomplete',
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
    ...fields,
  };
}

/**
 * Returns the end of a billing period. Monthly and yearly periods end on the anchor's day of the
 * month, or on the last day of a shorter month.
 * @param anchor start of the first period.
 */
export function getPeriodEnd(
  start: number,
  recurring: (Pick<Recurring, 'interval_count'> & { readonly interval: string }) | null,
  anchor = start,
): number {
  const date = new Date(start * 1_000);
  const { interval = 'month', interval_count: count = 1 } = recurring ?? {};
  if (interval === 'day' || interval === 'week')
    date.setUTCDate(date.getUTCDate() + count * (interval === 'week' ? 7 : 1));
  else {
    const day = new Date(anchor * 1_000).getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
    date.setUTCDate(
      Math.min(
        day,
        new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
      ),
    );
  }
  return date.getTime() / 1_000;
}

/** Builds a finalized, unpaid invoice for a subscription's current period. */
export function buildInvoice(
  {
    id: subscriptionId,
    items,
    metadata,
    currency,
    customer: customerId,
    payment_settings,
  }: Stripe.Subscription,
  { email, name }: Pick<Stripe.Customer, 'email' | 'name'>,
  billing_reason: 'subscription_create' | 'subscription_cycle',
  created: number,
): Stripe.Invoice {
  const id = createId('in');
  const item = items.data[0]!;
  const amount = item.price.unit_amount ?? 0;
  const period = { start: item.current_period_start, end: item.current_period_end };
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Sandbox',
    account_tax_ids: null,
    amount_due: amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: amount,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    automatically_finalizes_at: null,
    billing_reason,
    collection_method: 'charge_automatically',
    created,
    currency,
    custom_fields: null,
    customer: customerId,
    customer_account: null,
    customer_address: null,
    customer_email: email,
    customer_name: name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: created,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `https://invoice.stripe.com/i/${id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/${id}/pdf`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
      data: [
        {
          id: createId('il'),
          object: 'line_item',
          amount,
          currency,
          description: `1 × ${subscriptionId}`,
          discount_amounts: [],
          discountable: true,
          discounts: [],
          invoice: id,
          livemode: false,
          metadata: { ...metadata },
          parent: {
            type: 'subscription_item_details',
            invoice_item_details: null,
            subscription_item_details: {
              invoice_item: null,
              proration: false,
              proration_details: null,
              subscription: subscriptionId,
              subscription_item: item.id,
            },
          },
          period,
          pretax_credit_amounts: [],
          pricing: {
            type: 'price_details',
            price_details: { price: item.price.id, product: getReferencedId(item.price.product) },
            unit_amount_decimal: toDecimal(amount),
          },
          quantity: 1,
          quantity_decimal: toDecimal(1),
          subscription: subscriptionId,
          subtotal: amount,
          taxes: [],
        },
      ],
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: createId('SANDBOX', 8),
    on_behalf_of: null,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { metadata: { ...metadata }, subscription: subscriptionId },
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: payment_settings?.payment_method_types ?? null,
    },
    period_end: created,
    period_start: created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'open',
    status_transitions: {
      finalized_at: created,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal: amount,
    subtotal_excluding_tax: amount,
    test_clock: null,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  };
}

export function buildInvoicePayment(
  { id: invoiceId, amount_due, currency }: Stripe.Invoice,
  payment_intent: string,
  created: number,
): Stripe.InvoicePayment {
  return {
    id: createId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: amount_due,
    created,
    currency,
    invoice: invoiceId,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  };
}
