import type { ReceiptRow } from '../database/schema.ts';

export interface ReceiptNumber {
  readonly series: string;
  readonly year: number;
  readonly number: number;
}

const MIN_DIGITS = 6;

/** Series of the receipts for test donations. */
export const TEST_SERIES = 'TEST';

/** Formats the number of an issued or void receipt, such as `WEB-2026-000123`. */
export function formatReceiptNumber({
  series,
  year,
  number,
}: Pick<ReceiptRow, 'series' | 'year' | 'number'>): string {
  return `${series}-${year}-${String(number).padStart(MIN_DIGITS, '0')}`;
}

/** Parses a number such as `WEB-2026-000123` or `web-2026-123`. */
export function parseReceiptNumber(text: string): ReceiptNumber | undefined {
  const [, series, year, number] =
    /^([A-Z0-9]{1,10})-(\d{4})-(\d{1,9})$/.exec(text.trim().toUpperCase()) ?? [];
  return series === undefined ? undefined : { series, year: Number(year), number: Number(number) };
}

/** Returns the number of a row, or `undefined` if the row has none yet. */
export function getReceiptNumber({
  series,
  year,
  number,
}: Pick<ReceiptRow, 'series' | 'year' | 'number'>): ReceiptNumber | undefined {
  return series === null || year === null || number === null ? undefined : { series, year, number };
}
