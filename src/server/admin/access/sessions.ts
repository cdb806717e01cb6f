import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { AdminSessionRow } from '../../database/schema.ts';
import { hashSha256 } from '../../lib/hash.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const IDLE_TIMEOUT = 30 * MINUTE;
const MAX_SESSION_AGE = 12 * HOUR;
const ACTIVITY_UPDATE_INTERVAL = MINUTE;

export interface SessionNotice {
  readonly isError: boolean;
  readonly text: string;
}

export interface Session extends Pick<AdminSessionRow, 'person' | 'name' | 'authenticatedAt'> {
  readonly notice: SessionNotice | undefined;
}

/** One of a person's sessions, as the person recognizes it. */
export interface SessionSummary extends Pick<AdminSessionRow, 'id' | 'device' | 'lastUsedAt'> {
  readonly isCurrent: boolean;
}

export function generateToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Derives a session's CSRF token. Every form contains the token. */
export function deriveCsrfToken(token: string): string {
  return hashSha256(`form ${token}`);
}

/** Identifies the browser that has a token, in data that must not contain the token. */
export function hashBrowserToken(token: string): string {
  return hashSha256(`browser ${token}`);
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
  async createSession({
    person = null,
    name,
    device,
  }: Pick<AdminSessionRow, 'name' | 'device'> & {
    readonly person?: string | null;
  }): Promise<string> {
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
          person,
          name,
          authenticatedAt: now,
          device,
          notice: null,
          createdAt: now,
          lastUsedAt: now,
        })
        .execute();
    });
    return token;
  }

  async findAndTouchSession(token: string): Promise<Session | undefined> {
    const now = this.#now();
    const row = await this.#database.db
      .selectFrom('adminSessions')
      .selectAll()
      .where('id', '=', this.#hashToken(token))
      .where('lastUsedAt', '>', now - IDLE_TIMEOUT)
      .where('createdAt', '>', now - MAX_SESSION_AGE)
      .executeTakeFirst();
    if (row && now - row.lastUsedAt >= ACTIVITY_UPDATE_INTERVAL)
      await this.#updateSession(token, { lastUsedAt: now });
    const notice = row?.notice ? (JSON.parse(row.notice) as SessionNotice) : undefined;
    return (
      row && { person: row.person, name: row.name, authenticatedAt: row.authenticatedAt, notice }
    );
  }

  /** Lists a person's sessions, the one used last first. @param token of the current session. */
  async listSessions(person: string, token: string): Promise<readonly SessionSummary[]> {
    const now = this.#now();
    const rows = await this.#database.db
      .selectFrom('adminSessions')
      .select(['id', 'device', 'lastUsedAt'])
      .where('person', '=', person)
      .where('lastUsedAt', '>', now - IDLE_TIMEOUT)
      .where('createdAt', '>', now - MAX_SESSION_AGE)
      .orderBy('lastUsedAt', 'desc')
      .orderBy('id')
      .execute();
    const current = this.#hashToken(token);
    return rows.map((row) => ({ ...row, isCurrent: row.id === current }));
  }

  /** Records that the person has just proved again who they are. */
  async confirmAuthentication(token: string): Promise<void> {
    await this.#updateSession(token, { authenticatedAt: this.#now() });
  }

  /** Ends one of a person's sessions. */
  async endSession(person: string, id: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('adminSessions')
        .where((build) => build.and({ person, id }))
        .execute(),
    );
  }

  /** Ends all of a person's sessions but the current one. @param token of the current session. */
  async endOtherSessions(person: string, token: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('adminSessions')
        .where('person', '=', person)
        .where('id', '!=', this.#hashToken(token))
        .execute(),
    );
  }

  async setNotice(token: string, notice: SessionNotice | undefined): Promise<void> {
    await this.#updateSession(token, { notice: notice ? JSON.stringify(notice) : null });
  }

  async deleteSession(token: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('adminSessions').where('id', '=', this.#hashToken(token)).execute(),
    );
  }

  async #updateSession(token: string, columns: Partial<AdminSessionRow>): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('adminSessions')
        .set(columns)
        .where('id', '=', this.#hashToken(token))
        .execute(),
    );
  }

  #hashToken(token: string): string {
    return createHmac('sha256', this.#key).update(token).digest('base64url');
  }
}
