import { Temporal } from 'temporal-polyfill';

/** A time from its first moment until before its last, in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * The time from the beginning of one day to the end of another.
 * @param from such as `2026-11-01`; both days are in. @param timeZone IANA, whose days they are.
 * @throws where one is no day, or they stand the wrong way round.
 */
export function periodOf(from: string, to: string, timeZone: string): Period {
  const [first, last] = [dayOf('--from', from), dayOf('--to', to)];
  const startOf = (day: Temporal.PlainDate): number =>
    day.toZonedDateTime(timeZone).epochMilliseconds;
  if (Temporal.PlainDate.compare(first, last) > 0)
    throw new RangeError(
      `--from is '${from}', after --to, '${to}'; expected the earlier day first.`,
    );
  return { from: startOf(first), to: startOf(last.add({ days: 1 })) };
}

function dayOf(option: string, written: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(written))
      return Temporal.PlainDate.from(written, { overflow: 'reject' });
  } catch {
    // Refused below: the calendar has no such day.
  }
  throw new RangeError(`${option} is '${written}'; expected a day such as 2026-11-01.`);
}

/** What the clocks of a time zone showed, such as `2026-11-30 23:59:58`. */
export function localTime(time: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ');
}
