import { type Kysely, sql } from 'kysely';
import { selectPayloadField } from '../database/payload-field.ts';
import type { MailKind, MailMessageRow, Tables } from '../database/schema.ts';

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

/**
 * Counts the limited messages to a mailbox, or caused by a donor, that were queued within the day
 * before this one, so that servers agree.
 * @param key `null` or empty if it is unknown.
 */
export async function countEarlierMessages(
  db: Kysely<Tables>,
  message: MailMessageRow,
  column: 'mailMessages.recipientKey' | 'donations.donorKey',
  key: string | null,
): Promise<number> {
  if (!key) return 0;
  const { id, createdAt } = message;
  const { count } = await selectLimitedMessages(db, message)
    .where(column, '=', key)
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
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
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
