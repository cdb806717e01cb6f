import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';
import type { FilteredEntry } from './donation-filter.ts';

/** Maximum number of rows in the first query for donations and in the first query for renewals. */
const FIRST_PAGE_SIZE = 100;
/** Maximum number of rows in each later query. */
const PAGE_SIZE = 500;

/** Position in a list that is sorted from the newest to the oldest entry. */
export interface ListPosition {
  /** Time of the donation or renewal, in milliseconds since 1970. */
  readonly time: number;
  readonly reference: string;
}

/** A donation or renewal without its events. */
export interface NewestEntry extends FilteredEntry, ListPosition {}

type LedgerDatabase = Pick<Kysely<Tables>, 'selectFrom'>;
type FetchPage = (after: ListPosition | undefined, limit: number) => Promise<NewestEntry[]>;

/**
 * Yields a period's donations and renewals, newest first. Reads pages on demand. Each query starts
 * after the last position, so later pages load as fast as the first page.
 * @param after position of the last entry that the caller already has.
 */
export function iterateNewestEntries(
  db: LedgerDatabase,
  organization: string,
  period: Period,
  after?: ListPosition,
): AsyncGenerator<NewestEntry> {
  return mergeNewestFirst(
    iteratePages(
      (position, limit) => fetchDonations(db, organization, period, position, limit),
      after,
    ),
    iteratePages(
      (position, limit) => fetchRenewals(db, organization, period, position, limit),
      after,
    ),
  );
}

async function fetchDonations(
  db: LedgerDatabase,
  organization: string,
  { from, to }: Period,
  after: ListPosition | undefined,
  limit: number,
): Promise<NewestEntry[]> {
  let query = db
    .selectFrom('donations')
    .selectAll()
    .where('organization', '=', organization)
    .where('createdAt', '>=', from)
    .where('createdAt', after ? '<=' : '<', after?.time ?? to);
  if (after)
    query = query.where((build) =>
      build.or([build('createdAt', '<', after.time), build('reference', '<', after.reference)]),
    );
  const donations = await query
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
}

async function fetchRenewals(
  db: LedgerDatabase,
  organization: string,
  { from, to }: Period,
  after: ListPosition | undefined,
  limit: number,
): Promise<NewestEntry[]> {
  let query = db
    .selectFrom('outbox')
    .selectAll()
    .where('organization', '=', organization)
    .where('kind', '=', 'renewal')
    .where('happenedAt', '>=', from)
    .where('happenedAt', after ? '<=' : '<', after?.time ?? to);
  if (after)
    query = query.where((build) =>
      build.or([build('happenedAt', '<', after.time), build('reference', '<', after.reference)]),
    );
  const renewals = await query
    .orderBy('happenedAt', 'desc')
    .orderBy('reference', 'desc')
    .limit(limit)
    .execute();
  if (renewals.length === 0) return [];
  const parents = renewals.map(({ parentReference: parent }) => parent!);
  const donations = await db
    .selectFrom('donations')
    .selectAll()
    .where('reference', 'in', parents)
    .execute();
  const byReference = new Map(donations.map((donation) => [donation.reference, donation]));
  return renewals.map((renewal) => ({
    time: renewal.happenedAt,
    reference: renewal.reference,
    donation: byReference.get(renewal.parentReference!)!,
    renewal,
  }));
}

async function* iteratePages(
  fetchPage: FetchPage,
  after: ListPosition | undefined,
): AsyncGenerator<NewestEntry> {
  let last = after;
  for (let limit = FIRST_PAGE_SIZE; ; limit = PAGE_SIZE) {
    const page = await fetchPage(last, limit);
    yield* page;
    if (page.length < limit) return;
    last = page.at(-1);
    // SQLite queries block the event loop, so let other work run between pages.
    await setImmediate();
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
