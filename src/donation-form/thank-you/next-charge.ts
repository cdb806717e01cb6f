import type { DonationFrequency } from '@donation-form/core/donation';

const INTERVALS: Readonly<Record<DonationFrequency, readonly [months: number, days: number]>> = {
  once: [0, 0],
  weekly: [0, 7],
  everyOtherWeek: [0, 14],
  monthly: [1, 0],
  quarterly: [3, 0],
  biannual: [6, 0],
  annually: [12, 0],
};

/**
 * Returns the date of a recurring gift's second charge. Returns undefined if that month lacks the
 * day, because payment providers then choose different days.
 */
export function getNextCharge(frequency: DonationFrequency, first: Date): Date | undefined {
  const [months, days] = INTERVALS[frequency];
  const next = new Date(first.getFullYear(), first.getMonth() + months, first.getDate() + days);
  const isExact = days > 0 || next.getDate() === first.getDate();
  return isExact && next.getTime() > first.getTime() ? next : undefined;
}
