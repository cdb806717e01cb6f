/** Ratio of the suggested monthly amount to the one-time amount. */
const SHARE = 1 / 4;

/**
 * Suggests a round monthly amount to a one-time donor: about a quarter of the one-time amount.
 * @param amount one-time amount, in minor units.
 * @param decimals number of decimal places of the currency.
 * @returns the monthly amount in minor units, rounded to whole major units.
 */
export function suggestMonthlyAmount(amount: number, decimals: number): number {
  const quarter = amount * SHARE;
  const major = 10 ** decimals;
  const step = Math.max(major, 10 ** Math.floor(Math.log10(quarter)) / 2);
  return Math.max(major, Math.round(quarter / step) * step);
}
