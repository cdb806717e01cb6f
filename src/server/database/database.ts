import { mkdir, open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool, TypeOverrides, types, type Client, type PoolConfig } from 'pg';
import type { Tables } from './schema.ts';
import { migrations } from './migrations.ts';
import { parsePayloadPlugin } from './parse-payload-plugin.ts';
import { copySqlite, type Copy } from './backup.ts';
import { GroupCommitWriter, type Writer } from './group-commit.ts';

/** Where everything is kept that has to outlive the process. */
export interface Database {
  readonly db: Kysely<Tables>;
  readonly writer: Writer;
  /** Whether several servers may use it at once: what one does not do, another may be doing. */
  readonly isShared: boolean;
  /**
   * PostgreSQL by connections of their own, for what no gift may wait for: statements there are
   * given up soon. Absent where the store is this process's own.
   */
  readonly lowPriorityPool?: Pool;
  /** Copies it into a new file. Absent where the database has means of its own for that. */
  readonly copy?: (file: string) => Promise<Copy>;
  readonly close: () => Promise<void>;
}

/** How many connections one server opens to PostgreSQL. */
const CONNECTIONS = 10;
/** How long a request waits for a free or a new connection, in milliseconds. */
const CONNECTING_TIME = 5_000;
/**
 * After how many milliseconds the database gives up a statement, one that waits for a lock, and a
 * transaction that does nothing.
 */
const LIMITS = {
  statement_timeout: 25_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
};
/** Migrations rewrite whole tables, and wait for another server's. */
const MIGRATION_LIMITS = { statement_timeout: 3_600_000 };
/**
 * After how many milliseconds without a word a connection is given up: longer than any statement
 * may take.
 */
const LONGEST_SILENCE = 30_000;
/**
 * After how many milliseconds without a word the system asks whether the other side is still there.
 */
const KEEP_ALIVE_AFTER = 10_000;
/**
 * How many more it opens for what no gift may wait for, and after how many milliseconds the
 * database gives up a statement there.
 */
const ASIDE_CONNECTIONS = 3;
const ASIDE_TIME = 250;

/**
 * Opens the store that `DATABASE_URL` names, PostgreSQL for several servers, or else an SQLite
 * file, which is this process's own.
 * @param url such as `postgres://user:password@host/name`.
 * @throws where it cannot be opened, loses commits, or another process has the file.
 */
export function openDatabase({
  file,
  url,
}: {
  readonly file: string;
  readonly url?: string | undefined;
}): Promise<Database> {
  return url === undefined ? openFile(file) : openPostgres(url);
}

async function openFile(file: string): Promise<Database> {
  try {
    await mkdir(dirname(file), { recursive: true });
    // Donors' data is nobody else's; SQLite gives the files beside it the same rights.
    await (await open(file, 'a', 0o600)).close();
    const claim = claimFile(file);
    const store = await openSqlite(file).catch((error: unknown) => {
      claim.release();
      throw error;
    });
    return {
      ...store,
      close: async () => {
        await store.close();
        claim.release();
      },
    };
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      message.startsWith(file) ? message : `${file}: the store cannot be opened: ${message}`,
      { cause },
    );
  }
}

/**
 * Pages of 4 KB: how many SQLite keeps in memory, and after how many in its log it copies them to
 * the file. Keys are random, so each gift touches pages all over the indexes:
 * with the usual 500 and 1,000 most would be read from the file anew, and copied there once for
 * every few gifts.
 */
const PAGES_KEPT = 4_000;
const PAGES_IN_LOG = 4_000;

/**
 * Opens an SQLite file, `:memory:` for none, brings its tables up to date, and makes every commit
 * wait until the disk has it.
 */
export async function openSqlite(file: string): Promise<Database> {
  const sqlite = new DatabaseSync(file);
  sqlite.exec(
    `PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = ${PAGES_KEPT}; PRAGMA wal_autocheckpoint = ${PAGES_IN_LOG};`,
  );
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: statementsOf(sqlite) }),
    plugins: [parsePayloadPlugin],
  });
  await bringUpToDate(db, file);
  // Migrations are synced all together: one by one they would take half a second of a first start.
  sqlite.exec('PRAGMA wal_checkpoint; PRAGMA synchronous = FULL;');
  return {
    db,
    writer: new GroupCommitWriter(db),
    isShared: false,
    copy: (copy) => copySqlite(file, copy),
    close: () => db.destroy(),
  };
}

/**
 * Opens a database of PostgreSQL and brings its tables up to date.
 * @param options.longestSilence milliseconds without any data after which a connection is closed.
 * @throws where it does not answer, or loses commits that it acknowledged.
 */
