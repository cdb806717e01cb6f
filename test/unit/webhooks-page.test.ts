import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configuration } from '../../src/core/schemas/configuration.ts';
import {
  OUTBOUND_WEBHOOK_EVENTS,
  outboundWebhookMessageSchema,
} from '../../src/core/schemas/webhook-event.ts';

const page = readFileSync('docs/server/webhooks.md', 'utf8');

test('docs/server/webhooks.md has a valid configuration and message, and names every event and message field', () => {
  const [, webhooks = '', message = ''] = /```json\n(.*?)```.*```json\n(.*?)```/s.exec(page)!;
  const {
    organizations: [organization],
    ...rest
  } = JSON.parse(readFileSync('demo/donation-form.config.json', 'utf8')) as {
    organizations: [object];
  };
  configuration.parse({
    ...rest,
    organizations: [{ ...organization, ...(JSON.parse(`{${webhooks}}`) as object) }],
  });
  outboundWebhookMessageSchema.parse(JSON.parse(message));
  for (const name of [...OUTBOUND_WEBHOOK_EVENTS, 'parent', 'changed', 'refunded'])
    assert.ok(page.includes(`\`${name}\``), name);
  for (const name of Object.keys(outboundWebhookMessageSchema.shape.data.shape))
    assert.ok(message.includes(`"${name}"`) || page.includes(`\`${name}\``), name);
});
