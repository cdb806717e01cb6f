import { mkdir, open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  sql,
  SqliteDialect,
  type UnknownRow,
} from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool, TypeOverrides, types, type Client, type PoolConfig } from 'pg';
import type { Tables } from './schema.ts';
import { migrations } from './migrations.ts';
import { rowMapper } from './row-mapper.ts';
import { copySqliteDatabase, type Copy } from './backup.ts';
import { createLocalClock, PostgresClock, type DatabaseClock } from './database-clock.ts';
import { rethrowDatabaseError, wrapDialectErrors } from './database-error.ts';
import { describeConnectionError, redactUrl } from './postgres-url.ts';
import { adaptSqliteForKysely } from './sqlite-driver.ts';
import type { QueryRunner } from './compiled-lookup.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import type { Writer } from './writer.ts';

/** The server's database: SQLite for one server, PostgreSQL for several. */
export interface Database {
  /** Path of the SQLite file, or the PostgreSQL URL without credentials. */
  readonly location: string;
  readonly db: Kysely<Tables>;
  readonly writer: Writer;
  /** Runs a compiled query without the query builder's plugin, which parses rows. */
  readonly runCompiled: QueryRunner;
  readonly clock: DatabaseClock;
  /**
   * True if several servers can share the database. In that case, each server must claim a row
   * before handling it.
   */
  readonly isShared: boolean;
  /**
   * Separate connections with a short statement timeout, for queries that must not delay donations.
   * Undefined for SQLite.
   */
  readonly lowPriorityPool?: Pool;
  /**
   * Copies the database into a new file. Undefined for PostgreSQL, which has its own backup tools.
   */
  readonly copy?: (file: string) => Promise<Copy>;
  /**
   * Clears the write-ahead log, which may still contain deleted data. Undefined for PostgreSQL,
   * which manages its own log.
   * @returns false if the log was not cleared because another program is reading it.
   */
  readonly clearWriteAheadLog?: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Number of PostgreSQL connections per server. */
const CONNECTIONS = 10;
/** Timeout for getting a connection from the pool, in milliseconds. */
const CONNECTION_TIMEOUT = 5_000;
/** PostgreSQL timeouts in milliseconds. */
const TIMEOUTS = {
  statement_timeout: 25_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
};
/**
 * PostgreSQL timeout for a statement of the migrations and for its locks, in milliseconds. Long,
 * because migrations may rewrite whole tables and wait for another server's migrations.
 */
const MIGRATION_TIMEOUT = 3_600_000;
/** Key of the PostgreSQL lock of the server that is running migrations. */
const MIGRATION_LOCK = 7_305_412;
/**
 * Time without data after which the pool closes a connection, in milliseconds. Longer than
 * `statement_timeout` in {@link TIMEOUTS}.
 */
const MAX_SILENCE = 30_000;
/** Idle time after which TCP keep-alive probes start, in milliseconds. */
const KEEP_ALIVE_AFTER = 10_000;
/** Number of additional connections for queries that must not delay donations. */
const LOW_PRIORITY_CONNECTIONS = 3;
/** Timeout for queries on the low-priority connections, in milliseconds. */
const LOW_PRIORITY_TIMEOUT = 250;

/**
 * Opens the PostgreSQL database at `url`. Without a URL, opens the SQLite file for exclusive use by
 * this process.
 * @param options.url PostgreSQL URL, such as `postgres://user:password@host/name`.
 * @throws {Error} if the database cannot be opened, if its settings could cause it to lose commits,
 *   or if another process is using the file.
 */
export function openDatabase({
  file,
  url,
  ...options
}: {
  readonly file: string;
  readonly url?: string | undefined;
} & PostgresOptions): Promise<Database> {
  return url === undefined ? openSqliteFile(file) : openPostgres(url, options);
}

/** Options for {@link openPostgres}. */
interface PostgresOptions {
  /** Time without data after which the pool closes a connection, in milliseconds. */
  readonly maxSilence?: number;
  readonly onSkewMeasured?: (skew: number) => void;
  /** Maximum time to wait for PostgreSQL to accept connections, in milliseconds. */
  readonly startTimeout?: number;
  /** Called once if PostgreSQL does not accept connections yet. */
  readonly onWait?: () => void;
}

/** Thrown if another process has the SQLite file open. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

async function openSqliteFile(file: string): Promise<Database> {
  try {
    await mkdir(dirname(file), { recursive: true });
    // Allows only the owner to read the file. SQLite's -wal and -shm files get the same mode.
    await (await open(file, 'a', 0o600)).close();
    const lock = lockFile(file);
    const database = await openSqlite(file).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    return {
      ...database,
      close: async () => {
        await database.close();
        lock.release();
      },
    };
  } catch (cause) {
    if (cause instanceof DatabaseInUseError) throw cause;
    const { message } = cause as Error;
    throw new Error(
      message.startsWith(file) ? message : `${file}: cannot open the database: ${message}`,
      { cause },
    );
  }
}

/**
 * Page cache size, and write-ahead log size that triggers a checkpoint, in 4 KB pages. Keys are
 * random, so each donation accesses pages throughout the indexes. With the defaults (500 and
 * 1,000), SQLite would read most pages from the file again and run a checkpoint every few
 * donations.
 */
const CACHE_PAGES = 4_000;
const WAL_PAGES = 4_000;

/** Maximum time to wait for a file that another program has locked, in milliseconds. */
const BUSY_TIMEOUT = 5_000;

/** Opens an SQLite file or `:memory:`, and migrates it. Each commit is synced to disk. */
export async function openSqlite(file: string): Promise<Database> {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(
    `PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA journal_mode = WAL; ` +
      'PRAGMA synchronous = NORMAL; ' +
      `PRAGMA cache_size = ${CACHE_PAGES}; PRAGMA wal_autocheckpoint = ${WAL_PAGES}; ` +
      // Overwrites deleted data with zeros, so no deleted donor data remains in the file.
      'PRAGMA secure_delete = ON;',
  );
  const adapter = adaptSqliteForKysely(sqlite);
  const db = new Kysely<Tables>({
    dialect: wrapDialectErrors(new SqliteDialect({ database: adapter })),
    plugins: [rowMapper],
  });
  await runMigrations(db, file);
  // Syncs all migrations to disk together, which is half a second faster than one at a time.
  sqlite.exec('PRAGMA wal_checkpoint; PRAGMA synchronous = FULL;');
  // Copies in progress. The write-ahead log cannot be cleared while a copy is reading it.
  let copies: Promise<unknown> = Promise.resolve();
  return {
    location: file,
    db,
    writer: new SqliteWriter(sqlite, db),
    runCompiled: async (query) => {
      // During a transaction, the query builder waits for its end. Otherwise, the query would read
      // rows that are not on disk yet.
      if (sqlite.isTransaction)
        return (await db.withoutPlugins().executeQuery<UnknownRow>(query)).rows;
      try {
        return adapter.prepare(query.sql).all(query.parameters) as UnknownRow[];
      } catch (error) {
        return rethrowDatabaseError(error);
      }
    },
    clock: createLocalClock(),
    isShared: false,
    copy: (target) => {
      const copy = copySqliteDatabase(file, target);
      copies = Promise.allSettled([copies, copy]);
      return copy;
    },
    clearWriteAheadLog: async () => {
      await copies;
      return moveWriteAheadLogIntoDatabase(db);
    },
    close: () => db.destroy(),
  };
}

/**
 * Moves the write-ahead log into the database file and truncates the log.
 * @returns true if the log was truncated.
 */
function moveWriteAheadLogIntoDatabase(db: Kysely<Tables>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    // Does not wait for other readers, because the wait would block the whole server.
    await sql`PRAGMA busy_timeout = 0`.execute(connection);
    try {
      const { rows } = await sql<{
        busy: number;
      }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(connection);
      return rows[0]?.busy === 0;
    } finally {
      await sql`PRAGMA busy_timeout = ${sql.raw(String(BUSY_TIMEOUT))}`.execute(connection);
    }
  });
}

