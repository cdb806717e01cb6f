import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { formatCount } from '@donation-form/core/i18n';
import { migrations } from '../database/migrations.ts';
import { describeConnectionError, redactUrl } from '../database/postgres-url.ts';
import type { Tables } from '../database/schema.ts';

/** Timeout for connections and queries, in milliseconds. */
const TIMEOUT = 5_000;

type InfoRow = Tables['serverInfo'];

/** Migrations and values that releases have recorded in a database. */
export type DatabaseState = ReturnType<typeof createState>;

const createState = (appliedMigrations: readonly string[], info: readonly InfoRow[]) => ({
  appliedMigrations,
  /** Values such as `version`. Empty if only earlier releases have used the database. */
  info: new Map(info.map(({ name, value }) => [name, value])),
});

export function readSqliteState(sqlite: DatabaseSync): DatabaseState {
  const readTable = (table: string): Partial<InfoRow>[] =>
    sqlite.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table)
      ? sqlite.prepare(`SELECT * FROM ${table}`).all()
      : [];
  return createState(
    readTable('kysely_migration').map(({ name }) => name!),
    readTable('server_info') as InfoRow[],
  );
}

export async function readPostgresState(client: Client): Promise<DatabaseState> {
  const readTable = async (table: string): Promise<Partial<InfoRow>[]> => {
    const found = await client.query<{ oid: unknown }>('SELECT to_regclass($1) AS oid', [table]);
    if (found.rows[0]?.oid === null) return [];
    return (await client.query<Partial<InfoRow>>(`SELECT * FROM ${table}`)).rows;
  };
  return createState(
    (await readTable('kysely_migration')).map(({ name }) => name!),
    (await readTable('server_info')) as InfoRow[],
  );
}

/**
 * Reads the state of the database file or, if the URL is set, of a PostgreSQL database.
 * @throws {Error} if the database cannot be read.
 */
export async function readDatabaseState(
  file: string,
  url: string | undefined,
): Promise<DatabaseState> {
  if (url !== undefined) return queryPostgres(url, 'upgrade', readPostgresState);
  if (!existsSync(file)) return createState([], []);
  const sqlite = new DatabaseSync(file, { readOnly: true });
  try {
    return readSqliteState(sqlite);
  } finally {
    sqlite.close();
  }
}

/** @throws {Error} whose message has the URL without its password. */
export async function queryPostgres<Result>(
  url: string,
  command: string,
  query: (client: Client) => Promise<Result>,
): Promise<Result> {
  const location = redactUrl(url);
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    application_name: `donation-form ${command}`,
  });
  try {
    await client.connect();
    return await query(client);
  } catch (cause) {
    throw new Error(`${location} ${describeConnectionError(cause)}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function listPendingMigrations({ appliedMigrations }: DatabaseState): string[] {
  return Object.keys(migrations).filter((name) => !appliedMigrations.includes(name));
}

/** Returns a sentence that starts with a space, or an empty string if the tables are up to date. */
export function describePendingMigrations(state: DatabaseState): string {
  const count = listPendingMigrations(state).length;
  if (count === 0) return '';
  return ` The server will run ${formatCount(count, 'migration')} when it starts.`;
}

/** Lists the migrations that only a later release has. */
export function listUnknownMigrations({ appliedMigrations }: DatabaseState): string[] {
  return appliedMigrations.filter((name) => !Object.hasOwn(migrations, name));
}
