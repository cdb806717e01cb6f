import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { hashSha256 } from '../../lib/hash.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Maximum time between two requests in a session, in milliseconds. */
const IDLE_TIMEOUT = 30 * MINUTE;
/** Maximum duration of a session, in milliseconds. */
const MAX_SESSION_AGE = 12 * HOUR;
/** Minimum time between two updates of `lastUsedAt`, in milliseconds. */
const ACTIVITY_UPDATE_INTERVAL = MINUTE;

/** Result of the most recent form submission. The next page shows it once. */
export interface Notice {
  readonly isError: boolean;
  readonly text: string;
}

/** Session of a signed-in person. */
export interface Session {
  readonly name: string;
  readonly notice: Notice | undefined;
}

export function generateToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Derives a session's CSRF token. Every form contains the token. */
export function deriveCsrfToken(token: string): string {
  return hashSha256(`form ${token}`);
}

/**
 * Stores admin sessions in the database that all servers share. Stores each token as an HMAC keyed
 * with the admin key, so changing the key ends all sessions.
 */
export class SessionRepository {
  readonly #database: Database;
  readonly #key: string;
  readonly #now: () => number;

  constructor(database: Database, key: string, now: () => number) {
    this.#database = database;
    this.#key = key;
    this.#now = now;
  }

  /** Starts a session and returns its token. Also deletes expired sessions. */
  async createSession(name: string): Promise<string> {
    const token = generateToken();
    const now = this.#now();
    await this.#database.writer.write(async (transaction) => {
      await transaction
        .deleteFrom('adminSessions')
        .where((build) =>
          build.or([
            build('lastUsedAt', '<=', now - IDLE_TIMEOUT),
            build('createdAt', '<=', now - MAX_SESSION_AGE),
          ]),
        )
        .execute();
      await transaction
        .insertInto('adminSessions')
        .values({
          id: this.#hashToken(token),
          name,
          notice: null,
          createdAt: now,
          lastUsedAt: now,
        })
        .execute();
    });
    return token;
  }

  /**
   * Finds a session and extends it. Returns `undefined` if the session does not exist or has
   * expired.
   */
  async findAndTouchSession(token: string): Promise<Session | undefined> {
    const now = this.#now();
    const id = this.#hashToken(token);
    const row = await this.#database.db
      .selectFrom('adminSessions')
      .selectAll()
      .where('id', '=', id)
      .where('lastUsedAt', '>', now - IDLE_TIMEOUT)
      .where('createdAt', '>', now - MAX_SESSION_AGE)
      .executeTakeFirst();
    if (row && now - row.lastUsedAt >= ACTIVITY_UPDATE_INTERVAL)
      await this.#database.writer.write((transaction) =>
        transaction
          .updateTable('adminSessions')
          .set({ lastUsedAt: now })
          .where('id', '=', id)
          .execute(),
      );
    return (
      row && {
        name: row.name,
        notice: row.notice === null ? undefined : (JSON.parse(row.notice) as Notice),
      }
    );
  }

  /** Saves a notice for the next page. Removes the saved notice if `notice` is undefined. */
  async setNotice(token: string, notice: Notice | undefined): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('adminSessions')
        .set({ notice: notice ? JSON.stringify(notice) : null })
        .where('id', '=', this.#hashToken(token))
        .execute(),
    );
  }

  async deleteSession(token: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('adminSessions').where('id', '=', this.#hashToken(token)).execute(),
    );
  }

  #hashToken(token: string): string {
    return createHmac('sha256', this.#key).update(token).digest('base64url');
  }
}
