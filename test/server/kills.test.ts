import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMisses } from '../load/figure.ts';
import { killServer } from '../load/kills.ts';

test(
  '50 gifts while the server is killed once and replies are lost: none lost, none charged or recorded twice',
  { timeout: 120_000 },
  async () => {
    const { figures } = await killServer({ count: 50, kills: 1, speed: 20 });
    assert.deepEqual(describeMisses(figures), []);
  },
);