/**
 * Opens a PostgreSQL database and migrates it.
 * @param options.maxSilence time without data after which the pool closes a connection, in
 *   milliseconds.
 * @param options.onSkewMeasured function that receives each measurement: the number of milliseconds
 *   by which this server's clock is ahead of PostgreSQL's clock.
 * @throws {Error} if the database does not respond, or if its settings could cause it to lose
 *   acknowledged commits.
 */
export async function openPostgres(
  url: string,
  { maxSilence = MAX_SILENCE, onSkewMeasured, startTimeout = 0, onWait }: PostgresOptions = {},
): Promise<Database> {
  const name = redactUrl(url);
  const options = {
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    application_name: 'donation-form',
    types: createTypeParsers(),
  };
  const deadline = performance.now() + startTimeout;
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      await migrateAndClosePool(openPostgresPool(options), name);
      break;
    } catch (error) {
      if (!isTemporarilyUnavailable(error as Error) || performance.now() >= deadline) throw error;
      if (!isWaiting) onWait?.();
      await setTimeout(START_POLL_INTERVAL);
    }
  }
  const pool = openPostgresPool({ ...options, ...TIMEOUTS }, maxSilence);
  const lowPriorityPool = openPostgresPool(
    { ...options, max: LOW_PRIORITY_CONNECTIONS, statement_timeout: LOW_PRIORITY_TIMEOUT },
    maxSilence,
  );
  const db = new Kysely<Tables>({
    dialect: wrapDialectErrors(new PostgresDialect({ pool })),
    plugins: [rowMapper],
  });
  const clock = new PostgresClock(pool, onSkewMeasured);
  const close = async (): Promise<void> => {
    clock.stopMeasuring();
    await Promise.all([db.destroy(), lowPriorityPool.end()]);
    // Kysely does not close a pool that it has not used.
    if (!pool.ending) await pool.end();
  };
  try {
    await assertTimeouts(pool, name);
    await clock.startMeasuring();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    location: name,
    db,
    clock,
    writer: new PostgresWriter(pool, db),
    // Without a name, because a connection pooler may not support prepared statements.
    runCompiled: async ({ sql: text, parameters }) =>
      (await pool.query<UnknownRow>(text, [...parameters]).catch(rethrowDatabaseError)).rows,
    isShared: true,
    lowPriorityPool,
    close,
  };
}

