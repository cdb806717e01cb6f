import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { PauseRow, Tables } from '../database/schema.ts';

/** How long it may take until a server hears of what was switched at another, in milliseconds. */
const HEARD_WITHIN = 2_000;
/** How long a donor waits for the store's word of it, in milliseconds. */
const PATIENCE = 1_000;

/** Which organisations take no new gifts now, in the store that all servers share. */
export class PauseRepository {
  readonly #store: Database;
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;
  #heard: ReadonlySet<string> = new Set();
  #heardAt = -Infinity;
  #hearing: Promise<void> | undefined;

  constructor(store: Database, now: () => number) {
    this.#store = store;
    this.#db = store.db;
    this.#now = now;
  }

  /**
   * Whether an organisation is paused, as of a moment ago. Where the store does not answer: as it
   * was last.
   */
  async isPaused(organization: string): Promise<boolean> {
    const age = this.#now() - this.#heardAt;
    if (age >= HEARD_WITHIN || age < 0) await this.#hear();
    return this.#heard.has(organization);
  }

  /** The pauses that go on, the oldest first. */
  now(): Promise<PauseRow[]> {
    return this.#db
      .selectFrom('pauses')
      .selectAll()
      .where('resumed_at', 'is', null)
      .orderBy('paused_at')
      .execute();
  }

  /** @returns whether it was not paused before. */
  async pause(organization: string, by: string, note: string): Promise<boolean> {
    const row: PauseRow = {
      id: randomUUID(),
      organization,
      paused_at: this.#now(),
      paused_by: by,
      note,
      resumed_at: null,
      resumed_by: null,
      resume_note: null,
    };
    const isNew = await this.#store.writer.write(async (transaction) => {
      const open = await transaction
        .selectFrom('pauses')
        .select('id')
        .where('organization', '=', organization)
        .where('resumed_at', 'is', null)
        .executeTakeFirst();
      if (!open) await transaction.insertInto('pauses').values(row).execute();
      return !open;
    });
    this.#heard = new Set([...this.#heard, organization]);
    this.#heardAt = -Infinity;
    return isNew;
  }

  /** @returns whether it was paused before. */
  async resume(organization: string, by: string, note: string): Promise<boolean> {
    const change = { resumed_at: this.#now(), resumed_by: by, resume_note: note };
    const { numUpdatedRows } = await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('pauses')
        .set(change)
        .where('organization', '=', organization)
        .where('resumed_at', 'is', null)
        .executeTakeFirst(),
    );
    this.#heard = new Set([...this.#heard].filter((one) => one !== organization));
    this.#heardAt = -Infinity;
    return numUpdatedRows > 0n;
  }

  #hear(): Promise<void> {
    this.#hearing ??= Promise.race([
      this.now().catch(() => undefined),
      setTimeout(PATIENCE, undefined, { ref: false }),
    ]).then((rows) => {
      if (rows) this.#heard = new Set(rows.map(({ organization }) => organization));
      this.#heardAt = this.#now();
      this.#hearing = undefined;
    });
    return this.#hearing;
  }
}
