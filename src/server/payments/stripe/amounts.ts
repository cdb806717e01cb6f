import {
  decimalsOf,
  fromStripeAmount,
  stripeAmount,
  stripeDecimals,
} from '@donation-form/core/money';

/**
 * The decimals that gifts have with Stripe: it takes three-decimal amounts only where the last
 * digit is 0, and no fractions where ISO 4217 or Stripe has none.
 * @see https://docs.stripe.com/currencies#special-cases
 */
export function payableDecimals(currency: string): number | undefined {
  const iso = decimalsOf(currency);
  return iso === undefined ? undefined : Math.min(iso, stripeDecimals(currency), 2);
}

/** A gift's amount in the units in which Stripe counts. */
export function chargeOf(total: number, currency: string): number {
  return stripeAmount(total, currency, payableDecimals(currency) ?? 2);
}

/**
 * An amount of Stripe's in the units of gifts.
 * @param code ISO 4217, as Stripe writes it: in small letters.
 */
export function giftAmount(
  amount: number,
  code: string,
): { readonly total: number; readonly currency: string } {
  const currency = code.toUpperCase();
  return { currency, total: fromStripeAmount(amount, currency, payableDecimals(currency) ?? 2) };
}
