import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { PauseRow } from '../database/schema.ts';

/** Maximum delay before other servers see a pause or resume, in milliseconds. */
const MAX_CACHE_AGE = 2_000;
const QUERY_TIMEOUT = 1_000;

/** Stores the pauses during which organizations accept no new donations, or send no mail. */
export class PauseRepository {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #table: 'pauses';
  #pausedOrganizations: ReadonlySet<string> = new Set();
  #refreshedAt = -Infinity;
  #refreshing: Promise<void> | undefined;
  /** Number of changes by this instance. A query that started before the latest may be outdated. */
  #changes = 0;

  constructor(database: Database, now: () => number, table: 'pauses' | 'mailPauses' = 'pauses') {
    this.#database = database;
    this.#now = now;
    // Both tables have the same columns.
    this.#table = table as 'pauses';
  }

  /** Can be two seconds out of date, or more if the database is unavailable. */
  async isPaused(organization: string): Promise<boolean> {
    const age = this.#now() - this.#refreshedAt;
    if (age >= MAX_CACHE_AGE || age < 0) await this.#refreshCache();
    return this.#pausedOrganizations.has(organization);
  }

  listActive(): Promise<PauseRow[]> {
    return this.#database.db
      .selectFrom(this.#table)
      .selectAll()
      .where('resumedAt', 'is', null)
      .orderBy('pausedAt')
      .execute();
  }

  /** @returns false if the organization was already paused. */
  async pauseOrganization(organization: string, by: string, note: string): Promise<boolean> {
    const row: PauseRow = {
      id: randomUUID(),
      organization,
      pausedAt: this.#now(),
      pausedBy: by,
      note,
      resumedAt: null,
      resumedBy: null,
      resumeNote: null,
    };
    const { numInsertedOrUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .insertInto(this.#table)
        .values(row)
        .onConflict((conflict) =>
          conflict.column('organization').where('resumedAt', 'is', null).doNothing(),
        )
        .executeTakeFirst(),
    );
    this.#pausedOrganizations = new Set([...this.#pausedOrganizations, organization]);
    this.#invalidateCache();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** @returns false if the organization was not paused. */
  async resumeOrganization(organization: string, by: string, note: string): Promise<boolean> {
    const change = { resumedAt: this.#now(), resumedBy: by, resumeNote: note };
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable(this.#table)
        .set(change)
        .where('organization', '=', organization)
        .where('resumedAt', 'is', null)
        .executeTakeFirst(),
    );
    this.#pausedOrganizations = new Set(
      [...this.#pausedOrganizations].filter((id) => id !== organization),
    );
    this.#invalidateCache();
    return numUpdatedRows > 0n;
  }

  #invalidateCache(): void {
    this.#changes += 1;
    this.#refreshedAt = -Infinity;
  }

  #refreshCache(): Promise<void> {
    const changes = this.#changes;
    this.#refreshing ??= Promise.race([
      this.listActive().catch(() => undefined),
      setTimeout(QUERY_TIMEOUT, undefined, { ref: false }),
    ]).then((rows) => {
      this.#refreshing = undefined;
      if (changes !== this.#changes) return;
      if (rows) this.#pausedOrganizations = new Set(rows.map(({ organization }) => organization));
      this.#refreshedAt = this.#now();
    });
    return this.#refreshing;
  }
}
