import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import type { Difference, ReportLine } from '../../reporting/report.ts';
import { AdminClient } from '../admin-client.ts';
import { formatTable } from '../format-table.ts';
import {
  DONATION_COLUMNS,
  FEE_COLUMNS,
  NUMBER_COLUMNS,
  PAYMENT_COLUMNS,
} from '../../reporting/ledger-columns.ts';
import {
  configOption,
  fromOption,
  organizationOption,
  outputOption,
  toOption,
} from '../options.ts';

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
    const admin = await AdminClient.createFromConfiguration(config);
    const lines = admin.iterateLines('reconcile', {
      from,
      to,
      organization,
      apply: apply === true,
      includeRows: output !== undefined,
    });
    const report = new ReconciliationReport();
    if (output === undefined) for await (const line of lines) report.addReportLine(line);
    else {
      const { writeCsv } = await import('../write-csv.ts');
      await writeCsv(iterateRowsAndReportOthers(lines, report), output, {
        columns: [...DONATION_COLUMNS, ...FEE_COLUMNS, ...PAYMENT_COLUMNS],
        numberColumns: NUMBER_COLUMNS,
      });
    }
    process.stdout.write(report.toString());
    if (report.hasDifferences) process.exitCode = 1;
  });

/** Yields the donation rows and adds all other lines to the report. */
async function* iterateRowsAndReportOthers(
  lines: AsyncIterable<ReportLine>,
  report: ReconciliationReport,
): AsyncGenerator<Readonly<Record<string, string>>> {
  for await (const line of lines) {
    if (line.kind === 'row') yield { ...line.row };
    else report.addReportLine(line);
  }
}

const SIDE_LABELS: Readonly<Record<Difference['side'], string>> = {
  'payment-provider': 'payment provider',
  database: 'database',
  platform: 'platform',
};

class ReconciliationReport {
  readonly #differences: Difference[] = [];
  readonly #inProgress: string[] = [];
  readonly #applied: string[] = [];
  readonly #notCompared: string[] = [];
  #donationCount = 0;
  #differenceCount = 0;
  #isIncomplete = false;

  addReportLine(line: ReportLine): void {
    switch (line.kind) {
      case 'difference':
        this.#differences.push(line.difference);
        break;
      case 'in-progress':
        this.#inProgress.push(`  ${line.reference}  ${line.reason}`);
        break;
      case 'applied':
        this.#applied.push(`  ${line.reference}  ${line.change}`);
        break;
      case 'not-compared':
        this.#notCompared.push(`NOT COMPARED with the ${SIDE_LABELS[line.side]}: ${line.reason}`);
        this.#isIncomplete ||= line.isFailure;
        break;
      case 'end':
        this.#donationCount = line.donations;
        this.#differenceCount = line.differences;
        break;
      case 'progress':
      case 'row':
        break;
    }
  }

  get hasDifferences(): boolean {
    return this.#differenceCount > 0;
  }

  toString(): string {
    return [
      ...this.#notCompared.map((line) => `${line}\n`),
      formatList('Applied:', this.#applied),
      formatList('In progress (not counted as differences):', this.#inProgress),
      formatDifferences(this.#differences),
      `${this.#formatSummary()}\n`,
    ].join('');
  }

  #formatSummary(): string {
    const count = this.#donationCount;
    const donations = formatCount(count, 'donation');
    const scope = this.#isIncomplete ? ' found, but not everything was compared' : '';
    return `${donations}, ${formatDifferenceCount(this.#differences.length)}${scope}.`;
  }
}

function formatList(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${[title, ...items].join('\n')}\n`;
}

function formatDifferences(differences: readonly Difference[]): string {
  if (differences.length === 0) return '';
  return formatTable([
    ['difference', 'where', 'reference', 'field', 'found', 'expected'],
    ...differences.map(({ type, side, reference, field, found, expected }) => [
      type,
      SIDE_LABELS[side],
      reference,
      field,
      found,
      expected,
    ]),
  ]);
}

function formatDifferenceCount(count: number): string {
  return count === 0 ? 'no differences' : formatCount(count, 'difference');
}
