/**
 * Parses a time to milliseconds since 1970. Returns the current time if the time is missing or
 * invalid.
 */
export function parsePayPalTime(time = ''): number {
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? Date.now() : parsed;
}
