import type { DonationStatus } from '@donation-form/core/donation';
import type { ApiQuotaState } from '../platform/api-quota.ts';
import type { Organization } from '../organizations/organization.ts';
import { NEVER } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import { listStoredOrganizations } from '../database/unfinished-work.ts';
import type { OutboxStatus, WebhookMessageStatus } from '../database/schema.ts';

export interface DonationCount {
  readonly organization: string;
  readonly status: DonationStatus;
  readonly count: number;
  readonly oldest: number;
}

export interface OutboxCount {
  readonly organization: string;
  readonly status: OutboxStatus;
  readonly count: number;
  readonly oldest: number;
}

export interface OpenWork {
  readonly donations: readonly DonationCount[];
  readonly events: readonly OutboxCount[];
}

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

/** Does not read the finished ones, because there may be millions of them. */
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

export interface OrphanedWork {
  readonly organization: string;
  readonly donations: number;
  readonly events: number;
}

/** Counts the work of organizations that are not in `organizations`. Pledges need no action. */
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

export interface WebhookMessageCount {
  readonly organization: string;
  readonly status: WebhookMessageStatus;
  readonly count: number;
  readonly oldest: number;
}

export const UNDELIVERED_STATUSES = [
  'pending',
  'failed',
  'endpoint_gone',
] as const satisfies readonly WebhookMessageStatus[];

/** To the configured endpoints. */
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

export interface OrganizationQuota extends ApiQuotaState {
  readonly organization: string;
}

export function listQuotas(organizations: readonly Organization[]): Promise<OrganizationQuota[]> {
  return Promise.all(
    organizations
      .filter(({ platform }) => !platform.isNone)
      .map(async ({ id, quota }) => ({ organization: id, ...(await quota.getQuotaState()) })),
  );
}
