import type { Period } from '../lib/period.ts';
import type { FilteredEntry } from './donation-filter.ts';
import { iterateDatabasePages } from './iterate-pages.ts';
import { type LedgerDatabase, loadParents } from './ledger-entries.ts';

/** Maximum number of rows in the first query for donations and for renewals. */
const FIRST_PAGE_SIZE = 100;
const PAGE_SIZE = 500;

/** Position in a list that is sorted from the newest to the oldest entry. */
export interface ListPosition {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly reference: string;
}

export interface NewestEntry extends FilteredEntry, ListPosition {}

type FetchPage = (after: ListPosition | undefined, limit: number) => Promise<NewestEntry[]>;
type CreateFetcher = (db: LedgerDatabase, organization: string, period: Period) => FetchPage;

/** Each query starts after the last position, so later pages load as fast as the first page. */
export function iterateNewestEntries(
  db: LedgerDatabase,
  organization: string,
  period: Period,
  after?: ListPosition,
): AsyncGenerator<NewestEntry> {
  return mergeNewestFirst(
    iterateEntries(createDonationFetcher(db, organization, period), after),
    iterateEntries(createRenewalFetcher(db, organization, period), after),
  );
}

const createDonationFetcher: CreateFetcher =
  (db, organization, { from, to }) =>
  async (after, limit) => {
    const { time, reference } = after ?? { time: to, reference: '' };
    const donations = await db
      .selectFrom('donations')
      .selectAll()
      .where('organization', '=', organization)
      .where('createdAt', '>=', from)
      .where('createdAt', '<=', time)
      .where((build) =>
        build.or([build('createdAt', '<', time), build('reference', '<', reference)]),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('reference', 'desc')
      .limit(limit)
      .execute();
    return donations.map((donation) => ({
      time: donation.createdAt,
      reference: donation.reference,
      donation,
      renewal: undefined,
    }));
  };

const createRenewalFetcher: CreateFetcher =
  (db, organization, { from, to }) =>
  async (after, limit) => {
    const { time, reference } = after ?? { time: to, reference: '' };
    const renewals = await db
      .selectFrom('outbox')
      .selectAll()
      .where((build) => build.and({ organization, kind: 'renewal' }))
      .where('happenedAt', '>=', from)
      .where('happenedAt', '<=', time)
      .where((build) =>
        build.or([build('happenedAt', '<', time), build('reference', '<', reference)]),
      )
      .orderBy('happenedAt', 'desc')
      .orderBy('reference', 'desc')
      .limit(limit)
      .execute();
    return (await loadParents(db, renewals)).map((entry) => ({
      ...entry,
      time: entry.renewal.happenedAt,
      reference: entry.renewal.reference,
    }));
  };

async function* iterateEntries(fetchPage: FetchPage, after: ListPosition | undefined) {
  for await (const page of iterateDatabasePages<NewestEntry>(
    (last, limit) => fetchPage(last ?? after, limit),
    PAGE_SIZE,
    FIRST_PAGE_SIZE,
  ))
    yield* page;
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
