import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { byOption, configOption, noteOption, toNameAndNote } from '../../options.ts';

export const pauseOrganizationCommand = createPauseOrResumeCommand(
  'pause',
  'Stop accepting donations to an organization on all servers until you resume the ' +
    'organization. Donations in progress continue.',
);

export const resumeOrganizationCommand = createPauseOrResumeCommand(
  'resume',
  'Resume accepting donations to an organization on all servers.',
);

function createPauseOrResumeCommand(action: 'pause' | 'resume', description: string) {
  return new Command(action)
    .summary(`${action} donations to an organization`)
    .description(description)
    .argument('<id>', 'ID of the organization')
    .addOption(byOption)
    .addOption(noteOption)
    .addOption(configOption)
    .action(async (id, { config, ...signature }) => {
      const admin = await AdminClient.createFromConfiguration(config);
      const { result } = await admin.perform(`organizations.${action}`, {
        id,
        ...toNameAndNote(signature),
      });
      process.stdout.write(`${result}\n`);
    });
}
