import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { BatchQueue } from '../lib/batch-queue.ts';
import type { NewDonationRows, TransactionCallback, Writer } from './database.ts';
import { isDatabaseError, rethrowDatabaseError } from './database-error.ts';
import { createColumnCheck, rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';

const MAX_GROUP_SIZE = 256;

/** SQLite's primary result codes for values that it does not accept. */
const VALUE_ERRORS = [
  18, // SQLITE_TOOBIG
  19, // SQLITE_CONSTRAINT
  20, // SQLITE_MISMATCH
];

type Write =
  | { readonly callback: TransactionCallback<unknown>; readonly rows?: never }
  | { readonly rows: NewDonationRows; readonly callback?: never };

/** Concurrent writes share a transaction and its disk sync, but a failed one affects no others. */
export function createSqliteWriter(sqlite: DatabaseSync, db: Kysely<Tables>): Writer {
  const [begin, commit] = [sqlite.prepare('BEGIN IMMEDIATE'), sqlite.prepare('COMMIT')];
  const insertDonation = prepareDonationInsert(sqlite);
  const assertSameColumns = createColumnCheck();

  function insertDonations(group: readonly NewDonationRows[]): readonly boolean[] {
    try {
      begin.run();
      const results = group.map(insertDonation);
      commit.run();
      return results;
    } catch (error) {
      // On some errors, such as a full disk, SQLite automatically rolls back the transaction.
      if (sqlite.isOpen && sqlite.isTransaction) sqlite.exec('ROLLBACK');
      return rethrowDatabaseError(error);
    }
  }

  async function writeGroup(group: readonly Write[]): Promise<readonly unknown[]> {
    if (!group.some(({ callback }) => callback))
      return insertDonations(group.map(({ rows }) => rows!));
    return db.transaction().execute(async (transaction) => {
      const results: unknown[] = [];
      for (const { callback, rows } of group)
        results.push(callback ? await callback(transaction) : insertDonation(rows));
      return results;
    });
  }

  const queue = new BatchQueue<Write, unknown>({
    processBatch: writeGroup,
    maxSize: MAX_GROUP_SIZE,
    isItemError: isWriteError,
  });
  return {
    write: <Result>(callback: TransactionCallback<Result>) =>
      queue.add({ callback }) as Promise<Result>,
    insertDonation: async (rows) => {
      assertSameColumns(rows);
      return queue.add({ rows }) as Promise<boolean>;
    },
  };
}

/** Returns true if a write's own values or callback made it fail. */
function isWriteError(error: unknown): boolean {
  if (!isDatabaseError(error)) return true;
  const { errcode = 0, code = '' } = ((error as Error).cause ?? {}) as {
    readonly errcode?: number;
    readonly code?: string;
  };
  // The lowest byte is the primary result code. Node rejects values that SQLite has no type for.
  return VALUE_ERRORS.includes(errcode & 0xff) || code.startsWith('ERR_INVALID_ARG_');
}

function prepareDonationInsert(sqlite: DatabaseSync): (rows: NewDonationRows) => boolean {
  const prepare = <Name extends keyof NewDonationRows>(table: Name, key: string) => {
    let columns: string[] | undefined;
    let statement: StatementSync | undefined;
    return (row: NewDonationRows[Name][number]): boolean => {
      const values = row as unknown as Readonly<Record<string, SQLInputValue>>;
      columns ??= Object.keys(row);
      statement ??= sqlite.prepare(
        `INSERT INTO ${rowMapper.toSnakeCase(table)} (${columns.map(rowMapper.toSnakeCase).join()}) ` +
          `VALUES (${columns.map(() => '?').join()}) ON CONFLICT (${key}) DO NOTHING`,
      );
      return statement.run(...columns.map((column) => values[column]!)).changes === 1;
    };
  };
  const insertDonation = prepare('donations', 'idempotency_key_hash');
  const insertEvent = prepare('outbox', 'id');
  const insertWebhook = prepare('webhookMessages', 'id');
  const insertMail = prepare('mailMessages', 'id');
  const insertReceipt = prepare('receipts', 'id');
  return ({ donations: [donation], outbox, webhookMessages, mailMessages, receipts }) => {
    try {
      if (!insertDonation(donation)) return false;
      const newEvents = new Set(outbox.filter(insertEvent).map(({ id }) => id));
      const isNew = ({ event }: { readonly event: string }): boolean => newEvents.has(event);
      webhookMessages.filter(isNew).forEach(insertWebhook);
      mailMessages.filter(isNew).forEach(insertMail);
      receipts.filter(({ id }) => newEvents.has(id)).forEach(insertReceipt);
      return true;
    } catch (error) {
      return rethrowDatabaseError(error);
    }
  };
}