/**
 * Opens a pool that closes connections after `maxSilence` milliseconds without data. Without this
 * limit, statements would wait forever and block the pool if the network silently dropped packets.
 * The `pg` option `query_timeout` is unsuitable, because it would leave the dead connection in the
 * pool.
 */
function openPostgresPool(options: PoolConfig, maxSilence?: number): Pool {
  // Without these listeners, a broken connection would end the process.
  return new Pool(options)
    .on('error', () => undefined)
    .on('connect', (client) => {
      client.on('error', () => undefined);
      const { stream } = (client as Client).connection;
      if (maxSilence !== undefined && stream instanceof Socket)
        stream.setTimeout(maxSilence, () => {
          stream.destroy(new Error(`PostgreSQL sent no data for ${maxSilence / 1_000} seconds`));
        });
    });
}

/**
 * Interval between attempts to connect to a PostgreSQL server that does not accept connections yet,
 * in milliseconds.
 */
const START_POLL_INTERVAL = 500;
/** Error codes that occur while a PostgreSQL server, or the network to it, starts or restarts. */
const STARTING_CODES = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
/** PostgreSQL error codes for a server that is shutting down, starting, or out of connections. */
const STARTING_STATES = ['57P01', '57P03', '53300'];

function isTemporarilyUnavailable({ cause }: { readonly cause?: unknown }): boolean {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && [...STARTING_CODES, ...STARTING_STATES].includes(code);
}

