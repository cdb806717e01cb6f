import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Donation, OutboxEntry } from '../../src/server/database/schema.ts';
import { calculateNextAttemptTime } from '../../src/server/lib/retry-schedule.ts';
import { createWebhookMessage } from '../../src/server/webhooks/outbound/message.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('tries a message eight times over 32 hours with growing delays', () => {
  const attempts = [0];
  for (let failures = 1; ; failures += 1) {
    const next = calculateNextAttemptTime(
      { failures, createdAt: 0, now: attempts.at(-1)! },
      () => 0,
    );
    if (next === undefined) break;
    attempts.push(next);
  }
  assert.deepEqual(
    attempts.map((at) => at / 1_000),
    [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705],
  );
});

test("spreads retries, honors the receiver's delay, and stops when the message is too old", () => {
  assert.equal(
    calculateNextAttemptTime({ failures: 2, createdAt: 0, now: 0 }, () => 1),
    5.5 * MINUTE,
  );
  assert.equal(
    calculateNextAttemptTime({ failures: 1, createdAt: 0, now: 0, notBefore: HOUR }),
    HOUR,
  );
  assert.equal(calculateNextAttemptTime({ failures: 1, createdAt: 0, now: 36 * HOUR }), undefined);
});

test("a renewal's message has the renewal's amount and no personal data from links", () => {
  const gift = {
    amount: 5_000,
    coveredFees: 0,
    total: 5_000,
    currency: 'USD',
    frequency: 'monthly',
    projects: [{ id: '1', amount: 5_000 }],
    segment: 'ana@example.org',
  };
  const first = {
    reference: 'A',
    payload: {
      gift,
      donor: {},
      form: { id: 'main', language: 'en' },
      tracking: { utmSource: 'mail', utmContent: 'ana@example.org' },
      decimals: 2,
      projects: [{ name: 'Wells' }],
    },
  } as unknown as Donation;
  const createEvent = (kind: OutboxEntry['kind'], detail: object): OutboxEntry =>
    ({
      kind,
      reference: 'A-2',
      parentReference: 'A',
      organization: 'o',
      createdAt: 0,
      payload: detail,
    }) as OutboxEntry;
  const { data } = createWebhookMessage('donation.refunded', {
    event: createEvent('refund', { amount: 10_000, refunded: 10_000 }),
    donation: first,
    renewal: createEvent('renewal', { amount: 10_000 }),
  });
  assert.deepEqual(
    [data.total, data.changed, data.projects, data.tracking, data.segment],
    [10_000, 10_000, [], { utmSource: 'mail' }, undefined],
  );
});
