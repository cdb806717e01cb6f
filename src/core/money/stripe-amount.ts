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
  const amount = shiftDecimals(minor, getStripeDecimals(currency) - decimals);
  if (!Number.isSafeInteger(amount))
    throw new RangeError(
      `Cannot convert ${minor} (${currency}, ${decimals} decimal places) to Stripe's units: ` +
        'the result is not a safe integer',
    );
  return amount;
}

/**
 * Converts an amount in the units of Stripe's API to our minor units. The result has a fraction if
 * Stripe's units are smaller and the amount is not a whole number of ours: 123,450 (HUF) becomes
 * 1234.5.
 */
export function fromStripeAmount(amount: number, currency: string, decimals: number): number {
  return shiftDecimals(amount, decimals - getStripeDecimals(currency));
}

/** Multiplies a number by a power of ten, without the error of floating-point arithmetic. */
function shiftDecimals(amount: number, exponent: number): number {
  return Number(`${amount}e${exponent}`);
}
