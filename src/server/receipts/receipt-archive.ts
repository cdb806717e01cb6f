import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { ReceiptFileRow, Tables } from '../database/schema.ts';
import type { CsvRow } from '../reporting/csv.ts';
import { findReceiptFile, iterateReceiptPages, type NumberedReceipt } from './receipt-list.ts';
import { formatReceiptNumber } from './receipt-number.ts';
import {
  findReplacedNumbers,
  RECEIPT_COLUMNS,
  RECEIPT_NUMBER_COLUMNS,
  toReceiptRow,
} from './receipt-rows.ts';
import { type Archive, formatIndex, type ZipFileEntry, ZipWriter } from './zip-writer.ts';

type ReadDatabase = Pick<Kysely<Tables>, 'selectFrom'>;
type FileSize = Pick<ReceiptFileRow, 'receipt' | 'mediaType'> & { readonly size: number };

export const FILE_EXTENSIONS: Readonly<Record<ReceiptFileRow['mediaType'], string>> = {
  'application/pdf': 'pdf',
  'text/html': 'html',
};

const PAGE_SIZE = 200;

/**
 * Creates a zip with the files of a year's receipts and a list of them. Void receipts are in a
 * folder of their own. Files are read only when they are sent, so there is nothing to store and
 * delete, and any server can send the zip.
 * @param now time of the list, in milliseconds since 1970.
 */
export async function createReceiptArchive(
  db: ReadDatabase,
  {
    organization,
    year,
    now,
  }: { readonly organization: string; readonly year: number; readonly now: number },
): Promise<Archive> {
  const files: ZipFileEntry[] = [];
  const index = await formatIndex(listFiles(db, organization, year, files), {
    columns: [...RECEIPT_COLUMNS, 'file'],
    numberColumns: RECEIPT_NUMBER_COLUMNS,
  });
  const zip = await ZipWriter.create();
  const list = { name: `receipts-${year}.csv`, modifiedAt: now, size: index.length };
  for (const [position, file] of [{ ...list, load: () => index }, ...files].entries()) {
    void zip.addFile(file);
    // Lets other work run.
    if (position % PAGE_SIZE === 0) await setImmediate();
  }
  return { stream: zip.stream, size: await zip.end() };
}

/** Yields the rows of the list, and adds the files. */
async function* listFiles(
  db: ReadDatabase,
  organization: string,
  year: number,
  files: ZipFileEntry[],
): AsyncGenerator<CsvRow> {
  for await (const page of iterateReceiptPages(db, organization, year)) {
    const [replaced, sizes] = await Promise.all([
      findReplacedNumbers(db, page),
      findFileSizes(db, page),
    ]);
    for (const receipt of page) {
      const found = sizes.get(receipt.id);
      const file = found && toFileEntry(db, receipt, found);
      if (file) files.push(file);
      yield { ...toReceiptRow(receipt, replaced), file: file?.name ?? '' };
    }
  }
}

async function findFileSizes(
  db: ReadDatabase,
  page: readonly NumberedReceipt[],
): Promise<ReadonlyMap<string, FileSize>> {
  const ids = page.map(({ id }) => id);
  const rows = await db
    .selectFrom('receiptFiles')
    .select(['receipt', 'mediaType', sql<number>`length(content)`.as('size')])
    .where('receipt', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.receipt, row]));
}

function toFileEntry(
  db: ReadDatabase,
  receipt: NumberedReceipt,
  { mediaType, size }: FileSize,
): ZipFileEntry {
  const { id, status, issuedAt } = receipt;
  const number = formatReceiptNumber(receipt);
  return {
    name: `${status === 'void' ? 'void/' : ''}${number}.${FILE_EXTENSIONS[mediaType]}`,
    modifiedAt: issuedAt,
    size,
    load: async () => {
      const file = await findReceiptFile(db, id);
      if (file) return file.content;
      throw new Error(`The file of receipt ${number} was erased. Download the zip again.`);
    },
  };
}
