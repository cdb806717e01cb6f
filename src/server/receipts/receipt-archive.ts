import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { CsvRow } from '../reporting/csv.ts';
import { FILE_EXTENSIONS, findReceiptFile } from './receipt-file.ts';
import { iterateReceiptPages } from './receipt-list.ts';
import { formatReceiptNumber } from './receipt-number.ts';
import {
  findReplacedNumbers,
  RECEIPT_COLUMNS,
  RECEIPT_NUMBER_COLUMNS,
  toReceiptRow,
} from './receipt-rows.ts';
import { formatIndex, streamZip } from './zip-writer.ts';

const RECEIPT_LIST = {
  columns: [...RECEIPT_COLUMNS, 'file'],
  numberColumns: RECEIPT_NUMBER_COLUMNS,
};

/**
 * Creates a zip with the files of a year's receipts and a list of them, while it is read. Void
 * receipts are in a folder of their own.
 * @param now time of the list, in milliseconds since 1970.
 */
export function streamReceiptArchive(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  {
    organization,
    year,
    now,
  }: { readonly organization: string; readonly year: number; readonly now: number },
): Promise<Readable> {
  return streamZip(async (addFile, stream) => {
    const rows: CsvRow[] = [];
    for await (const page of iterateReceiptPages(db, organization, year)) {
      const replaced = await findReplacedNumbers(db, page);
      for (const receipt of page) {
        if (stream.destroyed) return;
        const { id, status, issuedAt: modifiedAt } = receipt;
        const folder = status === 'void' ? 'void/' : '';
        const file = await findReceiptFile(db, id);
        const name = file
          ? `${folder}${formatReceiptNumber(receipt)}.${FILE_EXTENSIONS[file.mediaType]}`
          : '';
        rows.push({ ...toReceiptRow(receipt, replaced), file: name });
        if (file) await addFile({ name, modifiedAt, content: file.content });
      }
    }
    const content = await formatIndex(rows, RECEIPT_LIST);
    void addFile({ name: `receipts-${year}.csv`, modifiedAt: now, content });
  });
}
