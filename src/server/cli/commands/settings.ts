import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { callServer } from '../admin-client.ts';
import { printRecords } from '../format-table.ts';
import { configOption, createIntegerParser } from '../options.ts';

export const reportSettingsCommand = new Command('report')
  .summary('report settings that forms ignored')
  .description(
    'Count the settings that forms recently ignored in links and on pages, grouped by name, ' +
      'reason, and segment.',
  )
  .addOption(configOption)
  .option('--days <number>', 'number of days to include', createIntegerParser(1, 90), 30)
  .action(async ({ config, days }) => {
    const { items } = await callServer(config, 'settings.report', { days: String(days) });
    const { REASON_LABELS } = await import('@donation-form/core/settings');
    const rows = items.map(({ count, name, reason, segment, form, lastDay }) => ({
      count: String(count),
      name,
      reason: REASON_LABELS[reason],
      segment: segment || '(none)',
      form,
      'last seen': lastDay,
    }));
    const period = formatCount(days, 'day');
    printRecords(rows, `Forms ignored no settings in the last ${period}.`, 'count');
  });
