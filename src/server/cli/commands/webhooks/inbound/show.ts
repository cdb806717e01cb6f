import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../../admin-client.ts';
import { configOption } from '../../../options.ts';

export const showInboundWebhookCommand = new Command('show')
  .summary('show the body of a webhook from a platform')
  .description(
    'Show the body of a webhook from a platform, for example to find the paths of its fields. ' +
      'The body contains personal data.',
  )
  .argument('<id>', 'ID of the webhook')
  .addOption(configOption)
  .action(async (id, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { body } = await admin.perform('webhooks.inbound.show', { id });
    const { cleanText } = await import('@donation-form/core/donor');
    process.stdout.write(`${cleanText(body)}\n`);
  });
