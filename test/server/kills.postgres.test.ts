import assert from 'node:assert/strict';
import { describeMisses } from '../load/figure.ts';
import { killPostgres, killServer } from '../load/kills.ts';
import { startPostgres } from '../postgres.ts';
import { testOverPostgres as test } from './test-database.ts';

test('loses, repeats, and double-charges none of 20 donations while the server is killed and responses are lost', async () => {
  const { figures } = await killServer({
    count: 20,
    kills: 1,
    donors: 10,
    speed: 20,
    postgres: { url: process.env.TEST_DATABASE_URL! },
  });
  assert.deepEqual(describeMisses(figures), []);
});

test('loses and half-saves none of 10 donations while PostgreSQL is killed, and accepts donations again within 5 s', async () => {
  const postgres = await startPostgres();
  try {
    const { figures } = await killPostgres({ count: 10, kills: 1, donors: 4, speed: 20, postgres });
    assert.deepEqual(describeMisses(figures), []);
  } finally {
    postgres.stop();
  }
});
