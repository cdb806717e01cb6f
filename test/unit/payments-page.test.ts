import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WEBHOOK_EVENTS } from '../../src/server/payments/stripe/webhook.ts';

test('docs/payments.md lists exactly the events that Stripe has to send', () => {
  const [list = ''] =
    /`payment_intent\.succeeded`.*/.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];
  assert.deepEqual(
    [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(),
    [...WEBHOOK_EVENTS].sort(),
  );
});
