import type { Kysely } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import type { Tables } from '../database/schema.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Period } from '../lib/period.ts';
import { createEntryMatcher, type DonationFilter, type FilteredEntry } from './donation-filter.ts';
import { type Part, sumByCurrency } from './income.ts';
import { iterateListPages, type ListDatabase, type ListPageOptions } from './iterate-pages.ts';
import {
  getDonationStatus,
  loadLedgerEntries,
  loadRenewalsWithDonations,
  sumRefundsByReference,
} from './ledger-entries.ts';

/** Entries to read for one page. A search might match only a few of millions of donations. */
const MAX_ENTRIES_READ = 25_000;
/** Entries to read in total to count all matches after a full page. */
const MAX_ENTRIES_COUNTED = 10_000;

/** Position in a list of donations and renewals. */
export interface ListPosition {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly reference: string;
}

export interface DonationQuery {
  readonly organization: string;
  readonly period: Period;
  readonly filter: DonationFilter;
  /** If the search contains an email, its key; see {@link findSearchedDonorKey}. */
  readonly donorKey?: string | undefined;
  /** Last entry on the previous page, if any. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
  readonly maxEntriesRead?: number | undefined;
  readonly maxEntriesCounted?: number | undefined;
}

export async function findDonations(db: Kysely<Tables>, query: DonationQuery) {
  const { organization, filter, after, limit } = query;
  const { maxEntriesRead = MAX_ENTRIES_READ, maxEntriesCounted = MAX_ENTRIES_COUNTED } = query;
  const refunds =
    filter.status === 'refunded' ? await sumRefundsByReference(db, organization) : undefined;
  const matches = await createEntryMatcher(db, organization, filter, refunds);
  const page: NewestEntry[] = [];
  const parts: Part<TotalKind>[] = [];
  let count = 0;
  let hasMore = false;
  let read = 0;
  let last: NewestEntry | undefined;
  let isComplete = true;
  for await (const entry of iterateNewestEntries(db, query)) {
    if (hasMore && after) break;
    if (read >= (hasMore ? maxEntriesCounted : maxEntriesRead)) {
      isComplete = false;
      break;
    }
    read += 1;
    last = entry;
    if (!matches(entry)) continue;
    if (page.length < limit) page.push(entry);
    else hasMore = true;
    count += 1;
    parts.push(...listParts(entry, refunds?.get(entry.reference)));
  }
  const stoppedAt = !isComplete && !hasMore ? last : undefined;
  return {
    entries: await loadLedgerEntries(db, page),
    /** Last entry before the next page. Undefined on the last page. */
    next: hasMore ? page.at(-1) : stoppedAt,
    /**
     * Time of the oldest entry read, in milliseconds since 1970, if the search stopped before the
     * page was full.
     */
    searchedUntil: stoppedAt?.time,
    /** Undefined on later pages, or if there are too many donations to count. */
    summary:
      isComplete && !after ? { count, totals: sumByCurrency(parts, TOTAL_KINDS) } : undefined,
  };
}

/** `refunded` is counted only if the filter selects refunded donations. */
const TOTAL_KINDS = ['received', 'outstanding', 'needsReview', 'refunded'] as const;
type TotalKind = (typeof TOTAL_KINDS)[number];

const KINDS_BY_STATUS: Readonly<Partial<Record<DonationStatus, TotalKind>>> = {
  succeeded: 'received',
  processing: 'outstanding',
  needs_review: 'needsReview',
};

function listParts(entry: NewestEntry, refunded: number | undefined): Part<TotalKind>[] {
  const kind = KINDS_BY_STATUS[getDonationStatus(entry)];
  const { total, ...currency } = getDonationTotal(entry.donation, entry.renewal);
  return [
    ...(kind ? [{ kind, ...currency, count: 1, total }] : []),
    ...(refunded === undefined
      ? []
      : [{ kind: 'refunded' as const, ...currency, count: 1, total: refunded }]),
  ];
}

/** Maximum number of rows in the first query for donations and for renewals. */
const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 500;

export interface NewestEntry extends FilteredEntry, ListPosition {}

/** Yields a period's donations and renewals, newest first, of all donors or one. */
function iterateNewestEntries(
  db: ListDatabase,
  { organization, period, donorKey, after }: DonationQuery,
): AsyncGenerator<NewestEntry> {
  const options: ListPageOptions = {
    organization,
    period,
    donorKey,
    after: after && { time: after.time, id: after.reference },
    isNewestFirst: true,
    size: PAGE_SIZE,
    firstSize: FIRST_PAGE_SIZE,
  };
  return mergeNewestFirst(iterateDonations(db, options), iterateRenewals(db, options));
}

async function* iterateDonations(db: ListDatabase, options: ListPageOptions) {
  for await (const page of iterateListPages(db, 'donations', options))
    for (const donation of page) {
      const { createdAt: time, reference } = donation;
      yield { time, reference, donation, renewal: undefined };
    }
}

async function* iterateRenewals(db: ListDatabase, options: ListPageOptions) {
  for await (const page of iterateListPages(db, 'renewalsByReference', options))
    for (const entry of await loadRenewalsWithDonations(db, page)) {
      const { happenedAt: time, reference } = entry.renewal;
      yield { ...entry, time, reference };
    }
}

async function* mergeNewestFirst(
  one: AsyncGenerator<NewestEntry>,
  other: AsyncGenerator<NewestEntry>,
): AsyncGenerator<NewestEntry> {
  let [next, otherNext] = await Promise.all([one.next(), other.next()]);
  for (;;) {
    if (next.done === true && otherNext.done === true) return;
    if (otherNext.done === true || (next.done !== true && isNewer(next.value, otherNext.value))) {
      yield next.value!;
      next = await one.next();
    } else {
      yield otherNext.value;
      otherNext = await other.next();
    }
  }
}

function isNewer(one: ListPosition, other: ListPosition): boolean {
  return one.time === other.time ? one.reference > other.reference : one.time > other.time;
}
