import type { Frequency } from './records.ts';

const DAY = 86_400_000;
const DAYS: Partial<Readonly<Record<Frequency, number>>> = { weekly: 7, everyOtherWeek: 14 };
const MONTHS: Partial<Readonly<Record<Frequency, number>>> = {
  monthly: 1,
  quarterly: 3,
  biannual: 6,
  annually: 12,
};

/**
 * Returns the end of the last of several periods. A month ends on the start day, or on its last day
 * if it is shorter: January 31, February 28, March 31.
 */
export function addPeriods(start: Date, frequency: Frequency, count: number): Date {
  const days = DAYS[frequency];
  if (days !== undefined) return new Date(start.getTime() + days * count * DAY);
  const month = start.getUTCMonth() + (MONTHS[frequency] ?? 0) * count;
  const end = new Date(start);
  end.setUTCFullYear(
    start.getUTCFullYear(),
    month,
    Math.min(
      start.getUTCDate(),
      new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate(),
    ),
  );
  return end;
}
