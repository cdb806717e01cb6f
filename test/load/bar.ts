/** One figure of a bar: what was counted or measured, and what it has to be. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** A bar of what the server must survive. */
export interface Bar {
  /** Such as 10. */
  readonly number: number;
  readonly about: string;
  readonly run: () => Promise<readonly Figure[]>;
}

/** Describes the figures that miss their targets. */
export const describeMisses = (figures: readonly Figure[]): string[] =>
  figures
    .filter(({ isMet }) => !isMet)
    .map(({ what, figure, target }) => `${what}: ${figure}, expected ${target}`);

/** Something that must not happen at all. */
export const none = (what: string, found: number): Figure => ({
  what,
  figure: String(found),
  target: '0',
  isMet: found === 0,
});

/** @param unit such as `s`. */
export const atMost = (what: string, found: number, most: number, unit = ''): Figure => ({
  what,
  figure: written(found, unit),
  target: `at most ${written(most, unit)}`,
  isMet: found <= most,
});

export const atLeast = (what: string, found: number, least: number, unit = ''): Figure => ({
  what,
  figure: written(found, unit),
  target: `at least ${written(least, unit)}`,
  isMet: found >= least,
});

export const exactly = (what: string, found: number, expected: number): Figure => ({
  what,
  figure: written(found, ''),
  target: written(expected, ''),
  isMet: found === expected,
});

function written(number: number, unit: string): string {
  return `${number.toLocaleString('en', { maximumFractionDigits: 2 })}${unit && ` ${unit}`}`;
}
