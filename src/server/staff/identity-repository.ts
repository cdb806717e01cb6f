import type { Database } from '../database/database.ts';
import type { StaffIdentityRow } from '../database/schema.ts';

/** An account at an identity provider. An email does not identify it: providers can reassign one. */
export type Identity = Pick<StaffIdentityRow, 'issuer' | 'subject'>;

/** People's accounts at an identity provider. */
export class IdentityRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the ID of the person who has linked the account. */
  async findPerson({ issuer, subject }: Identity): Promise<string | undefined> {
    const row = await this.#database.db
      .selectFrom('staffIdentities')
      .select('person')
      .where((build) => build.and({ issuer, subject }))
      .executeTakeFirst();
    return row?.person;
  }

  async hasIdentity(person: string, issuer: string): Promise<boolean> {
    const row = await this.#database.db
      .selectFrom('staffIdentities')
      .select('subject')
      .where((build) => build.and({ person, issuer }))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns false if the account belongs to someone else. */
  async linkIdentity(person: string, identity: Identity): Promise<boolean> {
    const createdAt = this.#database.clock.now();
    await this.#database.writer.write((transaction) =>
      transaction
        .insertInto('staffIdentities')
        .values({ ...identity, person, createdAt })
        .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
        .execute(),
    );
    return (await this.findPerson(identity)) === person;
  }

  async unlinkIdentities(person: string, issuer: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('staffIdentities')
        .where((build) => build.and({ person, issuer }))
        .execute(),
    );
  }
}
