import type { CompiledQuery, Insertable, Kysely, Transaction, UnknownRow } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../lib/logger.ts';
import type { Copy } from './backup.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { DonorKeys } from './donor-keys.ts';
import type {
  DonationRow,
  MailMessageRow,
  OutboxRow,
  ReceiptRow,
  Tables,
  WebhookMessageRow,
} from './schema.ts';

/** A donation to insert, with the rows that exist only if it does. Each row has all columns. */
export interface NewDonationRows {
  readonly donations: readonly [Required<Insertable<DonationRow>>];
  readonly outbox: readonly Required<Insertable<OutboxRow>>[];
  readonly webhookMessages: readonly Required<Insertable<WebhookMessageRow>>[];
  readonly mailMessages: readonly Required<Insertable<MailMessageRow>>[];
  readonly receipts: readonly Required<Insertable<ReceiptRow>>[];
}

/**
 * Runs statements in a transaction. May be called again if the transaction was rolled back, and
 * must await nothing except the transaction.
 */
export type TransactionCallback<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

export interface Writer {
  /** Runs the callback in a transaction and resolves when the commit is on disk. */
  readonly write: <Result>(callback: TransactionCallback<Result>) => Promise<Result>;
  /**
   * Inserts a donation, and resolves when the commit is on disk. Every donation takes this path, so
   * it bypasses the query builder, which took a quarter of the CPU time.
   * @returns false if the idempotency key is already taken.
   */
  readonly insertDonation: (rows: NewDonationRows) => Promise<boolean>;
}

/** The server's database: SQLite for one server, PostgreSQL for several. */
export interface Database {
  /** Path of the SQLite file, or the PostgreSQL URL without credentials. */
  readonly location: string;
  readonly db: Kysely<Tables>;
  readonly writer: Writer;
  /** Runs a compiled query and returns its rows, unparsed. */
  readonly runCompiled: (query: CompiledQuery) => Promise<readonly UnknownRow[]>;
  readonly clock: DatabaseClock;
  readonly donorKeys: DonorKeys;
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

/** What most components of a server share. */
export interface ServerBase {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}
