import { randomUUID } from 'node:crypto';
import { openPostgres, openSqlite, type Store } from '../../src/server/store.ts';
import { inPostgres } from '../postgres.ts';

/** The PostgreSQL that a run of this suite is to use; without one, SQLite. */
const cluster = process.env.TEST_DATABASE_URL;

const databases = new Map<string, Promise<string>>();

/**
 * Opens a store of the kind that this run is about.
 * @param file one that is opened again under the same name, or by a second server; without one, a new store.
 */
export async function openTestStore(file?: string): Promise<Store & AsyncDisposable> {
  const store = cluster === undefined ? await openSqlite(file ?? ':memory:') : await openPostgres(await databaseOf(cluster, file ?? randomUUID()));
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/** The address of a store's database, made when it is first asked for. */
function databaseOf(url: string, name: string): Promise<string> {
  const known = databases.get(name) ?? create(url);
  databases.set(name, known);
  return known;
}

async function create(url: string): Promise<string> {
  const database = `test_${randomUUID().replaceAll('-', '')}`, own = new URL(url);
  await inPostgres(url, `CREATE DATABASE ${database}`);
  own.pathname = `/${database}`;
  return own.href;
}
