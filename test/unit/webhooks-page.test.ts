import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configuration } from '../../src/core/schemas/configuration.ts';
import { OUTBOUND_WEBHOOK_EVENTS } from '../../src/core/schemas/webhook-event.ts';
import { outboundWebhookMessageSchema } from '../response-schemas.ts';

const page = readFileSync('docs/server/webhooks.md', 'utf8');
const reference = readFileSync('docs/reference/webhook-messages.md', 'utf8');

test('docs/server/webhooks.md has a valid configuration', () => {
  const [, webhooks = ''] = /```json\n(.*?)```/s.exec(page)!;
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
});

test('docs/reference/webhook-messages.md has a valid message, and names every event and message field', () => {
  const [, message = ''] = /```json\n(.*?)```/s.exec(reference)!;
  outboundWebhookMessageSchema.parse(JSON.parse(message));
  for (const name of [...OUTBOUND_WEBHOOK_EVENTS, 'parent', 'changed', 'refunded'])
    assert.ok(reference.includes(`\`${name}\``), name);
  for (const name of Object.keys(outboundWebhookMessageSchema.shape.data.shape))
    assert.ok(message.includes(`"${name}"`) || reference.includes(`\`${name}\``), name);
});
