import { isWallet, type WalletType } from './browser/wallet-types.ts';
import { StripeApiError } from './stripe-error.ts';

/** Behavior of a test payment method. */
export interface TestPaymentMethod {
  readonly type:
    | 'card'
    | 'us_bank_account'
    | 'sepa_debit'
    | 'bacs_debit'
    | 'au_becs_debit'
    | 'link'
    | 'ideal'
    | 'bancontact'
    | WalletType;
  readonly brand?: string;
  readonly last4?: string;
  readonly wallet?: 'apple_pay' | 'google_pay';
  /** Requires authentication for every payment, or only for the first. */
  readonly authentication?: 'always' | 'first';
  readonly decline?: Decline;
  /**
   * `slow` delays the response to a confirmation. `lost` charges the card and then drops the
   * response.
   */
  readonly response?: 'slow' | 'lost';
  /** If true, the cardholder disputes the payment one day later. */
  readonly isDisputed?: boolean;
  /** If true, the bank declines charges made without the donor present. */
  readonly declinesRenewals?: boolean;
}

export interface Decline {
  readonly code: string;
  readonly decline_code: string;
  readonly message: string;
}

const DECLINE_MESSAGE = 'Your card was declined.';

/**
 * Stripe's test card numbers (docs.stripe.com/testing). Payment methods without numbers have names
 * instead.
 */
export const TEST_PAYMENT_METHODS = {
  '4242424242424242': { type: 'card' },
  '5555555555554444': { type: 'card', brand: 'mastercard' },
  '4000000000000002': {
    type: 'card',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINE_MESSAGE },
  },
  '4000000000009995': {
    type: 'card',
    decline: {
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    },
  },
  '4000000000000069': {
    type: 'card',
    decline: {
      code: 'expired_card',
      decline_code: 'expired_card',
      message: 'Your card has expired.',
    },
  },
  '4000000000000341': {
    type: 'card',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINE_MESSAGE },
  },
  '4000002500003155': { type: 'card', authentication: 'first' },
  '4000002760003184': { type: 'card', authentication: 'always' },
  '4000008400001629': {
    type: 'card',
    authentication: 'always',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINE_MESSAGE },
  },
  '4000000000000259': { type: 'card', isDisputed: true },
  // The next three cards exist only in the sandbox, because Stripe has no test cards for these
  // cases.
  '4000009990000013': { type: 'card', response: 'slow' },
  '4000009990000021': { type: 'card', response: 'lost' },
  '4000009990000039': { type: 'card', declinesRenewals: true },
  apple_pay: { type: 'card', wallet: 'apple_pay', last4: '4242' },
  google_pay: { type: 'card', wallet: 'google_pay', last4: '4242' },
  apple_pay_declined: {
    type: 'card',
    wallet: 'apple_pay',
    last4: '0002',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINE_MESSAGE },
  },
  google_pay_declined: {
    type: 'card',
    wallet: 'google_pay',
    last4: '0002',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINE_MESSAGE },
  },
  link: { type: 'link' },
  ideal: { type: 'ideal' },
  bancontact: { type: 'bancontact' },
  paypal: { type: 'paypal' },
  amazon_pay: { type: 'amazon_pay' },
  cashapp: { type: 'cashapp' },
  revolut_pay: { type: 'revolut_pay' },
  twint: { type: 'twint' },
  satispay: { type: 'satispay' },
  mobilepay: { type: 'mobilepay' },
  swish: { type: 'swish' },
  mb_way: { type: 'mb_way' },
  eps: { type: 'eps' },
  p24: { type: 'p24' },
  pay_by_bank: { type: 'pay_by_bank' },
  '00012345': { type: 'bacs_debit' },
  '000123456': { type: 'au_becs_debit' },
  '000123456789': { type: 'us_bank_account' },
  '000222222227': {
    type: 'us_bank_account',
    decline: {
      code: 'payment_intent_payment_attempt_failed',
      decline_code: 'insufficient_funds',
      message: 'The payment fails due to insufficient funds.',
    },
  },
  AT611904300234573201: { type: 'sepa_debit' },
  AT861904300235473202: {
    type: 'sepa_debit',
    decline: {
      code: 'payment_intent_payment_attempt_failed',
      decline_code: 'insufficient_funds',
      message: 'The payment fails due to insufficient funds.',
    },
  },
} satisfies Record<string, TestPaymentMethod>;

export type TestNumber = keyof typeof TEST_PAYMENT_METHODS;

/** Stripe's IDs for test cards (docs.stripe.com/testing, "Use test cards"). */
const NUMBERS_BY_ID = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
} as const satisfies Record<string, TestNumber>;
export const TEST_PAYMENT_METHOD_IDS = Object.keys(NUMBERS_BY_ID) as (keyof typeof NUMBERS_BY_ID)[];

export const getTestNumber = (id: keyof typeof NUMBERS_BY_ID): TestNumber => NUMBERS_BY_ID[id];

/** Test card numbers by behavior. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  declinedWhenCharged: '4000000000000341',
  authenticated: '4000002760003184',
  authenticatedOnce: '4000002500003155',
  declinedAfterAuthentication: '4000008400001629',
  disputed: '4000000000000259',
  slow: '4000009990000013',
  lostResponse: '4000009990000021',
  declinedAtRenewal: '4000009990000039',
  applePay: 'apple_pay',
  googlePay: 'google_pay',
} as const satisfies Record<string, TestNumber>;
export const BANKS = {
  ach: '000123456789',
  achFailing: '000222222227',
  sepa: 'AT611904300234573201',
  sepaFailing: 'AT861904300235473202',
  bacs: '00012345',
  becs: '000123456',
} as const satisfies Record<string, TestNumber>;

const BANK_DEBITS = ['us_bank_account', 'sepa_debit', 'bacs_debit', 'au_becs_debit'];
const BANK_REDIRECTS = ['ideal', 'bancontact'];

export const isBankDebit = ({ type }: { readonly type: string }): boolean =>
  BANK_DEBITS.includes(type);
/**
 * Returns true for a method that cannot be saved. For later charges, Stripe creates a SEPA debit
 * payment method from the first payment.
 */
export const isRenewedBySepaDebit = ({ type }: { readonly type: string }): boolean =>
  BANK_REDIRECTS.includes(type);
export const requiresRedirect = ({ type }: { readonly type: string }): boolean =>
  BANK_REDIRECTS.includes(type) || isWallet(type);

export function findTestPaymentMethod(number: string): TestPaymentMethod | undefined {
  return Object.hasOwn(TEST_PAYMENT_METHODS, number)
    ? TEST_PAYMENT_METHODS[number as TestNumber]
    : undefined;
}

/**
 * Returns a test payment method.
 * @throws StripeApiError for any number that Stripe would not accept in test mode.
 */
export function getTestPaymentMethod(number: string): TestPaymentMethod {
  const name = number.replaceAll(' ', '');
  if (Object.hasOwn(TEST_PAYMENT_METHODS, name))
    return { last4: name.slice(-4), ...TEST_PAYMENT_METHODS[name as TestNumber] };
  throw new StripeApiError(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    param: 'number',
    message:
      'Your card was declined. Your request was in test mode, but used a non test (live) ' +
      'card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  });
}
