/** The guard of several servers with one database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { waitUntil } from '../../wait-until.ts';
import { SOMEBODY, attack, challengeFor, give, proof } from './support.ts';
import { openTestDatabase, testOverPostgres as test } from '../test-database.ts';
import { CARDS, openDesk } from '../support.ts';

/** Milliseconds: on a busy machine the database needs longer than the guard would wait. */
const PATIENT = 30_000;

test('two servers count together, and a proof of work that one accepted is used on the other', async () => {
  const database = randomUUID();
  await using one = await openDesk({ database, databaseTimeout: PATIENT });
  await using other = await openDesk({ database, databaseTimeout: PATIENT });
  for (const desk of [one, other])
    assert.equal((await give(desk, { card: CARDS.declined })).said, '402 failed');
  for (const desk of [one, other]) assert.equal((await give(desk)).said, '403 challenge-required');
  const headers = await proof(one);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => give(index % 2 ? one : other, { headers })),
  );
  const said = answers.map((answer) => answer.said).sort();
  assert.deepEqual(said, ['200 succeeded', ...Array<string>(19).fill('403 challenge-required')]);
});

test('what is declined on one server makes a form suspicious on the other', async () => {
  const database = randomUUID();
  await using one = await openDesk({ database, databaseTimeout: PATIENT });
  await using other = await openDesk({ database, databaseTimeout: PATIENT });
  assert.equal(await challengeFor(other, SOMEBODY), undefined);
  await attack(one, 20);
  await waitUntil(async () => (await challengeFor(other, SOMEBODY)) !== undefined);
});

test('the database holds neither addresses nor e-mail addresses, and what it counts ends', async () => {
  const file = randomUUID();
  await using desk = await openDesk({ database: file });
  await give(desk, {
    address: '2001:db8:1:2::a',
    email: 'ana@example.org',
    card: CARDS.declined,
  });
  await give(desk, { headers: await proof(desk) });
  await using database = await openTestDatabase(file);
  const rows = await database.db.selectFrom('rate_limits').selectAll().execute();
  const now = Date.now();
  assert.ok(rows.length >= 6, String(rows.length));
  for (const { key, expire } of rows) {
    assert.match(key, /^giver:[\w-]{22}$|^alarm:(main|\*)$/);
    assert.ok(expire! > now && expire! <= now + 600_000, key);
  }
  const {
    rows: [table],
  } = await sql<{
    relpersistence: string;
  }>`SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'`.execute(database.db);
  assert.equal(table!.relpersistence, 'u', 'it is not written ahead');
  assert.equal((await database.db.selectFrom('daily_secrets').selectAll().execute()).length, 1);
});

test('counts that do not answer lose no gift: a server then counts for itself', async () => {
  const file = randomUUID();
  await using desk = await openDesk({ database: file });
  await using database = await openTestDatabase(file);
  await give(desk);
  await database.db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE rate_limits IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    const began = performance.now();
    assert.equal((await give(desk)).said, '200 succeeded');
    assert.ok(performance.now() - began < 3_000);
    for (let tries = 0; tries < 2; tries += 1)
      assert.equal(
        (await give(desk, { card: CARDS.declined, address: '203.0.113.10' })).said,
        '402 failed',
      );
    assert.equal((await give(desk, { address: '203.0.113.10' })).said, '403 challenge-required');
  });
});
