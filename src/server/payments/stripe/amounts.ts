import {
  fromStripeAmount,
  getCurrencyDecimals,
  getStripeDecimals,
  toStripeAmount,
} from '@donation-form/core/money';

/** Currencies with whole units at one provider: payouts at Stripe, charges at PayPal. */
const WHOLE_UNIT_CURRENCIES: readonly string[] = ['HUF', 'TWD'];

/**
 * Returns the decimal places that Stripe accepts in a donation amount: at most 2, because Stripe
 * requires that amounts with three decimals end in 0. Some currencies have none, in ISO 4217 or at
 * Stripe.
 * @see https://docs.stripe.com/currencies#special-cases
 */
export function getStripePayableDecimals(currency: string): number | undefined {
  if (WHOLE_UNIT_CURRENCIES.includes(currency)) return 0;
  const iso = getCurrencyDecimals(currency);
  return iso === undefined ? undefined : Math.min(iso, getStripeDecimals(currency), 2);
}

/** In Stripe's units: https://docs.stripe.com/currencies, "Minimum and maximum charge amounts". */
const MINIMUM_CHARGES: Readonly<Record<string, number>> = {
  USD: 50,
  AED: 200,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
};

/** In the units of donation amounts. Returns `undefined` if the minimum is unknown. */
export function getMinimumCharge(currency: string): number | undefined {
  const minimum = MINIMUM_CHARGES[currency];
  return minimum === undefined ? undefined : fromStripeUnits(minimum, currency).total;
}

export function toStripeUnits(total: number, currency: string): number {
  return toStripeAmount(total, currency, getStripePayableDecimals(currency) ?? 2);
}

/**
 * Converts an amount in Stripe's units. Returns a fraction for an amount that cannot be donated,
 * such as 1234.5 for a refund of 1,234.50 Ft.
 * @param code ISO 4217 code in lowercase, as Stripe writes it.
 */
export function fromStripeUnits(
  amount: number,
  code: string,
): { readonly total: number; readonly currency: string } {
  const currency = code.toUpperCase();
  return {
    currency,
    total: fromStripeAmount(amount, currency, getStripePayableDecimals(currency) ?? 2),
  };
}
