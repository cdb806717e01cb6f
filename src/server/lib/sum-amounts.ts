/**
 * Adds amounts in minor units, without the error of floating-point arithmetic if some amounts have
 * a fraction.
 */
export function sumAmounts(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => Math.round((sum + amount) * 1_000) / 1_000, 0);
}
