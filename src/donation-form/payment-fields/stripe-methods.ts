import { filterStripeMethods, getStripeMethodFacts } from '@donation-form/core/donation';
import type { ChargeSummary } from './payment-field.ts';

export function getAllowedMethods(
  methods: readonly string[],
  { currency, frequency }: ChargeSummary,
): string[] {
  return filterStripeMethods(methods, currency, frequency !== 'once');
}

/**
 * Returns the methods that Stripe shows first. Stripe sorts the others by relevance to the donor
 * (https://docs.stripe.com/payments/customize-payment-methods).
 * @param methodOrder `configured` to show all methods in the given order.
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
