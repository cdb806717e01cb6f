import { type Kysely, sql } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import type { Database } from '../database/database.ts';
import { NEVER } from '../database/database-clock.ts';
import type {
  MailStatus,
  OutboxStatus,
  ReceiptStatus,
  Tables,
  WebhookMessageStatus,
} from '../database/schema.ts';
import { listStoredOrganizations } from '../database/unfinished-work.ts';
import type { Organization } from '../organizations/organization.ts';

export const OPEN_DONATION_STATUSES = [
  'unconfirmed',
  'requires_action',
  'processing',
  'needs_review',
] as const satisfies readonly DonationStatus[];
export const OPEN_OUTBOX_STATUSES = [
  'pending',
  'needs_review',
  'manual',
] as const satisfies readonly OutboxStatus[];
export const UNDELIVERED_STATUSES = [
  'pending',
  'failed',
  'endpoint_gone',
] as const satisfies readonly WebhookMessageStatus[];

export const UNSENT_STATUSES = ['pending', 'failed'] as const satisfies readonly MailStatus[];

type CountedTable = 'donations' | 'outbox' | 'webhookMessages' | 'mailMessages' | 'receipts';

/** Number of an organization's rows with a status. */
export interface StatusCount<Status extends string> {
  readonly organization: string;
  readonly status: Status;
  readonly count: number;
  /** Creation time of the oldest row, in milliseconds since 1970. */
  readonly oldest: number;
}

function countByStatus<Name extends CountedTable>(
  db: Kysely<Tables>,
  table: Name,
  organizations: readonly string[],
  statuses: readonly Tables[Name]['status'][],
) {
  return db
    .selectFrom<CountedTable>(table)
    .where('organization', 'in', organizations)
    .where('status', 'in', statuses)
    .groupBy(['organization', 'status'])
    .select(({ fn }) => [
      'organization',
      'status',
      fn.countAll<number>().as('count'),
      fn.min<number>('createdAt').as('oldest'),
    ])
    .$castTo<StatusCount<Tables[Name]['status']>>();
}

/** Does not read the finished ones, because there may be millions of them. */
export async function countUnfinishedWork(
  { db }: Pick<Database, 'db'>,
  organizations: readonly string[],
) {
  const [donations, events] = await Promise.all([
    countByStatus(db, 'donations', organizations, OPEN_DONATION_STATUSES).execute(),
    countByStatus(db, 'outbox', organizations, OPEN_OUTBOX_STATUSES).execute(),
  ]);
  return { donations, events };
}

/** Counts the work of organizations that are not in `organizations`. Pledges need no action. */
export async function countOrphanedWork(
  { db }: Pick<Database, 'db'>,
  organizations: readonly string[],
) {
  const ids = await listStoredOrganizations(db);
  const orphans = ids.filter((id) => !organizations.includes(id));
  if (orphans.length === 0) return [];
  const [donations, events] = await Promise.all([
    countByStatus(db, 'donations', orphans, OPEN_DONATION_STATUSES)
      .where((build) =>
        build.or([build('status', '=', 'needs_review'), build('nextRunAt', '<', NEVER)]),
      )
      .execute(),
    countByStatus(db, 'outbox', orphans, OPEN_OUTBOX_STATUSES).execute(),
  ]);
  const sumCounts = (counts: readonly StatusCount<string>[], id: string): number =>
    counts.reduce((sum, { organization, count }) => sum + (organization === id ? count : 0), 0);
  return orphans
    .map((id) => ({
      organization: id,
      donations: sumCounts(donations, id),
      events: sumCounts(events, id),
    }))
    .filter((work) => work.donations + work.events > 0);
}

/** Counts the undelivered messages to the configured endpoints. */
export async function countUndeliveredMessages(
  { db }: Pick<Database, 'db'>,
  organizations: readonly Organization[],
): Promise<StatusCount<WebhookMessageStatus>[]> {
  const urls = organizations.flatMap(({ webhookEndpoints = [] }) =>
    webhookEndpoints.map(({ url }) => url),
  );
  if (urls.length === 0) return [];
  const ids = organizations.map(({ id }) => id);
  return countByStatus(db, 'webhookMessages', ids, UNDELIVERED_STATUSES)
    .where(sql.ref<string>('url'), 'in', urls)
    .execute();
}

/** Counts the messages to donors that were not sent, by organizations that send mail. */
export async function countUnsentMail(
  { db }: Pick<Database, 'db'>,
  organizations: readonly Organization[],
) {
  const ids = organizations.filter(({ mail }) => mail).map(({ id }) => id);
  if (ids.length === 0) return { messages: [], untried: [] };
  const [messages, untried] = await Promise.all([
    countByStatus(db, 'mailMessages', ids, UNSENT_STATUSES).execute(),
    countByStatus(db, 'mailMessages', ids, ['pending'])
      .where(sql.ref<number>('attempts'), '=', 0)
      .execute(),
  ]);
  return { messages, untried };
}

/** Counts the receipts that the server has yet to issue, by organizations that issue receipts. */
export async function countDueReceipts(
  { db }: Pick<Database, 'db'>,
  organizations: readonly Organization[],
): Promise<StatusCount<ReceiptStatus>[]> {
  const ids = organizations.filter(({ receipts }) => receipts).map(({ id }) => id);
  return ids.length === 0 ? [] : countByStatus(db, 'receipts', ids, ['due']).execute();
}

/** Organizations without a platform have no quota. */
export function listQuotas(organizations: readonly Organization[]) {
  return Promise.all(
    organizations
      .filter(({ platform }) => !platform.isNone)
      .map(async ({ id, quota }) => ({ organization: id, ...(await quota.getQuotaState()) })),
  );
}