export async function openPostgres(
  url: string,
  { longestSilence = LONGEST_SILENCE }: { readonly longestSilence?: number } = {},
): Promise<Database> {
  const name = nameOf(url);
  const options = {
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECTING_TIME,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    application_name: 'donation-form',
    types: wholeNumbers(),
  };
  await migratePostgres(openPool({ ...options, ...MIGRATION_LIMITS }), name);
  const pool = openPool({ ...options, ...LIMITS }, longestSilence);
  const asidePool = openPool(
    { ...options, max: ASIDE_CONNECTIONS, statement_timeout: ASIDE_TIME },
    longestSilence,
  );
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [parsePayloadPlugin],
  });
  return {
    db,
    writer: { write: (work) => db.transaction().setIsolationLevel('read committed').execute(work) },
    isShared: true,
    lowPriorityPool: asidePool,
    close: async () => {
      await Promise.all([db.destroy(), asidePool.end()]);
    },
  };
}

/**
 * @param longestSilence after how many milliseconds without a word a connection is closed: where
 *   the way to the database is cut off without one, its statements would wait for ever, and every
 *   later one behind them. pg's own `query_timeout` would leave it in the pool.
 */
function openPool(options: PoolConfig, longestSilence?: number): Pool {
  // A connection that breaks is replaced, and whoever uses it gets the error with the next answer.
  // Without these listeners it would end the process.
  return new Pool(options)
    .on('error', () => undefined)
    .on('connect', (client) => {
      client.on('error', () => undefined);
      const { stream } = (client as Client).connection;
      if (longestSilence !== undefined && stream instanceof Socket)
        stream.setTimeout(longestSilence, () => {
          stream.destroy(
            new Error(`PostgreSQL said nothing for ${longestSilence / 1_000} seconds`),
          );
        });
    });
}

/**
 * @throws where the database does not answer, loses commits, or its tables cannot be brought up
 *   to date.
 */
async function migratePostgres(pool: Pool, name: string): Promise<void> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await checkDurability(pool, name);
    await bringUpToDate(db, name);
  } finally {
    await db.destroy();
  }
}

async function checkDurability(pool: Pool, name: string): Promise<void> {
  const ask = async (setting: string): Promise<string> => {
    const {
      rows: [row],
    } = await pool.query<Record<string, string>>(`SHOW ${setting}`).catch((cause: unknown) => {
      throw new Error(
        `${name}: PostgreSQL does not answer: ${(cause as Error).message || (cause as { code?: string }).code}. Check DATABASE_URL.`,
        { cause },
      );
    });
    return row![setting]!;
  };
  for (const setting of ['fsync', 'synchronous_commit']) {
    if ((await ask(setting)) === 'off')
      throw new Error(
        `${name}: ${setting} is off, so gifts that were taken could be lost. Set it to on.`,
      );
  }
}

/**
 * Brings the tables up to date. A store may be newer than this release, while servers are replaced
 * one by one: migrations only add what an earlier release can leave alone.
 */
async function bringUpToDate(db: Kysely<Tables>, name: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const done = tables.some((table) => table.name === 'kysely_migration')
    ? await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
        .selectFrom('kysely_migration')
        .select('name')
        .execute()
    : [];
  const ofLaterReleases = done
    .filter((one) => !Object.hasOwn(migrations, one.name))
    .map((one) => [one.name, { up: async () => undefined }] as const);
  const { error } = await new Migrator({
    db,
    provider: {
      getMigrations: async () => ({ ...migrations, ...Object.fromEntries(ofLaterReleases) }),
    },
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error)
    throw new Error(
      `${name}: its tables could not be brought up to date: ${(error as Error).message}`,
      { cause: error },
    );
}

/** Whole numbers of 64 bits are numbers here: none of ours is larger than 2^53. */
function wholeNumbers(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(types.builtins.INT8, Number);
  return overrides;
}

/** A database's address without its password. */
function nameOf(url: string): string {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol))
    throw new Error(
      'DATABASE_URL is no address of PostgreSQL; expected postgres://user:password@host:5432/name',
    );
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/**
 * Makes a file this process's own until it ends, however it ends.
 * @throws where another process has it.
 */
function claimFile(file: string): { readonly release: () => void } {
  const claim = new DatabaseSync(`${file}-claim`);
  try {
    claim.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    claim.close();
    throw new Error(
      `${file}: another server uses this store, and works off what is due by itself; end it first, or name another file. Several servers share one PostgreSQL: set DATABASE_URL.`,
      { cause },
    );
  }
  return { release: () => claim.close() };
}

/** How many statements are kept ready. */
const MOST_STATEMENTS = 200;

/**
 * The four members by which Kysely's SQLite dialect, made for better-sqlite3, can use the runtime's
 * own SQLite. A statement is prepared when it is first used.
 */
function statementsOf(
  sqlite: DatabaseSync,
): ConstructorParameters<typeof SqliteDialect>[0]['database'] {
  const ready = new Map<string, ReturnType<typeof prepare>>();
  const prepare = (sql: string) => {
    const statement = sqlite.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...(parameters as null[])),
      run: (parameters: readonly unknown[]) => statement.run(...(parameters as null[])),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as null[])),
    };
  };
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      let statement = ready.get(sql);
      if (!statement) {
        if (ready.size >= MOST_STATEMENTS) ready.clear();
        ready.set(sql, (statement = prepare(sql)));
      }
      return statement;
    },
  };
}
