/**
 * Currencies of the Stripe payment methods that support only a few:
 * https://docs.stripe.com/payments/payment-methods/payment-method-support
 */
const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  us_bank_account: ['USD'],
  sepa_debit: ['EUR'],
  bacs_debit: ['GBP'],
  au_becs_debit: ['AUD'],
  acss_debit: ['CAD', 'USD'],
  ideal: ['EUR'],
  bancontact: ['EUR'],
};

/** Returns the payment methods that support a currency. */
export function filterMethodsByCurrency(methods: readonly string[], currency: string): string[] {
  return methods.filter((method) => CURRENCIES[method]?.includes(currency) ?? true);
}
