import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql, type SqliteDatabase, SqliteDialect, type UnknownRow } from 'kysely';
import { copySqliteDatabase } from './backup.ts';
import type { Database } from './database.ts';
import { createLocalClock } from './database-clock.ts';
import { rethrowDatabaseError, wrapDialectErrors } from './database-error.ts';
import { loadDonorKeys } from './donor-keys.ts';
import { runMigrations } from './migrations.ts';
import { rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';
import { createSqliteWriter } from './sqlite-writer.ts';

/** Thrown if another process has the SQLite file open. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

export async function openSqliteFile(file: string): Promise<Database> {
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
 * Page cache, and log size that triggers a checkpoint, in 4 KB pages. Keys are random, so each
 * donation accesses pages throughout the indexes. With the defaults (500 and 1,000), SQLite would
 * read most pages again and run a checkpoint every few donations.
 */
const CACHE_PAGES = 4_000;
const WAL_PAGES = 4_000;

/** In milliseconds. */
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
  const donorKeys = await loadDonorKeys(db);
  // Syncs all migrations to disk together, which is half a second faster than one at a time.
  sqlite.exec('PRAGMA wal_checkpoint; PRAGMA synchronous = FULL;');
  // Copies in progress. The write-ahead log cannot be cleared while a copy is reading it.
  let copies: Promise<unknown> = Promise.resolve();
  return {
    location: file,
    db,
    writer: createSqliteWriter(sqlite, db),
    runCompiled: async (query) => {
      // The query builder waits for the end of a transaction, whose rows are not on disk yet.
      if (sqlite.isTransaction)
        return (await db.withoutPlugins().executeQuery<UnknownRow>(query)).rows;
      try {
        return adapter.prepare(query.sql).all(query.parameters) as UnknownRow[];
      } catch (error) {
        return rethrowDatabaseError(error);
      }
    },
    clock: createLocalClock(),
    donorKeys,
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

/** @returns true if the log was truncated. */
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
 * Locks a file until the release or the end of this process.
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

const MAX_STATEMENTS = 200;

/** Adapts `node:sqlite` to the better-sqlite3 interface that Kysely expects. Caches statements. */
function adaptSqliteForKysely(sqlite: DatabaseSync): SqliteDatabase {
  const ready = new Map<string, ReturnType<typeof prepareCached>>();
  const prepareCached = (sql: string) => {
    const statement = sqlite.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters: readonly unknown[]) => statement.all(...(parameters as null[])),
      // SQLite may already have rolled back. Another ROLLBACK would hide the original error.
      run: (parameters: readonly unknown[]) =>
        sql === 'rollback' && !sqlite.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : statement.run(...(parameters as null[])),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as null[])),
    };
  };
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      let statement = ready.get(sql);
      if (!statement) {
        if (ready.size >= MAX_STATEMENTS) ready.clear();
        ready.set(sql, (statement = prepareCached(sql)));
      }
      return statement;
    },
  };
}
