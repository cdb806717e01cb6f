import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { openPostgres, openSqlite, type Store } from '../../src/server/store.ts';
import { inPostgres } from '../postgres.ts';

/** The PostgreSQL that a run of this suite is to use; without one, SQLite. */
const cluster = process.env.TEST_DATABASE_URL;

/** Whether several servers can share a store in this run. */
export const isShared = cluster !== undefined;

const named = new Map<string, Promise<string>>();
/** Databases that a test has left empty: making one takes longer than most tests. */
const empty: string[] = [];

/**
 * Opens a store of the kind that this run is about.
 * @param file one that is opened again under the same name, or by a second server; without one, a
 *   new store.
 */
export async function openTestStore(file?: string): Promise<Store & AsyncDisposable> {
  if (cluster === undefined) return disposable(await openSqlite(file ?? ':memory:'));
  if (file !== undefined) {
    const url = named.get(file) ?? create(cluster);
    named.set(file, url);
    return disposable(await openPostgres(await url));
  }
  const url = empty.pop() ?? (await create(cluster));
  const store = await openPostgres(url);
  return disposable({
    ...store,
    close: async () => {
      const tables = (await store.db.introspection.getTables()).filter(
        ({ name }) => !name.startsWith('kysely_'),
      );
      await sql`TRUNCATE ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(store.db);
      await store.close();
      empty.push(url);
    },
  });
}

function disposable(store: Store): Store & AsyncDisposable {
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/**
 * Where a server of this run keeps its gifts, for its environment: a PostgreSQL database of its
 * own; with SQLite nothing.
 */
export async function databaseUrl(): Promise<{ readonly DATABASE_URL?: string }> {
  return cluster === undefined ? {} : { DATABASE_URL: await create(cluster) };
}

/** Runs statements beside the servers of a store that has a name. */
export async function inStore(file: string, ...statements: string[]): Promise<void> {
  await inPostgres((await named.get(file))!, ...statements);
}

/** @returns the address of a new database. */
async function create(url: string): Promise<string> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const own = new URL(url);
  await inPostgres(url, `CREATE DATABASE ${database}`);
  own.pathname = `/${database}`;
  return own.href;
}
