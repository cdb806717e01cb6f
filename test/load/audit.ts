/** Compares what donors were told with what the journal keeps and the sandbox did. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { none, type Figure } from './bar.ts';
import type { Told } from './donors.ts';
import type { Witness } from './sandbox.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Reads from a world's store, past every server. */
export async function ask(store: World['store'], sql: string): Promise<Row[]> {
  if ('file' in store) {
    const database = new DatabaseSync(store.file, { readOnly: true });
    try {
      return database.prepare(sql).all() as Row[];
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: store.url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function count(store: World['store'], from: string): Promise<number> {
  return Number((await ask(store, `SELECT count(*) AS n FROM ${from}`))[0]!.n);
}

/**
 * Rows that wait for something: a payment whose end is not known, or something that the platform
 * was not told.
 */
const waiting = async (store: World['store']): Promise<number> =>
  (await count(store, `donations WHERE state IN ('charging', 'action')`)) +
  (await count(store, `outbox WHERE state = 'waiting'`));

/**
 * Waits until nothing waits any more.
 * @returns after how many milliseconds.
 * @throws where that takes too long.
 */
export async function drained(store: World['store'], patience: number): Promise<number> {
  const began = Date.now();
  let left = await waiting(store);
  while (left > 0) {
    if (Date.now() - began > patience)
      throw new Error(`${left} rows still wait after ${patience / 1_000} s`);
    await setTimeout(100);
    left = await waiting(store);
  }
  return Date.now() - began;
}

/**
 * No gift lost, none taken twice, none twice at the platform; nothing kept by half.
 * @param takesCards whether the donors paid by card.
 */
export async function audit(
  store: World['store'],
  told: readonly Told[],
  { charges, gifts }: Witness,
  takesCards = true,
): Promise<Figure[]> {
  const rows = new Map(
    (await ask(store, 'SELECT reference, state, payment_id FROM donations')).map((row) => [
      row.reference,
      row,
    ]),
  );
  const state = takesCards ? 'charged' : 'pending';
  const isKept = ({ reference }: Told): boolean =>
    rows.get(reference)?.state === state &&
    gifts[reference] !== undefined &&
    (!takesCards || charges[reference] !== undefined);
  return [
    none(
      'acknowledged gifts lost (journal, processor or platform lacks them)',
      told.filter((gift) => !isKept(gift)).length,
    ),
    none('gifts charged twice', Object.values(charges).filter((ids) => ids.length > 1).length),
    none(
      'gifts recorded twice at the platform',
      Object.values(gifts).filter((ids) => ids.length > 1).length,
    ),
    none(
      'charges that the journal does not know, or as another payment',
      Object.entries(charges).filter(
        ([reference, ids]) =>
          rows.get(reference)?.state !== 'charged' ||
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
        store,
        `donations WHERE state IN ('charged', 'pending') AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id = 'gift ' || donations.reference)`,
      )) +
        (await count(
          store,
          `outbox WHERE kind = 'gift' AND NOT EXISTS (SELECT 1 FROM donations WHERE donations.reference = outbox.reference AND donations.state IN ('charged', 'pending'))`,
        )),
    ),
    none(
      'rows left to a person',
      (await count(store, `donations WHERE state = 'held'`)) +
        (await count(store, `outbox WHERE state IN ('held', 'by-hand')`)),
    ),
  ];
}
