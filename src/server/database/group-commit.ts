import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * Work that is done whole or not at all, and begun anew where a first try was undone. It must await
 * nothing but the transaction.
 */
export type Work<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

export interface Writer {
  /** Does the work in a transaction. @returns when the disk has it. */
  readonly write: <Result>(work: Work<Result>) => Promise<Result>;
}

/** How many works share one transaction at most. */
const LARGEST_GROUP = 256;

interface Waiting {
  /** Does the work, and keeps what came of it until the group is on disk. */
  readonly run: (transaction: Transaction<Tables>) => Promise<void>;
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writes of a store with one connection: those that wait at the same time share a transaction, and
 * so one wait for the disk. One that fails takes none of the others with it.
 */
export class GroupCommitWriter implements Writer {
  readonly #db: Kysely<Tables>;
  readonly #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  readonly write = <Result>(work: Work<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        run: async (transaction) => {
          const result = await work(transaction);
          settle = () => resolve(result);
        },
        settle: () => settle(),
        fail: reject,
      });
      if (!this.#isWriting) void this.#writeAll();
    });

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      // Requests that are read in this turn of the event loop join the group.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await this.#writeGroup(this.#waiting.splice(0, LARGEST_GROUP));
    }
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#db.transaction().execute(async (transaction) => {
        for (const one of group) await one.run(transaction);
      });
    } catch (error) {
      if (group.length === 1) group[0]!.fail(error);
      else for (const one of group) await this.#writeGroup([one]);
      return;
    }
    for (const one of group) one.settle();
  }
}
