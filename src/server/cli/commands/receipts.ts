import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import type { ActionOutput } from '../../admin/actions/staff-actions.ts';
import type { ReceiptLine } from '../../receipts/receipt-rows.ts';
import type { CsvRow } from '../../reporting/csv.ts';
import { callServer, streamLines } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import { formatRecords, printRecords } from '../format-table.ts';
import {
  byOption,
  configOption,
  createIntegerParser,
  noteOption,
  organizationOption,
  outputOption,
  toSignature,
  yearOption,
} from '../options.ts';

const listReceiptsCommand = new Command('list')
  .summary('list receipts, or find one by number')
  .description(
    'List the latest 50 receipts issued in a year, and check that no number is missing. Exits ' +
      'with 1 if one is.',
  )
  .argument('[number]', 'number of a receipt, such as WEB-2026-000123')
  .option('--year <year>', 'year of issue (default: the latest)', createIntegerParser(2000, 2999))
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async (search, { config, year, organization }) => {
    const list = await callServer(config, 'receipts.list', {
      organization,
      search,
      ...(year !== undefined && { year: String(year) }),
    });
    const rows = list.items.map((item) => ({
      number: item.number,
      status: item.status === 'issued' ? 'valid' : 'void',
      issued: item.issuedAt.slice(0, 10),
      donation: item.reference,
      donor: item.donor,
      amount: item.amount,
      reason: item.voidReason ?? '',
    }));
    printRecords(rows, 'No matching receipts.', 'amount');
    if (search !== undefined) return;
    process.stdout.write(list.series.map((series) => formatSeries(series, list.year)).join(''));
    if (list.series.some(({ missing }) => missing.length > 0)) process.exitCode = 1;
  });

function formatSeries(
  check: ActionOutput<'receipts.list'>['series'][number],
  year: number,
): string {
  const { series, lastNumber, missing } = check;
  const numbers =
    missing.length === 0
      ? `numbers 1 to ${lastNumber} are complete`
      : `these numbers are missing: ${missing.join(', ')}`;
  return `${series}-${year}: ${formatCount(check.valid, 'valid receipt')}, ${check.void} void; ${numbers}.\n`;
}

const exportReceiptsCommand = new Command('export')
  .summary('export receipts as CSV')
  .description(
    'Export the receipts issued in a year as CSV, including void ones. Escapes cells that a ' +
      'spreadsheet could read as formulas.',
  )
  .addOption(yearOption)
  .addOption(outputOption)
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async ({ config, output, year, organization }) => {
    const lines = streamLines(config, 'receipts.export', { year, organization });
    const [{ RECEIPT_COLUMNS, RECEIPT_NUMBER_COLUMNS }, { writeCsv }] = await Promise.all([
      import('../../receipts/receipt-rows.ts'),
      import('../write-csv.ts'),
    ]);
    await writeCsv(iterateRows(lines), output, {
      columns: RECEIPT_COLUMNS,
      numberColumns: RECEIPT_NUMBER_COLUMNS,
    });
  });

async function* iterateRows(lines: AsyncIterable<ReceiptLine>): AsyncGenerator<CsvRow> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}

const correctReceiptCommand = new Command('correct')
  .summary('replace a receipt with another that has the right name or address')
  .description(
    "Replace a donation's receipt with another that has the right name and address. The server " +
      'makes the old one void and sends the donor the new one.',
  )
  .argument('<reference>', 'reference of the donation or renewal')
  .requiredOption('--name <name>', "the donor's name")
  .option('--address <lines...>', 'lines of the address, each in quotes')
  .addOption(byOption)
  .addOption(noteOption)
  .addOption(configOption)
  .action(async (reference, { config, name, address = [], by, note }) => {
    const input = { reference, name, addressLines: address, ...toSignature({ by, note }) };
    const { corrected } = await callServer(config, 'receipts.correct', input);
    process.stdout.write(`The server will replace receipt ${corrected} within a minute.\n`);
  });

const voidReceiptCommand = new Command('void')
  .summary('make a receipt void')
  .description("Make a donation's receipt void, without a replacement.")
  .argument('<reference>', 'reference of the donation or renewal')
  .requiredOption('--reason <text>', 'reason to save with the receipt')
  .addOption(byOption)
  .addOption(configOption)
  .action(async (reference, { config, reason, by }) => {
    const input = { reference, reason, by: toSignature({ by }).by };
    const { voided } = await callServer(config, 'receipts.void', input);
    process.stdout.write(`Receipt ${voided} is void.\n`);
  });

export const receiptsCommand = createCommandGroup(
  'receipts',
  'List, export, correct, and void receipts.',
  [listReceiptsCommand, exportReceiptsCommand, correctReceiptCommand, voidReceiptCommand],
);

const showStatementCommand = new Command('show')
  .summary("show a donor's statement of a year")
  .description(
    'Show what the valid receipts of a donor confirm in twelve months, in the language of the ' +
      'latest donation.',
  )
  .argument('<email>', "the donor's email")
  .addOption(yearOption)
  .option(
    '--start-month <number>',
    'first of the twelve months, from 1 to 12',
    createIntegerParser(1, 12),
    1,
  )
  .option('--output <file>', 'file to write the statement to')
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async (email, { config, output, organization, ...year }) => {
    const input = { email, organization, ...year };
    const { table, ...file } = await callServer(config, 'statements.show', input);
    if (output !== undefined) return writeStatement(output, file);
    const rows = [...table.rows, ...table.totals].map((row) =>
      Object.fromEntries(table.columns.map((column, index) => [column, row[index]!])),
    );
    process.stdout.write(formatRecords(rows, table.columns.at(-1)));
  });

/** @throws {Error} if the file has the extension of another format or cannot be written. */
export async function writeStatement(
  file: string,
  { mediaType, base64 }: Pick<ActionOutput<'statements.show'>, 'mediaType' | 'base64'>,
): Promise<void> {
  const { FILE_EXTENSIONS } = await import('../../receipts/receipt-file.ts');
  const extension = `.${FILE_EXTENSIONS[mediaType]}`;
  if (!['', extension].includes(extname(file)))
    throw new Error(
      `The statement is of the type ${mediaType}, because of \`receipts.pdf\`, so ${file} would have ` +
        `the wrong extension. Specify a file that ends with ${extension}.`,
    );
  await writeFile(file, Buffer.from(base64, 'base64'), { mode: 0o600 }).catch((cause: unknown) => {
    throw new Error(
      `Cannot write ${file}: ${(cause as Error).message}. Specify a file in a folder that you can ` +
        'write to.',
      { cause },
    );
  });
}

export const statementsCommand = createCommandGroup(
  'statements',
  "Show donors' statements of a year.",
  [showStatementCommand],
);
