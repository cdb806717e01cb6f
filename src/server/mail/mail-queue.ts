import type { Kysely, Transaction } from 'kysely';
import { claimRow, findNextDueTime, listDueRows } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import { NEVER } from '../database/database-clock.ts';
import type {
  MailKind,
  MailMessageRow,
  MailStatus,
  OutboxEntry,
  Tables,
} from '../database/schema.ts';
import { hashSha256 } from '../lib/hash.ts';
import { getEmailDomain } from '../lib/normalize-email.ts';

/** In milliseconds. */
const RESEND_INTERVAL = 60_000;
/** Donors would not understand thanks for an older donation. In milliseconds. */
const MAX_RESEND_AGE = 14 * 86_400_000;
/** Databases limit the parameters of a statement. */
const MAX_RESENT = 10_000;

const MAIL_KINDS: readonly MailKind[] = ['thank_you', 'receipt', 'receipt_void', 'tribute'];

/** During an upgrade, only servers of the next release can send messages of its new kinds. */
const toPendingCriteria = (organization: string) =>
  ({ organization, status: 'pending', kind: MAIL_KINDS }) as const;

/** The outbox entry or receipt that a message is about. */
type MessageSubject = Pick<OutboxEntry, 'id' | 'reference'>;

/** A donation causes at most one tribute message, and each subject at most one of another kind. */
export const createMailId = (kind: MailKind, { id, reference }: MessageSubject): string =>
  `${kind} ${kind === 'tribute' ? reference : id}`;

/** IDs that messages about the entries, or about receipts for the same gifts, may have. */
export async function listMailIds(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  entries: readonly MessageSubject[],
): Promise<readonly string[]> {
  const references = [...new Set(entries.map(({ reference }) => reference))];
  if (references.length === 0) return [];
  const receipts = await db
    .selectFrom('receipts')
    .select(['id', 'reference'])
    .where('reference', 'in', references)
    .execute();
  const ids = [...entries, ...receipts].flatMap((subject) =>
    MAIL_KINDS.map((kind) => createMailId(kind, subject)),
  );
  return [...new Set(ids)];
}

/**
 * Returns the value of the `Message-ID` header: the same for each attempt, but new if the staff send
 * a message again, because mailboxes hide a second message with the same ID.
 * @param from email of the sender.
 */
export function createMessageId(
  { id, createdAt }: Pick<MailMessageRow, 'id' | 'createdAt'>,
  from: string,
): string {
  return `<${hashSha256(`${id} ${createdAt}`)}@${getEmailDomain(from)}>`;
}

/** Sent messages stay, so that the staff can see and resend them. */
export class MailQueue {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database) {
    this.#database = database;
    this.#now = database.clock.now;
  }

  buildMessage(
    kind: MailKind,
    subject: MessageSubject & Pick<OutboxEntry, 'organization'>,
    recipientKey: string | null = null,
  ): MailMessageRow {
    const now = this.#now();
    return {
      id: createMailId(kind, subject),
      organization: subject.organization,
      kind,
      event: subject.id,
      status: 'pending',
      messageId: null,
      recipientKey,
      attempts: 0,
      nextRunAt: now,
      lastError: null,
      createdAt: now,
      updatedAt: now,
    };
  }

  listDueMessages(organization: string, limit: number): Promise<MailMessageRow[]> {
    return listDueRows(this.#database, 'mailMessages', toPendingCriteria(organization), limit);
  }

  findNextDueTime(organization: string): Promise<number | undefined> {
    return findNextDueTime(this.#database, 'mailMessages', toPendingCriteria(organization));
  }

  /**
   * Claims a message, and gives it its `Message-ID` before the first attempt, so that a new sender
   * does not change the ID of a message that may have been sent. Even a single server claims
   * messages, so that it sends none if the database fails to write.
   * @param from email of the sender.
   */
  claimMessage(row: MailMessageRow, from: string): Promise<MailMessageRow | undefined> {
    const { clock, writer } = this.#database;
    const messageId = row.messageId ?? createMessageId(row, from);
    return writer.write((db) => claimRow({ db, clock }, 'mailMessages', row, { messageId }));
  }

  /** Lists the messages that failed within the last days, oldest first. */
  async listFailed(organization: string): Promise<readonly MailMessageRow[]> {
    return this.#database.db
      .selectFrom('mailMessages')
      .selectAll()
      .where((build) => build.and({ organization, status: 'failed' }))
      .where('updatedAt', '>', this.#now() - MAX_RESEND_AGE)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(MAX_RESENT)
      .execute();
  }

  /** Oldest first. */
  async listMessagesAbout(events: readonly MessageSubject[]): Promise<readonly MailMessageRow[]> {
    const ids = await listMailIds(this.#database.db, events);
    if (ids.length === 0) return [];
    return this.#database.db
      .selectFrom('mailMessages')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
  }

  /**
   * Does nothing if the message was canceled or is being sent again.
   * @param onRecorded continues the transaction.
   */
  async recordAttempt(
    { id, createdAt }: Pick<MailMessageRow, 'id' | 'createdAt'>,
    change: Pick<MailMessageRow, 'status' | 'lastError'> &
      Partial<Pick<MailMessageRow, 'attempts' | 'nextRunAt'>>,
    onRecorded?: (transaction: Transaction<Tables>) => Promise<void>,
  ): Promise<void> {
    await this.#database.writer.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('mailMessages')
        .set({
          ...(change.status !== 'pending' && { nextRunAt: NEVER }),
          ...change,
          updatedAt: this.#now(),
        })
        .where((build) => build.and({ id, createdAt, status: 'pending' }))
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await onRecorded?.(transaction);
    });
  }

  /**
   * Makes messages due now, with all of their attempts left, unless they are pending or were sent
   * within the last minute.
   * @returns their number.
   */
  async makeMessagesDue(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const now = this.#now();
    const { numUpdatedRows } = await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('mailMessages')
        .set({
          status: 'pending' satisfies MailStatus,
          attempts: 0,
          nextRunAt: now,
          lastError: null,
          messageId: null,
          createdAt: now,
          updatedAt: now,
        })
        .where('id', 'in', ids)
        .where((build) =>
          build.or([
            build('status', 'in', ['failed', 'canceled']),
            build.and([
              build('status', '=', 'sent'),
              build('updatedAt', '<=', now - RESEND_INTERVAL),
            ]),
          ]),
        )
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  }
}
