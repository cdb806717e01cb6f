/** Divides an amount into parts that differ by at most one minor unit. */
export function splitEqually(amount: number, count: number): number[] {
  const smallest = Math.floor(amount / count);
  const remainder = amount - smallest * count;
  return Array<number>(count)
    .fill(smallest)
    .map((part, index) => part + (index < remainder ? 1 : 0));
}
