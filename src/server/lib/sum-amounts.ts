/** Adds minor units without floating-point error, because some have a fraction. */
export function sumAmounts(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => Math.round((sum + amount) * 1_000) / 1_000, 0);
}
