/** Statistics of interleaved rounds: a form is compared with the baseline of the same round. */

/** Median and quartiles. */
export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** Returns the quantile of at least one number, interpolated between neighbors. */
function computeQuantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}

export const computeMedian = (numbers: readonly number[]): number => computeQuantile(numbers, 0.5);

export function computeSpread(numbers: readonly number[]): Spread {
  return {
    median: computeMedian(numbers),
    lower: computeQuantile(numbers, 0.25),
    upper: computeQuantile(numbers, 0.75),
  };
}

/**
 * Divides each round's number by the baseline's number of the same round.
 * @throws {Error} if the baseline has another number of rounds.
 */
export function computeRatios(numbers: readonly number[], baseline: readonly number[]): number[] {
  if (numbers.length !== baseline.length)
    throw new Error(`Cannot compare ${numbers.length} rounds with ${baseline.length}.`);
  return numbers.map((number, round) => number / baseline[round]!);
}
