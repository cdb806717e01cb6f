import type { Kysely } from 'kysely';
import { claimRow, findNextDueTime, listDueRows, NEVER } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import type {
  MailKind,
  MailMessageRow,
  MailStatus,
  OutboxEntry,
  Tables,
} from '../database/schema.ts';

/** In milliseconds. */
const RESEND_INTERVAL = 60_000;

const toPendingCriteria = (organization: string) => ({ organization, status: 'pending' }) as const;

const MAIL_KINDS: readonly MailKind[] = ['thank_you', 'receipt', 'receipt_void'];

/** @param event ID of the outbox entry or receipt that the message is about. */
export const createMailId = (kind: MailKind, event: string): string => `${kind} ${event}`;

/** IDs that messages about the entries, or about receipts for the same gifts, may have. */
export async function listMailIds(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  entries: readonly Pick<OutboxEntry, 'id' | 'reference'>[],
): Promise<readonly string[]> {
  const references = [...new Set(entries.map(({ reference }) => reference))];
  if (references.length === 0) return [];
  const receipts = await db
    .selectFrom('receipts')
    .select('id')
    .where('reference', 'in', references)
    .execute();
  const events = new Set([...entries, ...receipts].map(({ id }) => id));
  return [...events].flatMap((id) => MAIL_KINDS.map((kind) => createMailId(kind, id)));
}

/** Messages to donors. Sent ones stay, so that the staff can see and resend them. */
export class MailQueue {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database) {
    this.#database = database;
    this.#now = database.clock.now;
  }

  buildMessage(
    kind: MailKind,
    { id: event, organization }: Pick<OutboxEntry, 'id' | 'organization'>,
  ): MailMessageRow {
    const now = this.#now();
    return {
      id: createMailId(kind, event),
      organization,
      kind,
      event,
      status: 'pending',
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

  /** Even a single server claims messages, so that it sends none if the database fails to write. */
  claimMessage(row: MailMessageRow): Promise<MailMessageRow | undefined> {
    const { clock, writer } = this.#database;
    return writer.write((db) => claimRow({ db, clock }, 'mailMessages', row));
  }

  /** Oldest first. */
  async listMessagesAbout(
    events: readonly Pick<OutboxEntry, 'id' | 'reference'>[],
  ): Promise<readonly MailMessageRow[]> {
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

  /** Does nothing if the message was canceled or is being sent again. */
  async recordAttempt(
    { id, createdAt }: Pick<MailMessageRow, 'id' | 'createdAt'>,
    change: Pick<MailMessageRow, 'status' | 'lastError'> &
      Partial<Pick<MailMessageRow, 'attempts' | 'nextRunAt'>>,
  ): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('mailMessages')
        .set({
          ...(change.status !== 'pending' && { nextRunAt: NEVER }),
          ...change,
          updatedAt: this.#now(),
        })
        .where((build) => build.and({ id, createdAt, status: 'pending' }))
        .execute(),
    );
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
