import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMisses } from '../load/figure.ts';
import { killServer } from '../load/kills.ts';

test(
  'loses, repeats, and double-charges none of 50 donations while the server is killed once and responses are lost',
  { timeout: 120_000 },
  async () => {
    const { figures } = await killServer({ count: 50, kills: 1, speed: 20 });
    assert.deepEqual(describeMisses(figures), []);
  },
);
