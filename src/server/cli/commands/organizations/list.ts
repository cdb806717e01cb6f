import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { formatToMinute, formatTable, joinLinesWithSlashes } from '../../format-table.ts';
import { configOption } from '../../options.ts';

export const listOrganizationsCommand = new Command('list')
  .summary('list organizations and show which are paused')
  .description(
    'List the organizations. For each paused organization, show when, by whom, and why it was ' +
      'paused.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items } = await admin.perform('organizations.list', {});
    process.stdout.write(
      formatTable([
        ['organization', 'name', 'status', 'forms', 'since (UTC)', 'by', 'note'],
        ...items.map(({ id, name, forms, paused }) => [
          id,
          name,
          paused ? 'paused' : 'active',
          forms.join(', '),
          paused ? formatToMinute(paused.at) : '',
          paused?.by ?? '',
          joinLinesWithSlashes(paused?.note ?? ''),
        ]),
      ]),
    );
  });
