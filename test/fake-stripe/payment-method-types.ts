import { z } from 'zod';
import { createInvalidRequestError } from './stripe-error.ts';

export const PAYMENT_METHOD_TYPES = z
  .array(z.enum(['card', 'link', 'us_bank_account', 'sepa_debit', 'ideal']))
  .min(1);
const REQUIRED_CURRENCY: Readonly<Record<string, string>> = {
  us_bank_account: 'usd',
  sepa_debit: 'eur',
  ideal: 'eur',
};

/**
 * Returns the allowed payment method types that support a currency.
 * @throws StripeApiError if none is left.
 */
export function getPaymentMethodTypes(
  currency: string,
  allowed: readonly string[] | null,
  param = 'allowed_payment_method_types',
): string[] {
  const types = (allowed ?? PAYMENT_METHOD_TYPES.element.options).filter(
    (type) => (REQUIRED_CURRENCY[type] ?? currency) === currency,
  );
  if (types.length === 0)
    throw createInvalidRequestError(
      `No valid payment method types for this payment in ${currency}. Please ensure that you have activated payment methods compatible with your chosen currency.`,
      { param },
    );
  return types;
}
