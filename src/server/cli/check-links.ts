import { readFile } from 'node:fs/promises';
import type { FormDefinition } from '@donation-form/core/schemas';
import { cleanLine } from '@donation-form/core/donor';
import {
  checkTable,
  decodeTable,
  isFaulty,
  summaryOf,
  type LinkRow,
} from '@donation-form/core/settings';

/**
 * Checks the campaign links of a CSV file, in whichever column they stand.
 * @returns a text for people, and how many links have something that is ignored or unknown, or
 *   are none.
 * @throws where the file cannot be read or holds no link.
 */
export async function checkLinks(
  file: string,
  form: FormDefinition,
): Promise<{ report: string; faulty: number }> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new Error(`${file}: cannot be read. Name a CSV file of links.`, { cause });
  });
  const rows = rowsOf(bytes, file, form);
  if (rows.length === 0)
    throw new Error(
      `${file}: no link was found; expected at least one cell that begins with https://.`,
    );
  return {
    report: `${rows.map(describe).join('\n')}\n${summaryOf(rows)}\n`,
    faulty: rows.filter(isFaulty).length,
  };
}

/** @throws naming the file where it is no CSV. */
function rowsOf(bytes: Uint8Array, file: string, form: FormDefinition): LinkRow[] {
  try {
    return checkTable(decodeTable(bytes), form);
  } catch (cause) {
    throw new Error(`${file}: is no CSV that can be read: ${(cause as Error).message}`, { cause });
  }
}

function describe({
  line,
  link,
  isAddress,
  selected,
  ignored,
  unknown,
  personal,
}: LinkRow): string {
  return [
    `line ${line}  ${cleanLine(link)}`,
    isAddress
      ? `  opens with ${selected.join(' · ') || 'the form as it is'}`
      : '  no web address: expected one that begins with https://',
    ...ignored.map(
      ({ name, reason }) => `  ignored    ${cleanLine(name)}: ${reason.replaceAll('-', ' ')}`,
    ),
    ...unknown.map(({ name, meant }) => `  unknown    ${cleanLine(name)}: did you mean ${meant}?`),
    ...(personal.length > 0
      ? [
          `  personal   ${personal.join(', ')}: seen by everything on the link's way; a mailer's merge tag names the donor only in the mail`,
        ]
      : []),
  ].join('\n');
}
