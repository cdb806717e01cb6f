import { Command, Option } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { includesAnyTime, LIST_STATUSES } from '../../../admin/actions/input-values.ts';
import { FREQUENCY_LABELS } from '../../../admin/read-models/labels.ts';
import type { DonationSummary } from '../../../admin/read-models/donation-list.ts';
import { AdminClient } from '../../admin-client.ts';
import { formatToMinute, formatTable } from '../../format-table.ts';
import { configOption, createIntegerParser } from '../../options.ts';

export const listDonationsCommand = new Command('list')
  .summary('list donations')
  .description('List recent donations, from oldest to newest.')
  .addOption(configOption)
  .addOption(
    new Option(
      '--status <status>',
      'list only donations with this payment, platform, or renewal status',
    ).choices(LIST_STATUSES),
  )
  .option('--organization <id>', 'list only donations to this organization')
  .option(
    '--days <number>',
    'number of days to include',
    createIntegerParser({ min: 1, max: 3_660 }),
    30,
  )
  .action(async ({ config, status, organization, days }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items, isTruncated } = await admin.perform('donations.list', {
      days: String(days),
      status,
      organization,
    });
    if (items.length === 0) {
      const period = includesAnyTime(status) ? '' : ` in the last ${formatCount(days, 'day')}`;
      process.stdout.write(`No matching donations${period}.\n`);
      return;
    }
    if (isTruncated)
      process.stdout.write(
        `This list contains only the newest ${items.length} donations. To see others, filter ` +
          'by --status or --organization.\n',
      );
    process.stdout.write(formatDonations(items));
  });

function formatDonations(items: readonly DonationSummary[]): string {
  return formatTable(
    [
      [
        'time (UTC)',
        'reference',
        'organization',
        'donor',
        'amount',
        'frequency',
        'payment',
        'platform',
        'reason',
      ],
      ...items.map((item) => [
        formatToMinute(item.createdAt),
        item.reference,
        item.organization,
        item.donorName,
        item.total,
        FREQUENCY_LABELS[item.frequency],
        item.paymentStatus,
        item.platformStatus ?? '',
        item.reason,
      ]),
    ],
    [4],
  );
}
