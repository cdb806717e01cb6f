/**
 * Types for the part of csv-parse that this package uses. The library's own types require Node
 * types.
 */
export function parse(
  text: string,
  options: {
    readonly delimiter: string;
    readonly relax_column_count: true;
    readonly relax_quotes: true;
    readonly skip_empty_lines: true;
    readonly info: true;
    readonly bom: true;
  },
): { record: string[]; info: { lines: number } }[];
