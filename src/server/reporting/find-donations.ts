import type { Kysely } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import type { Tables } from '../database/schema.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Period } from '../lib/period.ts';
import { sumAmounts } from '../lib/sum-amounts.ts';
import { createEntryMatcher, type DonationFilter } from './donation-filter.ts';
import type { CountAndTotal } from './income.ts';
import {
  getDonationStatus,
  type LedgerEntry,
  loadLedgerEntries,
  sumRefundsByReference,
} from './ledger-entries.ts';
import { iterateNewestEntries, type ListPosition, type NewestEntry } from './newest-entries.ts';

/** Entries to read for one page. A search might match only a few of millions of donations. */
const MAX_ENTRIES_READ = 25_000;
/** Entries to read in total to count all matches after a full page. */
const MAX_ENTRIES_COUNTED = 10_000;

export interface DonationQuery {
  readonly organization: string;
  readonly period: Period;
  readonly filter: DonationFilter;
  /** Last entry on the previous page, if any. */
  readonly after?: ListPosition | undefined;
  readonly limit: number;
  readonly maxEntriesRead?: number | undefined;
  readonly maxEntriesCounted?: number | undefined;
}

/** Totals are in minor units. */
export interface ListTotal {
  readonly currency: string;
  readonly decimals: number;
  readonly received: CountAndTotal;
  readonly outstanding: CountAndTotal;
  readonly needsReview: CountAndTotal;
  /** Counted only if the filter selects refunded donations. */
  readonly refunded: CountAndTotal;
}

export interface FoundDonations {
  readonly entries: readonly LedgerEntry[];
  /** Last entry before the next page. Undefined on the last page. */
  readonly next: ListPosition | undefined;
  /**
   * Time of the oldest entry read, in milliseconds since 1970, if the search stopped before the page
   * was full.
   */
  readonly searchedUntil: number | undefined;
  /** Undefined on later pages, or if there are too many donations to count. */
  readonly summary: { readonly count: number; readonly totals: readonly ListTotal[] } | undefined;
}

export async function findDonations(
  db: Kysely<Tables>,
  query: DonationQuery,
): Promise<FoundDonations> {
  const { organization, period, filter, after, limit } = query;
  const { maxEntriesRead = MAX_ENTRIES_READ, maxEntriesCounted = MAX_ENTRIES_COUNTED } = query;
  const refunds =
    filter.status === 'refunded' ? await sumRefundsByReference(db, organization) : undefined;
  const matches = await createEntryMatcher(db, organization, filter, refunds);
  const page: NewestEntry[] = [];
  const summary = new ListSummary(refunds);
  let hasMore = false;
  let read = 0;
  let last: NewestEntry | undefined;
  let isComplete = true;
  for await (const entry of iterateNewestEntries(db, organization, period, after)) {
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
    summary.addEntry(entry);
  }
  const stoppedAt = !isComplete && !hasMore ? last : undefined;
  return {
    entries: await loadLedgerEntries(db, page),
    next: hasMore ? page.at(-1) : stoppedAt,
    searchedUntil: stoppedAt?.time,
    summary: isComplete && !after ? summary.toSummary() : undefined,
  };
}

type TotalKind = 'received' | 'outstanding' | 'needsReview' | 'refunded';

const TOTAL_KINDS: Readonly<Partial<Record<DonationStatus, TotalKind>>> = {
  succeeded: 'received',
  processing: 'outstanding',
  needs_review: 'needsReview',
};

class ListSummary {
  readonly #refunds: ReadonlyMap<string, number>;
  readonly #totals = new Map<string, ListTotal>();
  #count = 0;

  constructor(refunds: ReadonlyMap<string, number> = new Map()) {
    this.#refunds = refunds;
  }

  addEntry(entry: NewestEntry): void {
    this.#count += 1;
    const kind = TOTAL_KINDS[getDonationStatus(entry)];
    const { total } = getDonationTotal(entry.donation);
    if (kind) this.#addToTotal(entry, kind, entry.renewal?.payload.amount ?? total);
    const refunded = this.#refunds.get(entry.reference);
    if (refunded !== undefined) this.#addToTotal(entry, 'refunded', refunded);
  }

  #addToTotal({ donation }: NewestEntry, kind: TotalKind, amount: number): void {
    const { currency, decimals } = getDonationTotal(donation);
    const none = { count: 0, total: 0 };
    const before = this.#totals.get(currency) ?? {
      currency,
      decimals,
      received: none,
      outstanding: none,
      needsReview: none,
      refunded: none,
    };
    const { count, total } = before[kind];
    this.#totals.set(currency, {
      ...before,
      [kind]: { count: count + 1, total: sumAmounts([total, amount]) },
    });
  }

  toSummary(): FoundDonations['summary'] {
    return { count: this.#count, totals: [...this.#totals.values()] };
  }
}
