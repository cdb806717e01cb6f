import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { byOption, configOption, noteOption, toSignature } from '../../options.ts';

export const pauseOrganizationCommand = createPauseCommand(
  'pause',
  'Stop accepting donations to an organization on all servers until you resume the ' +
    'organization. Donations in progress continue.',
);

export const resumeOrganizationCommand = createPauseCommand(
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
      const admin = await AdminClient.createFromConfiguration(config);
      const { result } = await admin.perform(`organizations.${action}`, {
        id,
        ...toSignature(signature),
      });
      process.stdout.write(`${result}\n`);
    });
}
