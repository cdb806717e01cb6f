import type { Interval } from './records.ts';

/**
 * Adds an interval to a time. If the resulting month has no such day, uses the first day of the next
 * month, so that later intervals start there
 * (developer.paypal.com/docs/paypal-payments-standard/integration-guide/subscription-billing-cycles).
 * @param time time in ISO 8601.
 */
export function addInterval(time: string, { unit, count }: Interval): string {
  const start = new Date(time);
  if (unit === 'DAY' || unit === 'WEEK') {
    start.setUTCDate(start.getUTCDate() + count * (unit === 'WEEK' ? 7 : 1));
  } else {
    const day = start.getUTCDate();
    start.setUTCMonth(start.getUTCMonth() + count * (unit === 'YEAR' ? 12 : 1));
    if (start.getUTCDate() !== day) start.setUTCDate(1);
  }
  return start.toISOString().replace(/\.\d+Z$/, 'Z');
}
