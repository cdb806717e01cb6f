import { type Kysely, sql } from 'kysely';
import { selectPayloadField } from '../database/payload-field.ts';
import type { MailKind, MailMessageRow, Tables } from '../database/schema.ts';

const HOUR = 3_600_000;
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
  const { kind, organization } = message;
  const limit = MAX_PER_HOUR[kind];
  if (limit === undefined) return undefined;
  if (kind === 'thank_you' && !(await isUnpaid(db, message))) return undefined;
  const sent = await selectMessages(db, kind)
    .where('mailMessages.organization', '=', organization)
    .where('mailMessages.status', '=', 'sent')
    .where('mailMessages.updatedAt', '>', now - HOUR)
    .orderBy('mailMessages.updatedAt', 'desc')
    .select('mailMessages.updatedAt')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  return sent && Math.max(sent.updatedAt + HOUR, now + MIN_WAIT);
}

async function isUnpaid(db: Kysely<Tables>, { id }: MailMessageRow): Promise<boolean> {
  const row = await selectMessages(db, 'thank_you')
    .where('mailMessages.id', '=', id)
    .select('mailMessages.id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Selects the messages of a kind that count: of thanks, those about unpaid and test donations. */
function selectMessages(db: Kysely<Tables>, kind: MailKind) {
  const isTest = selectPayloadField(db, 'donations', ['isTest']);
  return db
    .selectFrom('mailMessages')
    .where('mailMessages.kind', '=', kind)
    .$if(kind === 'thank_you', (query) =>
      query
        .innerJoin('outbox', 'outbox.id', 'mailMessages.event')
        .innerJoin('donations', (join) =>
          join.onRef('donations.reference', '=', 'outbox.reference'),
        )
        .where((build) =>
          build.or([
            build('donations.status', '!=', 'succeeded'),
            // SQLite returns 0 and 1.
            sql<boolean>`CAST(${isTest} AS text) IN ('true', '1')`,
          ]),
        ),
    );
}
