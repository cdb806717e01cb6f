import type { Interval } from './records.ts';

/**
 * Adds a number of intervals to a time. If the resulting month is too short, uses the last day of
 * the month.
 * @param time time in ISO 8601.
 */
export function addInterval(time: string, { unit, count }: Interval, times: number): string {
  const start = new Date(time);
  const total = count * times;
  if (unit === 'DAY' || unit === 'WEEK') {
    start.setUTCDate(start.getUTCDate() + total * (unit === 'WEEK' ? 7 : 1));
    return start.toISOString().replace(/\.\d+Z$/, 'Z');
  }
  const day = start.getUTCDate();
  start.setUTCDate(1);
  start.setUTCMonth(start.getUTCMonth() + total * (unit === 'YEAR' ? 12 : 1));
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0));
  start.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return start.toISOString().replace(/\.\d+Z$/, 'Z');
}
