/** Types for what this package uses of csv-parse, whose own types require Node types. */
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
