import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { FormDefinition } from '../contract/form-definition.ts';
import { formatMoney } from '../model/money.ts';
import { checkLink } from '../settings/link.ts';

/**
 * Checks the campaign links of a CSV file, in whichever column they stand.
 * @returns a text for people, and how many links have something that is ignored or unknown.
 * @throws where the file cannot be read or holds no link.
 */
export async function checkLinks(file: string, form: FormDefinition): Promise<{ report: string; faulty: number }> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => { throw new Error(`${file}: cannot be read. Name a CSV file of links.`, { cause }); });
  const rows = parse(text, { relax_column_count: true, skip_empty_lines: true, info: true, bom: true }) as unknown as readonly { record: readonly string[]; info: { lines: number } }[];
  const links = rows.flatMap(({ record, info }) => record.map((cell) => cell.trim()).filter((cell) => /^https?:\/\//i.test(cell) && URL.canParse(cell)).map((link) => ({ link, line: info.lines })));
  if (links.length === 0) throw new Error(`${file}: no link was found; expected at least one cell that begins with https://.`);
  const checked = links.map(({ link, line }) => describe(link, line, form));
  const faulty = checked.filter(({ isFaulty }) => isFaulty).length;
  return { report: `${checked.map(({ words }) => words).join('\n')}\n${links.length} links, ${faulty} with something that does not count\n`, faulty };
}

function describe(link: string, line: number, form: FormDefinition): { words: string; isFaulty: boolean } {
  const { settings, decided, ignored, unknown, personal } = checkLink(form, link);
  const { currency: { code, decimals }, amount, frequency, project, segment, giftArray } = settings;
  const money = (minor: number): string => formatMoney(minor, code, decimals);
  const selected = [
    amount !== undefined && `amount ${money(amount)}`, decided.giftArray && `amounts ${giftArray.map(({ value }) => money(value)).join(', ')}`,
    decided.frequency && frequency, (decided.projectOverride ?? decided.projectPreselect) && `project ${project.name}`, segment && `segment ${segment}`,
  ].filter(Boolean);
  const lines = [
    `line ${line}  ${link}`,
    `  opens with ${selected.join(' · ') || 'the form as it is'}`,
    ...ignored.map(({ name, reason }) => `  ignored    ${name}: ${reason.replaceAll('-', ' ')}`),
    ...unknown.map(({ name, meant }) => `  unknown    ${name}: did you mean ${meant}?`),
    ...(personal.length > 0 ? [`  personal   ${personal.join(', ')}: seen by everything on the link's way; a mailer's merge tag names the donor only in the mail`] : []),
  ];
  return { words: lines.join('\n'), isFaulty: ignored.length + unknown.length > 0 };
}
