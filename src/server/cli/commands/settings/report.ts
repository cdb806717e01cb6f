import { Command } from '@commander-js/extra-typings';
import type { IgnoreReason } from '@donation-form/core/settings';
import { formatCount } from '@donation-form/core/i18n';
import type { IgnoredCount } from '../../../reporting/ignored-setting-stats.ts';
import { AdminClient } from '../../admin-client.ts';
import { formatTable } from '../../format-table.ts';
import { configOption, createIntegerParser } from '../../options.ts';

export const reportSettingsCommand = new Command('report')
  .summary('report settings that forms ignored')
  .description(
    'Count the settings that forms recently ignored in links and on pages, grouped by name, ' +
      'reason, and segment.',
  )
  .addOption(configOption)
  .option(
    '--days <number>',
    'number of days to include',
    createIntegerParser({ min: 1, max: 90 }),
    30,
  )
  .action(async ({ config, days }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items } = await admin.perform('settings.report', { days: String(days) });
    process.stdout.write(
      items.length === 0
        ? `Forms ignored no settings in the last ${formatCount(days, 'day')}.\n`
        : formatIgnoredSettings(
            items,
            (await import('@donation-form/core/settings')).REASON_LABELS,
          ),
    );
  });

function formatIgnoredSettings(
  items: readonly IgnoredCount[],
  reasonLabels: Readonly<Record<IgnoreReason, string>>,
): string {
  return formatTable(
    [
      ['count', 'name', 'reason', 'segment', 'form', 'last seen'],
      ...items.map(({ count, name, reason, segment, form, lastDay }) => [
        String(count),
        name,
        reasonLabels[reason],
        segment || '(none)',
        form,
        lastDay,
      ]),
    ],
    [0],
  );
}
