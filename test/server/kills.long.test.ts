import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMisses } from '../load/figure.ts';
import { killServer } from '../load/kills.ts';

test(
  '200 gifts while the server is killed 3 times and replies are lost: none lost, none charged or recorded twice',
  { timeout: 120_000 },
  async () => {
    const { figures } = await killServer({ count: 200, kills: 3, speed: 20 });
    assert.deepEqual(describeMisses(figures), []);
  },
);
