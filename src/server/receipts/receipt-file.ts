import type { Kysely, Selectable } from 'kysely';
import type { ReceiptFileRow, Tables } from '../database/schema.ts';

export const FILE_EXTENSIONS: Readonly<Record<ReceiptFileRow['mediaType'], string>> = {
  'application/pdf': 'pdf',
  'text/html': 'html',
};

/** Returns `undefined` if the file has been erased. */
export function findReceiptFile(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  receipt: string,
): Promise<Selectable<ReceiptFileRow> | undefined> {
  return db
    .selectFrom('receiptFiles')
    .selectAll()
    .where('receipt', '=', receipt)
    .executeTakeFirst();
}
