/** Compares the outcomes that donors received with the database and the sandbox's records. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { CompletedDonation } from './donors.ts';
import { createZeroFigure, type Figure } from './figure.ts';
import type { SandboxRecord } from './sandbox.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Queries a world's database directly. */
export async function queryRows(database: World['database'], sql: string): Promise<Row[]> {
  if ('file' in database) {
    const sqlite = new DatabaseSync(database.file, { readOnly: true });
    try {
      return sqlite.prepare(sql).all() as Row[];
    } finally {
      sqlite.close();
    }
  }
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** @param from the rest of the statement after FROM, such as a table and a condition. */
export async function countRows(database: World['database'], from: string): Promise<number> {
  return Number((await queryRows(database, `SELECT count(*) AS n FROM ${from}`))[0]!.n);
}

/** Counts payments with an unknown outcome and undelivered outbox rows. */
const countPendingRows = async (database: World['database']): Promise<number> =>
  (await countRows(database, `donations WHERE status IN ('unconfirmed', 'requires_action')`)) +
  (await countRows(database, `outbox WHERE status = 'pending'`));

/**
 * Waits until no row is pending.
 * @returns the time that this took, in milliseconds.
 * @throws if rows are still pending after `timeout` milliseconds.
 */
export async function waitUntilProcessed(
  database: World['database'],
  timeout: number,
): Promise<number> {
  const start = Date.now();
  let pending = await countPendingRows(database);
  while (pending > 0) {
    if (Date.now() - start > timeout)
      throw new Error(`${pending} rows are still pending after ${timeout / 1_000} s`);
    await setTimeout(100);
    pending = await countPendingRows(database);
  }
  return Date.now() - start;
}

/** Labels of the audit's figures. docs/evidence/reliability.md lists them. */
export const AUDIT = {
  missing:
    'acknowledged donations missing from the database, the payment provider, or the platform',
  chargedTwice: 'donations charged twice',
  recordedTwice: 'donations recorded twice on the platform',
  unknownCharges: 'charges missing from the database or saved under another payment ID',
  twoReferences: 'idempotency keys that returned two references',
  partialTransactions:
    'partial transactions (a paid donation without its event, or an event without its donation)',
  needsReview: 'rows that need review',
} as const;

/**
 * Checks that no donation was lost, charged twice, or recorded twice on the platform, and that the
 * database contains no partial transaction.
 * @param isPaidByCard false if the donors used an offline payment method.
 */
export async function auditDonations(
  database: World['database'],
  completed: readonly CompletedDonation[],
  { charges, gifts }: SandboxRecord,
  isPaidByCard = true,
): Promise<Figure[]> {
  const rows = new Map(
    (await queryRows(database, 'SELECT reference, status, payment_id FROM donations')).map(
      (row) => [row.reference, row],
    ),
  );
  const status = isPaidByCard ? 'succeeded' : 'processing';
  const isComplete = ({ reference }: CompletedDonation): boolean =>
    rows.get(reference)?.status === status &&
    gifts[reference] !== undefined &&
    (!isPaidByCard || charges[reference] !== undefined);
  return [
    createZeroFigure(AUDIT.missing, completed.filter((donation) => !isComplete(donation)).length),
    createZeroFigure(
      AUDIT.chargedTwice,
      Object.values(charges).filter((ids) => ids.length > 1).length,
    ),
    createZeroFigure(
      AUDIT.recordedTwice,
      Object.values(gifts).filter((ids) => ids.length > 1).length,
    ),
    createZeroFigure(
      AUDIT.unknownCharges,
      Object.entries(charges).filter(
        ([reference, ids]) =>
          rows.get(reference)?.status !== 'succeeded' ||
          !ids.includes(String(rows.get(reference)?.payment_id)),
      ).length,
    ),
    createZeroFigure(
      AUDIT.twoReferences,
      completed.filter(({ otherReferences }) => otherReferences.length > 0).length,
    ),
    createZeroFigure(
      AUDIT.partialTransactions,
      (await countRows(
        database,
        `donations WHERE status IN ('succeeded', 'processing') AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = 'donation ' || donations.reference)`,
      )) +
        (await countRows(
          database,
          `outbox WHERE kind = 'donation' AND NOT EXISTS (SELECT 1 FROM donations WHERE donations.reference = outbox.reference AND donations.status IN ('succeeded', 'processing'))`,
        )),
    ),
    createZeroFigure(
      AUDIT.needsReview,
      (await countRows(database, `donations WHERE status = 'needs_review'`)) +
        (await countRows(database, `outbox WHERE status IN ('needs_review', 'manual')`)),
    ),
  ];
}
