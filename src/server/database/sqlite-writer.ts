import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kysely, Transaction } from 'kysely';
import { BatchQueue } from './batch-queue.ts';
import { rethrowDatabaseError } from './database-error.ts';
import { NEW_DONATION_COLUMNS, type NewDonationRows } from './new-donation.ts';
import type { Tables } from './schema.ts';
import type { TransactionCallback, Writer } from './writer.ts';

/** Maximum number of writes in one transaction. */
const MAX_GROUP_SIZE = 256;

type Write =
  | { readonly callback: TransactionCallback<unknown>; readonly rows?: never }
  | { readonly rows: NewDonationRows; readonly callback?: never };

/**
 * Writer for SQLite, which has one connection. Concurrent writes share a transaction, and so need
 * only one disk sync. A failed write does not affect the other writes in its group.
 */
export class SqliteWriter implements Writer {
  readonly #sqlite: DatabaseSync;
  readonly #db: Kysely<Tables>;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #insertDonation: (rows: NewDonationRows) => boolean;
  readonly #queue = new BatchQueue<Write, unknown>({
    processBatch: (group) => this.#writeGroup(group),
    maxSize: MAX_GROUP_SIZE,
    retriesItems: true,
  });

  /** @param db the query builder on the same connection. */
  constructor(sqlite: DatabaseSync, db: Kysely<Tables>) {
    this.#sqlite = sqlite;
    this.#db = db;
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.#commit = sqlite.prepare('COMMIT');
    this.#insertDonation = prepareDonationInsert(sqlite);
  }

  readonly write = <Result>(callback: TransactionCallback<Result>): Promise<Result> =>
    this.#queue.add({ callback }) as Promise<Result>;

  readonly insertDonationIfNew = (rows: NewDonationRows): Promise<boolean> =>
    this.#queue.add({ rows }) as Promise<boolean>;

  async #writeGroup(group: readonly Write[]): Promise<readonly unknown[]> {
    // Another transaction may be waiting for a promise. The query builder then waits for its end.
    return this.#sqlite.isTransaction || group.some(({ callback }) => callback)
      ? this.#db.transaction().execute((transaction) => this.#runWrites(group, transaction))
      : this.#insertDonations(group.map(({ rows }) => rows!));
  }

  async #runWrites(
    group: readonly Write[],
    transaction: Transaction<Tables>,
  ): Promise<readonly unknown[]> {
    const results: unknown[] = [];
    for (const { callback, rows } of group)
      results.push(callback ? await callback(transaction) : this.#insertDonation(rows));
    return results;
  }

  #insertDonations(group: readonly NewDonationRows[]): readonly boolean[] {
    try {
      this.#begin.run();
      const results = group.map(this.#insertDonation);
      this.#commit.run();
      return results;
    } catch (error) {
      // On some errors, such as a full disk, SQLite automatically rolls back the transaction.
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      return rethrowDatabaseError(error);
    }
  }
}

/** Prepares the statements that insert a donation with its dependent rows. */
function prepareDonationInsert(sqlite: DatabaseSync): (rows: NewDonationRows) => boolean {
  const prepare = (table: keyof NewDonationRows, suffix: string) => {
    const columns: readonly string[] = NEW_DONATION_COLUMNS[table];
    const statement = sqlite.prepare(
      `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()}) ${suffix}`,
    );
    return (row: object): boolean =>
      statement.run(...columns.map((column) => (row as Record<string, string>)[column]!))
        .changes === 1;
  };
  const insertDonation = prepare('donations', 'ON CONFLICT (idempotency_key_hash) DO NOTHING');
  const insertEvent = prepare('outbox', 'ON CONFLICT (id) DO NOTHING');
  const insertMessage = prepare('webhook_messages', 'ON CONFLICT (id) DO NOTHING');
  return ({ donations: [donation], outbox = [], webhook_messages: messages = [] }) => {
    if (!insertDonation(donation)) return false;
    outbox.forEach(insertEvent);
    messages.forEach(insertMessage);
    return true;
  };
}
