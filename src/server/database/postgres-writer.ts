import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { BatchQueue } from '../lib/batch-queue.ts';
import type { NewDonationRows, Writer } from './database.ts';
import { isRowError, rethrowDatabaseError } from './database-error.ts';
import { createColumnCheck, rowMapper } from './row-mapper.ts';
import type { Tables } from './schema.ts';

/** Maximum number of donations in one statement. */
const MAX_BATCH_SIZE = 64;
/** While a statement waits for another server's insert of the same key, the others continue. */
const MAX_CONCURRENCY = 3;

/** Concurrent donations share one statement: one by itself would take six round trips. */
export function createPostgresWriter(pool: Pool, db: Kysely<Tables>): Writer {
  const queue = new BatchQueue<NewDonationRows, boolean>({
    processBatch: (batch) => insertDonations(pool, batch),
    maxSize: MAX_BATCH_SIZE,
    maxConcurrency: MAX_CONCURRENCY,
    isItemError: isRowError,
  });
  const assertSameColumns = createColumnCheck();
  return {
    write: (callback) => db.transaction().setIsolationLevel('read committed').execute(callback),
    insertDonation: async (rows) => {
      assertSameColumns(rows);
      return queue.add(rows);
    },
  };
}

async function insertDonations(
  pool: Pool,
  batch: readonly NewDonationRows[],
): Promise<readonly boolean[]> {
  // All servers insert keys in the same order, so that they do not wait for each other forever.
  const sorted = batch.toSorted(({ donations: [a] }, { donations: [b] }) =>
    a.idempotencyKeyHash < b.idempotencyKeyHash ? -1 : 1,
  );
  const listRows = (table: keyof NewDonationRows): DatabaseRow[] =>
    sorted.flatMap((rows) => rows[table].map(toDatabaseRow));
  const tables = [
    listRows('donations'),
    listRows('outbox'),
    listRows('webhookMessages'),
    listRows('mailMessages'),
    listRows('receipts'),
  ] as const;
  const { rows: inserted } = await pool
    .query<{ readonly reference: string }>(
      buildStatement(...tables),
      tables.map((rows) => JSON.stringify(rows)),
    )
    .catch(rethrowDatabaseError);
  const references = new Set(inserted.map(({ reference }) => reference));
  return batch.map(({ donations: [{ reference }] }) => references.has(reference));
}

type DatabaseRow = Readonly<Record<string, unknown>>;

/** The statement takes JSON arrays of rows, and returns the references of new donations. */
const buildStatement = (
  donations: readonly DatabaseRow[],
  outbox: readonly DatabaseRow[],
  webhookMessages: readonly DatabaseRow[],
  mailMessages: readonly DatabaseRow[],
  receipts: readonly DatabaseRow[],
): string => `
  WITH inserted AS (
    ${buildInsert('donations', donations, '$1')}
    ON CONFLICT (idempotency_key_hash) DO NOTHING
    RETURNING reference
  ), events AS (
    ${buildInsert('outbox', outbox, '$2')}
    WHERE reference IN (SELECT reference FROM inserted)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  ), webhooks AS (
    ${buildInsert('webhook_messages', webhookMessages, '$3')}
    WHERE event IN (SELECT id FROM events)
    ON CONFLICT (id) DO NOTHING
  ), mail AS (
    ${buildInsert('mail_messages', mailMessages, '$4')}
    WHERE event IN (SELECT id FROM events)
    ON CONFLICT (id) DO NOTHING
  ), new_receipts AS (
    ${buildInsert('receipts', receipts, '$5')}
    WHERE id IN (SELECT id FROM events)
    ON CONFLICT (id) DO NOTHING
  )
  SELECT reference FROM inserted`;

/** Without rows, any column will do. */
function buildInsert(table: string, rows: readonly DatabaseRow[], parameter: string): string {
  const columns = Object.keys(rows[0] ?? { status: '' }).join();
  return (
    `INSERT INTO ${table} (${columns}) SELECT ${columns} ` +
    `FROM json_populate_recordset(NULL::${table}, ${parameter})`
  );
}

const toDatabaseRow = (row: object): DatabaseRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [rowMapper.toSnakeCase(name), value]),
  );
