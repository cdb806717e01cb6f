import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

/** Cells by column. */
type Row = Readonly<Record<string, string>>;

export interface CsvOptions {
  readonly columns: readonly string[];
  /** Columns whose amounts are written as numbers, without quotes. */
  readonly numberColumns: readonly string[];
}

/**
 * Matches the start of a cell that a spreadsheet may read as a formula, including after characters
 * that some programs skip: spaces, invisible characters, and quotes.
 */
const FORMULA_START = /^[\s\p{Cf}\p{Cc}"'`]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/**
 * Matches the start of a formula after a character that other spreadsheet settings treat as the end
 * of a cell. With these settings, our quotes don't protect the cell.
 */
const INNER_FORMULA_START = /([;\t\r\n][\s\p{Cf}"'`]*)(?=[=+\-@|%\uff1d\uff0b\uff0d\uff20])/gu;
const AMOUNT = /^-?\d+(\.\d+)?$/;

/**
 * Writes rows as CSV (RFC 4180), with quotes around text. Inserts `'` before text that a
 * spreadsheet may read as a formula, whatever separator it expects.
 * @param file path to write to. The file is created only once it is complete, and starts with a
 *   byte order mark for Excel. If absent, writes to standard output, without the mark.
 * @throws {Error} if the file cannot be written.
 */
export async function writeCsv(
  rows: AsyncIterable<Row>,
  file: string | undefined,
  { columns, numberColumns }: CsvOptions,
): Promise<void> {
  const isNumberColumn = columns.map((column) => numberColumns.includes(column));
  const iterateRowCells = async function* iterateRowCells(): AsyncGenerator<string[]> {
    for await (const row of rows) yield columns.map((column) => row[column] ?? '');
  };
  const csv = stringify({
    header: true,
    columns: [...columns],
    bom: file !== undefined,
    quoted_string: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: {
      string: (value, { index }) => {
        if (isNumberColumn[index] && AMOUNT.test(value))
          return { value, quoted_string: false, escape_formulas: false };
        const escaped = value.replace(INNER_FORMULA_START, "$1'");
        return FORMULA_START.test(value)
          ? { value: `'${escaped}`, escape_formulas: false }
          : escaped;
      },
    },
  });
  if (file === undefined) return pipeline(iterateRowCells(), csv, process.stdout, { end: false });
  const partialFile = `${file}.${process.pid}.part`;
  try {
    await pipeline(
      iterateRowCells(),
      csv,
      createWriteStream(partialFile, { flags: 'wx', mode: 0o600 }),
    );
    await rename(partialFile, file);
  } catch (cause) {
    await rm(partialFile, { force: true });
    throw (cause as NodeJS.ErrnoException).syscall === undefined
      ? cause
      : new Error(
          `Cannot write ${file}: ${(cause as Error).message}. Name a file in a folder that ` +
            'you may write to.',
          { cause },
        );
  }
}
