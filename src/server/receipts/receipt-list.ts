import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReceiptData, ReceiptFileRow, ReceiptRow, Tables } from '../database/schema.ts';
import { iterateDatabasePages } from '../reporting/iterate-pages.ts';
import type { ReceiptNumber } from './receipt-number.ts';

export type Receipt = Selectable<ReceiptRow>;

/** A receipt with a number, valid or void. */
export interface NumberedReceipt extends Receipt, ReceiptNumber {
  readonly status: 'issued' | 'void';
  readonly payload: ReceiptData;
  readonly issuedAt: number;
  readonly series: string;
  readonly year: number;
  readonly number: number;
}

type ReadDatabase = Pick<Kysely<Tables>, 'selectFrom'>;

const PAGE_SIZE = 200;

/** Yields a year's receipts in pages, sorted by series and number. */
export async function* iterateReceiptPages(
  db: ReadDatabase,
  organization: string,
  year: number,
): AsyncGenerator<readonly NumberedReceipt[]> {
  for (const { series } of await listSeries(db, organization, year))
    yield* iterateDatabasePages(
      (last: NumberedReceipt | undefined, limit) =>
        selectNumbered(db, organization)
          .where((build) => build.and({ series, year }))
          .where('number', '>', last?.number ?? 0)
          .orderBy('number')
          .limit(limit)
          .execute() as Promise<NumberedReceipt[]>,
      PAGE_SIZE,
    );
}

/** @param before the last receipt of the previous page. Newest first. */
export function listNewestReceipts(
  db: ReadDatabase,
  {
    organization,
    year,
    before,
    limit,
  }: {
    readonly organization: string;
    readonly year: number;
    readonly before?: ReceiptNumber | undefined;
    readonly limit: number;
  },
): Promise<NumberedReceipt[]> {
  return selectNumbered(db, organization)
    .where('year', '=', year)
    .$if(before !== undefined, (query) =>
      query.where((build) =>
        build.or([
          build('series', '<', before!.series),
          build.and([build('series', '=', before!.series), build('number', '<', before!.number)]),
        ]),
      ),
    )
    .orderBy('series', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute() as Promise<NumberedReceipt[]>;
}

export async function findReceiptByNumber(
  db: ReadDatabase,
  organization: string,
  { series, year, number }: ReceiptNumber,
): Promise<NumberedReceipt | undefined> {
  const receipt = await selectNumbered(db, organization)
    .where((build) => build.and({ series, year, number }))
    .executeTakeFirst();
  return receipt as NumberedReceipt | undefined;
}

/** All rows about donations or renewals, oldest first, including those without a number. */
export async function listReceiptsAbout(
  db: ReadDatabase,
  references: readonly string[],
): Promise<readonly Receipt[]> {
  // PostgreSQL rejects an empty `IN` list.
  if (references.length === 0) return [];
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('reference', 'in', references)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Returns `undefined` if the file has been erased. */
export function findReceiptFile(
  db: ReadDatabase,
  receipt: string,
): Promise<Selectable<ReceiptFileRow> | undefined> {
  return db
    .selectFrom('receiptFiles')
    .selectAll()
    .where('receipt', '=', receipt)
    .executeTakeFirst();
}

function selectNumbered(db: ReadDatabase, organization: string) {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('organization', '=', organization)
    .where('number', 'is not', null);
}

export function listSeries(db: ReadDatabase, organization: string, year: number) {
  return db
    .selectFrom('receiptSeries')
    .select(['series', 'lastNumber'])
    .where((build) => build.and({ organization, year }))
    .orderBy('series')
    .execute();
}

/** Newest first. */
export async function listReceiptYears(
  db: ReadDatabase,
  organization: string,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('receiptSeries')
    .select('year')
    .distinct()
    .where('organization', '=', organization)
    .orderBy('year', 'desc')
    .execute();
  return rows.map(({ year }) => year);
}

export interface SeriesCheck {
  readonly series: string;
  /** The last number that was given, according to the counter. */
  readonly lastNumber: number;
  readonly valid: number;
  readonly void: number;
  /** The first missing numbers. */
  readonly missing: readonly number[];
}

const MAX_MISSING = 10;

/** Counts the receipts of each series, and finds numbers that no receipt has. */
export async function checkNumbers(
  db: ReadDatabase,
  organization: string,
  year: number,
): Promise<readonly SeriesCheck[]> {
  const series = await listSeries(db, organization, year);
  return Promise.all(
    series.map(async ({ series: name, lastNumber }) => {
      const counts = await selectNumbered(db, organization)
        .clearSelect()
        .where((build) => build.and({ series: name, year }))
        .select(['status', sql<number | bigint | string>`count(*)`.as('count')])
        .groupBy('status')
        .execute();
      const countStatus = (status: 'issued' | 'void'): number =>
        Number(counts.find((row) => row.status === status)?.count ?? 0);
      const [valid, voided] = [countStatus('issued'), countStatus('void')];
      const isComplete = valid + voided === lastNumber;
      const check = { series: name, year, lastNumber };
      return {
        series: name,
        lastNumber,
        valid,
        void: voided,
        missing: isComplete ? [] : await findMissingNumbers(db, organization, check),
      };
    }),
  );
}

async function findMissingNumbers(
  db: ReadDatabase,
  organization: string,
  { series, year, lastNumber }: Omit<ReceiptNumber, 'number'> & { readonly lastNumber: number },
): Promise<readonly number[]> {
  const missing: number[] = [];
  const pages = iterateDatabasePages(
    (last: { readonly number: number | null } | undefined, limit) =>
      db
        .selectFrom('receipts')
        .select('number')
        .where((build) => build.and({ organization, series, year }))
        .where('number', '>', last?.number ?? 0)
        .orderBy('number')
        .limit(limit)
        .execute(),
    PAGE_SIZE * 10,
  );
  let next = 1;
  const addMissingBefore = (end: number): void => {
    for (; next < end && missing.length < MAX_MISSING; next += 1) missing.push(next);
  };
  for await (const page of pages) {
    for (const { number } of page) {
      addMissingBefore(number!);
      next = number! + 1;
    }
    if (missing.length === MAX_MISSING) return missing;
  }
  addMissingBefore(lastNumber + 1);
  return missing;
}
