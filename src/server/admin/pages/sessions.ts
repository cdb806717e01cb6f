import { createHmac, randomBytes } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';
import type { Database } from '../../database/database.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** How long somebody who does nothing stays logged in. */
const IDLE_END = 30 * MINUTE;
/** How long anybody stays logged in. */
const ABSOLUTE_END = 12 * HOUR;
/** A use is noted no more often than this. */
const NOTE_USE_EVERY = MINUTE;

/** What came of the last press. */
export interface Notice {
  readonly isProblem: boolean;
  readonly text: string;
}

/** Somebody who is logged in. */
export interface Session {
  readonly name: string;
  readonly notice: Notice | undefined;
}

/** A token that nobody guesses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What every form of the page carries: only who has the cookie can make it. */
export function csrfOf(token: string): string {
  return sha256(`form ${token}`);
}

/**
 * Who is logged in to the operator's page, in the store that all servers share. The store knows no
 * token, only what the operator's key makes of it.
 */
export class Sessions {
  readonly #store: Database;
  readonly #key: string;
  readonly #now: () => number;

  constructor(store: Database, key: string, now: () => number) {
    this.#store = store;
    this.#key = key;
    this.#now = now;
  }

  /** @returns the token of a new session; those that have ended are forgotten. */
  async begin(name: string): Promise<string> {
    const token = newToken();
    const now = this.#now();
    await this.#store.writer.write(async (transaction) => {
      await transaction
        .deleteFrom('admin_sessions')
        .where((build) =>
          build.or([
            build('used_at', '<=', now - IDLE_END),
            build('began_at', '<=', now - ABSOLUTE_END),
          ]),
        )
        .execute();
      await transaction
        .insertInto('admin_sessions')
        .values({ id: this.#idOf(token), name, notice: null, began_at: now, used_at: now })
        .execute();
    });
    return token;
  }

  /** @returns `undefined` where the session has ended, or never was. */
  async find(token: string): Promise<Session | undefined> {
    const now = this.#now();
    const id = this.#idOf(token);
    const row = await this.#store.db
      .selectFrom('admin_sessions')
      .selectAll()
      .where('id', '=', id)
      .where('used_at', '>', now - IDLE_END)
      .where('began_at', '>', now - ABSOLUTE_END)
      .executeTakeFirst();
    if (row && now - row.used_at >= NOTE_USE_EVERY)
      await this.#store.writer.write((transaction) =>
        transaction
          .updateTable('admin_sessions')
          .set({ used_at: now })
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

  /** Keeps what came of a press for the page that is shown next; `undefined` when it was shown. */
  async note(token: string, notice: Notice | undefined): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction
        .updateTable('admin_sessions')
        .set({ notice: notice ? JSON.stringify(notice) : null })
        .where('id', '=', this.#idOf(token))
        .execute(),
    );
  }

  async end(token: string): Promise<void> {
    await this.#store.writer.write((transaction) =>
      transaction.deleteFrom('admin_sessions').where('id', '=', this.#idOf(token)).execute(),
    );
  }

  #idOf(token: string): string {
    return createHmac('sha256', this.#key).update(token).digest('base64url');
  }
}
