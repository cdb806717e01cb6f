import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  createCsvFormatter,
  type CsvOptions,
  type CsvRow,
  iterateCells,
} from '../reporting/csv.ts';

/**
 * Writes rows as CSV.
 * @param file path of the CSV file, which starts with a byte order mark for Excel. The file appears
 *   under this path only after all rows have been written. If undefined, the rows go to standard
 *   output without a byte order mark.
 * @throws {Error} if the file cannot be written.
 */
export async function writeCsv(
  rows: AsyncIterable<CsvRow>,
  file: string | undefined,
  { columns, numberColumns }: Omit<CsvOptions, 'hasMark'>,
): Promise<void> {
  const cells = iterateCells(rows, columns);
  const csv = createCsvFormatter({ columns, numberColumns, hasMark: file !== undefined });
  if (file === undefined) return pipeline(cells, csv, process.stdout, { end: false });
  const partialFile = `${file}.${process.pid}.part`;
  try {
    await pipeline(cells, csv, createWriteStream(partialFile, { flags: 'wx', mode: 0o600 }));
    await rename(partialFile, file);
  } catch (cause) {
    await rm(partialFile, { force: true });
    throw (cause as NodeJS.ErrnoException).syscall === undefined
      ? cause
      : new Error(
          `Cannot write ${file}: ${(cause as Error).message}. Specify a file in a folder that ` +
            'you can write to.',
          { cause },
        );
  }
}
