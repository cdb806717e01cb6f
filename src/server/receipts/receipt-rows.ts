import type { Kysely } from 'kysely';
import { toMajorUnits } from '@donation-form/core/money';
import type { Tables } from '../database/schema.ts';
import { iterateReceiptPages, type NumberedReceipt } from './receipt-list.ts';
import { formatReceiptNumber } from './receipt-number.ts';
import { describeVoidReason } from './void-reason.ts';

export const RECEIPT_COLUMNS = [
  'number',
  'status',
  'issued_utc',
  'day',
  'amount',
  'currency',
  'donor',
  'address',
  'reference',
  'replaces',
  'voided_utc',
  'void_reason',
  'template',
  'sha256',
] as const;
export const RECEIPT_NUMBER_COLUMNS = ['amount'] as const satisfies readonly ReceiptColumn[];
type ReceiptColumn = (typeof RECEIPT_COLUMNS)[number];
type ReceiptCells = Readonly<Record<ReceiptColumn, string>>;

/** One line of an export. The last has the kind `end`. */
export type ReceiptLine =
  | { readonly kind: 'row'; readonly row: ReceiptCells }
  | { readonly kind: 'end'; readonly receipts: number };

export async function* iterateReceiptLines(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  organization: string,
  year: number,
): AsyncGenerator<ReceiptLine> {
  let receipts = 0;
  for await (const row of iterateReceiptRows(db, organization, year)) {
    receipts += 1;
    yield { kind: 'row', row };
  }
  yield { kind: 'end', receipts };
}

export async function* iterateReceiptRows(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  organization: string,
  year: number,
): AsyncGenerator<ReceiptCells> {
  for await (const page of iterateReceiptPages(db, organization, year)) {
    const replaced = await findReplacedNumbers(db, page);
    for (const receipt of page) yield toReceiptRow(receipt, replaced);
  }
}

/** @param replaced the numbers of replaced receipts, by ID. */
export function toReceiptRow(
  receipt: NumberedReceipt,
  replaced: ReadonlyMap<string, string>,
): ReceiptCells {
  const { status, payload, issuedAt, voidedAt, voidReason, replaces } = receipt;
  const formatTime = (time: number | null): string =>
    time === null ? '' : new Date(time).toISOString();
  return {
    number: formatReceiptNumber(receipt),
    status: status === 'issued' ? 'valid' : 'void',
    issued_utc: formatTime(issuedAt),
    day: payload.day,
    amount: toMajorUnits(payload.amount, payload.decimals),
    currency: payload.currency,
    donor: payload.donor?.name ?? '',
    address: payload.donor?.addressLines.join(', ') ?? '',
    reference: receipt.reference,
    replaces: replaces === null ? '' : (replaced.get(replaces) ?? ''),
    voided_utc: formatTime(voidedAt),
    void_reason: voidReason === null ? '' : describeVoidReason(voidReason),
    template: receipt.template ?? '',
    sha256: receipt.hash ?? '',
  };
}

/** Finds the numbers of the receipts that a page's receipts replace, by ID. */
export async function findReplacedNumbers(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  page: readonly NumberedReceipt[],
): Promise<ReadonlyMap<string, string>> {
  const ids = page.flatMap(({ replaces }) => (replaces === null ? [] : [replaces]));
  // PostgreSQL rejects an empty `IN` list.
  if (ids.length === 0) return new Map();
  const rows = (await db
    .selectFrom('receipts')
    .select(['id', 'series', 'year', 'number'])
    .where('id', 'in', ids)
    .where('number', 'is not', null)
    .execute()) as Pick<NumberedReceipt, 'id' | 'series' | 'year' | 'number'>[];
  return new Map(rows.map((row) => [row.id, formatReceiptNumber(row)]));
}
