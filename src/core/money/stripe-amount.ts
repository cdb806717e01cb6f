const zeroDecimalCurrencies = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const threeDecimalCurrencies = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * Returns the number of decimal places that Stripe uses for a currency. This number differs from
 * ISO 4217 for some currencies, such as ISK and UGX (2 instead of 0) and MGA (0 instead of 2).
 * @param currency ISO 4217 code, in uppercase or lowercase.
 * @see https://docs.stripe.com/currencies#zero-decimal
 */
export function getStripeDecimals(currency: string): number {
  const code = currency.toUpperCase();
  if (zeroDecimalCurrencies.has(code)) return 0;
  return threeDecimalCurrencies.has(code) ? 3 : 2;
}

/**
 * Converts an amount in minor units to the units of Stripe's API.
 * @param minor amount in minor units, an integer.
 * @param currency ISO 4217 code, in uppercase or lowercase.
 * @param decimals number of decimal places in the minor units.
 * @throws {RangeError} if the amount is not a whole number of Stripe's units.
 */
export function toStripeAmount(minor: number, currency: string, decimals: number): number {
  return removeRoundingError(
    minor * 10 ** (getStripeDecimals(currency) - decimals),
    `Cannot convert ${minor} (${currency}, ${decimals} decimal places) to Stripe's units: ` +
      'the result is not a safe integer',
  );
}

/**
 * Converts an amount in the units of Stripe's API to our minor units.
 * @throws {RangeError} if the amount is not a whole number of our minor units.
 */
export function fromStripeAmount(amount: number, currency: string, decimals: number): number {
  return removeRoundingError(
    amount / 10 ** (getStripeDecimals(currency) - decimals),
    `Cannot convert ${amount} (${currency}) from Stripe's units to ${decimals} decimal places: ` +
      'the result is not a safe integer',
  );
}

/**
 * Rounds an amount to the nearest integer to remove a floating-point error.
 * @throws {RangeError} if the amount is not within 1e-6 of a safe integer.
 */
function removeRoundingError(amount: number, problem: string): number {
  const whole = Math.round(amount);
  if (!Number.isSafeInteger(whole) || Math.abs(whole - amount) > 1e-6)
    throw new RangeError(problem);
  return whole;
}
