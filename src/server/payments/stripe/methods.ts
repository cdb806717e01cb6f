/**
 * Currencies of the Stripe payment methods that support only a few:
 * https://docs.stripe.com/payments/payment-methods/payment-method-support
 */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  us_bank_account: ['USD'],
  sepa_debit: ['EUR'],
  bacs_debit: ['GBP'],
  au_becs_debit: ['AUD'],
  ideal: ['EUR'],
  bancontact: ['EUR'],
};

/** Methods that cannot be saved. Stripe renews them with a SEPA debit from the same bank account. */
const RENEWED_BY_SEPA_DEBIT = ['ideal', 'bancontact'];

/**
 * Options of the payment methods. Without instant verification, Stripe would send two small deposits
 * to the bank account, and the donor would have to enter their amounts days later.
 */
export const METHOD_OPTIONS = {
  us_bank_account: { verification_method: 'instant' },
} as const;

/** Returns the payment methods that support a currency. */
export function filterMethodsByCurrency(methods: readonly string[], currency: string): string[] {
  return methods.filter((method) => CURRENCIES[method]?.includes(currency) ?? true);
}

/** Returns the payment methods of a subscription, including the one that renews it. */
export function getSubscriptionMethods(methods: readonly string[], currency: string): string[] {
  const supported = filterMethodsByCurrency(methods, currency);
  return supported.some((method) => RENEWED_BY_SEPA_DEBIT.includes(method))
    ? [...new Set([...supported, 'sepa_debit'])]
    : supported;
}
