import { Temporal } from 'temporal-polyfill';
import type { Period } from '../lib/period.ts';

/** Twelve months. */
export interface StatementYear {
  /** Year of the first month. */
  readonly year: number;
  /** First month, from 1 to 12. */
  readonly startMonth: number;
}

export interface StatementPeriod extends Period {
  readonly firstDay: Temporal.PlainDate;
  /** Inclusive. */
  readonly lastDay: Temporal.PlainDate;
}

export function getStatementPeriod(
  { year, startMonth }: StatementYear,
  timeZone: string,
): StatementPeriod {
  const firstDay = Temporal.PlainDate.from({ year, month: startMonth, day: 1 });
  const end = firstDay.add({ years: 1 });
  const getStartOfDay = (day: Temporal.PlainDate): number =>
    day.toZonedDateTime(timeZone).epochMilliseconds;
  return {
    from: getStartOfDay(firstDay),
    to: getStartOfDay(end),
    firstDay,
    lastDay: end.subtract({ days: 1 }),
  };
}

/** Such as `2026`, or `2026-04` for a year that starts in April. */
export function formatStatementYear({ year, startMonth }: StatementYear): string {
  return startMonth === 1 ? String(year) : `${year}-${String(startMonth).padStart(2, '0')}`;
}
