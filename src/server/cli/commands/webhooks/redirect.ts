import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { AdminClient } from '../../admin-client.ts';
import { configOption } from '../../options.ts';
import { LIST_HINT } from './list-hint.ts';

export const redirectWebhooksCommand = new Command('redirect')
  .summary('send undelivered messages to another URL')
  .description(
    'Send the undelivered messages for one webhook URL to another URL of the same ' +
      'organization, for example, after the first URL has changed.',
  )
  .argument('<from>', 'current webhook URL of the messages')
  .argument('<to>', 'new URL, which must be in the "webhooks" setting of the same organization')
  .addOption(configOption)
  .action(async (from, to, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { redirected } = await admin.perform('webhooks.redirect', { from, to });
    process.stdout.write(
      redirected === 0
        ? `There are no undelivered messages for ${from}. ${LIST_HINT}\n`
        : `Sending ${formatCount(redirected, 'message')} to ${to}. ${LIST_HINT}\n`,
    );
  });
