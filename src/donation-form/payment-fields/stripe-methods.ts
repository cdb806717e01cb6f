import { filterStripeMethods, getStripeMethodFacts } from '@donation-form/core/donation';
import type { ChargeSummary } from './payment-field.ts';

/** Returns the payment methods that Stripe can offer for a charge. */
export function getAllowedMethods(
  methods: readonly string[],
  { currency, frequency }: ChargeSummary,
): string[] {
  return filterStripeMethods(methods, currency, frequency !== 'once');
}

/**
 * Returns the payment methods that Stripe shows first, in order. Stripe sorts the remaining methods
 * by relevance to the donor (https://docs.stripe.com/payments/customize-payment-methods).
 * @param methodOrder `configured` to show all methods in the given order.
 * @param languages the browser's languages. If the donor's country is unknown, the languages'
 *   regions replace it.
 */
export function getMethodOrder(
  methods: readonly string[],
  methodOrder: string | undefined,
  charge: ChargeSummary,
  languages: readonly string[] = navigator.languages,
): string[] {
  const allowed = getAllowedMethods(methods, charge);
  if (methodOrder === 'configured') return allowed;
  const countries = getLikelyCountries(charge, languages);
  return allowed.filter((method) =>
    getStripeMethodFacts(method)?.localTo?.some((country) => countries.includes(country)),
  );
}

function getLikelyCountries(
  { currency, country }: ChargeSummary,
  languages: readonly string[],
): string[] {
  if (country) return [country];
  // A national currency's code starts with the two-letter code of its country.
  return [
    ...languages.flatMap((language) => /-([A-Z]{2})\b/.exec(language)?.[1] ?? []),
    currency.slice(0, 2),
  ];
}
