import assert from 'node:assert/strict';
import { describeMisses } from '../load/figure.ts';
import { killPostgres, killServer } from '../load/kills.ts';
import { startPostgres } from '../postgres.ts';
import { testOverPostgres as test } from './test-database.ts';

test('20 gifts while the server is killed and replies are lost: none lost, none charged or recorded twice', async () => {
  const { figures } = await killServer({
    count: 20,
    kills: 1,
    donors: 10,
    speed: 20,
    postgres: { url: process.env.TEST_DATABASE_URL! },
  });
  assert.deepEqual(describeMisses(figures), []);
});

test('10 gifts while PostgreSQL itself is killed: none lost, none half kept, and gifts are taken again within 5 s', async () => {
  const postgres = await startPostgres();
  try {
    const { figures } = await killPostgres({ count: 10, kills: 1, donors: 4, speed: 20, postgres });
    assert.deepEqual(describeMisses(figures), []);
  } finally {
    postgres.stop();
  }
});
