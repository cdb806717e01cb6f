import type { Database } from '../database/database.ts';
import type { StaffPasskeyRow } from '../database/schema.ts';

/** Passkeys with which people sign in. */
export class PasskeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists a person's passkeys, newest first. */
  listPasskeys(person: string): Promise<readonly StaffPasskeyRow[]> {
    return this.#database.db
      .selectFrom('staffPasskeys')
      .selectAll()
      .where('person', '=', person)
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute();
  }

  findPasskey(id: string): Promise<StaffPasskeyRow | undefined> {
    return this.#database.db
      .selectFrom('staffPasskeys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Returns false if the passkey is already registered. */
  async addPasskey(passkey: Omit<StaffPasskeyRow, 'createdAt' | 'lastUsedAt'>): Promise<boolean> {
    const row = { ...passkey, createdAt: this.#database.clock.now(), lastUsedAt: null };
    const { numInsertedOrUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .insertInto('staffPasskeys')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  async recordUse(id: string, counter: number): Promise<void> {
    const lastUsedAt = this.#database.clock.now();
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('staffPasskeys')
        .set({ counter, lastUsedAt })
        .where('id', '=', id)
        .execute(),
    );
  }

  async removePasskey(person: string, id: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('staffPasskeys')
        .where((build) => build.and({ person, id }))
        .execute(),
    );
  }
}
