/** The share of a single gift that a monthly one is suggested with. */
const SHARE = 1 / 4;

/**
 * A monthly gift that may suit who gives this once: about a quarter of it, in a round sum.
 * @param amount minor units. @param decimals of the currency.
 * @returns minor units, in whole major ones.
 */
export function monthlyInstead(amount: number, decimals: number): number {
  const quarter = amount * SHARE;
  const major = 10 ** decimals;
  const step = Math.max(major, 10 ** Math.floor(Math.log10(quarter)) / 2);
  return Math.max(major, Math.round(quarter / step) * step);
}
