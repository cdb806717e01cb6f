import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './schema.ts';

/**
 * Runs statements in a transaction. The callback must await only these statements, and may be
 * called again if the transaction was rolled back.
 */
export type TransactionCallback<Result> = (transaction: Transaction<Tables>) => Promise<Result>;

export interface Writer {
  /** Runs the callback in a transaction and resolves when the commit is on disk. */
  readonly write: <Result>(callback: TransactionCallback<Result>) => Promise<Result>;
}

/** Maximum number of callbacks in one transaction. */
const MAX_GROUP_SIZE = 256;

interface QueuedWrite {
  /** Runs the callback, and holds its result until the group's commit is on disk. */
  readonly run: (transaction: Transaction<Tables>) => Promise<void>;
  readonly complete: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Writer for a database with a single connection. Concurrent writes share a transaction, and
 * therefore a single disk sync. A failed write does not affect the other writes in its group.
 */
export class GroupCommitWriter implements Writer {
  readonly #db: Kysely<Tables>;
  readonly #queue: QueuedWrite[] = [];
  #isWriting = false;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  readonly write = <Result>(callback: TransactionCallback<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      let complete: () => void;
      this.#queue.push({
        run: async (transaction) => {
          const result = await callback(transaction);
          complete = () => resolve(result);
        },
        complete: () => complete(),
        fail: reject,
      });
      if (!this.#isWriting) void this.#writeQueuedGroups();
    });

  async #writeQueuedGroups(): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) {
      // Lets writes from the same turn of the event loop join the group.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await this.#writeGroup(this.#queue.splice(0, MAX_GROUP_SIZE));
    }
    this.#isWriting = false;
  }

  /** Commits the writes together. If one write fails, runs and commits each write separately. */
  async #writeGroup(group: readonly QueuedWrite[]): Promise<void> {
    try {
      await this.#db.transaction().execute(async (transaction) => {
        for (const write of group) await write.run(transaction);
      });
    } catch (error) {
      if (group.length === 1) group[0]!.fail(error);
      else for (const write of group) await this.#writeGroup([write]);
      return;
    }
    for (const write of group) write.complete();
  }
}