/**
 * Checks and migrates a database, and then closes the connection pool.
 * @throws {Error} if the database does not respond or cannot be migrated, or if its settings could
 *   cause it to lose acknowledged commits.
 */
async function migrateAndClosePool(pool: Pool, name: string): Promise<void> {
  const dialect = Object.assign(new PostgresDialect({ pool }), {
    createAdapter: () => new LocklessAdapter(),
  });
  const db = new Kysely<Tables>({ dialect });
  try {
    await assertDurability(pool, name);
    // Settings and locks of a transaction, because others last longer than it if a connection pooler
    // gives each transaction a different connection, and poolers may ignore startup parameters.
    await db
      .transaction()
      // At a stricter level, the migrator would not see what another server migrates during the wait.
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        for (const setting of ['statement_timeout', 'lock_timeout'])
          await sql`SELECT set_config(${setting}, ${MIGRATION_TIMEOUT}::text, true)`.execute(
            transaction,
          );
        await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
        await runMigrations(transaction, name);
      });
  } finally {
    await db.destroy();
  }
}

/** Omits the migrator's own lock, which belongs to the connection. */
class LocklessAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }

  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}

async function assertDurability(pool: Pool, name: string): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    if ((await readSetting(pool, name, setting)) === 'off')
      throw new Error(
        `${name}: ${setting} is off, so PostgreSQL could lose accepted donations. Turn it on.`,
      );
  }
}

/** @throws {Error} if PostgreSQL has no timeouts, because a connection pooler ignored ours. */
async function assertTimeouts(pool: Pool, name: string): Promise<void> {
  for (const [setting, timeout] of Object.entries(TIMEOUTS)) {
    if ((await readSetting(pool, name, setting)) === '0')
      throw new Error(
        `${name}: ${setting} is 0, because a connection pooler ignores it, so donations could wait ` +
          'forever. Configure the pooler to pass it on, or run "ALTER ROLE CURRENT_USER SET ' +
          `${setting} = ${timeout}" and restart the pooler.`,
      );
  }
}

async function readSetting(pool: Pool, name: string, setting: string): Promise<string> {
  const {
    rows: [row],
  } = await pool.query<Record<string, string>>(`SHOW ${setting}`).catch((cause: unknown) => {
    throw new Error(`${name} ${describeConnectionError(cause)}`, { cause });
  });
  return row![setting]!;
}

/**
 * Runs pending migrations. During a rolling update, a later release may already have migrated the
 * database. This is safe, because migrations of a later release add only what an earlier release
 * can ignore.
 */
async function runMigrations(db: Kysely<Tables>, name: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const applied = tables.some((table) => table.name === 'kysely_migration')
    ? await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
        .selectFrom('kysely_migration')
        .select('name')
        .execute()
    : [];
  const laterMigrations = applied
    .filter((one) => !Object.hasOwn(migrations, one.name))
    .map((one) => [one.name, { up: async () => undefined }] as const);
  const { error } = await new Migrator({
    db,
    provider: {
      getMigrations: async () => ({ ...migrations, ...Object.fromEntries(laterMigrations) }),
    },
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error)
    throw new Error(`${name}: cannot migrate the tables: ${(error as Error).message}`, {
      cause: error,
    });
}

/**
 * Creates parsers that return 64-bit integers as numbers. This is safe, because none of our
 * integers exceeds 2^53.
 */
function createTypeParsers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}

/**
 * Locks a file until the lock is released or this process ends. Killing the process also releases
 * the lock.
 * @throws {DatabaseInUseError} if another process has locked it.
 */
function lockFile(file: string): { readonly release: () => void } {
  const lock = new DatabaseSync(`${file}-claim`);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock.close();
    throw new DatabaseInUseError(
      `${file} is in use by another process. Stop that process, configure another file, or ` +
        'set DATABASE_URL to a PostgreSQL database, which several servers can share.',
      { cause },
    );
  }
  return { release: () => lock.close() };
}
