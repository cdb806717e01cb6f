import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase } from '../../src/server/database.ts';
import { Journal } from '../../src/server/journal.ts';

const gift = { reference: 'A', key_hash: 'k', fingerprint: 'f', organization: 'o', gift: '{}', dueAt: 0 };

test('every commit waits for the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const db = await openDatabase(join(folder, 'store.sqlite'));
  const ask = async (pragma: string): Promise<unknown> => Object.values((await sql.raw<object>(`PRAGMA ${pragma}`).execute(db)).rows[0]!)[0];
  assert.deepEqual([await ask('synchronous'), await ask('journal_mode')], [2, 'wal']);
  await db.destroy();
  await rm(folder, { recursive: true });
});

test('a key is accepted once', async () => {
  const journal = new Journal(await openDatabase(':memory:'));
  assert.equal(await journal.accept(gift), true);
  assert.equal(await journal.accept({ ...gift, reference: 'B' }), false);
  assert.equal((await journal.byKeyHash('k'))?.reference, 'A');
  await journal.close();
});

test('a step that a gift\'s state does not allow changes nothing', async () => {
  const journal = new Journal(await openDatabase(':memory:'));
  await journal.accept(gift);
  assert.equal((await journal.recorded('A', 7)).state, 'charging');
  assert.equal((await journal.charged('A', 'ch_1')).state, 'charged');
  assert.equal((await journal.declined('A')).state, 'charged');
  assert.deepEqual([(await journal.charged('A', 'ch_2')).payment_id, (await journal.recorded('A', 7)).platform_id], ['ch_1', 7]);
  assert.equal((await journal.recorded('A', 8)).platform_id, 7);
  await journal.close();
});

test('what was accepted is there after the file is opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-')), file = join(folder, 'store.sqlite');
  const before = new Journal(await openDatabase(file));
  await before.accept(gift);
  await before.close();
  const after = new Journal(await openDatabase(file));
  assert.deepEqual((await after.due('o', ['charging'], 10)).map(({ reference }) => reference), ['A']);
  await after.close();
  await rm(folder, { recursive: true });
});
