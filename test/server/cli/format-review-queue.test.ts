import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReviewQueue } from '../../../src/server/cli/commands/donations.ts';

test('formats the kind of an event as words', () => {
  const table = formatReviewQueue(
    (['renewal_failed', 'subscription_canceled'] as const).map((kind) => ({
      at: '2026-11-30T10:00:00.000Z',
      kind,
      status: 'manual',
      reference: 'df-1',
      amount: null,
      currency: 'USD',
      reason: '',
      event: kind,
      markedAt: '2026-11-30T10:00:00.000Z',
    })),
  );
  const [, ...rows] = table.trimEnd().split('\n');
  assert.deepEqual(
    rows.map((row) => row.split(/ {2,}/)[1]),
    ['renewal failed', 'recurring donation canceled'],
  );
});
