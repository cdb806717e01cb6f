import { type Kysely, sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import type { Tables } from '../../database/schema.ts';
import type { Organization } from '../../organizations/organization.ts';
import { isDonorErased } from '../../receipts/erase-receipts.ts';
import {
  checkNumbers,
  findReceiptByNumber,
  listNewestReceipts,
  listReceiptYears,
  listSeries,
  type NumberedReceipt,
} from '../../receipts/receipt-list.ts';
import {
  formatReceiptNumber,
  parseReceiptNumber,
  type ReceiptNumber,
} from '../../receipts/receipt-number.ts';
import { describeVoidReason } from '../../receipts/void-reason.ts';
import type { AdminContext } from '../admin-context.ts';
import { formatAmount, removeErrorName } from './labels.ts';

const PAGE_SIZE = 50;

export interface ReceiptQuery {
  /** Year of issue. Default: the latest. */
  readonly year?: number | undefined;
  /** A number such as `WEB-2026-000123`, or `123`. */
  readonly search?: string | undefined;
  /** Number of the last receipt on the previous page. */
  readonly before?: string | undefined;
}

export type ReceiptList = Awaited<ReturnType<typeof loadReceiptList>>;
export type ReceiptSummary = ReturnType<typeof toReceiptSummary>;

/**
 * Loads a page of receipts, newest first. The first page of a year also checks the year's numbers,
 * which reads an index entry per receipt.
 */
export async function loadReceiptList(
  { id: organization, timeZone }: Organization,
  query: ReceiptQuery,
  { database: { db }, now }: Pick<AdminContext, 'database' | 'now'>,
) {
  const issued = await listReceiptYears(db, organization);
  const thisYear = Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(timeZone).year;
  const search = query.search?.trim() ?? '';
  const year = parseReceiptNumber(search)?.year ?? query.year ?? issued[0] ?? thisYear;
  const isFirstPage = search === '' && query.before === undefined;
  const [found, series, due] = await Promise.all([
    search === ''
      ? listNewestReceipts(db, {
          organization,
          year,
          before: parseReceiptNumber(query.before ?? ''),
          limit: PAGE_SIZE + 1,
        })
      : searchReceipts(db, { organization, year, search }),
    isFirstPage ? checkNumbers(db, organization, year) : [],
    countDueReceipts(db, organization),
  ]);
  const page = found.slice(0, PAGE_SIZE);
  return {
    organization,
    year,
    /** Newest first. */
    years: [...new Set([year, thisYear, ...issued])].sort((one, other) => other - one),
    search,
    items: page.map(toReceiptSummary),
    series,
    due,
    /** Number before which the next page starts. */
    next: found.length > PAGE_SIZE ? formatReceiptNumber(page.at(-1)!) : undefined,
  };
}

interface Search {
  readonly organization: string;
  readonly year: number;
  readonly search: string;
}

async function searchReceipts(db: Kysely<Tables>, query: Search): Promise<NumberedReceipt[]> {
  const numbers = await listSearchedNumbers(db, query);
  const found = await Promise.all(
    numbers.map((number) => findReceiptByNumber(db, query.organization, number)),
  );
  return found.filter((receipt) => receipt !== undefined);
}

/** Without a series, a number can be of any series of the year. */
async function listSearchedNumbers(
  db: Kysely<Tables>,
  { organization, year, search }: Search,
): Promise<readonly ReceiptNumber[]> {
  const number = parseReceiptNumber(search);
  if (number) return [number];
  if (!/^\d{1,9}$/.test(search)) return [];
  const all = await listSeries(db, organization, year);
  return all.map(({ series }) => ({ series, year, number: Number(search) }));
}

/** Counts receipts that have no number yet, and finds the latest error. */
async function countDueReceipts(db: Kysely<Tables>, organization: string) {
  const due = db
    .selectFrom('receipts')
    .where((build) => build.and({ organization, status: 'due' }));
  const { count } = await due
    .select(sql<number | bigint | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  const failed = await due
    .select('lastError')
    .where('lastError', 'is not', null)
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { count: Number(count), lastError: removeErrorName(failed?.lastError ?? null) };
}

/** Formats a receipt for the staff. Times are ISO 8601. */
export function toReceiptSummary(receipt: NumberedReceipt) {
  const { status, reference, payload, issuedAt, voidReason } = receipt;
  const { day, amount, currency, decimals, isTest, donor } = payload;
  return {
    number: formatReceiptNumber(receipt),
    status,
    reference,
    day,
    issuedAt: new Date(issuedAt).toISOString(),
    /** Empty if the donor gave no name, in a test, and once the donor's data has been deleted. */
    donor: donor?.name ?? '',
    isDonorErased: isDonorErased(payload),
    amount: formatAmount(amount, currency, decimals),
    isTest,
    voidReason: voidReason === null ? null : describeVoidReason(voidReason),
  };
}
