import assert from 'node:assert/strict';
import { describeMisses } from '../load/figure.ts';
import { killPostgres, killServer } from '../load/kills.ts';
import { startPostgres } from '../postgres.ts';
import { testOverPostgres as test } from './test-database.ts';

test(
  'loses, repeats, and double-charges none of 200 donations while the server is killed 3 times and responses are lost',
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
  'loses and half-saves none of 100 donations while PostgreSQL is killed, and accepts donations again within 5 s',
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
