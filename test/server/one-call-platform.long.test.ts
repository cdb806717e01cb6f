import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMisses } from '../load/figure.ts';
import { killServerOfOneCallPlatform } from '../load/one-call-platform.ts';

test(
  'loses and repeats none of 150 charges at a platform without idempotency while the server is killed 3 times',
  { timeout: 120_000 },
  async () => {
    const figures = await killServerOfOneCallPlatform({ count: 150, kills: 3 });
    assert.deepEqual(describeMisses(figures), []);
  },
);
