const form = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2}):(\d{2}) (AM|PM)$/;

/**
 * Reads a date-time of the interface: `MM/DD/YYYY HH:MM:SS AM/PM`, UTC; Donation Platform API v1,
 * 'Dates'.
 * @throws {RangeError} where it is none.
 */
export function readDate(written: string): Date {
  const [, month, day, year, hour = '', minute, second, half] = form.exec(written) ?? [];
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  const date = new Date(
    `${year}-${month}-${day}T${String(hours).padStart(2, '0')}:${minute}:${second}Z`,
  );
  if (
    half === undefined ||
    Number(hour) < 1 ||
    Number(hour) > 12 ||
    Number.isNaN(date.getTime()) ||
    date.getUTCDate() !== Number(day)
  ) {
    throw new RangeError(`'${written}' is no date of the form MM/DD/YYYY HH:MM:SS AM/PM.`);
  }
  return date;
}

/** Writes a date-time as the interface does; milliseconds are dropped. */
export function writeDate(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const hours = date.getUTCHours();
  return `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${String(date.getUTCFullYear()).padStart(4, '0')} ${two(hours % 12 || 12)}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} ${hours < 12 ? 'AM' : 'PM'}`;
}

/**
 * A day as filters take it: `yyyy-mm-dd`.
 * @param day a text of that form, or a date whose UTC day is meant. @throws {RangeError} where it
 *   is no day.
 */
export function dayOf(day: Date | string): string {
  const text = typeof day === 'string' ? day : day.toISOString().slice(0, 10);
  const date = new Date(`${text}T00:00:00Z`);
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(text) ||
    Number.isNaN(date.getTime()) ||
    !date.toISOString().startsWith(text)
  )
    throw new RangeError(`'${text}' is no day of the form yyyy-mm-dd.`);
  return text;
}
