import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRow, Donation } from '../../src/server/database/schema.ts';
import { messageOf } from '../../src/server/webhooks/outbound/message.ts';
import { nextTry } from '../../src/server/webhooks/outbound/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('a message is tried eight times over a day and a third, each time later, and then given up', () => {
  const tries = [0];
  for (let failures = 1; ; failures += 1) {
    const next = nextTry({ failures, createdAt: 0, now: tries.at(-1)! }, () => 0);
    if (next === undefined) break;
    tries.push(next);
  }
  assert.deepEqual(
    tries.map((at) => at / 1_000),
    [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705],
  );
});

test('tries that failed together do not come together again, wait for what the receiver asks for, and end where the message is too old', () => {
  assert.equal(
    nextTry({ failures: 2, createdAt: 0, now: 0 }, () => 1),
    5.5 * MINUTE,
  );
  assert.equal(nextTry({ failures: 1, createdAt: 0, now: 0, notBefore: HOUR }), HOUR);
  assert.equal(nextTry({ failures: 1, createdAt: 0, now: 36 * HOUR }), undefined);
});

test("a message about a renewal has the renewal's sum, and nothing that a link may have named somebody by", () => {
  const gift = {
    amount: 5_000,
    costs: 0,
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
  const event = (kind: EventRow['kind'], detail: object): EventRow =>
    ({
      kind,
      reference: 'A-2',
      parent: 'A',
      organization: 'o',
      created_at: 0,
      detail: JSON.stringify(detail),
    }) as EventRow;
  const { data } = messageOf('gift.refunded', {
    event: event('refund', { amount: 10_000, refunded: 10_000 }),
    first,
    renewal: event('renewal', { amount: 10_000 }),
  });
  assert.deepEqual(
    [data.total, data.changed, data.projects, data.tracking, data.segment],
    [10_000, 10_000, [], { utmSource: 'mail' }, undefined],
  );
});
