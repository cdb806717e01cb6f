import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { migrations } from '../database/migrations.ts';
import { describeConnectionError, redactUrl } from '../database/postgres-url.ts';

/** Timeout for connections and queries, in milliseconds. */
const TIMEOUT = 5_000;

/** Migrations and values that releases have recorded in a database. */
export interface DatabaseState {
  /** Names of the migrations that the database already has. */
  readonly appliedMigrations: readonly string[];
  /**
   * Values that releases recorded, such as `version`. Empty if only releases without this feature
   * have used the database.
   */
  readonly info: ReadonlyMap<string, string>;
}

interface InfoRow {
  readonly name: string;
  readonly value: string;
}

const EMPTY_STATE: DatabaseState = { appliedMigrations: [], info: new Map() };

const createState = (names: readonly string[], info: readonly InfoRow[]): DatabaseState => ({
  appliedMigrations: names,
  info: new Map(info.map(({ name, value }) => [name, value])),
});

/** Reads the state of an open SQLite database. */
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

/** Reads the state of a PostgreSQL database. */
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
 * Reads the state of the database that a server would use. Changes nothing, and works while a
 * server is running.
 * @throws {Error} if the database cannot be read.
 */
export async function readDatabaseState({
  file,
  url,
}: {
  readonly file: string;
  /** Value of `DATABASE_URL`. */
  readonly url: string | undefined;
}): Promise<DatabaseState> {
  if (url === undefined) {
    if (!existsSync(file)) return EMPTY_STATE;
    const sqlite = new DatabaseSync(file, { readOnly: true });
    try {
      return readSqliteState(sqlite);
    } finally {
      sqlite.close();
    }
  }
  const location = redactUrl(url);
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT,
    query_timeout: TIMEOUT,
    application_name: 'donation-form upgrade',
  });
  try {
    await client.connect();
    return await readPostgresState(client);
  } catch (cause) {
    throw new Error(`${location} ${describeConnectionError(cause)}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns this release's migrations that a database does not have yet. */
export function listPendingMigrations({
  appliedMigrations,
}: Pick<DatabaseState, 'appliedMigrations'>): string[] {
  return Object.keys(migrations).filter((name) => !appliedMigrations.includes(name));
}

/** Returns a database's migrations that this release lacks, because a later release added them. */
export function listUnknownMigrations({ appliedMigrations }: DatabaseState): string[] {
  return appliedMigrations.filter((name) => !Object.hasOwn(migrations, name));
}
