import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { configOption } from '../../options.ts';
import { formatMessageCount, LIST_HINT } from './messages.ts';

export const redirectWebhooksCommand = new Command('redirect')
  .summary('send undelivered messages to another URL')
  .description(
    'Send the undelivered messages for one webhook URL to another URL of the same ' +
      'organization, for example after the URL changed.',
  )
  .argument('<from>', 'current URL of the messages')
  .argument('<to>', 'URL in "webhooks" of the same organization')
  .addOption(configOption)
  .action(async (from, to, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { redirected } = await admin.postJson<{ redirected: number }>(
      '/api/webhooks/outbound/redirect',
      { from, to },
    );
    process.stdout.write(
      redirected === 0
        ? `No undelivered messages for ${from}. ${LIST_HINT}\n`
        : `Sending ${formatMessageCount(redirected)} to ${to}. ${LIST_HINT}\n`,
    );
  });
