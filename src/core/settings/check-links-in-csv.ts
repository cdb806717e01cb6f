import { parse } from 'csv-parse/browser/esm/sync';
import { formatCount } from '../i18n/format.ts';
import { formatMoney } from '../money/money.ts';
import type { CurrencyOffer, FormDefinition } from '../schemas/form-definition.ts';
import { checkLink, type LinkCheck } from './campaign-link.ts';

/** A CSV cell that contains a campaign link, with the result of checking the link. */
export interface CheckedLink extends Omit<LinkCheck, 'settings' | 'decidedBy'> {
  /** Line number in the file, starting at 1. */
  readonly line: number;
  readonly link: string;
  /** False for an invalid link: a cell that is not a URL in a column with links. */
  readonly isUrl: boolean;
  readonly isForeign: boolean;
  /** True if the link has parameters for the form. Otherwise, it may be for something else. */
  readonly hasParameters: boolean;
  readonly currency: CurrencyOffer;
  readonly selects: readonly string[];
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, which some spreadsheets use. */
export function decodeCsv(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

function detectEncoding([first, second]: Uint8Array): string {
  if (first === 255 && second === 254) return 'utf-16le';
  return first === 254 && second === 255 ? 'utf-16be' : 'utf-8';
}

/**
 * Checks the links in all columns of a CSV file. If at least half of a column's nonempty cells look
 * like links, the others are invalid links.
 * @param origins origins of the sites that can show the form. By default, every site can.
 * @throws {Error} if the text is not valid CSV.
 */
export function checkLinksInCsv(
  text: string,
  form: FormDefinition,
  origins?: readonly string[],
): CheckedLink[] {
  const records = parseCsv(text);
  const linkColumns = findLinkColumns(records);
  return records.flatMap(({ cells, line }) =>
    cells.flatMap((cell, column): CheckedLink[] => {
      const isUrl = isWebUrl(cell);
      if (!isUrl && (cell === '' || !linkColumns.has(column))) return [];
      // A link without parameters stands for a cell that is not a URL.
      const check = checkLink(form, isUrl ? cell : 'https://example.org');
      const { settings, decidedBy, ...findings } = check;
      return [
        {
          line,
          link: cell,
          isUrl,
          isForeign: isUrl && origins?.includes(new URL(cell).origin) === false,
          hasParameters:
            Object.keys(decidedBy).length + check.ignored.length + check.unknown.length > 0,
          currency: settings.currency,
          selects: describeSelectedSettings(check),
          ...findings,
        },
      ];
    }),
  );
}

export function isMisdirected({ isForeign, hasParameters }: CheckedLink): boolean {
  return isForeign && hasParameters;
}

export function hasProblem(link: CheckedLink): boolean {
  return !link.isUrl || isMisdirected(link) || link.ignored.length + link.unknown.length > 0;
}

export function explainForeignSite(link: string): string {
  const { origin } = new URL(link);
  return (
    `The form does not appear on ${origin} yet. Ask the administrator of the donation server to add ` +
    `exactly ${origin} to “origins” in the configuration. An origin with www. differs from one ` +
    'without www. If this is a shortened link, check the long link instead.'
  );
}

export function summarizeLinks(links: readonly CheckedLink[]): string {
  return `${formatCount(links.length, 'link')}, ${links.filter(hasProblem).length} with problems`;
}

export function describeSelectedSettings({ settings, decidedBy }: LinkCheck): string[] {
  const { amount, frequency, project, segment, giftArray } = settings;
  const { code, decimals } = settings.currency;
  const formatAmount = (minor: number): string => formatMoney(minor, code, decimals);
  return [
    decidedBy.currency && `currency ${code}`,
    decidedBy.amount && `amount ${formatAmount(amount!)}`,
    decidedBy.giftArray &&
      `amounts ${giftArray.map(({ value }) => formatAmount(value)).join(', ')}`,
    decidedBy.frequency && frequency,
    (decidedBy.projectOverride ?? decidedBy.projectPreselect) && `project ${project.name}`,
    segment && `segment ${segment}`,
  ].filter((text) => typeof text === 'string' && text !== '') as string[];
}

export function formatSelection(descriptions: readonly string[]): string {
  return descriptions.join(' · ') || 'no amount, frequency, currency, project, or segment';
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function parseCsv(text: string): CsvRecord[] {
  const rows = parse(text, {
    delimiter: detectDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
    bom: true,
  }) as unknown as readonly { record: readonly string[]; info: { lines: number } }[];
  const records = rows.map(({ record, info }) => ({
    cells: record.map((cell) => cell.trim()),
    line: info.lines,
  }));
  const [first, ...others] = records;
  const headerLength = first && isHeaderRow(first.cells) ? first.cells.length : undefined;
  return (headerLength === undefined ? records : others).map(({ cells, line }) => ({
    line,
    cells: cells.length > (headerLength ?? 1) ? rejoinSplitAmounts(cells) : cells,
  }));
}

/** Cells copied from a spreadsheet have tabs, and many saved files have semicolons. */
function detectDelimiter(text: string): string {
  const [firstLine = ''] = text.trimStart().split(/\r\n|\r|\n/, 1);
  if (firstLine.includes('\t')) return '\t';
  return firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
}

/** Rejoins cells that an unquoted comma in a link's amounts split, such as `amt=1,000`. */
function rejoinSplitAmounts(cells: readonly string[]): string[] {
  return cells.reduce<string[]>((joined, cell) => {
    const previous = joined.at(-1);
    return previous !== undefined &&
      /[?&](?:array-amounts=[\d.,]+|am(?:oun)?t\w*=\d{1,3})$/i.test(previous) &&
      /^[\d.]+(?:[&#]|$)/.test(cell)
      ? [...joined.slice(0, -1), `${previous},${cell}`]
      : [...joined, cell];
  }, []);
}

function isHeaderRow(cells: readonly string[]): boolean {
  return !cells.some((cell) => /\w\.\w|\?\w+=/.test(cell));
}

function findLinkColumns(records: readonly CsvRecord[]): Set<number> {
  const columns = Math.max(0, ...records.map(({ cells }) => cells.length));
  return new Set(
    Array.from({ length: columns }, (_, column) => column).filter((column) => {
      const filled = records.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');
      return filled.length > 0 && filled.filter(resemblesUrl).length * 2 >= filled.length;
    }),
  );
}

function isWebUrl(cell: string): boolean {
  return /^https?:\/\//i.test(cell) && URL.canParse(cell);
}

/** Also returns true for a mistyped URL, such as `www.example.org/give` or `https:/example.org`. */
function resemblesUrl(cell: string): boolean {
  return isWebUrl(cell) || /^(?:https?:\S*|[\w-]+(?:\.[\w-]+)+[/?]\S*)$/i.test(cell);
}
