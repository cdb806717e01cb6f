import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from '../../src/server/store.ts';
import { Journal } from '../../src/server/journal.ts';
import { openTestStore } from './store.ts';

const promised = { reference: 'A', key_hash: 'k', fingerprint: 'f', organization: 'o', gift: '{}' };
const gift = { ...promised, dueAt: 0 };

test('every commit waits for the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const { db, close } = await openSqlite(join(folder, 'store.sqlite'));
  const ask = async (pragma: string): Promise<unknown> =>
    Object.values((await sql.raw<object>(`PRAGMA ${pragma}`).execute(db)).rows[0]!)[0];
  assert.deepEqual([await ask('synchronous'), await ask('journal_mode')], [2, 'wal']);
  await close();
  await rm(folder, { recursive: true });
});

test('a key is accepted once', async () => {
  await using store = await openTestStore();
  const journal = new Journal(store);
  assert.equal((await journal.accept(gift))?.reference, 'A');
  assert.equal(await journal.accept({ ...gift, reference: 'B' }), undefined);
  assert.equal((await journal.byKeyHash('k'))?.reference, 'A');
});

const paid = (payment_id: string) => ({ payment_id, subscription_id: null, payment_method: 0 });

test("a step that a gift's state does not allow changes nothing", async () => {
  await using store = await openTestStore();
  const journal = new Journal(store);
  await journal.accept(gift);
  assert.equal((await journal.charged('A', paid('ch_1'))).state, 'charged');
  assert.equal((await journal.declined('A', 'card-declined')).state, 'charged');
  assert.equal((await journal.charged('A', paid('ch_2'))).payment_id, 'ch_1');
  assert.deepEqual(
    (await journal.events.due('o', 10)).map(({ id, state }) => [id, state]),
    [['gift A', 'waiting']],
  );
  const [event] = await journal.events.due('o', 10);
  await journal.events.recorded(event!, 7);
  await journal.events.recorded(event!, 8);
  assert.deepEqual(
    [(await journal.byReference('A'))?.platform_id, (await journal.events.byId('gift A'))?.state],
    [7, 'recorded'],
  );
});

test('of writes that wait together, one that fails takes none of the others with it', async () => {
  await using store = await openTestStore();
  const journal = new Journal(store);
  const failing = store.writer.write(async (transaction) => {
    await transaction.insertInto('guard_secrets').values({ day: 1, secret: 'half done' }).execute();
    throw new Error('no');
  });
  const [before, failed, after] = await Promise.allSettled([
    journal.accept(gift),
    failing,
    journal.promise({ ...promised, reference: 'B', key_hash: 'other' }),
  ]);
  assert.deepEqual(
    [before.status, failed.status, after.status],
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(
    [
      (await journal.byReference('A'))?.state,
      (await journal.byReference('B'))?.state,
      await store.db.selectFrom('guard_secrets').selectAll().execute(),
    ],
    ['charging', 'pending', []],
  );
});

test('a promised gift is kept with what the platform is to know of it, once for each key', async () => {
  await using store = await openTestStore();
  const journal = new Journal(store);
  assert.equal((await journal.promise(promised))?.state, 'pending');
  assert.equal(await journal.promise({ ...promised, reference: 'B' }), undefined);
  assert.deepEqual(
    (await journal.events.inState('waiting', 10)).map(({ id }) => id),
    ['gift A'],
  );
});

test('what was accepted is there after the file is opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'store.sqlite');
  const before = await openTestStore(file);
  await new Journal(before).accept(gift);
  await before.close();
  await using after = await openTestStore(file);
  assert.deepEqual(
    (await new Journal(after).due('o', ['charging'], 10)).map(({ reference }) => reference),
    ['A'],
  );
  await rm(folder, { recursive: true });
});

