/**
 * The currencies that each of Stripe's ways to pay takes, where they are few:
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

/** Those ways to pay that take a currency. */
export function fitting(methods: readonly string[], currency: string): string[] {
  return methods.filter((method) => CURRENCIES[method]?.includes(currency) ?? true);
}
