import type { ReceiptRow } from '../database/schema.ts';

/** Series of the receipts for test donations. */
export const TEST_SERIES = 'TEST';

/** Formats the number of an issued or void receipt, such as `WEB-2026-000123`. */
export function formatReceiptNumber({
  series,
  year,
  number,
}: Pick<ReceiptRow, 'series' | 'year' | 'number'>): string {
  return `${series}-${year}-${String(number).padStart(6, '0')}`;
}
