import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMisses } from '../load/figure.ts';
import { killServer } from '../load/kills.ts';
import { killServerOfOneCallPlatform } from '../load/one-call-platform.ts';

for (const provider of ['stripe', 'paypal'] as const)
  test(
    `loses, repeats, and double-charges none of 200 donations by ${provider} while the server is killed 3 times and responses are lost`,
    { timeout: 120_000 },
    async () => {
      const { figures } = await killServer({ count: 200, kills: 3, speed: 20, provider });
      assert.deepEqual(describeMisses(figures), []);
    },
  );

test(
  'loses and repeats none of 150 charges at a platform without idempotency while the server is killed 3 times',
  { timeout: 120_000 },
  async () => {
    const figures = await killServerOfOneCallPlatform({ count: 150, kills: 3 });
    assert.deepEqual(describeMisses(figures), []);
  },
);
