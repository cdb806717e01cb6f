import type { Stripe } from 'stripe';
import { createId } from './ids.ts';

export type NewSession = Pick<
  Stripe.Checkout.Session,
  | 'adaptive_pricing'
  | 'allowed_payment_method_types'
  | 'payment_method_types'
  | 'cancel_url'
  | 'client_reference_id'
  | 'currency'
  | 'customer'
  | 'customer_email'
  | 'locale'
  | 'metadata'
  | 'mode'
  | 'submit_type'
  | 'success_url'
>;

export interface LineItem {
  readonly price: Stripe.Price;
  readonly description: string;
  readonly quantity: number;
}

/** Builds an open, unpaid Checkout Session. */
export function buildCheckoutSession(
  { price, description, quantity }: LineItem,
  fields: NewSession,
  baseUrl: string,
  created: number,
): Stripe.Checkout.Session {
  const id = createId('cs_test', 58);
  const total = (price.unit_amount ?? 0) * quantity;
  return {
    id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: fields.mode === 'payment' ? 'if_required' : 'always',
    customer_details:
      fields.customer_email === null
        ? null
        : {
            address: null,
            business_name: null,
            email: fields.customer_email,
            individual_name: null,
            name: null,
            phone: null,
            tax_exempt: 'none',
            tax_ids: null,
          },
    discounts: [],
    expires_at: created + 86_400,
    integration_identifier: null,
    invoice: null,
    invoice_creation:
      fields.mode === 'payment'
        ? {
            enabled: false,
            invoice_data: {
              account_tax_ids: null,
              custom_fields: null,
              description: null,
              footer: null,
              issuer: null,
              metadata: {},
              rendering_options: null,
            },
          }
        : null,
    line_items: {
      object: 'list',
      has_more: false,
      url: `/v1/checkout/sessions/${id}/line_items`,
      data: [
        {
          id: createId('li'),
          object: 'item',
          adjustable_quantity: null,
          amount_discount: 0,
          amount_subtotal: total,
          amount_tax: 0,
          amount_total: total,
          currency: price.currency,
          description,
          metadata: {},
          price,
          quantity,
        },
      ],
    },
    livemode: false,
    managed_payments: null,
    optional_items: null,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: fields.mode === 'payment' ? 'if_required' : 'always',
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${baseUrl}/c/pay/${id}`,
    wallet_options: null,
    ...fields,
  };
}
