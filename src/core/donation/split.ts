/**
 * Divides an amount into parts that add up to it exactly and differ by at most one minor unit.
 * @param amount in minor units.
 */
export function splitEqually(amount: number, count: number): number[] {
  const smallest = Math.floor(amount / count);
  const remainder = amount - smallest * count;
  return Array.from({ length: count }, (_, index) => smallest + (index < remainder ? 1 : 0));
}
