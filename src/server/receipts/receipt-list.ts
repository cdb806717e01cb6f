import { type Kysely, sql } from 'kysely';
import type { ReceiptData, Tables } from '../database/schema.ts';
import { iterateDatabasePages } from '../reporting/iterate-pages.ts';
import type { ReceiptNumber } from './receipt-number.ts';
import type { Receipt } from './receipt-plan.ts';

/** A receipt with a number, valid or void. */
export type NumberedReceipt = Receipt &
  ReceiptNumber & {
    readonly status: 'issued' | 'void';
    readonly payload: ReceiptData;
    readonly issuedAt: number;
  };

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

/** Newest first, by series. @param before the last receipt of the previous page. */
export async function listNewestReceipts(
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
): Promise<readonly NumberedReceipt[]> {
  const receipts: NumberedReceipt[] = [];
  for (const { series, lastNumber } of (await listSeries(db, organization, year)).toReversed()) {
    if (before && series > before.series) continue;
    const end = series === before?.series ? before.number : lastNumber + 1;
    const found = await selectNumbered(db, organization)
      .where((build) => build.and({ series, year }))
      .where('number', '<', end)
      .orderBy('number', 'desc')
      .limit(limit - receipts.length)
      .execute();
    receipts.push(...(found as NumberedReceipt[]));
    if (receipts.length === limit) break;
  }
  return receipts;
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

export function findReceipt(db: ReadDatabase, id: string): Promise<Receipt | undefined> {
  return db.selectFrom('receipts').selectAll().where('id', '=', id).executeTakeFirst();
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
const COUNT = sql<number | bigint | string>`count(*)`.as('count');

type CheckDatabase = Pick<Kysely<Tables>, 'selectFrom' | 'selectNoFrom'>;

interface SeriesNumbers extends Omit<ReceiptNumber, 'number'> {
  readonly organization: string;
  readonly lastNumber: number;
}

/** Counts the receipts of each series, and finds numbers that no receipt has. */
export async function checkNumbers(
  db: CheckDatabase,
  organization: string,
  year: number,
): Promise<readonly SeriesCheck[]> {
  const series = await listSeries(db, organization, year);
  const voided = await countVoidReceipts(db, organization, year);
  return Promise.all(
    series.map(async ({ series: name, lastNumber }) => {
      const numbers = { organization, series: name, year, lastNumber };
      const count = await countNumbers(db, numbers);
      const voidCount = voided.get(name) ?? 0;
      return {
        series: name,
        lastNumber,
        valid: count - voidCount,
        void: voidCount,
        missing: count === lastNumber ? [] : await listMissingNumbers(db, numbers),
      };
    }),
  );
}

/** Finds the few void receipts by their status, because counting all by status is slow. */
async function countVoidReceipts(
  db: ReadDatabase,
  organization: string,
  year: number,
): Promise<ReadonlyMap<string | null, number>> {
  const counts = await db
    .selectFrom('receipts')
    .select(['series', COUNT])
    .where((build) => build.and({ organization, status: 'void', year }))
    .groupBy('series')
    .execute();
  return new Map(counts.map(({ series, count }) => [series, Number(count)]));
}

/** Reads only the index. */
async function countNumbers(db: ReadDatabase, numbers: SeriesNumbers): Promise<number> {
  const { count } = await selectNumbers(db, numbers).select(COUNT).executeTakeFirstOrThrow();
  return Number(count);
}

async function listMissingNumbers(
  db: CheckDatabase,
  numbers: SeriesNumbers,
): Promise<readonly number[]> {
  const end = db.selectNoFrom(sql<number>`${sql.lit(numbers.lastNumber + 1)}`.as('number'));
  const previous = sql<number>`lag(number, 1, 0) over (order by number)`.as('previous');
  const pairs = db
    .selectFrom(selectNumbers(db, numbers).select('number').unionAll(end).as('numbers'))
    .select(['number', previous])
    .as('pairs');
  const gaps = await db
    .selectFrom(pairs)
    .selectAll()
    .where(sql<boolean>`number > previous + 1`)
    .orderBy('number')
    .limit(MAX_MISSING)
    .execute();
  return gaps
    .flatMap(({ number, previous: last }) =>
      Array.from(
        { length: Math.min(number! - last - 1, MAX_MISSING) },
        (_, index) => last + 1 + index,
      ),
    )
    .slice(0, MAX_MISSING);
}

function selectNumbers(
  db: ReadDatabase,
  { organization, series, year, lastNumber }: SeriesNumbers,
) {
  return db
    .selectFrom('receipts')
    .where((build) => build.and({ organization, series, year }))
    .where('number', '>=', 1)
    .where('number', '<=', lastNumber);
}
