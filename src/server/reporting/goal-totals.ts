import type { ServerBase } from '../database/database.ts';
import { getRemainingAmount } from '../donations/refunds-and-disputes.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Goal } from '../organizations/goal.ts';
import { getDonationStatus, iterateLedgerEntryPages, type LedgerEntry } from './ledger-entries.ts';

export interface GoalTotals {
  /** Minor units. */
  readonly raised: number;
  readonly donations: number;
  /** Time of the count, in milliseconds since 1970. */
  readonly asOf: number;
}

/** Minimum cache duration in milliseconds. */
const MIN_CACHE_DURATION = 60_000;
/** Multiple of the last count's duration, so that counting takes at most 2% of the time. */
const MIN_CACHE_RATIO = 50;

interface CacheEntry {
  totals?: GoalTotals;
  pending?: Promise<GoalTotals>;
  /** Earliest time of the next count, in milliseconds since 1970. */
  staleAt: number;
}

export class GoalTotalsCache {
  readonly #options: ServerBase;
  readonly #entries = new WeakMap<Goal, CacheEntry>();

  constructor(options: ServerBase) {
    this.#options = options;
  }

  /** Waits for the first count. @throws if it fails. */
  getTotals(organization: string, goal: Goal): Promise<GoalTotals> | GoalTotals {
    const entry = this.#entries.get(goal) ?? { staleAt: 0 };
    this.#entries.set(goal, entry);
    if (!entry.pending && this.#options.now() >= entry.staleAt) {
      entry.pending = this.#countAndCacheTotals(organization, goal, entry).finally(() => {
        delete entry.pending;
      });
      entry.pending.catch((error: unknown) => {
        if (!entry.totals) entry.staleAt = 0;
        this.#options.log.warn(
          { organization, goal: goal.id, ...describeError(error) },
          'cannot update goal totals',
        );
      });
    }
    return entry.totals ?? entry.pending!;
  }

  async #countAndCacheTotals(organization: string, goal: Goal, entry: CacheEntry) {
    const { database, now } = this.#options;
    const asOf = now();
    const startedAt = performance.now();
    entry.staleAt = asOf + MIN_CACHE_DURATION;
    let raised = 0;
    let donations = 0;
    for await (const page of iterateLedgerEntryPages(database.db, organization, goal.period)) {
      for (const ledgerEntry of page) {
        const amount = calculateContribution(ledgerEntry, goal);
        raised += amount;
        donations += Number(amount > 0);
      }
    }
    entry.staleAt =
      asOf + Math.max(MIN_CACHE_DURATION, MIN_CACHE_RATIO * (performance.now() - startedAt));
    entry.totals = { raised, donations, asOf };
    return entry.totals;
  }
}

/** In minor units, without covered fees, refunds, and lost disputes. */
function calculateContribution(entry: LedgerEntry, { currency, projects, segments }: Goal): number {
  if (entry.currency !== currency || getDonationStatus(entry) !== 'succeeded') return 0;
  const { gift, isTest } = entry.donation.payload;
  if (isTest) return 0;
  if (segments && !segments.has(gift.segment ?? '')) return 0;
  const parts = projects
    ? gift.projects
        .filter(({ id }) => projects.has(id))
        .reduce((sum, { amount }) => sum + amount, 0)
    : gift.amount;
  return Math.floor((parts * getRemainingAmount(entry)) / gift.total);
}
