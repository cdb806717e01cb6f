import { Command } from '@commander-js/extra-typings';
import type { ExportLine } from '../../../reporting/export-rows.ts';
import type { ExportColumns } from '../../../reporting/export-columns.ts';
import { NUMBER_COLUMNS } from '../../../reporting/ledger-columns.ts';
import { AdminClient } from '../../admin-client.ts';
import {
  configOption,
  fromOption,
  organizationOption,
  outputOption,
  toOption,
} from '../../options.ts';

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
    const admin = await AdminClient.createFromConfiguration(config);
    const lines = admin.iterateLines('donations.export', { from, to, organization });
    const columns = await readColumns(lines);
    const [{ listExportColumns }, { OTHER_FIELDS }, { writeCsv }] = await Promise.all([
      import('../../../reporting/export-columns.ts'),
      import('../../../reporting/export-rows.ts'),
      import('../../write-csv.ts'),
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

/**
 * Reads the first line of an export, which lists the columns that depend on the exported donations.
 */
async function readColumns(lines: AsyncGenerator<ExportLine>): Promise<ExportColumns> {
  const line = await lines.next();
  if (line.done === true || line.value.kind !== 'columns')
    throw new Error("The server stopped before it sent any donations. Check the server's log.");
  return line.value;
}

async function* iterateDonationRows(
  lines: AsyncGenerator<ExportLine>,
): AsyncGenerator<Readonly<Record<string, string>>> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}
