/** The guard of several servers with one store. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { SOMEBODY, attack, challengeFor, give, proof } from './guard-support.ts';
import { openTestStore, testOverPostgres as test } from './store.ts';
import { CARDS, openDesk } from './support.ts';

test('two servers count together, and a proof of work that one accepted is used on the other', async () => {
  const store = randomUUID();
  await using one = await openDesk({ store });
  await using other = await openDesk({ store });
  for (const desk of [one, other])
    assert.equal((await give(desk, { card: CARDS.declined })).said, '402 declined');
  for (const desk of [one, other]) assert.equal((await give(desk)).said, '403 challenge-required');
  const rounds: number[] = [];
  // Where the database takes longer than the guard waits for it, each server counts for itself:
  // then another proof is tried.
  while (rounds.length < 5 && !rounds.includes(1)) {
    const headers = await proof(one);
    const said = (
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => give(index % 2 ? one : other, { headers })),
      )
    ).map((answer) => answer.said);
    rounds.push(said.filter((words) => words === '200 succeeded').length);
    assert.equal(
      said.filter((words) => words === '403 challenge-required').length,
      20 - rounds.at(-1)!,
    );
  }
  assert.equal(rounds.at(-1), 1, `accepted ${rounds.join(', ')} times`);
});

test('what is declined on one server makes a form suspicious on the other within a second', async () => {
  const store = randomUUID();
  await using one = await openDesk({ store });
  await using other = await openDesk({ store });
  assert.equal(await challengeFor(other, SOMEBODY), undefined);
  await attack(one, 20);
  await new Promise((resolve) => {
    setTimeout(resolve, 1_000);
  });
  assert.ok(await challengeFor(other, SOMEBODY));
});

test('the database holds neither addresses nor e-mail addresses, and what it counts ends', async () => {
  const file = randomUUID();
  await using desk = await openDesk({ store: file });
  await give(desk, {
    address: '2001:db8:1:2::a',
    email: 'ana@example.org',
    card: CARDS.declined,
  });
  await give(desk, { headers: await proof(desk) });
  await using store = await openTestStore(file);
  const rows = await store.db.selectFrom('guard_counts').selectAll().execute();
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
  }>`SELECT relpersistence FROM pg_class WHERE relname = 'guard_counts'`.execute(store.db);
  assert.equal(table!.relpersistence, 'u', 'it is not written ahead');
  assert.equal((await store.db.selectFrom('guard_secrets').selectAll().execute()).length, 1);
});

test('counts that do not answer lose no gift: a server then counts for itself', async () => {
  const file = randomUUID();
  await using desk = await openDesk({ store: file });
  await using store = await openTestStore(file);
  await give(desk);
  await store.db.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE guard_counts IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    const began = performance.now();
    assert.equal((await give(desk)).said, '200 succeeded');
    assert.ok(performance.now() - began < 3_000);
    for (let tries = 0; tries < 2; tries += 1)
      assert.equal(
        (await give(desk, { card: CARDS.declined, address: '203.0.113.10' })).said,
        '402 declined',
      );
    assert.equal((await give(desk, { address: '203.0.113.10' })).said, '403 challenge-required');
  });
});
