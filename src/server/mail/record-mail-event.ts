import type { Database } from '../database/database.ts';
import { NEVER } from '../database/database-clock.ts';
import type { MailMessageRow } from '../database/schema.ts';
import { describeSmtpError } from '../lib/smtp-client.ts';
import { BlockedRecipients } from './blocked-recipients.ts';
import { loadMessageContext } from './message-context.ts';

/** What a mail provider reports about a message that it had accepted. */
export interface MailEvent {
  /** Value of the `Message-ID` header, with or without angle brackets. */
  readonly messageId: string;
  readonly type: 'bounced' | 'complained';
  readonly reason?: string | undefined;
}

const LABELS = {
  bounced: 'It bounced',
  complained: 'The recipient reported it as spam',
} as const satisfies Record<MailEvent['type'], string>;

/**
 * Marks the message as failed, and blocks its recipient. The same event can be reported again.
 * @returns false if the organization sent no such message.
 */
export async function recordMailEvent(
  database: Database,
  organization: string,
  { messageId, type, reason = '' }: MailEvent,
): Promise<boolean> {
  const message = await database.db
    .selectFrom('mailMessages')
    .selectAll()
    .where('messageId', '=', `<${messageId.trim().replace(/^<|>$/g, '')}>`)
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!message) return false;
  const { donation } = await loadMessageContext(database.db, message);
  const { email } = donation.payload.donor;
  const key =
    message.recipientKey ?? (email && database.donorKeys.createRecipientKey(organization, email));
  if (key)
    await new BlockedRecipients(database).block({
      organization,
      key,
      reason: type,
      blockedBy: null,
    });
  const answer = donation.donorDeletedAt === null ? describeSmtpError(new Error(reason)) : '';
  await markFailed(database, message, `${LABELS[type]}${answer === '' ? '.' : `: ${answer}`}`);
  return true;
}

async function markFailed(
  { writer, clock }: Database,
  { id, messageId }: MailMessageRow,
  lastError: string,
): Promise<void> {
  await writer.write((transaction) =>
    transaction
      .updateTable('mailMessages')
      .set({ status: 'failed', lastError, nextRunAt: NEVER, updatedAt: clock.now() })
      .where((build) => build.and({ id, messageId }))
      .where('status', '!=', 'canceled')
      .execute(),
  );
}
