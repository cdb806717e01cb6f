import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import type { ActionOutput } from '../../admin/actions/staff-actions.ts';
import { callServer } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import { formatToMinute, printRecords } from '../format-table.ts';
import { configOption } from '../options.ts';

const listFailedWebhooksCommand = new Command('failed')
  .summary('count undelivered webhook messages')
  .description(
    "Count the messages that the organizations' servers have not accepted yet, grouped by " +
      'webhook URL.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { items } = await callServer(config, 'webhooks.failed', {});
    const rows = items.map(
      ({ organization, count, status, oldest, url, isConfigured, lastError }) => ({
        organization,
        messages: String(count),
        status,
        'oldest (UTC)': formatToMinute(new Date(oldest).toISOString()),
        URL: isConfigured ? url : `${url} (not in the configuration)`,
        'last error': lastError ?? '',
      }),
    );
    printRecords(rows, 'All webhook messages were delivered.', 'messages');
  });

const LIST_HINT = 'To list undelivered messages, run donation-form webhooks failed.';

const retryWebhooksCommand = new Command('retry')
  .summary('retry webhook messages whose delivery failed')
  .description(
    'Retry the messages for which all attempts failed, and the messages to webhook URLs that ' +
      'responded with 410 Gone.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { retried } = await callServer(config, 'webhooks.retry', {});
    process.stdout.write(
      retried === 0
        ? `There are no failed messages for the webhooks in the configuration. ${LIST_HINT}\n`
        : `Retrying ${formatCount(retried, 'message')}. ${LIST_HINT}\n`,
    );
  });

const redirectWebhooksCommand = new Command('redirect')
  .summary('send undelivered messages to another URL')
  .description(
    'Send the undelivered messages for one webhook URL to another URL of the same ' +
      'organization, for example, after the first URL has changed.',
  )
  .argument('<from>', 'current webhook URL of the messages')
  .argument('<to>', 'new URL, which must be in the "webhooks" setting of the same organization')
  .addOption(configOption)
  .action(async (from, to, { config }) => {
    const { redirected } = await callServer(config, 'webhooks.redirect', { from, to });
    process.stdout.write(
      redirected === 0
        ? `There are no undelivered messages for ${from}. ${LIST_HINT}\n`
        : `Sending ${formatCount(redirected, 'message')} to ${to}. ${LIST_HINT}\n`,
    );
  });

const listInboundWebhooksCommand = new Command('list')
  .summary('list webhooks from the platforms')
  .description(
    'List the webhooks that the platforms have sent. The list starts with webhooks that the ' +
      'configured hook failed to handle, followed by the most recent ones.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { items } = await callServer(config, 'webhooks.inbound.list', {});
    const rows = items.map((item) => ({
      'time (UTC)': formatToMinute(item.receivedAt),
      organization: item.organization,
      platform: item.source,
      event: item.kind ?? '(unknown)',
      status: formatStatus(item),
      id: item.id,
      reason: item.lastError ?? '',
    }));
    printRecords(rows, 'No platform has sent a webhook in the last 30 days.');
  });

type InboundWebhook = ActionOutput<'webhooks.inbound.list'>['items'][number];

function formatStatus({ status, failures, nextRetryAt }: InboundWebhook): string {
  if (failures === 0 || nextRetryAt === null) return status;
  return `failed ${formatCount(failures, 'time')}, next attempt ${formatToMinute(nextRetryAt)}`;
}

const showInboundWebhookCommand = new Command('show')
  .summary('show the body of a webhook from a platform')
  .description(
    'Show the body of a webhook from a platform, for example to find the paths of its fields. ' +
      'The body contains personal data.',
  )
  .argument('<id>', 'ID of the webhook')
  .addOption(configOption)
  .action(async (id, { config }) => {
    const { body } = await callServer(config, 'webhooks.inbound.show', { id });
    const { cleanText } = await import('@donation-form/core/donor');
    process.stdout.write(`${cleanText(body)}\n`);
  });

export const webhooksCommand = createCommandGroup(
  'webhooks',
  'List, retry, and redirect webhooks.',
  [
    listFailedWebhooksCommand,
    retryWebhooksCommand,
    redirectWebhooksCommand,
    createCommandGroup('inbound', 'Inspect webhooks from the platforms.', [
      listInboundWebhooksCommand,
      showInboundWebhookCommand,
    ]),
  ],
);
