/**
 * The database of a test. Files named `*.database.test.ts` run over SQLite and, where
 * test/postgres-setup.ts has started one, over PostgreSQL; `*.postgres.test.ts` need PostgreSQL; all
 * others use SQLite alone.
 */
import { test } from 'node:test';
import { sql } from 'kysely';
import { openPostgres, openSqlite, type Database } from '../../src/server/database/database.ts';
import { createLocalClock } from '../../src/server/database/database-clock.ts';
import { createDatabase, runStatements, MIGRATED_DATABASE } from '../postgres.ts';

/** The PostgreSQL that a run of this suite is to use; without one, SQLite. */
const cluster = process.env.TEST_DATABASE_URL;

/** Whether several servers can share a database in this run. */
const isShared = cluster !== undefined;

const named = new Map<string, Promise<string>>();
/** Databases that a test has left without rows: creating one takes longer than most tests. */
const empty: string[] = [];

/** Registers a test that needs PostgreSQL, and skips it in a run without one. */
export function testOverPostgres(
  name: string,
  work: () => Promise<void>,
  { timeout = 60_000 }: { readonly timeout?: number } = {},
): void {
  const skip = isShared ? false : 'needs PostgreSQL: see test/postgres-setup.ts';
  void test(name, { timeout, skip }, work);
}

/**
 * Opens a database of the kind that this run is about.
 * @param file one that is opened again under the same name, or by a second server; without one, a
 *   new database.
 * @param now a fake clock instead of the database's own.
 */
export async function openTestDatabase(
  file?: string,
  now?: () => number,
): Promise<Database & AsyncDisposable> {
  const database = await openRealDatabase(file);
  return now ? { ...database, clock: createLocalClock(now) } : database;
}

async function openRealDatabase(file?: string): Promise<Database & AsyncDisposable> {
  if (cluster === undefined) return disposable(await openSqlite(file ?? ':memory:'));
  if (file !== undefined) {
    const url = named.get(file) ?? createMigrated(cluster);
    named.set(file, url);
    return disposable(await openPostgres(await url));
  }
  const url = empty.pop() ?? (await createMigrated(cluster));
  const database = await openPostgres(url);
  return disposable({
    ...database,
    close: async () => {
      await deleteAllRows(database);
      await database.close();
      empty.push(url);
    },
  });
}

function disposable(database: Database): Database & AsyncDisposable {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** Deletes the few rows that a test leaves, which takes a fraction of what TRUNCATE needs. */
async function deleteAllRows({ db }: Database): Promise<void> {
  for (const { name } of await db.introspection.getTables())
    if (!name.startsWith('kysely_')) await sql`DELETE FROM ${sql.table(name)}`.execute(db);
}

/**
 * Where a server of this run keeps its gifts, for its environment: a PostgreSQL database of its
 * own; with SQLite nothing.
 */
export async function databaseUrl(): Promise<{ readonly DATABASE_URL?: string }> {
  return cluster === undefined ? {} : { DATABASE_URL: await createDatabase(cluster) };
}

/** Runs statements beside the servers of a database that has a name. */
export async function inDatabase(file: string, ...statements: string[]): Promise<void> {
  await runStatements((await named.get(file))!, ...statements);
}

/** Creates a database that has its tables already. */
function createMigrated(url: string): Promise<string> {
  return createDatabase(url, { template: MIGRATED_DATABASE });
}
