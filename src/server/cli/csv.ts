import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';

/** Rows of texts by column. */
type Row = Readonly<Record<string, string>>;

export interface TableOptions {
  readonly columns: readonly string[];
  /** Columns of amounts, which stay numbers. */
  readonly numbers: readonly string[];
}

/**
 * What a spreadsheet might take for the beginning of a formula: also after spaces, marks that are
 * not seen, and quotes, which some programs pass over.
 */
const formula = /^[\s\p{Cf}\p{Cc}"'`]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/**
 * The same behind what other settings of a spreadsheet take for the end of a cell: they do not know
 * which quotes are ours.
 */
const formulaInside = /([;\t\r\n][\s\p{Cf}"'`]*)(?=[=+\-@|%\uff1d\uff0b\uff0d\uff20])/gu;
const amount = /^-?\d+(\.\d+)?$/;

/**
 * Writes rows as CSV (RFC 4180), in which nothing that a donor or a page wrote is a formula, in
 * rows and titles, whatever a spreadsheet takes for a separator: `'` stands before what could begin
 * one. Every text is in quotes.
 * @param file gets a mark of UTF-8, which Excel needs, and its name when it is whole; without
 *   one, the rows go to the standard output, without the mark. @throws where it cannot be written.
 */
export async function writeTable(
  rows: AsyncIterable<Row>,
  file: string | undefined,
  { columns, numbers }: TableOptions,
): Promise<void> {
  const isNumber = columns.map((column) => numbers.includes(column));
  const cells = async function* cells(): AsyncGenerator<string[]> {
    for await (const row of rows) yield columns.map((column) => row[column] ?? '');
  };
  const table = stringify({
    header: true,
    columns: [...columns],
    bom: file !== undefined,
    quoted_string: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: {
      string: (value, { index }) => {
        if (isNumber[index] && amount.test(value))
          return { value, quoted_string: false, escape_formulas: false };
        const inside = value.replace(formulaInside, "$1'");
        return formula.test(value) ? { value: `'${inside}`, escape_formulas: false } : inside;
      },
    },
  });
  if (file === undefined) return pipeline(cells(), table, process.stdout, { end: false });
  const part = `${file}.${process.pid}.part`;
  try {
    await pipeline(cells(), table, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    throw (cause as NodeJS.ErrnoException).syscall === undefined
      ? cause
      : new Error(
          `${file}: the table could not be written there: ${(cause as Error).message}. Name a file in a folder that you may write to.`,
          { cause },
        );
  }
}
