import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { configOption, organizationOption } from '../../options.ts';

export const exportDonorCommand = new Command('export')
  .summary('print all stored data about a donor')
  .description(
    'Print all data that the server stores about a donor, in JSON format: donations and their ' +
      'events, tracking, consents, custom fields, and webhooks from the platform.',
  )
  .argument('<email>', "the donor's email")
  .addOption(configOption)
  .addOption(organizationOption)
  .action(async (email, { config, organization }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const record = await admin.perform('donors.export', { email, organization });
    process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
  });
