import { Temporal } from 'temporal-polyfill';

/** In milliseconds since 1970. */
export interface Period {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

export const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

export class InvalidPeriodError extends Error {
  override readonly name = 'InvalidPeriodError';
}

/**
 * @param from the first day, such as `2026-11-01`.
 * @param to the last day, inclusive.
 * @param timeZone IANA name, such as `America/New_York`.
 * @throws {InvalidPeriodError} if a day is invalid, or if the last day is before the first.
 */
export function parsePeriod(from: string, to: string, timeZone: string): Period {
  const [first, last] = [parseDay('--from', from), parseDay('--to', to)];
  if (Temporal.PlainDate.compare(first, last) > 0)
    throw new InvalidPeriodError(
      `--from '${from}' is after --to '${to}'. Specify the earlier day as --from.`,
    );
  const getStartOfDay = (day: Temporal.PlainDate): number =>
    day.toZonedDateTime(timeZone).epochMilliseconds;
  return { from: getStartOfDay(first), to: getStartOfDay(last.add({ days: 1 })) };
}

function parseDay(option: string, text: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text))
      return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    // An invalid date is rejected below.
  }
  throw new InvalidPeriodError(`${option} is '${text}'; expected a date such as 2026-11-01.`);
}

/** Formats milliseconds since 1970, such as `2026-11-30`. */
export function formatLocalDay(time: number, timeZone: string): string {
  return formatLocalTime(time, timeZone).slice(0, 10);
}

/** Formats milliseconds since 1970, such as `2026-11-30 23:59:58`. */
export function formatLocalTime(time: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');
}
