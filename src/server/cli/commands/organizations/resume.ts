import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { byOption, configOption, noteOption, toSignature } from '../../options.ts';

export const resumeOrganizationCommand = new Command('resume')
  .summary('resume donations to an organization')
  .description('Accept donations to an organization again, on all servers.')
  .argument('<id>', 'id of the organization')
  .addOption(byOption)
  .addOption(noteOption)
  .addOption(configOption)
  .action(async (id, { config, ...signature }) => {
    const admin = await AdminClient.fromConfiguration(config);
    const { result } = await admin.post<{ result: string }>(
      `/api/organizations/${encodeURIComponent(id)}/resume`,
      toSignature(signature),
    );
    process.stdout.write(`${result}\n`);
  });
