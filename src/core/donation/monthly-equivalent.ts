const SHARE = 1 / 4;

/** Suggests a round monthly amount, in minor units: about a quarter of the one-time amount. */
export function suggestMonthlyAmount(amount: number, decimals: number): number {
  const quarter = amount * SHARE;
  const major = 10 ** decimals;
  const step = Math.max(major, 10 ** Math.floor(Math.log10(quarter)) / 2);
  return Math.max(major, Math.round(quarter / step) * step);
}
