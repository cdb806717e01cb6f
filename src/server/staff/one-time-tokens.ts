import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { OneTimeTokenPurpose, OneTimeTokenRow } from '../database/schema.ts';
import { hashSha256 } from '../lib/hash.ts';

const TOKEN_BYTES = 32;

export interface NewToken {
  readonly purpose: OneTimeTokenPurpose;
  /** ID of the person for whom it is, unless nobody is known yet. */
  readonly person?: string | undefined;
  /** What the purpose needs later, such as a passkey's challenge. */
  readonly data?: object | undefined;
  /** Validity in milliseconds. */
  readonly lifetime: number;
}

/**
 * Random secrets that each work once, over all servers: links in mails, and challenges of passkeys
 * and identity providers. Only their hashes are stored.
 */
export class OneTimeTokens {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the new token, in base64url. Also deletes expired ones. */
  async create({ purpose, person, data, lifetime }: NewToken): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.#database.clock.now();
    await this.#database.writer.write(async (transaction) => {
      await transaction.deleteFrom('oneTimeTokens').where('expiresAt', '<=', now).execute();
      await transaction
        .insertInto('oneTimeTokens')
        .values({
          hash: hashSha256(token),
          purpose,
          person: person ?? null,
          data: data ? JSON.stringify(data) : null,
          expiresAt: now + lifetime,
        })
        .execute();
    });
    return token;
  }

  /** Finds a valid token without using it. */
  find(token: string, purpose: OneTimeTokenPurpose): Promise<OneTimeTokenRow | undefined> {
    return this.#database.db
      .selectFrom('oneTimeTokens')
      .selectAll()
      .where((build) => build.and({ hash: hashSha256(token), purpose }))
      .where('expiresAt', '>', this.#database.clock.now())
      .executeTakeFirst();
  }

  /** Lists the people with a valid token for a purpose. */
  async listPeople(
    purpose: OneTimeTokenPurpose,
  ): Promise<readonly Pick<OneTimeTokenRow, 'person' | 'expiresAt'>[]> {
    return this.#database.db
      .selectFrom('oneTimeTokens')
      .select(['person', 'expiresAt'])
      .where('purpose', '=', purpose)
      .where('expiresAt', '>', this.#database.clock.now())
      .execute();
  }

  /** Uses up a token. Of several concurrent calls, only one returns it. */
  consume(token: string, purpose: OneTimeTokenPurpose): Promise<OneTimeTokenRow | undefined> {
    const now = this.#database.clock.now();
    return this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('oneTimeTokens')
        .where((build) => build.and({ hash: hashSha256(token), purpose }))
        .where('expiresAt', '>', now)
        .returningAll()
        .executeTakeFirst(),
    );
  }
}
