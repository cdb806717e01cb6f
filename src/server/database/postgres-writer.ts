import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { BatchQueue } from '../lib/batch-queue.ts';
import { isRowError, rethrowDatabaseError } from './database-error.ts';
import {
  assertNoUndefinedColumn,
  NEW_DONATION_COLUMNS,
  type NewDonationRows,
} from './new-donation.ts';
import { rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';
import type { TransactionCallback, Writer } from './writer.ts';

/** Maximum number of donations in one statement. */
const MAX_BATCH_SIZE = 64;
/** While a statement waits for another server's insert of the same key, the others continue. */
const MAX_CONCURRENCY = 3;

/**
 * Concurrent donations share one statement, which is a transaction of its own: a donation by itself
 * would take six round trips.
 */
export class PostgresWriter implements Writer {
  readonly #pool: Pool;
  readonly #db: Kysely<Tables>;
  readonly #queue = new BatchQueue<NewDonationRows, boolean>({
    processBatch: (batch) => this.#insertDonations(batch),
    maxSize: MAX_BATCH_SIZE,
    maxConcurrency: MAX_CONCURRENCY,
    isItemError: isRowError,
  });

  constructor(pool: Pool, db: Kysely<Tables>) {
    this.#pool = pool;
    this.#db = db;
  }

  readonly write = <Result>(callback: TransactionCallback<Result>): Promise<Result> =>
    this.#db.transaction().setIsolationLevel('read committed').execute(callback);

  readonly insertDonation = async (rows: NewDonationRows): Promise<boolean> => {
    assertNoUndefinedColumn(rows);
    return this.#queue.add(rows);
  };

  async #insertDonations(batch: readonly NewDonationRows[]): Promise<readonly boolean[]> {
    // All servers insert keys in the same order, so that they do not wait for each other forever.
    const sorted = batch.toSorted(({ donations: [a] }, { donations: [b] }) =>
      a.idempotencyKeyHash < b.idempotencyKeyHash ? -1 : 1,
    );
    const serialize = (table: keyof NewDonationRows): string =>
      JSON.stringify(sorted.flatMap((rows) => rows[table].map(toDatabaseRow)));
    const { rows: inserted } = await this.#pool
      .query<{ readonly reference: string }>(INSERT_DONATIONS, [
        serialize('donations'),
        serialize('outbox'),
        serialize('webhookMessages'),
      ])
      .catch(rethrowDatabaseError);
    const references = new Set(inserted.map(({ reference }) => reference));
    return batch.map(({ donations: [{ reference }] }) => references.has(reference));
  }
}

/** Takes JSON arrays of rows, and returns the references of new donations. */
const INSERT_DONATIONS = `
  WITH inserted AS (
    ${buildInsert('donations', '$1')}
    ON CONFLICT (idempotency_key_hash) DO NOTHING
    RETURNING reference
  ), events AS (
    ${buildInsert('outbox', '$2')}
    WHERE reference IN (SELECT reference FROM inserted)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  ), messages AS (
    ${buildInsert('webhookMessages', '$3')}
    WHERE event IN (SELECT id FROM events)
    ON CONFLICT (id) DO NOTHING
  )
  SELECT reference FROM inserted`;

function buildInsert(table: keyof NewDonationRows, parameter: string): string {
  const name = rowMapper.toSnakeCase(table);
  const columns = NEW_DONATION_COLUMNS[table].map((column) => rowMapper.toSnakeCase(column)).join();
  return (
    `INSERT INTO ${name} (${columns}) SELECT ${columns} ` +
    `FROM json_populate_recordset(NULL::${name}, ${parameter})`
  );
}

function toDatabaseRow(row: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [rowMapper.toSnakeCase(name), value]),
  );
}
