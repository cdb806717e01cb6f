/** Fraud protection of several servers with one database. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { waitUntil } from '../../wait-until.ts';
import { startServers } from '../several-servers-support.ts';
import { CARDS, startServer } from '../support.ts';
import { openTestDatabase, testOverPostgres as test } from '../test-database.ts';
import {
  attemptDonation,
  CLIENT_ADDRESS,
  createSolutionHeader,
  declineCards,
  fetchChallenge,
} from './support.ts';

const START = Date.now();
/** Clock that stands still, because counts start again at midnight. */
const now = (): number => START;
/** Timeout in milliseconds, for machines too busy for the default. */
const LONG_TIMEOUT = 30_000;

test('shares counts between two servers, and rejects a proof of work that the other has accepted', async () => {
  await using fixture = await startServers({ now, databaseTimeout: LONG_TIMEOUT });
  const [one, other] = fixture.servers;
  for (const server of [one, other])
    assert.equal(await attemptDonation(server, { card: CARDS.declined }), '402 failed');
  for (const server of [one, other])
    assert.equal(await attemptDonation(server), '403 challenge-required');
  const headers = await createSolutionHeader(one);
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => attemptDonation(index % 2 ? one : other, { headers })),
  );
  assert.deepEqual(results.sort(), [
    '200 succeeded',
    ...Array<string>(19).fill('403 challenge-required'),
  ]);
});

test('treats a form as attacked on one server after declines on the other', async () => {
  await using fixture = await startServers({ now, databaseTimeout: LONG_TIMEOUT });
  const [one, other] = fixture.servers;
  assert.equal(await fetchChallenge(other, CLIENT_ADDRESS), undefined);
  await declineCards(one, 20);
  await waitUntil(async () => (await fetchChallenge(other, CLIENT_ADDRESS)) !== undefined);
});

test('stores neither IP addresses nor emails, and lets counts expire', async () => {
  const file = randomUUID();
  await using server = await startServer({ database: file });
  await attemptDonation(server, {
    clientAddress: '2001:db8:1:2::a',
    email: 'ana@example.org',
    card: CARDS.declined,
  });
  await attemptDonation(server, { headers: await createSolutionHeader(server) });
  await using database = await openTestDatabase(file);
  const rows = await database.db.selectFrom('rateLimits').selectAll().execute();
  const now = Date.now();
  assert.ok(rows.length >= 6, String(rows.length));
  for (const { key, expire } of rows) {
    assert.match(key, /^donor:[\w-]{22}$|^declines:(main|\*)$/);
    assert.ok(expire! > now && expire! <= now + 600_000, key);
  }
  const {
    rows: [table],
  } = await sql<{
    relpersistence: string;
  }>`SELECT relpersistence FROM pg_class WHERE relname = 'rate_limits'`.execute(database.db);
  assert.equal(table!.relpersistence, 'u', 'the counts are not in the write-ahead log');
  assert.equal((await database.db.selectFrom('dailySecrets').selectAll().execute()).length, 1);
});

test('counts locally and accepts donations if the shared counts do not respond', async () => {
  const file = randomUUID();
  await using server = await startServer({ now, database: file });
  await using database = await openTestDatabase(file);
  await attemptDonation(server);
  await database.db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE rate_limits IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    const startedAt = performance.now();
    assert.equal(await attemptDonation(server), '200 succeeded');
    assert.ok(performance.now() - startedAt < 3_000);
    await declineCards(server, 2, () => '203.0.113.10');
    assert.equal(
      await attemptDonation(server, { clientAddress: '203.0.113.10' }),
      '403 challenge-required',
    );
  });
});
