import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EVENTS } from '../../src/server/payments/stripe/webhook.ts';

test('docs/payments.md names every event that Stripe has to send, and no other', () => {
  const [list = ''] =
    /`payment_intent\.succeeded`.*/.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];
  assert.deepEqual(
    [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(),
    [...EVENTS].sort(),
  );
});
