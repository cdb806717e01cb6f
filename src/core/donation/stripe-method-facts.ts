import { PaymentMethodType } from './payment-method-type.ts';

interface StripeMethodFacts {
  /** ISO 4217 codes. Absent if the method supports all currencies. */
  readonly currencies?: readonly string[];
  /** ISO 3166-1 alpha-2 codes of the countries in which the form lists this method before cards. */
  readonly localTo?: readonly string[];
  /** `sepa_debit`: Stripe cannot save the method, so renewals debit the same bank account. */
  readonly renewal: 'same-method' | 'sepa_debit' | 'none';
  /** `immediate`: in the field. `redirect`: after approval elsewhere. `delayed`: days later. */
  readonly completion: 'immediate' | 'redirect' | 'delayed';
  /** True if creating a token opens a dialog, which can take the donor minutes to complete. */
  readonly opensDialog?: true;
  /** True if Stripe has wallet buttons for this method (for cards: Apple Pay and Google Pay). */
  readonly hasWalletButton?: true;
  readonly paymentMethodType: PaymentMethodType;
}

const BANK_DEBIT = {
  renewal: 'same-method',
  completion: 'delayed',
  paymentMethodType: PaymentMethodType.ACH,
} as const;

/** A wallet that Stripe can save for renewals, and in which the donor approves payments. */
const WALLET = {
  renewal: 'same-method',
  completion: 'redirect',
  paymentMethodType: PaymentMethodType.Wallet,
} as const;

const SINGLE_USE_WALLET = { ...WALLET, renewal: 'none' } as const;

/**
 * Stripe payment methods that the form accepts. Excludes methods that do not support confirmation
 * tokens, such as `acss_debit` and `blik`. Sources: each method's page, such as
 * https://docs.stripe.com/payments/mobilepay; recurring `twint` and `satispay`:
 * https://docs.stripe.com/changelog (2026-05-27 and 2026-06-24; older pages call them single-use).
 * `localTo` lists where a method is more popular than cards.
 */
export const STRIPE_METHODS = {
  card: {
    renewal: 'same-method',
    completion: 'immediate',
    hasWalletButton: true,
    paymentMethodType: PaymentMethodType.CreditCard,
  },
  link: { ...WALLET, completion: 'immediate', opensDialog: true, hasWalletButton: true },
  paypal: {
    ...WALLET,
    hasWalletButton: true,
    currencies: 'AUD CAD CHF CZK DKK EUR GBP HKD NOK NZD PLN SEK SGD USD'.split(' '),
  },
  amazon_pay: {
    ...WALLET,
    hasWalletButton: true,
    currencies: 'AUD CHF DKK EUR GBP HKD JPY NOK NZD SEK USD ZAR'.split(' '),
  },
  cashapp: { ...WALLET, currencies: ['USD'] },
  revolut_pay: { ...WALLET, currencies: ['DKK', 'EUR', 'GBP', 'HUF', 'PLN', 'RON'] },
  twint: { ...WALLET, currencies: ['CHF'], localTo: ['CH'] },
  satispay: { ...WALLET, currencies: ['EUR'], localTo: ['IT'] },
  mobilepay: {
    ...SINGLE_USE_WALLET,
    currencies: ['DKK', 'EUR', 'NOK', 'SEK'],
    localTo: ['DK', 'FI'],
  },
  swish: { ...SINGLE_USE_WALLET, currencies: ['SEK'], localTo: ['SE'] },
  mb_way: { ...SINGLE_USE_WALLET, currencies: ['EUR'], localTo: ['PT'] },
  ideal: { ...WALLET, currencies: ['EUR'], localTo: ['NL'], renewal: 'sepa_debit' },
  bancontact: { ...WALLET, currencies: ['EUR'], localTo: ['BE'], renewal: 'sepa_debit' },
  eps: { ...SINGLE_USE_WALLET, currencies: ['EUR'], localTo: ['AT'] },
  p24: { ...SINGLE_USE_WALLET, currencies: ['EUR', 'PLN'], localTo: ['PL'] },
  pay_by_bank: { ...SINGLE_USE_WALLET, currencies: ['EUR', 'GBP'] },
  us_bank_account: { ...BANK_DEBIT, currencies: ['USD'], opensDialog: true },
  sepa_debit: { ...BANK_DEBIT, currencies: ['EUR'] },
  bacs_debit: { ...BANK_DEBIT, currencies: ['GBP'] },
  au_becs_debit: { ...BANK_DEBIT, currencies: ['AUD'] },
} as const satisfies Record<string, StripeMethodFacts>;

export type StripeMethod = keyof typeof STRIPE_METHODS;

export function getStripeMethodFacts(method: string): StripeMethodFacts | undefined {
  return Object.hasOwn(STRIPE_METHODS, method) ? STRIPE_METHODS[method as StripeMethod] : undefined;
}

/** Returns the methods that support a currency and, for a recurring donation, renewals. */
export function filterStripeMethods(
  methods: readonly string[],
  currency: string,
  isRecurring: boolean,
): string[] {
  return methods.filter((method) => {
    const { currencies, renewal } = getStripeMethodFacts(method) ?? {};
    return (currencies?.includes(currency) ?? true) && !(isRecurring && renewal === 'none');
  });
}

/** Converts Stripe's name for a method to the platform's. Unknown methods become `Wallet`. */
export function toPaymentMethodType(method: string, hasWallet = false): PaymentMethodType {
  if (hasWallet) return PaymentMethodType.Wallet;
  return getStripeMethodFacts(method)?.paymentMethodType ?? PaymentMethodType.Wallet;
}
