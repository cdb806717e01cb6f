import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { byOption, configOption, noteOption, toSignature } from '../../options.ts';

export const pauseOrganizationCommand = new Command('pause')
  .summary('pause donations to an organization')
  .description(
    'Stop accepting donations to an organization, on all servers, until it is resumed. ' +
      'Donations made before continue.',
  )
  .argument('<id>', 'id of the organization')
  .addOption(byOption)
  .addOption(noteOption)
  .addOption(configOption)
  .action(async (id, { config, ...signature }) => {
    const admin = await AdminClient.fromConfiguration(config);
    const { result } = await admin.post<{ result: string }>(
      `/api/organizations/${encodeURIComponent(id)}/pause`,
      toSignature(signature),
    );
    process.stdout.write(`${result}\n`);
  });
