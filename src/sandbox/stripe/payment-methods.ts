import type { Stripe } from 'stripe';
import { createId } from './ids.ts';
import type { TestPaymentMethod } from './test-payment-methods.ts';
import { buildWalletDetails, buildWalletMethod } from './wallets.ts';

const EMPTY_BILLING_DETAILS = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};
const CHECKS = { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' };
const CARD = {
  country: 'US',
  exp_month: 12,
  exp_year: 2034,
  funding: 'credit',
  fingerprint: 'Xt5EWLLDS7FJjR1c',
  regulated_status: 'unregulated',
};
const ACH = {
  account_holder_type: 'individual',
  account_type: 'checking',
  bank_name: 'STRIPE TEST BANK',
  fingerprint: 'FFDMA0xfhBjWSZLu',
  routing_number: '110000000',
};
const SEPA = {
  bank_code: '19043',
  branch_code: '',
  country: 'AT',
  fingerprint: 'FD81kbVPe7M05BMj',
};

export type BillingDetails = Partial<Stripe.PaymentMethod.BillingDetails>;

/** Builds a payment method. A confirmation token's preview has the same fields. */
export function buildPaymentMethod(
  testMethod: TestPaymentMethod,
  billingDetails: BillingDetails,
  created: number,
): Stripe.PaymentMethod {
  const { type, brand = 'visa', last4 = null } = testMethod;
  return {
    id: createId('pm'),
    object: 'payment_method',
    billing_details: { ...EMPTY_BILLING_DETAILS, ...billingDetails },
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type,
    ...(type === 'card' && {
      card: {
        ...CARD,
        brand,
        last4: last4 ?? '',
        checks: CHECKS,
        display_brand: brand,
        generated_from: null,
        networks: { available: [brand], preferred: null },
        three_d_secure_usage: { supported: true },
        wallet: buildWallet(testMethod),
      },
    }),
    ...(type === 'us_bank_account' && {
      us_bank_account: {
        ...ACH,
        last4,
        financial_connections_account: null,
        networks: { preferred: 'ach', supported: ['ach'] },
        status_details: {},
      },
    }),
    ...(type === 'sepa_debit' && {
      sepa_debit: { ...SEPA, last4, generated_from: { charge: null, setup_attempt: null } },
    }),
    ...(type === 'link' && { link: { email: billingDetails.email ?? null } }),
    ...(type === 'ideal' && { ideal: { bank: 'ing', bic: 'INGBNL2A' } }),
    ...(type === 'bancontact' && { bancontact: {} }),
    ...buildWalletMethod(type, billingDetails.email ?? null),
    ...(type === 'bacs_debit' && {
      bacs_debit: { fingerprint: '9eMbmctOrd8i7DYa', last4, sort_code: '108800' },
    }),
    ...(type === 'au_becs_debit' && {
      au_becs_debit: { bsb_number: '000000', fingerprint: 'wJOTHzVD2xmqv7Wu', last4 },
    }),
  };
}

/** Builds the payment method details of a charge. */
export function buildPaymentMethodDetails(
  testMethod: TestPaymentMethod,
): Stripe.Charge.PaymentMethodDetails {
  const { type, brand = 'visa', last4 = null } = testMethod;
  return {
    type,
    ...(type === 'card' && {
      card: {
        ...CARD,
        brand,
        last4,
        amount_authorized: null,
        authorization_code: '123456',
        checks: CHECKS,
        electronic_commerce_indicator: null,
        installments: null,
        mandate: null,
        network: brand,
        network_transaction_id: null,
        three_d_secure: testMethod.authentication
          ? {
              authentication_flow: 'challenge',
              electronic_commerce_indicator: '05',
              exemption_indicator: null,
              result: 'authenticated',
              result_reason: null,
              transaction_id: null,
              version: '2.2.0',
            }
          : null,
        transaction_link_id: null,
        wallet: buildWallet(testMethod),
      },
    }),
    ...(type === 'us_bank_account' && {
      us_bank_account: { ...ACH, last4, mandate: createId('mandate'), payment_reference: null },
    }),
    ...(type === 'sepa_debit' && { sepa_debit: { ...SEPA, last4, mandate: createId('mandate') } }),
    ...(type === 'link' && { link: { country: 'US' } }),
    ...buildWalletDetails(type),
    ...(type === 'ideal' && {
      ideal: {
        bank: 'ing',
        bic: 'INGBNL2A',
        generated_sepa_debit: null,
        generated_sepa_debit_mandate: null,
        iban_last4: '5264',
        transaction_id: null,
        verified_name: 'Ana Souza',
      },
    }),
    ...(type === 'bancontact' && {
      bancontact: {
        bank_code: 'VAPE',
        bank_name: 'VAN DE PUT & CO',
        bic: 'VAPEBE22',
        generated_sepa_debit: null,
        generated_sepa_debit_mandate: null,
        iban_last4: '7061',
        preferred_language: null,
        verified_name: 'Ana Souza',
      },
    }),
    ...(type === 'bacs_debit' && {
      bacs_debit: {
        fingerprint: '9eMbmctOrd8i7DYa',
        last4,
        mandate: createId('mandate'),
        sort_code: '108800',
      },
    }),
    ...(type === 'au_becs_debit' && {
      au_becs_debit: {
        bsb_number: '000000',
        fingerprint: 'wJOTHzVD2xmqv7Wu',
        last4,
        mandate: createId('mandate'),
      },
    }),
  } as Stripe.Charge.PaymentMethodDetails;
}

function buildWallet({
  wallet,
  last4,
}: TestPaymentMethod): Stripe.PaymentMethod.Card.Wallet | null {
  if (!wallet) return null;
  return wallet === 'apple_pay'
    ? { type: wallet, apple_pay: {}, dynamic_last4: last4 ?? null }
    : { type: wallet, google_pay: {}, dynamic_last4: last4 ?? null };
}
