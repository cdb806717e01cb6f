/** Formats a count with its noun: `1 problem`, `2 problems`. */
export const formatCount = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;
