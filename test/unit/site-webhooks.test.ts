import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTry } from '../../src/server/site-webhooks/schedule.ts';

const MINUTE = 60_000, HOUR = 60 * MINUTE;

test('a message is tried eight times over a day and a third, each time later, and then given up', () => {
  const tries = [0];
  for (let failures = 1; ; failures += 1) {
    const next = nextTry({ failures, createdAt: 0, now: tries.at(-1)! }, () => 0);
    if (next === undefined) break;
    tries.push(next);
  }
  assert.deepEqual(tries.map((at) => at / 1_000), [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705]);
});

test('tries that failed together do not come together again, wait for what the receiver asks for, and end where the message is too old', () => {
  assert.equal(nextTry({ failures: 2, createdAt: 0, now: 0 }, () => 1), 5.5 * MINUTE);
  assert.equal(nextTry({ failures: 1, createdAt: 0, now: 0, notBefore: HOUR }), HOUR);
  assert.equal(nextTry({ failures: 1, createdAt: 0, now: 36 * HOUR }), undefined);
});
