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
  /** Runs a compiled query and returns its rows, unparsed. */
  readonly runCompiled: QueryRunner;
  readonly clock: DatabaseClock;
  /** True if several servers can share the database, and so must claim rows. */
  readonly isShared: boolean;
  /** Separate connections with a short timeout, for queries that must not delay donations. */
  readonly lowPriorityPool?: Pool;
  /** Copies the database into a new file. PostgreSQL has its own backup tools. */
  readonly copy?: (file: string) => Promise<Copy>;
  /**
   * Clears the write-ahead log, which may still contain deleted data. PostgreSQL manages its own.
   * @returns false if another program is reading the log.
   */
  readonly clearWriteAheadLog?: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}
