/** Compares what donors were told with what the database keeps and the sandbox did. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { none, type Figure } from './bar.ts';
import type { Told } from './donors.ts';
import type { Witness } from './sandbox.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Queries a world's database directly. */
export async function ask(database: World['database'], sql: string): Promise<Row[]> {
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

export async function count(database: World['database'], from: string): Promise<number> {
  return Number((await ask(database, `SELECT count(*) AS n FROM ${from}`))[0]!.n);
}

/**
 * Rows that wait for something: a payment whose end is not known, or something that the platform
 * was not told.
 */
const waiting = async (database: World['database']): Promise<number> =>
  (await count(database, `donations WHERE status IN ('unconfirmed', 'action')`)) +
  (await count(database, `outbox WHERE status = 'pending'`));

/**
 * Waits until nothing waits any more.
 * @returns after how many milliseconds.
 * @throws where that takes too long.
 */
export async function drained(database: World['database'], patience: number): Promise<number> {
  const began = Date.now();
  let left = await waiting(database);
  while (left > 0) {
    if (Date.now() - began > patience)
      throw new Error(`${left} rows still wait after ${patience / 1_000} s`);
    await setTimeout(100);
    left = await waiting(database);
  }
  return Date.now() - began;
}

/**
 * No gift lost, none taken twice, none twice at the platform; nothing kept by half.
 * @param takesCards whether the donors paid by card.
 */
export async function audit(
  database: World['database'],
  told: readonly Told[],
  { charges, gifts }: Witness,
  takesCards = true,
): Promise<Figure[]> {
  const rows = new Map(
    (await ask(database, 'SELECT reference, status, payment_id FROM donations')).map((row) => [
      row.reference,
      row,
    ]),
  );
  const status = takesCards ? 'succeeded' : 'processing';
  const isKept = ({ reference }: Told): boolean =>
    rows.get(reference)?.status === status &&
    gifts[reference] !== undefined &&
    (!takesCards || charges[reference] !== undefined);
  return [
    none(
      'acknowledged gifts lost (database, processor or platform lacks them)',
      told.filter((gift) => !isKept(gift)).length,
    ),
    none('gifts charged twice', Object.values(charges).filter((ids) => ids.length > 1).length),
    none(
      'gifts recorded twice at the platform',
      Object.values(gifts).filter((ids) => ids.length > 1).length,
    ),
    none(
      'charges that the database does not know, or as another payment',
      Object.entries(charges).filter(
        ([reference, ids]) =>
          rows.get(reference)?.status !== 'succeeded' ||
          !ids.includes(String(rows.get(reference)?.payment_id)),
      ).length,
    ),
    none(
      'keys under which two references were told',
      told.filter(({ others }) => others.length > 0).length,
    ),
    none(
      'half transactions (a paid gift without its event, or an event without its gift)',
      (await count(
        database,
        `donations WHERE status IN ('succeeded', 'processing') AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = 'donation ' || donations.reference)`,
      )) +
        (await count(
          database,
          `outbox WHERE kind = 'donation' AND NOT EXISTS (SELECT 1 FROM donations WHERE donations.reference = outbox.reference AND donations.status IN ('succeeded', 'processing'))`,
        )),
    ),
    none(
      'rows left to a person',
      (await count(database, `donations WHERE status = 'needs_review'`)) +
        (await count(database, `outbox WHERE status IN ('needs_review', 'manual')`)),
    ),
  ];
}
