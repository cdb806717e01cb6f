import { setTimeout } from 'node:timers/promises';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { Database } from '../database/database.ts';
import { readBudgets, readStore } from './queries.ts';

/** How long the store may take for one small write, in milliseconds. */
const STORE_PATIENCE = 2_000;
/** How long something may wait to be told to the platform before that is a warning, in seconds. */
const OLDEST_EVENT = 900;
/** Which part of an hour's calls may be used before that is a warning. */
const BUDGET_PART = 0.9;
/** An answer counts for this long, in milliseconds, however often it is asked for. */
const VALID_FOR = 1_000;

/** ok · warning: donors do not notice, somebody should look · failing: no gift can be taken. */
export type CheckState = 'ok' | 'warning' | 'failing';

/** What `GET /readyz` answers. */
export interface Readiness {
  /** Whether this server should get requests. */
  readonly ready: boolean;
  readonly checks: {
    /** Whether the server is to go on. */
    readonly running: { readonly state: CheckState };
    readonly store: {
      readonly state: CheckState;
      readonly milliseconds: number;
      readonly most: number;
    };
    /**
     * How long the oldest event has waited, in seconds, by organisation; absent where the store
     * does not say.
     */
    readonly outbox?: {
      readonly state: CheckState;
      readonly most: number;
      readonly organizations: Readonly<
        Record<string, { readonly waiting: number; readonly oldestSeconds: number }>
      >;
    };
    readonly budget?: {
      readonly state: CheckState;
      readonly mostUsed: number;
      readonly organizations: Readonly<
        Record<
          string,
          {
            readonly limit: number;
            readonly used: number;
            /** ISO 8601 */ readonly resetsAt?: string;
            readonly silentUntil?: string;
          }
        >
      >;
    };
  };
}

export interface ReadinessOptions {
  readonly store: Database;
  readonly formRegistry: FormRegistry;
  readonly now: () => number;
}

/**
 * Says whether a server can take gifts: whether its store keeps what is written. A platform that is
 * behind or silent is a warning, since it costs donors nothing.
 */
export class ReadinessCheck {
  readonly #options: ReadinessOptions;
  #isEnding = false;
  #last: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** From now on the server is not ready: it is about to end. */
  end(): void {
    this.#isEnding = true;
    this.#last = undefined;
  }

  ask(): Promise<Readiness> {
    const now = this.#options.now();
    if (!this.#last || now - this.#last.at >= VALID_FOR)
      this.#last = { at: now, readiness: this.#check() };
    return this.#last.readiness;
  }

  async #check(): Promise<Readiness> {
    const running = { state: this.#isEnding ? 'failing' : 'ok' } as const;
    const store = await this.#checkStore();
    const rest = store.state === 'ok' ? await inTime(this.#checkRest()).catch(() => ({})) : {};
    return {
      ready: running.state === 'ok' && store.state === 'ok',
      checks: { running, store, ...rest },
    };
  }

  /** Writes one row and waits until the disk has it: a full disk can still be read. */
  async #checkStore(): Promise<Readiness['checks']['store']> {
    const { store, now } = this.#options;
    const began = performance.now();
    const row = { name: 'readiness', at: now() };
    const write = store.writer.write((transaction) =>
      transaction
        .insertInto('health_probes')
        .values(row)
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ at: row.at }))
        .execute(),
    );
    const state = await inTime(write).then(
      () => 'ok' as const,
      () => 'failing' as const,
    );
    return { state, milliseconds: Math.round(performance.now() - began), most: STORE_PATIENCE };
  }

  async #checkRest(): Promise<Pick<Readiness['checks'], 'outbox' | 'budget'>> {
    const { store, formRegistry, now } = this.#options;
    const ids = formRegistry.organizations.map(({ id }) => id);
    const [{ events }, budgets] = await Promise.all([
      readStore(store, ids),
      readBudgets(formRegistry),
    ]);
    const waiting = ids.map((id) => {
      const reading = events.find((one) => one.organization === id && one.state === 'waiting');
      return [
        id,
        {
          waiting: reading?.count ?? 0,
          oldestSeconds: reading ? Math.round((now() - reading.oldest) / 1_000) : 0,
        },
      ] as const;
    });
    const isLow = budgets.some(
      ({ limit, used, silentUntil }) => silentUntil !== undefined || used >= limit * BUDGET_PART,
    );
    return {
      outbox: {
        state: waiting.some(([, { oldestSeconds }]) => oldestSeconds > OLDEST_EVENT)
          ? 'warning'
          : 'ok',
        most: OLDEST_EVENT,
        organizations: Object.fromEntries(waiting),
      },
      budget: {
        state: isLow ? 'warning' : 'ok',
        mostUsed: BUDGET_PART,
        organizations: Object.fromEntries(
          budgets.map(({ organization, limit, used, resetsAt, silentUntil }) => [
            organization,
            {
              limit,
              used,
              ...(resetsAt && { resetsAt: resetsAt.toISOString() }),
              ...(silentUntil && { silentUntil: silentUntil.toISOString() }),
            },
          ]),
        ),
      },
    };
  }
}

/** @throws where it takes too long. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  try {
    return await Promise.race([
      work,
      setTimeout(STORE_PATIENCE, undefined, { ref: false, signal: late.signal }).then(() => {
        throw new Error('the store does not answer');
      }),
    ]);
  } finally {
    late.abort();
  }
}
