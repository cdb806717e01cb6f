import assert from 'node:assert/strict';
import { describeMisses } from '../load/figure.ts';
import { killPostgres, killServer } from '../load/kills.ts';
import { startPostgres } from '../postgres.ts';
import { testOverPostgres as test } from './test-database.ts';

test(
  '200 gifts while the server is killed 3 times and replies are lost: none lost, none charged or recorded twice',
  async () => {
    const { figures } = await killServer({
      count: 200,
      kills: 3,
      speed: 20,
      postgres: { url: process.env.TEST_DATABASE_URL! },
    });
    assert.deepEqual(describeMisses(figures), []);
  },
  { timeout: 120_000 },
);

test(
  '100 gifts while PostgreSQL itself is killed: none lost, none half kept, and gifts are taken again within 5 s',
  async () => {
    const postgres = await startPostgres();
    try {
      const { figures } = await killPostgres({ count: 100, kills: 1, postgres });
      assert.deepEqual(describeMisses(figures), []);
    } finally {
      postgres.stop();
    }
  },
  { timeout: 120_000 },
);
