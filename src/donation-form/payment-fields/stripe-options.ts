import type { StripeElementLocale, StripePaymentElementUpdateOptions } from '@stripe/stripe-js';
import {
  type DonationFrequency,
  filterStripeMethods,
  getStripeMethodFacts,
} from '@donation-form/core/donation';
import { toStripeAmount } from '@donation-form/core/money';
import type { ChargeSummary } from './payment-field.ts';

type ApplePayOption = NonNullable<StripePaymentElementUpdateOptions['applePay']>;

const APPLE_PAY_INTERVALS: Readonly<
  Record<Exclude<DonationFrequency, 'once'>, [unit: 'day' | 'month' | 'year', count: number]>
> = {
  weekly: ['day', 7],
  everyOtherWeek: ['day', 14],
  monthly: ['month', 1],
  quarterly: ['month', 3],
  biannual: ['month', 6],
  annually: ['year', 1],
};

/** For languages that Stripe names differently or does not support ('Supported locales'). */
const STRIPE_LOCALES: Readonly<Record<string, StripeElementLocale>> = {
  'zh-Hans': 'zh',
  hi: 'en',
  uk: 'en',
};

export function toStripeLocale(language: string): StripeElementLocale {
  return STRIPE_LOCALES[language] ?? (language as StripeElementLocale);
}

/** Parses a comma-separated list. An empty list means all methods. */
export function parseMethodTypes(methods: string | undefined): string[] {
  return (methods ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);
}

/** Apple Pay then issues a merchant token, which remains valid longer than the card. */
export function toApplePayRecurringRequest(
  { total, currency, decimals, frequency }: ChargeSummary,
  organization: string,
  managementURL: string | undefined,
): ApplePayOption {
  if (frequency === 'once' || managementURL === undefined) return { recurringPaymentRequest: null };
  const [recurringPaymentIntervalUnit, recurringPaymentIntervalCount] =
    APPLE_PAY_INTERVALS[frequency];
  return {
    recurringPaymentRequest: {
      paymentDescription: organization,
      managementURL,
      regularBilling: {
        label: organization,
        amount: toStripeAmount(total, currency, decimals),
        recurringPaymentIntervalUnit,
        recurringPaymentIntervalCount,
      },
    },
  };
}

/** The `subscription` mode implies future use of the payment method. */
export function toIntentOptions({ total, currency, decimals, frequency }: ChargeSummary) {
  const amountOptions = {
    amount: toStripeAmount(total, currency, decimals),
    currency: currency.toLowerCase(),
  };
  return frequency === 'once'
    ? { mode: 'payment' as const, ...amountOptions }
    : { mode: 'subscription' as const, ...amountOptions };
}

export function getAllowedMethods(
  methods: readonly string[],
  { currency, frequency }: Pick<ChargeSummary, 'currency' | 'frequency'>,
): string[] {
  return filterStripeMethods(methods, currency, frequency !== 'once');
}

/** Lists allowed methods, and methods from the donor's likely countries first. */
export function sortMethods(
  methods: readonly string[],
  methodOrder: string | undefined,
  charge: Pick<ChargeSummary, 'currency' | 'frequency'>,
  languages: readonly string[] = navigator.languages,
): string[] {
  const allowed = getAllowedMethods(methods, charge);
  if (methodOrder === 'configured') return allowed;
  // A national currency's code starts with the two-letter code of its country.
  const countries = [
    ...languages.flatMap((language) => /-([A-Z]{2})\b/.exec(language)?.[1] ?? []),
    charge.currency.slice(0, 2),
  ];
  const isLocal = (method: string): boolean =>
    getStripeMethodFacts(method)?.localTo?.some((country) => countries.includes(country)) ?? false;
  return [...allowed.filter(isLocal), ...allowed.filter((method) => !isLocal(method))];
}
