import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import type { AdminSessionRow } from '../../database/schema.ts';
import { hashSha256 } from '../../lib/hash.ts';
import { FIRST_PERSON } from '../../staff/staff-repository.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const IDLE_TIMEOUT = 30 * MINUTE;
const MAX_SESSION_AGE = 12 * HOUR;
const ACTIVITY_UPDATE_INTERVAL = MINUTE;

export interface SessionNotice {
  readonly isError: boolean;
  readonly text: string;
}

export interface Session {
  readonly name: string;
  /** ID of the person. `null` with the admin key. */
  readonly person: string | null;
  readonly notice: SessionNotice | undefined;
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
          person: null,
          name,
          authenticatedAt: now,
          device: '',
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
      // The first person ends the sessions of the admin key, on all servers.
      .where((build) =>
        build.or([
          build('person', 'is not', null),
          build.not(
            build.exists(
              build.selectFrom('serverInfo').select('name').where('name', '=', FIRST_PERSON),
            ),
          ),
        ]),
      )
      .executeTakeFirst();
    if (row && now - row.lastUsedAt >= ACTIVITY_UPDATE_INTERVAL)
      await this.#updateSession(token, { lastUsedAt: now });
    const notice = row?.notice ? (JSON.parse(row.notice) as SessionNotice) : undefined;
    return row && { name: row.name, person: row.person, notice };
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
