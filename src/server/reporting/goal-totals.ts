import type { Logger } from '../lib/logger.ts';
import {
  getDisputeStatus,
  listLedgerEntries,
  sumRefunds,
  getDonationStatus,
  type LedgerEntry,
} from './ledger-entries.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Database } from '../database/database.ts';
import type { Goal } from '../organizations/goal.ts';

/** Progress toward a goal, from this endpoint's donations. */
export interface Figures {
  /** Minor units. */
  readonly raised: number;
  readonly gifts: number;
  /** Time of the count, in milliseconds since 1970. */
  readonly asOf: number;
}

/**
 * Minimum cache duration in milliseconds, and as a multiple of the time that counting took: many
 * donations take a while to count.
 */
const VALID_FOR = 60_000;
const VALID_TIMES = 50;

interface Kept {
  figures?: Figures;
  counting?: Promise<Figures>;
  /** Time of the next count. */
  staleAt: number;
}

export interface GoalTotalsCacheOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}

/** Caches goal totals, so that frequent requests cause few counts. */
export class GoalTotalsCache {
  readonly #options: GoalTotalsCacheOptions;
  readonly #kept = new WeakMap<Goal, Kept>();

  constructor(options: GoalTotalsCacheOptions) {
    this.#options = options;
  }

  /**
   * Returns the cached totals; the first request waits for the count.
   * @throws if there are no cached totals and the database does not respond.
   */
  of(organization: string, goal: Goal): Promise<Figures> | Figures {
    const kept = this.#kept.get(goal) ?? { staleAt: 0 };
    this.#kept.set(goal, kept);
    if (!kept.counting && this.#options.now() >= kept.staleAt) {
      kept.counting = this.#count(organization, goal, kept).finally(() => {
        delete kept.counting;
      });
      kept.counting.catch((error: unknown) => {
        if (!kept.figures) kept.staleAt = 0;
        this.#options.log.warn(
          { organization, goal: goal.id, ...describeError(error) },
          'cannot update goal totals',
        );
      });
    }
    return kept.figures ?? kept.counting!;
  }

  async #count(organization: string, goal: Goal, kept: Kept): Promise<Figures> {
    const { database, now } = this.#options;
    const asOf = now();
    const began = performance.now();
    kept.staleAt = asOf + VALID_FOR;
    let raised = 0;
    let gifts = 0;
    for await (const page of listLedgerEntries(database.db, organization, goal.period)) {
      for (const entry of page) {
        const amount = calculateContribution(entry, goal);
        raised += amount;
        gifts += Number(amount > 0);
      }
    }
    kept.staleAt = asOf + Math.max(VALID_FOR, VALID_TIMES * (performance.now() - began));
    kept.figures = { raised, gifts, asOf };
    return kept.figures;
  }
}

/**
 * Returns how much of a donation counts toward a goal, in minor units: the amount charged for the
 * goal's projects, without refunds and covered fees. Test donations count as 0.
 */
function calculateContribution(entry: LedgerEntry, { currency, projects, segments }: Goal): number {
  if (
    entry.currency !== currency ||
    getDonationStatus(entry) !== 'succeeded' ||
    getDisputeStatus(entry.events) === 'lost'
  )
    return 0;
  const { gift, isTest } = entry.first.payload;
  if (isTest) return 0;
  if (segments && !segments.has(gift.segment ?? '')) return 0;
  const parts = projects
    ? gift.projects
        .filter(({ id }) => projects.has(id))
        .reduce((sum, { amount }) => sum + amount, 0)
    : gift.amount;
  return Math.floor((parts * Math.max(entry.total - sumRefunds(entry), 0)) / gift.total);
}