test('a store of the release before keeps its gifts: what was recorded stays so, what was not is told, what was held waits for a person', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'store.sqlite');
  const old = new DatabaseSync(file);
  old.exec(`CREATE TABLE gifts (reference text PRIMARY KEY, key_hash text NOT NULL UNIQUE, fingerprint text NOT NULL, organization text NOT NULL, state text NOT NULL, gift text NOT NULL, payment_id text,
      decline_reason text, platform_id bigint, recording_began_at bigint, attempts integer NOT NULL, charge_began_at bigint NOT NULL, due_at bigint NOT NULL, last_error text, created_at bigint NOT NULL, updated_at bigint NOT NULL);
    CREATE TABLE kysely_migration (name varchar(255) NOT NULL PRIMARY KEY, timestamp varchar(255) NOT NULL);
    CREATE TABLE kysely_migration_lock (id varchar(255) NOT NULL PRIMARY KEY, is_locked integer DEFAULT 0 NOT NULL);
    INSERT INTO kysely_migration_lock VALUES ('migration_lock', 0);
    INSERT INTO kysely_migration VALUES ('2026-11-gifts', '2026-11-01T00:00:00.000Z');`);
  const keep = old.prepare(
    'INSERT INTO gifts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const [reference, state, payment, platform, began] of [
    ['R', 'recorded', 'ch_1', 7, null],
    ['C', 'charged', 'ch_2', null, null],
    ['H', 'held', 'ch_3', null, 5],
    ['W', 'charging', null, null, null],
    ['X', 'held', null, null, null],
  ] as const) {
    keep.run(
      reference,
      `key ${reference}`,
      'f',
      'o',
      state,
      '{}',
      payment,
      null,
      platform,
      began,
      0,
      1,
      1,
      null,
      1,
      1,
    );
  }
  old.close();
  const store = await openSqlite(file);
  const journal = new Journal(store);
  const stateOf = async (reference: string) => [
    (await journal.byReference(reference))?.state,
    (await journal.events.entryOf(reference))?.state,
    (await journal.events.entryOf(reference))?.platform_id,
  ];
  assert.deepEqual(await Promise.all(['R', 'C', 'H', 'W', 'X'].map(stateOf)), [
    ['charged', 'recorded', 7],
    ['charged', 'waiting', null],
    ['charged', 'held', null],
    ['charging', undefined, undefined],
    ['held', undefined, undefined],
  ]);
  assert.equal((await journal.events.entryOf('H'))?.sending_began_at, 5);
  await store.close();
  await rm(folder, { recursive: true });
});

test('a payment or a subscription is found in its own organisation alone', async () => {
  await using store = await openTestStore();
  const journal = new Journal(store);
  await journal.accept(gift);
  await journal.charged('A', { ...paid('pi_1'), subscription_id: 'sub_1' });
  assert.deepEqual(
    [
      (await journal.byPayment('o', 'pi_1'))?.reference,
      (await journal.bySubscription('o', 'sub_1'))?.reference,
    ],
    ['A', 'A'],
  );
  assert.deepEqual(
    [await journal.byPayment('other', 'pi_1'), await journal.bySubscription('other', 'sub_1')],
    [undefined, undefined],
  );
});

test('a gift is not given up where a call that charges it began since its row was read', async () => {
  let time = 1_000;
  await using store = await openTestStore();
  const journal = new Journal(store, () => time);
  await journal.accept(gift);
  const before = (await journal.byReference('A'))!;
  time = 2_000;
  const now = await journal.chargeBegins('A', { payment_id: 'pi_1', subscription_id: null });
  assert.equal((await journal.notCharged(before)).state, 'charging');
  assert.equal((await journal.notCharged(now)).state, 'declined');
});

test('a server of this release starts and works on a store that a later release has brought up to date', async () => {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  await using newer = await openTestStore(file);
  await sql`ALTER TABLE gifts ADD COLUMN of_a_later_release text`.execute(newer.db);
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('2027-01-later', '2027-01-01T00:00:00.000Z')`.execute(
    newer.db,
  );
  await using older = await openTestStore(file);
  await new Journal(older).accept(gift);
  assert.equal((await new Journal(newer).charged('A', paid('ch_1'))).state, 'charged');
  assert.equal((await new Journal(older).byReference('A'))?.state, 'charged');
});

test('migrations take nothing away from a server of the release before, which runs beside this one while servers are replaced', () => {
  const all = readFileSync('src/server/migrations.ts', 'utf8');
  const sinceTheFirstRelease = all.slice(all.indexOf("'2026-11-several-servers'"));
  assert.ok(sinceTheFirstRelease.length > 100);
  assert.doesNotMatch(
    sinceTheFirstRelease,
    /drop|rename|alterColumn|setNotNull|updateTable|deleteFrom|\bDELETE\b|\bUPDATE\b/i,
  );
  for (const [, added] of sinceTheFirstRelease.matchAll(
    /alterTable\('\w+'\)\.addColumn\((.*)\)\.execute/g,
  ))
    assert.ok(!added!.includes('notNull') || added!.includes('defaultTo'), added);
});

test('what became due while the clock was ahead is due when it is put right, and what is never due is not', async () => {
  const YEAR = 365 * 86_400_000;
  let time = 1_000_000 + YEAR;
  await using store = await openTestStore();
  const journal = new Journal(store, () => time);
  const given = { fingerprint: 'f', organization: 'o', gift: '{}' };
  await journal.accept({ ...given, reference: 'A', key_hash: 'a', dueAt: time + 20_000 });
  await journal.promise({ ...given, reference: 'B', key_hash: 'b' });
  time -= YEAR;
  const [gift, ...others] = await journal.due('o', ['charging', 'pending'], 10);
  assert.deepEqual([gift?.reference, others.length], ['A', 0]);
  assert.equal((await journal.claim(gift!))?.due_at, time + 60_000);
  assert.deepEqual(
    (await journal.events.due('o', 10)).map(({ reference }) => reference),
    ['B'],
  );
});
