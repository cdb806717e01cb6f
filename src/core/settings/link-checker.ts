import { parse } from 'csv-parse/browser/esm/sync';
import type { CurrencyOffer, FormDefinition } from '../schemas/form-definition.ts';
import { formatMoney } from '../money/money.ts';
import { checkLink, type LinkCheck } from './campaign-link.ts';

/** A campaign link of a table, and what a form would make of it. */
export interface LinkRow extends Pick<LinkCheck, 'ignored' | 'unknown' | 'personal'> {
  /** Where the link stands in the text, the first line is 1. */
  readonly line: number;
  readonly link: string;
  /** False: the cell stands among links and is none, so nothing could be checked. */
  readonly isAddress: boolean;
  /** The currency in which its amounts are read. */
  readonly currency: CurrencyOffer;
  /** What the form would open with, in words. */
  readonly selected: readonly string[];
}

/** The text of a CSV file: UTF-8, or the UTF-16 of spreadsheets, which begins with a mark. */
export function decodeTable(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 255 && second === 254) return 'utf-16le';
  return first === 254 && second === 255 ? 'utf-16be' : 'utf-8';
}

/**
 * Checks the campaign links of a CSV text, in whichever columns they stand; by commas, semicolons
 * or tabs.
 * In a column of which half or more are links, what is no web address is a row too.
 * @throws where the text is no CSV, such as one with a quote that does not end.
 */
export function checkTable(text: string, form: FormDefinition): LinkRow[] {
  const records = readRecords(text);
  const linkColumns = linkColumnsOf(records);
  return records.flatMap(({ cells, line }) =>
    cells.flatMap((cell, column): LinkRow[] => {
      if (isAddress(cell)) {
        const check = checkLink(form, cell);
        const { ignored, unknown, personal } = check;
        return [
          {
            line,
            link: cell,
            isAddress: true,
            currency: check.settings.currency,
            selected: selectedBy(check),
            ignored,
            unknown,
            personal,
          },
        ];
      }
      return cell !== '' && linkColumns.has(column)
        ? [
            {
              line,
              link: cell,
              isAddress: false,
              currency: form.currencies[0],
              selected: [],
              ignored: [],
              unknown: [],
              personal: [],
            },
          ]
        : [];
    }),
  );
}

/** Whether something of a row does not count. */
export function isFaulty({ isAddress, ignored, unknown }: LinkRow): boolean {
  return !isAddress || ignored.length + unknown.length > 0;
}

/** How many links, and how many of them are faulty, in words. */
export function summaryOf(rows: readonly LinkRow[]): string {
  return `${rows.length} ${rows.length === 1 ? 'link' : 'links'}, ${rows.filter(isFaulty).length} with something that does not count`;
}

/** What a form opens with by a link, in words. */
export function selectedBy({
  settings,
  decided,
}: Pick<LinkCheck, 'settings' | 'decided'>): string[] {
  const {
    currency: { code, decimals },
    amount,
    frequency,
    project,
    segment,
    giftArray,
  } = settings;
  const money = (minor: number): string => formatMoney(minor, code, decimals);
  return [
    amount !== undefined && `amount ${money(amount)}`,
    decided.giftArray && `amounts ${giftArray.map(({ value }) => money(value)).join(', ')}`,
    decided.frequency && frequency,
    (decided.projectOverride ?? decided.projectPreselect) && `project ${project.name}`,
    segment && `segment ${segment}`,
  ].filter((words) => typeof words === 'string' && words !== '') as string[];
}

interface TableRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function readRecords(text: string): TableRecord[] {
  const rows = parse(text, {
    delimiter: delimiterOf(text),
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
  const titles = first && isHeader(first.cells) ? first.cells.length : undefined;
  return (titles === undefined ? records : others).map(({ cells, line }) => ({
    line,
    cells: cells.length > (titles ?? 1) ? joinAmounts(cells) : cells,
  }));
}

/** Spreadsheets copy with tabs, and many save with semicolons. */
function delimiterOf(text: string): string {
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/, 1);
  if (first.includes('\t')) return '\t';
  return first.includes(';') && !first.includes(',') ? ';' : ',';
}

/**
 * Commas that stand unquoted in the amounts of a link, `amt=1,000` or `array-amounts=25,50,100`,
 * were taken for borders of cells: what they parted is put together again.
 */
function joinAmounts(cells: readonly string[]): string[] {
  return cells.reduce<string[]>((joined, cell) => {
    const before = joined.at(-1);
    return before !== undefined &&
      /[?&](?:array-amounts=[\d.,]+|am(?:oun)?t\w*=\d{1,3})$/i.test(before) &&
      /^[\d.]+(?:[&#]|$)/.test(cell)
      ? [...joined.slice(0, -1), `${before},${cell}`]
      : [...joined, cell];
  }, []);
}

/** A row of titles has no dot inside a word, and no parameter. */
function isHeader(cells: readonly string[]): boolean {
  return !cells.some((cell) => /\w\.\w|\?\w+=/.test(cell));
}

function linkColumnsOf(records: readonly TableRecord[]): Set<number> {
  const columns = Math.max(0, ...records.map(({ cells }) => cells.length));
  return new Set(
    Array.from({ length: columns }, (_none, column) => column).filter((column) => {
      const filled = records.map(({ cells }) => cells[column] ?? '').filter((cell) => cell !== '');
      return filled.length > 0 && filled.filter(resemblesAddress).length * 2 >= filled.length;
    }),
  );
}

function isAddress(cell: string): boolean {
  return /^https?:\/\//i.test(cell) && URL.canParse(cell);
}

/** An address, or what may be meant as one: `www.example.org/give?amt=5`, `https:/example.org`. */
function resemblesAddress(cell: string): boolean {
  return isAddress(cell) || /^(?:https?:\S*|[\w-]+(?:\.[\w-]+)+[/?]\S*)$/i.test(cell);
}
