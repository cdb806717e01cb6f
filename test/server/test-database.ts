/**
 * The database of a test. Files named `*.database.test.ts` run with SQLite and, if
 * test/postgres-setup.ts has started it, with PostgreSQL; `*.postgres.test.ts` need PostgreSQL; all
 * others use SQLite alone.
 */
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../src/server/database/database.ts';
import { createLocalClock } from '../../src/server/database/database-clock.ts';
import { openPostgres } from '../../src/server/database/postgres-database.ts';
import { openSqlite } from '../../src/server/database/sqlite-database.ts';
import { createDatabase, MIGRATED_DATABASE, runStatements } from '../postgres.ts';
import { waitUntil } from '../wait-until.ts';

/** URL of the PostgreSQL server for this run; SQLite if it is not set. */
const clusterUrl = process.env.TEST_DATABASE_URL;

/** True if several servers can share a database in this run. */
const hasPostgres = clusterUrl !== undefined;

const namedDatabases = new Map<string, Promise<string>>();
/** Empty databases to reuse, because creating one takes longer than most tests. */
const emptyDatabases: string[] = [];

/** Registers a test that needs PostgreSQL, and skips it in a run without one. */
export function testOverPostgres(
  name: string,
  work: () => Promise<void>,
  { timeout = 60_000 }: { readonly timeout?: number } = {},
): void {
  const skip = hasPostgres ? false : 'needs PostgreSQL: see test/postgres-setup.ts';
  void test(name, { timeout, skip }, work);
}

/** @param file opens the same database again. @param now replaces the database's clock. */
export async function openTestDatabase(
  file?: string,
  now?: () => number,
): Promise<Database & AsyncDisposable> {
  const database = await openRealDatabase(file);
  return now ? { ...database, clock: createLocalClock(now) } : database;
}

/**
 * Waits until what was just saved is due. The server's estimate of PostgreSQL's clock can be
 * milliseconds ahead.
 */
export async function waitForDatabaseClock({
  db,
  clock,
}: Pick<Database, 'db' | 'clock'>): Promise<void> {
  const estimate = clock.now();
  await waitUntil(async () => {
    const { time } = await db.selectNoFrom(clock.in(0).as('time')).executeTakeFirstOrThrow();
    return time >= estimate;
  });
}

async function openRealDatabase(file?: string): Promise<Database & AsyncDisposable> {
  if (clusterUrl === undefined) return makeDisposable(await openSqlite(file ?? ':memory:'));
  if (file !== undefined) {
    const url = namedDatabases.get(file) ?? createMigrated(clusterUrl);
    namedDatabases.set(file, url);
    return makeDisposable(await openPostgres(await url));
  }
  const url = emptyDatabases.pop() ?? (await createMigrated(clusterUrl));
  const database = await openPostgres(url);
  return makeDisposable({
    ...database,
    close: async () => {
      await deleteAllRows(database);
      await database.close();
      emptyDatabases.push(url);
    },
  });
}

function makeDisposable(database: Database): Database & AsyncDisposable {
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** Deletes the few rows that a test leaves, which takes a fraction of what TRUNCATE needs. */
async function deleteAllRows({ db }: Database): Promise<void> {
  for (const { name } of await db.introspection.getTables())
    if (!name.startsWith('kysely_')) await sql`DELETE FROM ${sql.table(name)}`.execute(db);
}

/** Creates a PostgreSQL database, and returns the variable with its URL; none with SQLite. */
export async function createDatabaseUrl(): Promise<{ readonly DATABASE_URL?: string }> {
  return clusterUrl === undefined ? {} : { DATABASE_URL: await createDatabase(clusterUrl) };
}

/** Runs statements in a named database while servers use it. */
export async function runInDatabase(file: string, ...statements: string[]): Promise<void> {
  await runStatements((await namedDatabases.get(file))!, ...statements);
}

function createMigrated(url: string): Promise<string> {
  return createDatabase(url, { template: MIGRATED_DATABASE });
}
