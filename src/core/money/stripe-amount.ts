const none = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const three = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * How many decimals Stripe counts a currency in. ISK and UGX are two there, though ISO 4217 has
 * none, and MGA none, though it has two.
 * @param currency ISO 4217, in any case.
 * @see https://docs.stripe.com/currencies#zero-decimal
 */
export function stripeDecimals(currency: string): number {
  const code = currency.toUpperCase();
  if (none.has(code)) return 0;
  return three.has(code) ? 3 : 2;
}

/**
 * An amount as Stripe counts it.
 * @param minor minor units, an integer. @param currency ISO 4217, in any case. @param decimals of
 *   those minor units.
 * @throws RangeError where Stripe cannot count it: the amount has decimals that the currency has
 *   not there.
 */
export function stripeAmount(minor: number, currency: string, decimals: number): number {
  return exactly(
    minor * 10 ** (stripeDecimals(currency) - decimals),
    `${minor} with ${decimals} decimals in ${currency} is no whole number of Stripe's units`,
  );
}

/** What Stripe counts, in our minor units. @throws RangeError where they are too coarse for it. */
export function fromStripeAmount(amount: number, currency: string, decimals: number): number {
  return exactly(
    amount / 10 ** (stripeDecimals(currency) - decimals),
    `${amount} of Stripe's units in ${currency} is no whole number with ${decimals} decimals`,
  );
}

/** A whole number, without what floating point adds to it. */
function exactly(amount: number, problem: string): number {
  const whole = Math.round(amount);
  if (!Number.isSafeInteger(whole) || Math.abs(whole - amount) > 1e-6)
    throw new RangeError(problem);
  return whole;
}
