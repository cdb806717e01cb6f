const DATE_PATTERN = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2}):(\d{2}) (AM|PM)$/;

/**
 * Parses a UTC date-time from the API in the format `MM/DD/YYYY HH:MM:SS AM/PM` (Donation Platform
 * API v1, "Dates").
 * @throws {RangeError} if the text has another format or is not a real date.
 *
 * @example
 * ```ts
 * import { parseDate } from 'donation-platform-clients/donation-v1';
 *
 * console.log(parseDate('11/21/2026 12:30:00 PM').toISOString()); // 2026-11-21T12:30:00.000Z
 * ```
 */
export function parseDate(text: string): Date {
  const [, month, day, year, hour = '', minute, second, half] = DATE_PATTERN.exec(text) ?? [];
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
    throw new RangeError(`'${text}' is not a date and time; expected MM/DD/YYYY HH:MM:SS AM/PM.`);
  }
  return date;
}

/**
 * Formats a date-time in UTC for the API. Omits milliseconds.
 *
 * @example
 * ```ts
 * import { formatDate } from 'donation-platform-clients/donation-v1';
 *
 * console.log(formatDate(new Date('2026-11-21T12:30:00Z'))); // 11/21/2026 12:30:00 PM
 * ```
 */
export function formatDate(date: Date): string {
  const pad = (number: number): string => String(number).padStart(2, '0');
  const hours = date.getUTCHours();
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const day = `${pad(date.getUTCMonth() + 1)}/${pad(date.getUTCDate())}/${year}`;
  const time = `${pad(hours % 12 || 12)}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
  return `${day} ${time} ${hours < 12 ? 'AM' : 'PM'}`;
}

/**
 * Formats a day as `yyyy-mm-dd`, for the filters of list requests.
 * @param day day as a string in that format, or as a `Date`, whose UTC day the function uses.
 * @throws {RangeError} if the string has another format or is not a real day.
 *
 * @example
 * ```ts
 * import { formatDay } from 'donation-platform-clients/donation-v1';
 *
 * console.log(formatDay(new Date('2026-11-21T23:59:59Z'))); // 2026-11-21
 * ```
 */
export function formatDay(day: Date | string): string {
  const text = typeof day === 'string' ? day : day.toISOString().slice(0, 10);
  const date = new Date(`${text}T00:00:00Z`);
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(text) ||
    Number.isNaN(date.getTime()) ||
    !date.toISOString().startsWith(text)
  )
    throw new RangeError(`'${text}' is not a date; expected yyyy-mm-dd.`);
  return text;
}
