import type { Database } from '../database/database.ts';

/** Since when, and who paused the organization's mail. */
export interface MailPause {
  readonly pausedAt: number;
  readonly pausedBy: string;
}

const toName = (organization: string): string => `mail_pause ${organization}`;

/** Pauses of an organization's mail, on all servers. */
export class MailPauses {
  readonly #database: Pick<Database, 'db' | 'writer' | 'clock'>;

  constructor(database: Pick<Database, 'db' | 'writer' | 'clock'>) {
    this.#database = database;
  }

  async find(organization: string): Promise<MailPause | undefined> {
    const row = await this.#database.db
      .selectFrom('serverInfo')
      .select('value')
      .where('name', '=', toName(organization))
      .executeTakeFirst();
    return row && (JSON.parse(row.value) as MailPause);
  }

  /** @returns false if the mail was already paused. */
  async pause(organization: string, pausedBy: string): Promise<boolean> {
    const { writer, clock } = this.#database;
    const value = JSON.stringify({ pausedAt: clock.now(), pausedBy } satisfies MailPause);
    const { numInsertedOrUpdatedRows = 0n } = await writer.write((transaction) =>
      transaction
        .insertInto('serverInfo')
        .values({ name: toName(organization), value })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst(),
    );
    return numInsertedOrUpdatedRows > 0n;
  }

  /** @returns false if the mail was not paused. */
  async resume(organization: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('serverInfo')
        .where('name', '=', toName(organization))
        .executeTakeFirst(),
    );
    return numDeletedRows > 0n;
  }
}
