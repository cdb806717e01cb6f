import { Command } from '@commander-js/extra-typings';
import type { ExportLine } from '../../../index.ts';
import {
  formatConsentColumn,
  formatConsentTextColumn,
  formatFieldColumn,
  OTHER_FIELDS,
} from '../../../reporting/export-rows.ts';
import { AdminClient } from '../../admin-client.ts';
import { DONATION_COLUMNS, NUMBER_COLUMNS, PAYMENT_COLUMNS } from '../../ledger-columns.ts';
import {
  configOption,
  fromOption,
  organizationOption,
  outputOption,
  toOption,
} from '../../options.ts';
import { writeCsv } from '../../write-csv.ts';

const DONOR_COLUMNS = [
  'organization',
  'first_name',
  'last_name',
  'email',
  'phone',
  'address1',
  'address2',
  'city',
  'state',
  'postal',
  'country',
  'anonymous',
  'comment',
  'tribute',
  'tribute_name',
  'tribute_message',
  'tribute_notify',
  'form',
  'page',
  'language',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'utm_content',
  'utm_term',
  'utm_id',
  'ad_click_id',
];

export const exportDonationsCommand = new Command('export')
  .summary('export donations as CSV')
  .description(
    "Export a period's donations as CSV, with donors, addresses, consents, custom " +
      'fields, and tracking. Cells that a spreadsheet could read as a formula are escaped.',
  )
  .addOption(fromOption)
  .addOption(toOption)
  .addOption(outputOption)
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async ({ config, output, from, to, organization }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const lines = admin.postAndIterateLines<ExportLine>('/api/donations/export', {
      from,
      to,
      organization,
    });
    const { omitted, ...columns } = await readColumns(lines);
    await writeCsv(iterateDonationRows(lines), output, {
      columns: listCsvColumns({ omitted, ...columns }),
      numberColumns: NUMBER_COLUMNS,
    });
    const fieldCount = columns.customFields.length;
    if (omitted > 0)
      process.stderr.write(
        `These donations have ${fieldCount + omitted} custom fields. The ${fieldCount} most ` +
          `used have a column each; the other ${omitted} share the column ${OTHER_FIELDS}.\n`,
      );
  });

type Columns = Extract<ExportLine, { readonly kind: 'columns' }>;

/** Reads the first line of an export, which contains the columns. */
async function readColumns(lines: AsyncGenerator<ExportLine>): Promise<Columns> {
  const line = await lines.next();
  if (line.done === true || line.value.kind !== 'columns')
    throw new Error("The server stopped before the first donation. See the server's log.");
  return line.value;
}

async function* iterateDonationRows(
  lines: AsyncGenerator<ExportLine>,
): AsyncGenerator<Readonly<Record<string, string>>> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}

function listCsvColumns({
  customFields,
  omitted,
  consents,
}: Pick<Columns, 'customFields' | 'omitted' | 'consents'>): string[] {
  return [
    ...DONATION_COLUMNS,
    ...PAYMENT_COLUMNS,
    ...DONOR_COLUMNS,
    ...customFields.map(formatFieldColumn),
    ...(omitted > 0 ? [OTHER_FIELDS] : []),
    ...consents.flatMap((id) => [formatConsentColumn(id), formatConsentTextColumn(id)]),
  ];
}
