import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrations } from '../../../src/server/database/migrations.ts';
import { openSqlite } from '../../../src/server/database/sqlite-database.ts';

test('syncs every commit to disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const { db, close } = await openSqlite(join(folder, 'database.sqlite'));
  const readPragma = async (pragma: string): Promise<unknown> =>
    Object.values((await sql.raw<object>(`PRAGMA ${pragma}`).execute(db)).rows[0]!)[0];
  assert.deepEqual([await readPragma('synchronous'), await readPragma('journal_mode')], [2, 'wal']);
  await close();
  await rm(folder, { recursive: true });
});

test('keeps migrations compatible with the previous release, which runs alongside during a rolling upgrade', () => {
  const isBreaking = (migration: string): boolean =>
    /drop|rename|alterColumn|setNotNull|updateTable|deleteFrom|\bDELETE\b|\bUPDATE\b/i.test(
      migration,
    ) ||
    [...migration.matchAll(/alterTable\('\w+'\)\s*\.addColumn\(([^;]*)\)\s*\.execute/g)].some(
      ([, added]) => added!.includes('notNull') && !added!.includes('defaultTo'),
    );
  const [, ...later] = Object.values(migrations).map((migration) => migration.up.toString());
  assert.deepEqual(later.filter(isBreaking), []);
  const createColumnMigration = (rest: string): string =>
    `await db.schema.alterTable('donations').addColumn('mood', 'text'${rest}).execute();`;
  const mandatory = createColumnMigration(', (column) => column.notNull()');
  const withDefault = createColumnMigration(", (column) => column.notNull().defaultTo('')");
  assert.deepEqual(
    [
      mandatory,
      "await db.schema.dropTable('donations').execute();",
      createColumnMigration(''),
      withDefault,
    ].map(isBreaking),
    [true, true, false, false],
  );
});
