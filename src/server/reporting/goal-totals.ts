import type { Logger } from '../lib/logger.ts';
import { disputeOf, entriesOf, refundedOf, stateOf, type Entry } from './ledger-entries.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Database } from '../database/database.ts';
import type { Goal } from '../organizations/goal.ts';

/** How far a goal has come, by the gifts of this endpoint. */
export interface Figures {
  /** Minor units. */
  readonly raised: number;
  readonly gifts: number;
  /** When they were counted, in milliseconds since 1970. */
  readonly asOf: number;
}

/**
 * How long figures count at least, in milliseconds, and at least so many times as long as counting
 * took: many gifts take a while.
 */
const VALID_FOR = 60_000;
const VALID_TIMES = 50;

interface Kept {
  figures?: Figures;
  counting?: Promise<Figures>;
  /** When they are counted again. */
  staleAt: number;
}

export interface GoalFiguresOptions {
  readonly store: Database;
  readonly log: Logger;
  readonly now: () => number;
}

/** Counts what goals have raised, seldom, however often it is asked. */
export class GoalFigures {
  readonly #options: GoalFiguresOptions;
  readonly #kept = new WeakMap<Goal, Kept>();

  constructor(options: GoalFiguresOptions) {
    this.#options = options;
  }

  /**
   * The last that were counted; the first who asks waits.
   * @throws where they were never counted, and the store does not answer.
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
          'what a goal has raised could not be counted',
        );
      });
    }
    return kept.figures ?? kept.counting!;
  }

  async #count(organization: string, goal: Goal, kept: Kept): Promise<Figures> {
    const { store, now } = this.#options;
    const asOf = now();
    const began = performance.now();
    kept.staleAt = asOf + VALID_FOR;
    let raised = 0;
    let gifts = 0;
    for await (const page of entriesOf(store.db, organization, goal.period)) {
      for (const entry of page) {
        const amount = countingOf(entry, goal);
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
 * How much of a gift counts to a goal, in minor units: what was charged for its projects and not
 * paid back, without covered costs. No money moves with a test.
 */
function countingOf(entry: Entry, { currency, projects, segments }: Goal): number {
  if (
    entry.currency !== currency ||
    stateOf(entry) !== 'charged' ||
    disputeOf(entry.events) === 'lost'
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
  return Math.floor((parts * Math.max(entry.total - refundedOf(entry), 0)) / gift.total);
}
