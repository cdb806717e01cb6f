import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Copy } from './backup.ts';
import type { QueryRunner } from './compiled-lookup.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Tables } from './schema.ts';
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
