import { Command } from '@commander-js/extra-typings';
import type { InboundWebhookSummary } from '../../../../admin/read-models/inbound-webhooks.ts';
import { AdminClient } from '../../../admin-client.ts';
import { formatToMinute, formatTable } from '../../../format-table.ts';
import { configOption } from '../../../options.ts';

export const listInboundWebhooksCommand = new Command('list')
  .summary('list webhooks from the platforms')
  .description(
    'List the webhooks that the platforms have sent. The list starts with webhooks that the ' +
      'configured hook failed to handle, followed by the most recent ones.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items } = await admin.perform('webhooks.inbound.list', {});
    process.stdout.write(
      items.length === 0
        ? 'No platform has sent a webhook in the last 30 days.\n'
        : formatWebhooks(items),
    );
  });

function formatWebhooks(items: readonly InboundWebhookSummary[]): string {
  return formatTable([
    ['time (UTC)', 'organization', 'platform', 'event', 'status', 'id', 'reason'],
    ...items.map((item) => [
      formatToMinute(item.receivedAt),
      item.organization,
      item.source,
      item.kind ?? '(unknown)',
      formatStatus(item),
      item.id,
      item.lastError ?? '',
    ]),
  ]);
}

function formatStatus({ status, failures, nextRetryAt }: InboundWebhookSummary): string {
  if (failures === 0 || nextRetryAt === null) return status;
  const times = failures === 1 ? 'time' : 'times';
  return `failed ${failures} ${times}, next attempt ${formatToMinute(nextRetryAt)}`;
}
