import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { compileLookup } from '../../../src/server/database/compiled-queries.ts';
import type { Database } from '../../../src/server/database/database.ts';
import { createRateCounter } from '../../../src/server/fraud-protection/rate-counter.ts';
import { createIdempotencyKey } from '../support.ts';
import { openTestDatabase, testOverPostgres as test } from '../test-database.ts';
import { buildRows } from './new-donation-rows.ts';

test('a lookup works before and after a later release adds a column', async () => {
  await using database = await openTestDatabase(randomUUID());
  const find = compileLookup(
    database,
    database.db.selectFrom('serverInfo').selectAll().where('name', '=', ''),
  );
  const findOnEachConnection = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 10 }, () => find('absent')));
  await findOnEachConnection();
  await sql`ALTER TABLE server_info ADD COLUMN later text`.execute(database.db);
  await findOnEachConnection();
});

test('servers that insert the same keys in opposite orders do not block each other', async () => {
  const name = randomUUID();
  await using one = await openTestDatabase(name);
  await using other = await openTestDatabase(name);
  for (let round = 0; round < 10; round += 1) {
    const keys = Array.from({ length: 64 }, createIdempotencyKey);
    const insert = ({ writer }: Database, orderedKeys: readonly string[]) =>
      orderedKeys.map((key) => writer.insertDonation(buildRows({ key })));
    const areNew = await Promise.all([...insert(one, keys), ...insert(other, keys.toReversed())]);
    assert.equal(areNew.filter(Boolean).length, keys.length);
  }
  const {
    rows: [row],
  } = await sql<{
    deadlocks: number;
  }>`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(one.db);
  assert.equal(row!.deadlocks, 0);
});

test('counts points of concurrent requests for the same and for different keys', async () => {
  await using database = await openTestDatabase(randomUUID());
  const counter = createRateCounter('test', 600, {
    pool: database.lowPriorityPool!,
    timeout: 10_000,
  });
  const count = async (key: string, points: number): Promise<number> =>
    (await counter.add(key, points)).count;
  assert.deepEqual(
    await Promise.all([count('a', 1), count('b', 1), count('a', 1), count('b', -1)]),
    [1, 1, 2, 0],
  );
  assert.equal(await count('a', 1), 3);
  const { expiresIn } = await counter.read('a');
  assert.ok(expiresIn > 590_000 && expiresIn <= 600_000, String(expiresIn));
  await database.db
    .updateTable('rateLimits')
    .set({ expire: Date.now() - 1 })
    .execute();
  assert.deepEqual([(await counter.read('a')).count, await count('a', 1)], [0, 1]);
});

test('does not count points in the database too if it responds after the timeout', async () => {
  await using database = await openTestDatabase(randomUUID());
  const counter = createRateCounter('test', 600, { pool: database.lowPriorityPool!, timeout: 50 });
  await database.db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE rate_limits IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    const first = counter.add('a', 1);
    await setTimeout(10);
    const later = Array.from({ length: 20 }, () => counter.add('a', 1));
    assert.equal((await Promise.all([first, ...later])).at(-1)!.count, 21, 'counted in memory');
  });
  await setTimeout(500);
  const { count } = await counter.read('a');
  assert.ok(count <= 1, `${count} points in the database`);
});
