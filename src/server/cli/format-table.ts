/**
 * Formats rows as text with aligned columns.
 * @param rows rows of cells. The first row is the header.
 * @param rightAligned indexes of right-aligned columns.
 */
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

/** Formats an ISO 8601 time in UTC to minute precision, such as `2026-11-30 23:59`. */
export function formatToMinute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** Joins a text's lines with slashes. */
export function joinLinesWithSlashes(text: string): string {
  return text.replaceAll('\n', ' / ');
}
