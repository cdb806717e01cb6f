/** A counted or measured value, and the target that it is compared with. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** A stress test, numbered as in docs/evidence/reliability.md. */
export interface Bar {
  readonly number: number;
  readonly description: string;
  readonly run: () => Promise<readonly Figure[]>;
}

/** Describes the figures that miss their targets. */
export const describeMisses = (figures: readonly Figure[]): string[] =>
  figures
    .filter(({ isMet }) => !isMet)
    .map(({ label, value, target }) => `${label}: ${value}, expected ${target}`);

export const createZeroFigure = (label: string, actual: number): Figure => ({
  label,
  value: String(actual),
  target: '0',
  isMet: actual === 0,
});

/** @param unit such as `s`. */
export const createMaximumFigure = (
  label: string,
  actual: number,
  limit: number,
  unit = '',
): Figure => ({
  label,
  value: formatNumber(actual, unit),
  target: `≤ ${formatNumber(limit, unit)}`,
  isMet: actual <= limit,
});

export const createMinimumFigure = (
  label: string,
  actual: number,
  limit: number,
  unit = '',
): Figure => ({
  label,
  value: formatNumber(actual, unit),
  target: `≥ ${formatNumber(limit, unit)}`,
  isMet: actual >= limit,
});

export const createExactFigure = (label: string, actual: number, expected: number): Figure => ({
  label,
  value: formatNumber(actual),
  target: formatNumber(expected),
  isMet: actual === expected,
});

/** Creates a figure without a target. */
export const createCountFigure = (label: string, count: number): Figure => ({
  label,
  value: formatNumber(count),
  target: 'counted',
  isMet: true,
});

function formatNumber(number: number, unit = ''): string {
  const space = unit === '' || unit === '%' ? '' : ' ';
  return `${number.toLocaleString('en', { maximumFractionDigits: 2 })}${space}${unit}`;
}
