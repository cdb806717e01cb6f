import { z } from 'zod';
import { refused } from './refusal.ts';

export const METHOD_TYPES = z
  .array(z.enum(['card', 'link', 'us_bank_account', 'sepa_debit', 'ideal']))
  .min(1);
const ONLY_IN: Readonly<Record<string, string>> = {
  us_bank_account: 'usd',
  sepa_debit: 'eur',
  ideal: 'eur',
};

/**
 * The means of payment that a currency can be paid with, of those that are allowed.
 * @throws a refusal where none is left.
 */
export function typesFor(
  currency: string,
  allowed: readonly string[] | null,
  param = 'allowed_payment_method_types',
): string[] {
  const types = (allowed ?? METHOD_TYPES.element.options).filter(
    (type) => (ONLY_IN[type] ?? currency) === currency,
  );
  if (types.length === 0)
    throw refused(
      `No valid payment method types for this payment in ${currency}. Please ensure that you have activated payment methods compatible with your chosen currency.`,
      { param },
    );
  return types;
}
