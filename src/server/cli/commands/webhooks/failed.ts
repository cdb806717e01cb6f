import { Command } from '@commander-js/extra-typings';
import type { UndeliveredMessages } from '../../../webhooks/outbound/dispatcher.ts';
import { AdminClient } from '../../admin-client.ts';
import { formatToMinute, formatTable } from '../../format-table.ts';
import { configOption } from '../../options.ts';

export const listFailedWebhooksCommand = new Command('failed')
  .summary('count undelivered webhook messages')
  .description(
    "Count the messages that the organizations' servers have not accepted yet, grouped by " +
      'webhook URL.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items } = await admin.perform('webhooks.failed', {});
    process.stdout.write(
      items.length === 0
        ? 'All webhook messages were delivered.\n'
        : formatUndeliveredMessages(items),
    );
  });

function formatUndeliveredMessages(items: readonly UndeliveredMessages[]): string {
  return formatTable(
    [
      ['organization', 'messages', 'status', 'oldest (UTC)', 'URL', 'last error'],
      ...items.map(({ organization, url, isConfigured, status, count, oldest, lastError }) => [
        organization,
        String(count),
        status,
        formatToMinute(new Date(oldest).toISOString()),
        isConfigured ? url : `${url} (not in the configuration)`,
        lastError ?? '',
      ]),
    ],
    [1],
  );
}
