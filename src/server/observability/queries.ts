import type { DonationStatus } from '@donation-form/core/donation';
import type { ApiQuotaState } from '../platform/api-quota.ts';
import type { Organization } from '../organizations/organization.ts';
import { NEVER } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import { listStoredOrganizations } from '../database/unfinished-work.ts';
import type { OutboxStatus, WebhookMessageStatus } from '../database/schema.ts';

/** Number of an organization's donations with a given status. */
export interface DonationCount {
  readonly organization: string;
  readonly status: DonationStatus;
  readonly count: number;
  /** Creation time of the oldest donation, in milliseconds since 1970. */
  readonly oldest: number;
}

/** Number of an organization's outbox events with a given status. */
export interface OutboxCount {
  readonly organization: string;
  readonly status: OutboxStatus;
  readonly count: number;
  /** Creation time of the oldest outbox event, in milliseconds since 1970. */
  readonly oldest: number;
}

/** Numbers of unfinished donations and outbox events of all servers. */
export interface OpenWork {
  readonly donations: readonly DonationCount[];
  readonly events: readonly OutboxCount[];
}

/** Statuses of unfinished donations. */
export const OPEN_DONATION_STATUSES = [
  'unconfirmed',
  'requires_action',
  'processing',
  'needs_review',
] as const satisfies readonly DonationStatus[];
/** Statuses of unfinished outbox events. */
export const OPEN_OUTBOX_STATUSES = [
  'pending',
  'needs_review',
  'manual',
] as const satisfies readonly OutboxStatus[];

/**
 * Counts unfinished donations and outbox events. Does not read finished donations and events,
 * because there may be millions of them.
 */
export async function countUnfinishedWork(
  { db }: Pick<Database, 'db'>,
  organizations: readonly string[],
): Promise<OpenWork> {
  const [donations, events] = await Promise.all([
    db
      .selectFrom('donations')
      .where('organization', 'in', organizations)
      .where('status', 'in', OPEN_DONATION_STATUSES)
      .groupBy(['organization', 'status'])
      .select(({ fn }) => [
        'organization',
        'status',
        fn.countAll<number>().as('count'),
        fn.min<number>('createdAt').as('oldest'),
      ])
      .execute(),
    db
      .selectFrom('outbox')
      .where('organization', 'in', organizations)
      .where('status', 'in', OPEN_OUTBOX_STATUSES)
      .groupBy(['organization', 'status'])
      .select(({ fn }) => [
        'organization',
        'status',
        fn.countAll<number>().as('count'),
        fn.min<number>('createdAt').as('oldest'),
      ])
      .execute(),
  ]);
  return { donations, events };
}

/**
 * Numbers of unfinished donations and outbox events of an organization that is not in the
 * configuration.
 */
export interface OrphanedWork {
  readonly organization: string;
  readonly donations: number;
  readonly events: number;
}

/**
 * Counts the unfinished donations and outbox events of organizations that are not in
 * `organizations`. Omits pledges, which need no action.
 */
export async function countOrphanedWork(
  { db }: Pick<Database, 'db'>,
  organizations: readonly string[],
): Promise<OrphanedWork[]> {
  const ids = await listStoredOrganizations(db);
  const orphans = ids.filter((id) => !organizations.includes(id));
  if (orphans.length === 0) return [];
  const [donations, events] = await Promise.all([
    db
      .selectFrom('donations')
      .where('organization', 'in', orphans)
      .where('status', 'in', OPEN_DONATION_STATUSES)
      .where((build) =>
        build.or([build('status', '=', 'needs_review'), build('nextRunAt', '<', NEVER)]),
      )
      .groupBy('organization')
      .select(({ fn }) => ['organization', fn.countAll<number>().as('count')])
      .execute(),
    db
      .selectFrom('outbox')
      .where('organization', 'in', orphans)
      .where('status', 'in', OPEN_OUTBOX_STATUSES)
      .groupBy('organization')
      .select(({ fn }) => ['organization', fn.countAll<number>().as('count')])
      .execute(),
  ]);
  const findCount = (counts: typeof donations, id: string): number =>
    counts.find(({ organization }) => organization === id)?.count ?? 0;
  return orphans
    .map((id) => ({
      organization: id,
      donations: findCount(donations, id),
      events: findCount(events, id),
    }))
    .filter((work) => work.donations + work.events > 0);
}

/** Number of an organization's outbound webhook messages with a given status. */
export interface WebhookMessageCount {
  readonly organization: string;
  readonly status: WebhookMessageStatus;
  readonly count: number;
  /** Creation time of the oldest message, in milliseconds since 1970. */
  readonly oldest: number;
}

/** Statuses of undelivered webhook messages. */
export const UNDELIVERED_STATUSES = [
  'pending',
  'failed',
  'endpoint_gone',
] as const satisfies readonly WebhookMessageStatus[];

/** Counts undelivered webhook messages to the configured endpoints. */
export async function countUndeliveredMessages(
  { db }: Pick<Database, 'db'>,
  organizations: readonly Organization[],
): Promise<WebhookMessageCount[]> {
  const urls = organizations.flatMap(({ webhookEndpoints = [] }) =>
    webhookEndpoints.map(({ url }) => url),
  );
  if (urls.length === 0) return [];
  return db
    .selectFrom('webhookMessages')
    .where(
      'organization',
      'in',
      organizations.map(({ id }) => id),
    )
    .where('url', 'in', urls)
    .groupBy(['organization', 'status'])
    .select(({ fn }) => [
      'organization',
      'status',
      fn.countAll<number>().as('count'),
      fn.min<number>('createdAt').as('oldest'),
    ])
    .execute();
}

/** State of an organization's API quota. */
export interface OrganizationQuota extends ApiQuotaState {
  readonly organization: string;
}

/** Lists the quotas of organizations that have a platform. */
export function listQuotas(organizations: readonly Organization[]): Promise<OrganizationQuota[]> {
  return Promise.all(
    organizations
      .filter(({ platform }) => !platform.isNone)
      .map(async ({ id, quota }) => ({ organization: id, ...(await quota.getQuotaState()) })),
  );
}
