import { Temporal } from 'temporal-polyfill';
import type { Period } from '../lib/period.ts';

const CHART_DAYS = 30;

interface ComparedPeriod {
  readonly current: Period;
  readonly previous: Period;
}

interface ReportDay extends Period {
  /** ISO 8601 date, such as `2026-11-30`. */
  readonly date: string;
}

/**
 * Each previous period ends at the same point as the current one: at this time yesterday, on the
 * same weekday of last week, or on the same day of last month.
 * @param timeZone IANA name of the time zone.
 */
export function calculateIncomePeriods(now: number, timeZone: string) {
  const current = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  const today = current.startOfDay();
  const monday = today.subtract({ days: today.dayOfWeek - 1 }).startOfDay();
  const firstOfMonth = today.with({ day: 1 }).startOfDay();
  const periods = {
    today: comparePeriod(today, current, { days: 1 }),
    week: comparePeriod(monday, current, { days: 7 }),
    month: comparePeriod(firstOfMonth, current, { months: 1 }),
  };
  const compared = Object.values(periods).flatMap((period) => [period.current, period.previous]);
  const chartStart = today.subtract({ days: CHART_DAYS - 1 });
  const earliest = Math.min(chartStart.epochMilliseconds, ...compared.map(({ from }) => from));
  const allDays = listDays(earliest, current);
  const boundaries = new Set([
    ...allDays.map(({ from }) => from),
    ...compared.flatMap(({ from, to }) => [from, to]),
  ]);
  return {
    ...periods,
    // Oldest first. The last day ends now.
    days: allDays.slice(-CHART_DAYS),
    // Each period starts and ends at a boundary, and consecutive ones are at most a day apart.
    boundaries: [...boundaries].sort((one, other) => one - other),
  };
}

function comparePeriod(
  start: Temporal.ZonedDateTime,
  now: Temporal.ZonedDateTime,
  length: { readonly days?: number; readonly months?: number },
): ComparedPeriod {
  // The end is exclusive, so add 1 to include the current millisecond.
  const end = now.epochMilliseconds + 1;
  return {
    current: { from: start.epochMilliseconds, to: end },
    previous: {
      from: start.subtract(length).startOfDay().epochMilliseconds,
      to: Math.min(now.subtract(length).epochMilliseconds + 1, start.epochMilliseconds),
    },
  };
}

/** @param from start of the first day, in milliseconds since 1970. */
function listDays(from: number, now: Temporal.ZonedDateTime): ReportDay[] {
  const days: ReportDay[] = [];
  const end = now.epochMilliseconds + 1;
  let start = Temporal.Instant.fromEpochMilliseconds(from)
    .toZonedDateTimeISO(now.timeZoneId)
    .startOfDay();
  while (start.epochMilliseconds < end) {
    const next = start.add({ days: 1 }).startOfDay();
    days.push({
      date: start.toPlainDate().toString(),
      from: start.epochMilliseconds,
      to: Math.min(next.epochMilliseconds, end),
    });
    start = next;
  }
  return days;
}
