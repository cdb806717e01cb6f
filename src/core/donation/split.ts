/**
 * Divides an amount into equal parts that sum to it exactly: they differ by one minor unit at most.
 * @param amount minor units.
 */
export function equalParts(amount: number, count: number): number[] {
  const least = Math.floor(amount / count);
  const rest = amount - least * count;
  return Array.from({ length: count }, (_none, place) => least + (place < rest ? 1 : 0));
}
