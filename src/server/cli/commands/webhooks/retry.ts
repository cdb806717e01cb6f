import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { AdminClient } from '../../admin-client.ts';
import { configOption } from '../../options.ts';
import { LIST_HINT } from './list-hint.ts';

export const retryWebhooksCommand = new Command('retry')
  .summary('retry webhook messages whose delivery failed')
  .description(
    'Retry the messages for which all attempts failed, and the messages to webhook URLs that ' +
      'responded with 410 Gone.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { retried } = await admin.perform('webhooks.retry', {});
    process.stdout.write(
      retried === 0
        ? `There are no failed messages for the webhooks in the configuration. ${LIST_HINT}\n`
        : `Retrying ${formatCount(retried, 'message')}. ${LIST_HINT}\n`,
    );
  });
