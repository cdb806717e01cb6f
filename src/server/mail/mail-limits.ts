import { type Kysely, sql } from 'kysely';
import { selectPayloadField } from '../database/payload-field.ts';
import type { MailKind, MailMessageRow, Tables } from '../database/schema.ts';
import { toMailbox } from '../lib/normalize-email.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Between two attempts of a message that waits, in milliseconds. */
const MIN_WAIT = 300_000;
/**
 * Per organization. Strangers cause these messages, so a script could ruin the sender's reputation.
 * Messages about payments are not limited.
 */
const MAX_PER_HOUR: Readonly<Partial<Record<MailKind, number>>> = { thank_you: 500, tribute: 60 };

export const HOURLY_LIMIT_REACHED =
  'The organization’s limit of such messages per hour is reached.';

/** Returns when to try again, or `undefined` if the message may be sent now. */
export async function findHourlyLimitEnd(
  db: Kysely<Tables>,
  message: MailMessageRow,
  now: number,
): Promise<number | undefined> {
  const limit = MAX_PER_HOUR[message.kind];
  const mayBeLimited = limit !== undefined && message.recipientKey !== null;
  if (!mayBeLimited || !(await isLimited(db, message))) return undefined;
  const sent = await selectLimitedMessages(db, message)
    .where('mailMessages.status', '=', 'sent')
    .where('mailMessages.updatedAt', '>', now - HOUR)
    .orderBy('mailMessages.updatedAt', 'desc')
    .select('mailMessages.updatedAt')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  return sent && Math.max(sent.updatedAt + HOUR, now + MIN_WAIT);
}

/** Counts the limited messages to a mailbox within a day. */
export async function countMessagesToRecipient(
  db: Kysely<Tables>,
  message: MailMessageRow,
): Promise<number> {
  const { recipientKey } = message;
  if (!recipientKey) return 0;
  const { count } = await selectEarlierMessages(db, message)
    .where('mailMessages.recipientKey', '=', recipientKey)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the limited messages that donors with the mailbox of this email caused within a day. */
export async function countMessagesOfDonor(
  db: Kysely<Tables>,
  message: MailMessageRow,
  email = '',
): Promise<number> {
  if (email === '') return 0;
  const rows = await selectEarlierMessages(db, message)
    .select(selectPayloadField<string | null>(db, 'donations', ['donor', 'email']).as('email'))
    .execute();
  const mailbox = toMailbox(email);
  return rows.filter((row) => row.email !== null && toMailbox(row.email) === mailbox).length;
}

/** Selects those queued within the day before this one, so that servers agree. */
function selectEarlierMessages(db: Kysely<Tables>, message: MailMessageRow) {
  const { id, createdAt } = message;
  return selectLimitedMessages(db, message)
    .where('mailMessages.status', 'in', ['pending', 'sent'])
    .where('mailMessages.createdAt', '>', createdAt - DAY)
    .where((build) =>
      build.or([
        build('mailMessages.createdAt', '<', createdAt),
        build.and([
          build('mailMessages.createdAt', '=', createdAt),
          build('mailMessages.id', '<', id),
        ]),
      ]),
    );
}

async function isLimited(db: Kysely<Tables>, message: MailMessageRow): Promise<boolean> {
  const row = await selectLimitedMessages(db, message)
    .where('mailMessages.id', '=', message.id)
    .select('mailMessages.id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Selects messages of the same kind that count: of thanks, those about unpaid and test donations. */
function selectLimitedMessages(
  db: Kysely<Tables>,
  { kind, organization }: Pick<MailMessageRow, 'kind' | 'organization'>,
) {
  const isTest = selectPayloadField(db, 'donations', ['isTest']);
  return db
    .selectFrom('mailMessages')
    .innerJoin('outbox', 'outbox.id', 'mailMessages.event')
    .innerJoin('donations', 'donations.reference', 'outbox.reference')
    .where('mailMessages.kind', '=', kind)
    .where('mailMessages.organization', '=', organization)
    .$if(kind === 'thank_you', (query) =>
      query.where((build) =>
        build.or([
          build('donations.status', '!=', 'succeeded'),
          // SQLite returns 0 and 1.
          sql<boolean>`CAST(${isTest} AS text) IN ('true', '1')`,
        ]),
      ),
    );
}
