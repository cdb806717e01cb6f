import type { Stripe } from 'stripe';
import { createId } from './ids.ts';
import { buildPaymentMethodDetails } from './payment-methods.ts';
import { isBankDebit, type TestPaymentMethod } from './test-payment-methods.ts';

export type NewIntent = Pick<
  Stripe.PaymentIntent,
  | 'allowed_payment_method_types'
  | 'amount'
  | 'currency'
  | 'customer'
  | 'description'
  | 'metadata'
  | 'payment_method_types'
  | 'payment_method_options'
  | 'receipt_email'
  | 'setup_future_usage'
>;

export function buildPaymentIntent(fields: NewIntent, created: number): Stripe.PaymentIntent {
  const id = createId('pi');
  return {
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_${createId('secret', 25)}`,
    confirmation_method: 'automatic',
    created,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_record: null,
    processing: null,
    review: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    ...fields,
  };
}

/** Builds a pending charge. */
export function buildCharge(
  { id, amount, currency, customer, description, metadata, receipt_email }: Stripe.PaymentIntent,
  { id: method, billing_details }: Stripe.PaymentMethod,
  testMethod: TestPaymentMethod,
  created: number,
): Stripe.Charge {
  return {
    id: createId('ch'),
    object: 'charge',
    amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: false,
    created,
    currency,
    customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...metadata },
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: id,
    payment_method: method,
    payment_method_details: buildPaymentMethodDetails(testMethod),
    receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'pending',
    transfer_data: null,
    transfer_group: null,
  };
}

const COMMON_OUTCOME = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  risk_level: 'normal',
  risk_score: 12,
};
export const AUTHORIZED_OUTCOME: Stripe.Charge.Outcome = {
  ...COMMON_OUTCOME,
  network_status: 'approved_by_network',
  reason: null,
  seller_message: 'Payment complete.',
  type: 'authorized',
};
export const buildDeclinedOutcome = (reason: string): Stripe.Charge.Outcome => ({
  ...COMMON_OUTCOME,
  network_status: 'declined_by_network',
  reason,
  seller_message: 'The bank did not return any further details with this decline.',
  type: 'issuer_declined',
});

const SAVED_OBJECT_FIELDS = ['id', 'object', 'created', 'livemode', 'metadata'];

/**
 * Builds a confirmation token. The token's preview has the fields of a payment method, except the
 * fields that only saved objects have.
 */
export function buildConfirmationToken(
  method: Stripe.PaymentMethod,
  setupFutureUsage: Stripe.ConfirmationToken['setup_future_usage'],
  created: number,
): Stripe.ConfirmationToken {
  const preview = Object.fromEntries(
    Object.entries(method).filter(([name]) => !SAVED_OBJECT_FIELDS.includes(name)),
  ) as unknown as Stripe.ConfirmationToken.PaymentMethodPreview;
  return {
    id: createId('ctoken'),
    object: 'confirmation_token',
    created,
    expires_at: created + 43_200,
    livemode: false,
    mandate_data: isBankDebit(preview)
      ? {
          customer_acceptance: {
            type: 'online',
            online: { ip_address: '127.0.0.1', user_agent: 'test' },
          },
        }
      : null,
    metadata: null,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: preview,
    return_url: null,
    setup_future_usage: setupFutureUsage,
    setup_intent: null,
    shipping: null,
    use_stripe_sdk: true,
  };
}

export function buildRefund(
  { id, currency, customer, payment_intent, payment_method }: Stripe.Charge,
  amount: number,
  created: number,
): Stripe.Refund {
  return {
    id: createId('re'),
    object: 'refund',
    amount,
    balance_transaction: createId('txn'),
    charge: id,
    created,
    currency,
    customer,
    customer_account: null,
    metadata: {},
    payment_intent,
    payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  };
}

const EVIDENCE_FIELDS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
];

export function buildDispute(
  { id, amount, currency, payment_intent }: Stripe.Charge,
  created: number,
): Stripe.Dispute {
  return {
    id: createId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: id,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: {
      ...Object.fromEntries(EVIDENCE_FIELDS.map((name) => [name, null])),
      enhanced_evidence: {},
    } as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: created + 604_800,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  };
}

/** An account's fees and payout currency, which depend on the account's country. */
export interface Pricing {
  readonly feeRate: number;
  /** Fixed fee, in the payout currency's smallest unit. */
  readonly fixedFee: number;
  /** Payout currency. Defaults to the charge's currency. */
  readonly currency?: string;
  /** Exchange rate from the charge's currency to the payout currency. */
  readonly exchangeRate?: number;
}
export const US_PRICING: Pricing = { feeRate: 0.029, fixedFee: 30 };
/**
 * Fees of a British account for charges in US dollars: 3.25% for an international card, plus 20p.
 */
export const BRITISH_PRICING: Pricing = {
  feeRate: 0.0325,
  fixedFee: 20,
  currency: 'gbp',
  exchangeRate: 0.79,
};

/**
 * Builds a charge's balance transaction. The amount becomes available two days after the charge.
 */
export function buildBalanceTransaction(
  charge: Stripe.Charge,
  { feeRate, fixedFee, currency = charge.currency, exchangeRate }: Pricing,
  created: number,
): Stripe.BalanceTransaction {
  const { id } = charge;
  const amount = Math.round(charge.amount * (exchangeRate ?? 1));
  const fee = Math.round(amount * feeRate) + fixedFee;
  return {
    id: createId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created + 172_800,
    balance_type: 'payments',
    created,
    currency,
    description: null,
    exchange_rate: exchangeRate ?? null,
    fee,
    fee_details: [
      {
        amount: fee,
        application: null,
        currency,
        description: 'Stripe processing fees',
        type: 'stripe_fee',
      },
    ],
    net: amount - fee,
    reporting_category: 'charge',
    source: id,
    status: 'pending',
    type: 'charge',
  };
}
