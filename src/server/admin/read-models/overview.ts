import type { Kysely } from 'kysely';
import { NEVER } from '../../database/database-clock.ts';
import type { Donation, OutboxEntry, OutboxStatus, Tables } from '../../database/schema.ts';
import { listStoredOrganizations, OLDEST_FIRST } from '../../database/unfinished-work.ts';
import { ALL_TIME } from '../../lib/period.ts';
import { countUndeliveredMessages, listQuotas } from '../../observability/queries.ts';
import type { Organization } from '../../organizations/organization.ts';
import { findDonations } from '../../reporting/find-donations.ts';
import { loadDonations } from '../../reporting/ledger-entries.ts';
import { hasPermission } from '../../staff/actor.ts';
import { type ActorContext, createActorContext } from '../access/actor-context.ts';
import { getOrganizationName, getTimeZone, listOrganizations } from '../actions/organizations.ts';
import {
  formatDonorName,
  formatEventAmount,
  formatTotal,
  IN_PROGRESS_STATUSES,
  isPaymentInProgress,
} from './donation-detail.ts';
import { createTableOptions, toDonationRow } from './donation-rows.ts';
import type { createIncomeCache } from './income-cache.ts';
import { describeFailure, EVENT_KIND_LABELS, removeErrorName } from './labels.ts';

const DAY = 86_400_000;
/** Maximum number of items per list. */
const MAX_OVERVIEW_ITEMS = 50;
const MAX_REVIEW_GROUPS = 20;
/** Maximum age of listed donations with failed payments, in days. */
const FAILED_DAYS = 7;
const LATEST_DONATIONS = 10;

/** Label of payments on the overview page. Events have the label of their kind instead. */
export const PAYMENT_LABEL = 'Payment';

/** A payment or an event. Times are in milliseconds since 1970. */
export type OverviewItem = ReturnType<typeof toOverviewItem>;
export type OverviewData = Awaited<ReturnType<typeof loadOverviewData>>;

interface ListedWork {
  readonly db: Kysely<Tables>;
  readonly organizations: readonly string[];
}

/**
 * Loads the overview page, for people who may see totals. `organization` is that of the income and
 * the latest donations. Donations are only those that the person may also read.
 */
export async function loadOverviewData(
  context: ActorContext,
  getIncome: ReturnType<typeof createIncomeCache>,
  organization: Organization,
) {
  const { actor, organizations, now } = context;
  const { id: organizationId, timeZone } = organization;
  const canRead = (id: string): boolean => hasPermission(actor, 'donations:read', id);
  const linksDonations = canRead(organizationId);
  const [donations, summaries, quotas, income] = await Promise.all([
    organizations.all.some(({ id }) => canRead(id))
      ? loadOverviewDonations(createActorContext(context, actor, 'donations:read'))
      : undefined,
    listOrganizations(context),
    listQuotas(organizations.all),
    getIncome(organization),
  ]);
  return {
    actor,
    /** Undefined if the person may not read donations. */
    donations,
    latest: linksDonations ? await loadLatestDonations(organization, context) : undefined,
    organizations: summaries,
    /** Organizations whose platform asked the server to back off. */
    backoffs: summaries.flatMap(({ id, name }) => {
      const until = quotas.find((quota) => quota.organization === id)?.backoffUntil?.getTime();
      if (until === undefined) return [];
      return [{ organization: name, until, timeZone: getTimeZone(id, context) }];
    }),
    getTimeZone: (id: string) => getTimeZone(id, context),
    usesPlatform: organizations.all.some(({ platform }) => platform.isNone !== true),
    income: {
      ...income,
      organization: organizationId,
      timeZone,
      organizations: summaries,
      linksDonations,
    },
    now: now(),
  };
}

async function loadLatestDonations(organization: Organization, { database }: ActorContext) {
  const { entries } = await findDonations(database.db, {
    organization: organization.id,
    period: ALL_TIME,
    filter: {},
    limit: LATEST_DONATIONS,
    maxEntriesCounted: 0,
  });
  return { ...createTableOptions(organization), rows: entries.map(toDonationRow) };
}

async function loadOverviewDonations({ database, organizations, isPermitted, now }: ActorContext) {
  const { all } = organizations;
  const [work, webhookCounts] = await Promise.all([
    listUnfinishedWork(
      database.db,
      all.map(({ id }) => id),
      now(),
      isPermitted,
    ),
    countUndeliveredMessages(database, all),
  ]);
  return {
    ...work,
    /** Numbers of undelivered webhook messages that the server no longer retries. */
    failedWebhooks: all
      .map((organization) => ({
        organization: getOrganizationName(organization),
        count: webhookCounts
          .filter(({ organization: id, status }) => id === organization.id && status !== 'pending')
          .reduce((sum, { count }) => sum + count, 0),
      }))
      .filter(({ count }) => count > 0),
  };
}

