import {
  getCurrencyDecimals,
  fromStripeAmount,
  toStripeAmount,
  getStripeDecimals,
} from '@donation-form/core/money';

/**
 * Returns the number of decimals that Stripe accepts. Stripe requires three-decimal amounts to end in
 * 0, and some currencies have no decimals in ISO 4217 or at Stripe.
 * @see https://docs.stripe.com/currencies#special-cases
 */
export function getStripePayableDecimals(currency: string): number | undefined {
  const iso = getCurrencyDecimals(currency);
  return iso === undefined ? undefined : Math.min(iso, getStripeDecimals(currency), 2);
}

/** Converts an amount to Stripe's units. */
export function toStripeUnits(total: number, currency: string): number {
  return toStripeAmount(total, currency, getStripePayableDecimals(currency) ?? 2);
}

/**
 * Converts an amount from Stripe's units.
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
