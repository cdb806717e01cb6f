import { Temporal } from 'temporal-polyfill';
import { InvalidPeriodError, parsePeriod, type Period } from '../../lib/period.ts';

const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };
/** Number of recent months that the period menu lists, including the current one. */
const MONTHS = 12;
/** Number of recent years that the period menu lists, including the current one. */
const YEARS = 5;

/** Value of the menu choice for custom dates. The user then enters the first and last day. */
export const CHOSEN_DAYS = 'days';

/** A choice in the period menu. */
export interface PeriodChoice {
  /** Value in forms and URLs, such as `month`, `2026-10`, or `2026`. Empty for all time. */
  readonly value: string;
  readonly label: string;
}

/**
 * Lists the choices in the period menu.
 * @param now current time, in milliseconds since 1970.
 */
export function listPeriodChoices(now: number, timeZone: string): PeriodChoice[] {
  const today = getToday(now, timeZone);
  return [
    { value: '', label: 'Any time' },
    { value: 'today', label: 'Today' },
    { value: 'week', label: 'This week' },
    { value: 'month', label: 'This month' },
    { value: CHOSEN_DAYS, label: 'Custom dates' },
    ...Array.from({ length: MONTHS }, (_, index) => {
      const month = today.subtract({ months: index }).toPlainYearMonth().toString();
      return { value: month, label: formatMonth(month) };
    }),
    ...Array.from({ length: YEARS }, (_, index) => {
      const year = String(today.year - index);
      return { value: year, label: year };
    }),
  ];
}

/** Formats a month such as `2026-10` as `October 2026`. */
function formatMonth(month: string): string {
  return new Date(`${month}-01T00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
  });
}

/**
 * Converts a choice in the period menu to a period. Returns `undefined` if the value or a day is
 * invalid.
 * @param days first and last day, if the choice is {@link CHOSEN_DAYS}. An empty string sets no
 * limit.
 */
export function resolvePeriod(
  value: string,
  days: { readonly from: string; readonly to: string },
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Period | undefined {
  const today = getToday(now, timeZone);
  const resolve = (first: Temporal.PlainDate, last: Temporal.PlainDate): Period =>
    parsePeriod(first.toString(), last.toString(), timeZone);
  try {
    if (value === '') return ALL_TIME;
    if (value === CHOSEN_DAYS) return resolveDays(days, timeZone);
    if (value === 'today') return resolve(today, today);
    if (value === 'week') return resolve(today.subtract({ days: today.dayOfWeek - 1 }), today);
    const name = value === 'month' ? today.toPlainYearMonth().toString() : value;
    const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(name) ?? [];
    if (year === undefined) return undefined;
    const first = Temporal.PlainDate.from(`${year}-${month ?? '01'}-01`, { overflow: 'reject' });
    return resolve(
      first,
      first.add(month === undefined ? { years: 1 } : { months: 1 }).subtract({ days: 1 }),
    );
  } catch (error) {
    if (error instanceof RangeError || error instanceof InvalidPeriodError) return undefined;
    throw error;
  }
}

function resolveDays(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): Period {
  if (from !== '' && to !== '') return parsePeriod(from, to, timeZone);
  if (from !== '') return { ...ALL_TIME, from: parsePeriod(from, from, timeZone).from };
  if (to !== '') return { ...ALL_TIME, to: parsePeriod(to, to, timeZone).to };
  return ALL_TIME;
}

function getToday(now: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
}
