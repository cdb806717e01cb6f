import { type Stringifier, stringify } from 'csv-stringify';

export type CsvRow = Readonly<Record<string, string>>;

export interface CsvOptions {
  readonly columns: readonly string[];
  /** Columns with unquoted amounts, which spreadsheets read as numbers. */
  readonly numberColumns: readonly string[];
  /** True to start with a byte order mark, which Excel needs to detect UTF-8. */
  readonly hasMark: boolean;
}

/** Start of a formula, including after characters that some programs skip. */
const FORMULA_START = /^[\s\p{Cf}\p{Cc}"'`]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
/**
 * Start of a formula after a character that some spreadsheets treat as the end of a cell. Quotes
 * around a cell do not prevent these spreadsheets from reading the formula.
 */
const INNER_FORMULA_START =
  /([;\t\r\n][\p{Z}\p{Cf}\v\f"'`]*)(?=[=+\-@|%\uff1d\uff0b\uff0d\uff20])/gu;
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** Formats rows as CSV (RFC 4180). Inserts `'` before text that might be read as a formula. */
export function createCsvFormatter({ columns, numberColumns, hasMark }: CsvOptions): Stringifier {
  const isNumberColumn = columns.map((column) => numberColumns.includes(column));
  return stringify({
    header: true,
    columns: [...columns],
    bom: hasMark,
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
}

export async function* iterateCells(
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
  columns: readonly string[],
): AsyncGenerator<string[]> {
  for await (const row of rows) yield columns.map((column) => row[column] ?? '');
}