/** The database can contain organizations that are no longer configured. */
export async function listUnfinishedWork(
  db: Kysely<Tables>,
  configured: readonly string[],
  now: number,
  isPermitted: ActorContext['isPermitted'] = () => true,
) {
  const stored = await listStoredOrganizations(db);
  // Filter by every organization, because the indexes start with the organization.
  const organizations = [...new Set([...configured, ...stored])].filter(isPermitted);
  const work = { db, organizations };
  const [
    donationsToReview,
    eventsToReview,
    pendingEvents,
    paymentsInProgress,
    pledges,
    failedPayments,
    reviewGroups,
  ] = await Promise.all([
    listDonationItems(work, (query) =>
      query.where('status', '=', 'needs_review').orderBy(OLDEST_FIRST),
    ),
    listEventItems(work, ['needs_review', 'manual']),
    listEventItems(work, ['pending']),
    listDonationItems(work, (query) =>
      query
        .where('status', 'in', IN_PROGRESS_STATUSES)
        .where('nextRunAt', '<', NEVER)
        .orderBy(OLDEST_FIRST),
    ),
    listDonationItems(work, (query) =>
      query.where('status', '=', 'processing').where('nextRunAt', '=', NEVER).orderBy(OLDEST_FIRST),
    ),
    listDonationItems(work, (query) =>
      query
        .where('status', '=', 'failed')
        .where('createdAt', '>', now - FAILED_DAYS * DAY)
        .orderBy('createdAt', 'desc'),
    ),
    listReviewGroups(work),
  ]);
  return {
    needsReview: {
      items: [...donationsToReview.items, ...eventsToReview.items].slice(0, MAX_OVERVIEW_ITEMS),
      count: donationsToReview.count + eventsToReview.count,
    },
    reviewGroups,
    pendingEvents,
    paymentsInProgress,
    pledges,
    failedPayments,
  };
}

/** Lists groups of events that need review or manual entry for the same reason. */
async function listReviewGroups(work: ListedWork) {
  const groups = await createEventQuery(work)
    .where('status', 'in', ['needs_review', 'manual'])
    .where('lastError', 'is not', null)
    .groupBy(['organization', 'lastError'])
    .select(({ fn }) => [
      'organization',
      'lastError as reason',
      fn.countAll<number | bigint>().as('count'),
    ])
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('count', 'desc')
    .limit(MAX_REVIEW_GROUPS)
    .execute();
  return groups.map(({ organization, reason, count }) => ({
    organization,
    reason: reason!,
    count: Number(count),
  }));
}

function createDonationQuery({ db, organizations }: ListedWork) {
  return db.selectFrom('donations').where('organization', 'in', organizations);
}

function createEventQuery({ db, organizations }: ListedWork) {
  return db.selectFrom('outbox').where('organization', 'in', organizations);
}

/** Returns the first items and their total number. */
async function listDonationItems(
  work: ListedWork,
  filter: (query: ReturnType<typeof createDonationQuery>) => ReturnType<typeof createDonationQuery>,
) {
  const query = filter(createDonationQuery(work));
  const [donations, { count }] = await Promise.all([
    query.selectAll().limit(MAX_OVERVIEW_ITEMS).execute(),
    query
      .clearOrderBy()
      .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { count: Number(count), items: donations.map((donation) => toOverviewItem(donation)) };
}

function toOverviewItem(donation: Donation, entry?: OutboxEntry) {
  const { reference, organization, status, createdAt, nextRunAt } = entry ?? donation;
  const isPending = entry ? status === 'pending' : isPaymentInProgress(donation);
  return {
    reference,
    organization,
    label: entry ? EVENT_KIND_LABELS[entry.kind] : PAYMENT_LABEL,
    donorName: formatDonorName(donation),
    amount: entry ? formatEventAmount(entry, donation) : formatTotal(donation),
    status,
    awaiting: entry ? null : donation.awaiting,
    since: createdAt,
    reason: entry ? (removeErrorName(entry.lastError) ?? '') : describeFailure(donation),
    nextRetryAt: isPending ? nextRunAt : null,
  };
}

async function listEventItems(work: ListedWork, statuses: readonly OutboxStatus[]) {
  const query = createEventQuery(work).where('status', 'in', statuses);
  const [events, { count }] = await Promise.all([
    query.selectAll().orderBy('createdAt').orderBy('id').limit(MAX_OVERVIEW_ITEMS).execute(),
    query.select(({ fn }) => fn.countAll<number | bigint>().as('count')).executeTakeFirstOrThrow(),
  ]);
  const getDonationReference = ({ reference, parentReference }: OutboxEntry): string =>
    parentReference ?? reference;
  const donations = await loadDonations(work.db, events.map(getDonationReference));
  return {
    count: Number(count),
    items: events.flatMap((event) => {
      const donation = donations.get(getDonationReference(event));
      return donation ? [toOverviewItem(donation, event)] : [];
    }),
  };
}
