const zeroDecimalCurrencies = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const threeDecimalCurrencies = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * Differs from ISO 4217 for currencies such as ISK and UGX (2 instead of 0) and MGA (0 instead of
 * 2): https://docs.stripe.com/currencies#zero-decimal
 */
export function getStripeDecimals(currency: string): number {
  const code = currency.toUpperCase();
  if (zeroDecimalCurrencies.has(code)) return 0;
  return threeDecimalCurrencies.has(code) ? 3 : 2;
}

/** @throws {RangeError} if the result is not a safe integer. */
export function toStripeAmount(minor: number, currency: string, decimals: number): number {
  const amount = shiftDecimals(minor, getStripeDecimals(currency) - decimals);
  if (!Number.isSafeInteger(amount))
    throw new RangeError(
      `Cannot convert ${minor} (${currency}, ${decimals} decimal places) to Stripe's units: ` +
        'the result is not a safe integer',
    );
  return amount;
}

/** The result can have a fraction: 123,450 (HUF) becomes 1234.5. */
export function fromStripeAmount(amount: number, currency: string, decimals: number): number {
  return shiftDecimals(amount, decimals - getStripeDecimals(currency));
}

/** Multiplies by a power of ten, without the error of floating-point arithmetic. */
function shiftDecimals(amount: number, exponent: number): number {
  return Number(`${amount}e${exponent}`);
}
