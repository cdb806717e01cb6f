import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { BlockedRecipientRow, BlockReason, MailKind, Tables } from '../database/schema.ts';

/** Emails to which the server sends no mail, as keys. */
export class BlockedRecipients {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Blocks an email by its key. A later reason replaces an earlier one. */
  async block(recipient: Omit<BlockedRecipientRow, 'createdAt'>): Promise<void> {
    const { clock, writer } = this.#database;
    const { reason, blockedBy } = recipient;
    await writer.write((transaction) =>
      transaction
        .insertInto('blockedRecipients')
        .values({ ...recipient, createdAt: clock.now() })
        .onConflict((conflict) =>
          conflict.columns(['organization', 'key']).doUpdateSet({ reason, blockedBy }),
        )
        .execute(),
    );
  }

  /** @returns false if the email was not blocked. */
  async unblock(organization: string, key: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .deleteFrom('blockedRecipients')
        .where((build) => build.and({ organization, key }))
        .executeTakeFirst(),
    );
    return numDeletedRows > 0n;
  }
}

export function findBlockedRecipient(
  db: Kysely<Tables>,
  organization: string,
  key: string,
): Promise<BlockedRecipientRow | undefined> {
  return db
    .selectFrom('blockedRecipients')
    .selectAll()
    .where((build) => build.and({ organization, key }))
    .executeTakeFirst();
}

const REASONS: Readonly<Record<BlockReason, string>> = {
  unwanted: 'This person asked for no more such messages.',
  bounced: 'An earlier message to this email bounced.',
  complained: 'This person reported an earlier message as spam.',
};

/** Returns why a message must not be sent. Who wants no tribute messages gets others. */
export function describeBlock(
  kind: MailKind,
  blocked: Pick<BlockedRecipientRow, 'reason'> | undefined,
): string | undefined {
  if (!blocked || (blocked.reason === 'unwanted' && kind !== 'tribute')) return undefined;
  return REASONS[blocked.reason];
}
