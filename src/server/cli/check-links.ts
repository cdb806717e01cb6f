import { readFile } from 'node:fs/promises';
import { cleanLine } from '@donation-form/core/donor';
import type { FormDefinition } from '@donation-form/core/schemas';
import {
  type CheckedLink,
  checkLinksInCsv,
  decodeCsv,
  explainForeignSite,
  explainIgnoredValue,
  explainUnknownName,
  formatSelection,
  hasProblem,
  isMisdirected,
  listParameterNotes,
  summarizeLinks,
} from '@donation-form/core/settings';

/** @throws {Error} if the file cannot be read or contains no links. */
export async function checkLinksInFile(
  file: string,
  form: FormDefinition,
  origins: readonly string[],
): Promise<{ readonly report: string; readonly failedCount: number }> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new Error(
      `Cannot read ${file}: ${(cause as Error).message}. Specify a CSV file that contains links.`,
      { cause },
    );
  });
  let rows: CheckedLink[];
  try {
    rows = checkLinksInCsv(decodeCsv(bytes), form, origins);
  } catch (cause) {
    throw new Error(`Cannot parse ${file} as CSV: ${(cause as Error).message}`, { cause });
  }
  if (rows.length === 0)
    throw new Error(
      `${file} contains no links. Expected at least one cell that starts with https://.`,
    );
  return {
    report: `${rows.map((row) => formatRow(row, form)).join('\n')}\n${summarizeLinks(rows)}\n`,
    failedCount: rows.filter(hasProblem).length,
  };
}

function formatRow(row: CheckedLink, form: FormDefinition): string {
  const { line, link, isUrl, currency, selects, ignored, unknown, personal } = row;
  return [
    `line ${line}  ${cleanLine(link)}`,
    isUrl
      ? `  selects ${formatSelection(selects)}`
      : '  not a URL: expected a link that starts with https://',
    ...(isMisdirected(row) ? [`  site       ${explainForeignSite(link)}`] : []),
    ...ignored.map(
      (value) =>
        `  ignored    ${cleanLine(value.name)}: ${explainIgnoredValue(value, form, currency)}`,
    ),
    ...unknown.map(
      (one) =>
        `  ${one.place ? 'ignored' : 'unknown'}    ${cleanLine(one.name)} ` +
        explainUnknownName(one),
    ),
    ...(personal.length > 0
      ? [
          `  personal   ${personal.join(', ')}: mail servers and analytics can read this personal ` +
            "data; use a merge tag instead so that only the donor's own email contains it",
        ]
      : []),
    ...listParameterNotes(row).map(
      ({ kind, name, advice }) => `  ${kind.padEnd(10)} ${cleanLine(name)}: ${advice}`,
    ),
  ].join('\n');
}
