/** Formats a count with its English noun, such as `1 donation` or `2 donations`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
