import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openSqlite } from '../../src/server/database/database.ts';
import { Journal } from '../../src/server/donations/donation-repository.ts';

test('every commit waits for the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const { db, close } = await openSqlite(join(folder, 'store.sqlite'));
  const ask = async (pragma: string): Promise<unknown> =>
    Object.values((await sql.raw<object>(`PRAGMA ${pragma}`).execute(db)).rows[0]!)[0];
  assert.deepEqual([await ask('synchronous'), await ask('journal_mode')], [2, 'wal']);
  await close();
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

test('migrations take nothing away from a server of the release before, which runs beside this one while servers are replaced', () => {
  const all = readFileSync('src/server/database/migrations.ts', 'utf8');
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
