/**
 * Extracts the rows of the tables in a section of a Markdown page, without the header rows.
 * @param heading text of the section's heading. If absent, the whole page is the section.
 */
export function extractTableRows(page: string, heading?: string): string[][] {
  return extractSection(page, heading)
    .split('\n')
    .filter((line, index, lines) => line.startsWith('|') && !isHeader(line, lines[index + 1]))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Extracts all texts between backticks. */
export function extractCode(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

/** Returns true for a table's header and for the line of hyphens below it. */
function isHeader(line: string, next = ''): boolean {
  return [line, next].some((text) => /^\|[\s|-]+$/.test(text));
}

function extractSection(page: string, heading?: string): string {
  if (heading === undefined) return page;
  const start = page.search(new RegExp(`^#+ ${heading}$`, 'm'));
  if (start < 0) throw new Error(`The page has no heading ${heading}.`);
  const [, level, rest] = /^(#+) .*\n([^]*)/.exec(page.slice(start))!;
  return rest!.split(new RegExp(`^#{1,${level!.length}} `, 'm'))[0]!;
}
