import type { Database } from './database.ts';

/** An email that the sandbox shows in the console instead of sending. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly link: string | null;
  /** ISO 8601. */
  readonly created: string;
}

const MAX_EMAILS = 50;

/** Stores the most recent emails. */
export class Mailbox {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insertEmail(email: Email): void {
    this.#database.execute('INSERT INTO emails (record) VALUES (?)', JSON.stringify(email));
    this.#database.execute(
      'DELETE FROM emails WHERE id <= (SELECT max(id) FROM emails) - ?',
      MAX_EMAILS,
    );
  }

  /** Newest first. */
  listEmails(): Email[] {
    return this.#database
      .queryAll<{ record: string }>('SELECT record FROM emails ORDER BY id DESC')
      .map(({ record }) => JSON.parse(record) as Email);
  }
}
