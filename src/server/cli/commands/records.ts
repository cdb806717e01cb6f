import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import type { CsvRow } from '../../reporting/csv.ts';
import type { ExportLine } from '../../reporting/export-rows.ts';
import {
  type Difference,
  DONATION_COLUMNS,
  FEE_COLUMNS,
  NUMBER_COLUMNS,
  PAYMENT_COLUMNS,
  type ReportLine,
} from '../../reporting/report.ts';
import { streamLines } from '../admin-client.ts';
import { formatRecords } from '../format-table.ts';
import {
  configOption,
  fromOption,
  organizationOption,
  outputOption,
  toOption,
} from '../options.ts';

export const exportDonationsCommand = new Command('export')
  .summary('export donations as CSV')
  .description(
    "Export a period's donations as CSV, with donors, addresses, consents, custom fields, and " +
      'tracking. Escapes cells that a spreadsheet could read as formulas.',
  )
  .addOption(fromOption)
  .addOption(toOption)
  .addOption(outputOption)
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async ({ config, output, from, to, organization }) => {
    const lines = streamLines(config, 'donations.export', { from, to, organization });
    const { value: columns } = await lines.next();
    if (columns?.kind !== 'columns')
      throw new Error("The server stopped before it sent any donations. Check the server's log.");
    const [{ listExportColumns, OTHER_FIELDS }, { writeCsv }] = await Promise.all([
      import('../../reporting/export-rows.ts'),
      import('../write-csv.ts'),
    ]);
    await writeCsv(iterateDonationRows(lines), output, {
      columns: listExportColumns(columns),
      numberColumns: NUMBER_COLUMNS,
    });
    const { omitted, customFields } = columns;
    const fieldCount = customFields.length;
    if (omitted > 0)
      process.stderr.write(
        `These donations have ${fieldCount + omitted} custom fields. The ${fieldCount} most ` +
          `frequently used fields have their own columns, and the ${OTHER_FIELDS} column ` +
          `contains the other ${omitted}.\n`,
      );
  });

async function* iterateDonationRows(lines: AsyncGenerator<ExportLine>): AsyncGenerator<CsvRow> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}

export const reconcileCommand = new Command('reconcile')
  .summary('compare payments, the database, and the platform')
  .description(
    "Compare a period's donations at the payment providers, in the database, and on the " +
      'platform, and list missing, duplicate, and mismatched records. Exits with 1 if there are ' +
      'differences, or if a payment provider or the platform does not respond.',
  )
  .addOption(fromOption)
  .addOption(toOption)
  .addOption(outputOption)
  .option('--apply', 'save renewals, refunds, and other payment events whose webhooks were lost')
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async ({ config, apply, output, from, to, organization }) => {
    const lines = streamLines(config, 'reconcile', {
      from,
      to,
      organization,
      apply: apply === true,
      includeRows: output !== undefined,
    });
    const report: ReportLine[] = [];
    const rows = iterateRows(lines, report);
    if (output === undefined) {
      // The server sends no rows, but the loop reads the report.
      for await (const row of rows) void row;
    } else {
      const { writeCsv } = await import('../write-csv.ts');
      await writeCsv(rows, output, {
        columns: [...DONATION_COLUMNS, ...FEE_COLUMNS, ...PAYMENT_COLUMNS],
        numberColumns: NUMBER_COLUMNS,
      });
    }
    process.stdout.write(formatReport(report));
    if (findEnd(report).differences > 0) process.exitCode = 1;
  });

/** Yields the donation rows and adds all other lines to the report. */
async function* iterateRows(
  lines: AsyncIterable<ReportLine>,
  report: ReportLine[],
): AsyncGenerator<CsvRow> {
  for await (const line of lines) {
    if (line.kind === 'row') yield { ...line.row };
    else if (line.kind !== 'progress') report.push(line);
  }
}

const SIDE_LABELS: Readonly<Record<Difference['side'], string>> = {
  'payment-provider': 'payment provider',
  database: 'database',
  platform: 'platform',
};

function formatReport(report: readonly ReportLine[]): string {
  const notCompared = report.filter((line) => line.kind === 'not-compared');
  const applied = report.filter((line) => line.kind === 'applied');
  const inProgress = report.filter((line) => line.kind === 'in-progress');
  const differences = report
    .filter((line) => line.kind === 'difference')
    .map(({ difference: { type, side, ...values } }) => ({
      difference: type,
      where: SIDE_LABELS[side],
      reference: values.reference,
      field: values.field,
      found: values.found,
      expected: values.expected,
    }));
  const donations = formatCount(findEnd(report).donations, 'donation');
  const count =
    differences.length === 0 ? 'no differences' : formatCount(differences.length, 'difference');
  const isIncomplete = notCompared.some(({ isFailure }) => isFailure);
  return [
    ...notCompared.map(
      ({ side, reason }) => `NOT COMPARED with the ${SIDE_LABELS[side]}: ${reason}\n`,
    ),
    formatList(
      'Applied:',
      applied.map(({ reference, change }) => `  ${reference}  ${change}`),
    ),
    formatList(
      'In progress (not counted as differences):',
      inProgress.map(({ reference, reason }) => `  ${reference}  ${reason}`),
    ),
    differences.length === 0 ? '' : formatRecords(differences),
    `${donations}, ${count}${isIncomplete ? ' found, but not everything was compared' : ''}.\n`,
  ].join('');
}

/** Finds the last line, without which `streamLines` throws an error. */
const findEnd = (report: readonly ReportLine[]) => report.find((line) => line.kind === 'end')!;

function formatList(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${[title, ...items].join('\n')}\n`;
}
