import { Command } from '@commander-js/extra-typings';
import { callServer } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import { formatRecords, formatToMinute, joinLinesWithSlashes } from '../format-table.ts';
import { byOption, configOption, noteOption, toSignature } from '../options.ts';

const listOrganizationsCommand = new Command('list')
  .summary('list organizations and show which are paused')
  .description(
    'List the organizations. For each paused organization, show when, by whom, and why it was ' +
      'paused.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { items } = await callServer(config, 'organizations.list', {});
    process.stdout.write(
      formatRecords(
        items.map(({ id, name, forms, paused }) => ({
          organization: id,
          name,
          status: paused ? 'paused' : 'active',
          forms: forms.join(', '),
          'since (UTC)': paused ? formatToMinute(paused.at) : '',
          by: paused?.by ?? '',
          note: joinLinesWithSlashes(paused?.note ?? ''),
        })),
      ),
    );
  });

const pauseOrganizationCommand = createPauseCommand(
  'pause',
  'Stop accepting donations to an organization on all servers until you resume the ' +
    'organization. Donations in progress continue.',
);

const resumeOrganizationCommand = createPauseCommand(
  'resume',
  'Resume accepting donations to an organization on all servers.',
);

function createPauseCommand(action: 'pause' | 'resume', description: string) {
  return new Command(action)
    .summary(`${action} donations to an organization`)
    .description(description)
    .argument('<id>', 'ID of the organization')
    .addOption(byOption)
    .addOption(noteOption)
    .addOption(configOption)
    .action(async (id, { config, ...signature }) => {
      const { result } = await callServer(config, `organizations.${action}`, {
        id,
        ...toSignature(signature),
      });
      process.stdout.write(`${result}\n`);
    });
}

export const organizationsCommand = createCommandGroup(
  'organizations',
  'List, pause, and resume organizations.',
  [listOrganizationsCommand, pauseOrganizationCommand, resumeOrganizationCommand],
);
