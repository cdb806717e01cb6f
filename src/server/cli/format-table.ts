/** Formats rows of cells as text with aligned columns. The first row determines the columns. */
export function formatTable(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string {
  const widths = rows[0]!.map((_header, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  );
  const formatCell = (cell: string, column: number): string =>
    rightAligned.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  const lines = rows.map((row) => row.map(formatCell).join('  ').trimEnd());
  return `${lines.join('\n')}\n`;
}

/** Formats one or more records as a table with a header. Columns of numbers are right-aligned. */
export function formatRecords(
  records: readonly Readonly<Record<string, string>>[],
  numberColumn = '',
): string {
  const header = Object.keys(records[0]!);
  return formatTable(
    [header, ...records.map((record) => Object.values(record))],
    [header.indexOf(numberColumn)],
  );
}

/** Prints records as a table, or a sentence if there are none. */
export function printRecords(
  records: Parameters<typeof formatRecords>[0],
  emptyText: string,
  numberColumn?: string,
): void {
  process.stdout.write(
    records.length === 0 ? `${emptyText}\n` : formatRecords(records, numberColumn),
  );
}

/** Formats an ISO 8601 time in UTC to minute precision, such as `2026-11-30 23:59`. */
export function formatToMinute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

export function joinLinesWithSlashes(text: string): string {
  return text.replaceAll('\n', ' / ');
}
