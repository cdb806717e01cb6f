import { Refusal } from './refusal.ts';

/** What a means of payment does when it is charged. */
export interface Means {
  readonly type: 'card' | 'us_bank_account' | 'sepa_debit' | 'link' | 'ideal';
  readonly brand?: string;
  readonly last4?: string;
  readonly wallet?: 'apple_pay' | 'google_pay';
  /** Whether a person must agree to a payment: each time, or the first time only. */
  readonly authentication?: 'always' | 'first';
  readonly decline?: Decline;
}

export interface Decline {
  readonly code: string;
  readonly decline_code: string;
  readonly message: string;
}

const DECLINED = 'Your card was declined.';

/** Stripe's own test numbers (docs.stripe.com/testing), and names for means that have no number. */
export const MEANS = {
  '4242424242424242': { type: 'card' },
  '5555555555554444': { type: 'card', brand: 'mastercard' },
  '4000000000000002': {
    type: 'card',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINED },
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
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINED },
  },
  '4000002500003155': { type: 'card', authentication: 'first' },
  '4000002760003184': { type: 'card', authentication: 'always' },
  '4000008400001629': {
    type: 'card',
    authentication: 'always',
    decline: { code: 'card_declined', decline_code: 'generic_decline', message: DECLINED },
  },
  apple_pay: { type: 'card', wallet: 'apple_pay', last4: '4242' },
  google_pay: { type: 'card', wallet: 'google_pay', last4: '4242' },
  link: { type: 'link' },
  ideal: { type: 'ideal' },
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
} satisfies Record<string, Means>;

export type MeansName = keyof typeof MEANS;

/** The same by what they do. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  declinedWhenCharged: '4000000000000341',
  authenticated: '4000002760003184',
  authenticatedOnce: '4000002500003155',
  declinedAfterAuthentication: '4000008400001629',
  applePay: 'apple_pay',
  googlePay: 'google_pay',
} as const satisfies Record<string, MeansName>;
export const BANKS = {
  ach: '000123456789',
  achFailing: '000222222227',
  sepa: 'AT611904300234573201',
  sepaFailing: 'AT861904300235473202',
} as const satisfies Record<string, MeansName>;

export const isDelayed = ({ type }: Means): boolean =>
  type === 'us_bank_account' || type === 'sepa_debit';
export const isRedirect = ({ type }: { readonly type: string }): boolean => type === 'ideal';

/** @throws a refusal as Stripe refuses real numbers in test mode. */
export function meansOf(number: string): Means {
  const name = number.replaceAll(' ', '');
  if (Object.hasOwn(MEANS, name)) return { last4: name.slice(-4), ...MEANS[name as MeansName] };
  throw new Refusal(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'test_mode_live_card',
    param: 'number',
    message:
      'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
  });
}
