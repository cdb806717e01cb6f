import { filterStripeMethods, getStripeMethodFacts } from '@donation-form/core/donation';

/**
 * Options for payment methods. Without instant verification, Stripe would send small deposits to
 * the bank account, and the donor would have to confirm them days later.
 */
export const METHOD_OPTIONS = {
  us_bank_account: { verification_method: 'instant' },
} as const;

/**
 * Returns the payment methods for a subscription. Adds SEPA debit if Stripe renews one of the
 * methods by SEPA debit.
 */
export function getSubscriptionMethods(methods: readonly string[], currency: string): string[] {
  const supported = filterStripeMethods(methods, currency, true);
  return supported.some((method) => getStripeMethodFacts(method)?.renewal === 'sepa_debit')
    ? [...new Set([...supported, 'sepa_debit'])]
    : supported;
}
