import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { configOption } from '../../options.ts';

export const retryDonationCommand = new Command('retry')
  .summary("retry a donation's pending steps now")
  .description(
    "Retry a donation's pending steps now: look up the payment and send pending updates to the " +
      'platform. Prints the results.',
  )
  .argument('<reference>', 'reference of the donation or renewal')
  .addOption(configOption)
  .action(async (reference, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { results } = await admin.perform('donations.retry', { reference });
    process.stdout.write(`${results.join('\n')}\n`);
  });
