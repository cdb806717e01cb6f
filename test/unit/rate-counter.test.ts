import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateCounter } from '../../src/server/fraud-protection/rate-counter.ts';

test('counts points for each key until a fixed time after the first one', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 });
  const counter = createRateCounter('test', 60);
  assert.deepEqual(await counter.add('a', 2), { count: 2, expiresIn: 60_000 });
  t.mock.timers.tick(59_000);
  assert.deepEqual(await counter.add('a', -1), { count: 1, expiresIn: 1_000 });
  assert.deepEqual(await counter.add('b', 1), { count: 1, expiresIn: 60_000 });
  t.mock.timers.tick(1_000);
  assert.deepEqual(await counter.read('a'), { count: 0, expiresIn: 0 });
  assert.deepEqual(await counter.read('b'), { count: 1, expiresIn: 59_000 });
  assert.deepEqual(await counter.add('a', 1), { count: 1, expiresIn: 60_000 });
  t.mock.timers.tick(59_000);
  assert.deepEqual(await counter.read('b'), { count: 0, expiresIn: 0 });
  assert.deepEqual(await counter.read('a'), { count: 1, expiresIn: 1_000 });
});
