/** Parses a time to milliseconds since 1970, or returns the current time if there is none. */
export function parseTimeOrNow(time = ''): number {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? Date.now() : parsed;
}
