import type { Database } from './database.ts';

export interface EmailAttachment {
  readonly name: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** An email that the sandbox shows in the console instead of delivering. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Only of mail that the sandbox received over SMTP. */
  readonly html?: string | null;
  /** Files, such as receipts. Only of mail that the sandbox received over SMTP. */
  readonly attachments?: readonly EmailAttachment[];
  readonly link: string | null;
  /** ISO 8601. */
  readonly created: string;
}

export interface StoredEmail extends Email {
  readonly id: number;
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
  listEmails(): StoredEmail[] {
    return this.#database
      .queryAll<{ id: number; record: string }>('SELECT id, record FROM emails ORDER BY id DESC')
      .map(({ id, record }) => ({ ...(JSON.parse(record) as Email), id }));
  }

  /** Returns an email's HTML, or one of its attachments. */
  findContent(id: number, attachment?: string) {
    const { html, attachments } = this.listEmails().find((email) => email.id === id) ?? {};
    if (attachment === undefined)
      return html ? { mediaType: 'text/html', bytes: Buffer.from(html) } : undefined;
    const file = attachments?.[Number(attachment)];
    return file && { mediaType: file.mediaType, bytes: Buffer.from(file.base64, 'base64') };
  }
}
