import type { Awaiting, DonationStatus } from '@donation-form/core/donation';
import type { Kysely } from 'kysely';
import { NEVER } from '../../database/claims.ts';
import type { OutboxEntry, OutboxStatus, Donation, Tables } from '../../database/schema.ts';
import { listStoredOrganizations, OLDEST_FIRST } from '../../database/unfinished-work.ts';
import {
  formatDonorName,
  formatEventAmount,
  formatTotal,
  IN_PROGRESS_STATUSES,
  isPaymentInProgress,
} from './donation-detail.ts';
import { describeFailure, getEventKindLabel, removeErrorName } from './labels.ts';

const DAY = 86_400_000;
/** Maximum number of items per list. */
const MAX_OVERVIEW_ITEMS = 50;
const MAX_REVIEW_GROUPS = 20;
/** Maximum age of listed donations with failed payments, in days. */
const FAILED_DAYS = 7;

/** Label of payments on the overview page. Events have the label of their kind instead. */
export const PAYMENT_LABEL = 'Payment';

/** A payment or an event on the overview page. */
export interface OverviewItem {
  readonly reference: string;
  readonly organization: string;
  readonly label: string;
  readonly donorName: string;
  readonly amount: string | null;
  readonly status: DonationStatus | OutboxStatus;
  /** Party that the payment is waiting for if `status` is `processing`. */
  readonly awaiting: Awaiting | null;
  /** Creation time of the donation or event, in milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
  /** Time of the next retry, in milliseconds since 1970, or `null` if no retry is scheduled. */
  readonly nextRetryAt: number | null;
}

export interface OverviewList {
  /** The first items of the list. */
  readonly items: readonly OverviewItem[];
  /** Total number of items, including those that are not listed. */
  readonly count: number;
}

/** Several events that need review or manual entry for the same reason. */
export interface ReviewGroup {
  readonly organization: string;
  readonly reason: string;
  readonly count: number;
}

export interface Overview {
  /** Payments and events that need review or manual entry. */
  readonly needsReview: OverviewList;
  /** Events grouped by organization and reason, the largest group first. */
  readonly reviewGroups: readonly ReviewGroup[];
  /** Events that have not been sent to the platform yet. */
  readonly pendingEvents: OverviewList;
  /** Payments that the server is still checking with the payment provider. */
  readonly paymentsInProgress: OverviewList;
  /** Open pledges. A person confirms each one when the money arrives. */
  readonly pledges: OverviewList;
  /** Failed payments of donations made in the last seven days. */
  readonly failedPayments: OverviewList;
  /** Creation time of the oldest pending event, in milliseconds since 1970. */
  readonly oldestPendingEventAt: number | undefined;
}

/** The database, and the IDs of the organizations to include. */
interface ListedWork {
  readonly db: Kysely<Tables>;
  readonly organizations: readonly string[];
}

/**
 * Loads the overview of all organizations.
 * @param configured IDs of the configured organizations. The database can contain others.
 * @param now current time, in milliseconds since 1970.
 */
export async function getOverview(
  db: Kysely<Tables>,
  configured: readonly string[],
  now: number,
): Promise<Overview> {
  const stored = await listStoredOrganizations(db);
  // Filter by every organization, because the indexes start with the organization.
  const work = { db, organizations: [...new Set([...configured, ...stored])] };
  const [
    donationsToReview,
    eventsToReview,
    pendingEvents,
    paymentsInProgress,
    pledges,
    failedPayments,
    oldestPendingEvent,
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
    createEventQuery(work)
      .where('status', '=', 'pending')
      .select(({ fn }) => fn.min<number | null>('createdAt').as('at'))
      .executeTakeFirstOrThrow(),
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
    oldestPendingEventAt: oldestPendingEvent.at ?? undefined,
  };
}

async function listReviewGroups(work: ListedWork): Promise<ReviewGroup[]> {
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

async function listDonationItems(
  work: ListedWork,
  filter: (query: ReturnType<typeof createDonationQuery>) => ReturnType<typeof createDonationQuery>,
): Promise<OverviewList> {
  const query = filter(createDonationQuery(work));
  const [donations, { count }] = await Promise.all([
    query.selectAll().limit(MAX_OVERVIEW_ITEMS).execute(),
    query
      .clearOrderBy()
      .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { count: Number(count), items: donations.map(toPaymentItem) };
}

function toPaymentItem(donation: Donation): OverviewItem {
  const { reference, organization, status, awaiting } = donation;
  return {
    reference,
    organization,
    label: PAYMENT_LABEL,
    donorName: formatDonorName(donation),
    amount: formatTotal(donation),
    status,
    awaiting,
    since: donation.createdAt,
    reason: describeFailure(donation),
    nextRetryAt: isPaymentInProgress(donation) ? donation.nextRunAt : null,
  };
}

async function listEventItems(
  work: ListedWork,
  statuses: readonly OutboxStatus[],
): Promise<OverviewList> {
  const query = createEventQuery(work).where('status', 'in', statuses);
  const [events, { count }] = await Promise.all([
    query.selectAll().orderBy('createdAt').orderBy('id').limit(MAX_OVERVIEW_ITEMS).execute(),
    query.select(({ fn }) => fn.countAll<number | bigint>().as('count')).executeTakeFirstOrThrow(),
  ]);
  const references = [
    ...new Set(events.map(({ reference, parentReference }) => parentReference ?? reference)),
  ];
  const donations =
    references.length === 0
      ? []
      : await work.db
          .selectFrom('donations')
          .selectAll()
          .where('reference', 'in', references)
          .execute();
  return {
    count: Number(count),
    items: events.flatMap((event): OverviewItem[] => {
      const reference = event.parentReference ?? event.reference;
      const donation = donations.find((candidate) => candidate.reference === reference);
      return donation ? [toEventItem(event, donation)] : [];
    }),
  };
}

function toEventItem(event: OutboxEntry, donation: Donation): OverviewItem {
  const { reference, organization, status } = event;
  return {
    reference,
    organization,
    label: getEventKindLabel(event),
    donorName: formatDonorName(donation),
    amount: formatEventAmount(event, donation),
    status,
    awaiting: null,
    since: event.createdAt,
    reason: removeErrorName(event.lastError) ?? '',
    nextRetryAt: status === 'pending' ? event.nextRunAt : null,
  };
}
