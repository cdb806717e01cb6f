import type { DonationStatus } from '@donation-form/core/donation';
import type { Kysely } from 'kysely';
import { NEVER } from '../database/claims.ts';
import type { OutboxEvent, OutboxStatus, Donation, Tables } from '../database/schema.ts';
import {
  formatDonorName,
  formatEventAmount,
  formatTotal,
  IN_PROGRESS_STATUSES,
  isPaymentInProgress,
} from './donation-detail.ts';
import { formatReason, getEventKindLabel, removeErrorName } from './labels.ts';

const DAY = 86_400_000;
/** Per list. */
const MAX_OVERVIEW_ITEMS = 50;
const MAX_REVIEW_GROUPS = 20;
const MAX_LATEST_DONATIONS = 10;
/** Number of days for which failed payments are listed. */
const FAILED_DAYS = 7;

/** A payment or an event on the overview page. */
export interface OverviewItem {
  readonly reference: string;
  readonly organization: string;
  readonly label: string;
  readonly donorName: string;
  readonly amount: string | null;
  readonly status: DonationStatus | OutboxStatus;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly reason: string;
  /** Time of the next retry, in milliseconds since 1970, or `null` if there will be none. */
  readonly nextRetryAt: number | null;
}

export interface OverviewList {
  /** The first items. */
  readonly items: readonly OverviewItem[];
  /** Total number of items, including those that are not listed. */
  readonly count: number;
}

/** Events that need review or manual entry, all for the same reason. */
export interface ReviewGroup {
  readonly organization: string;
  readonly reason: string;
  readonly count: number;
}

export interface Overview {
  /** Payments and events that need review or manual entry. */
  readonly needsReview: OverviewList;
  /** Events grouped by reason, the largest group first. */
  readonly reviewGroups: readonly ReviewGroup[];
  /** Events that have not been sent to the platform yet. */
  readonly pendingEvents: OverviewList;
  /** Payments whose result is not known yet. */
  readonly paymentsInProgress: OverviewList;
  /** Pledged payments. A person confirms them when the money arrives. */
  readonly pledges: OverviewList;
  /** Payments that failed in the last seven days. */
  readonly failedPayments: OverviewList;
  /** The newest donations, in any status. */
  readonly latest: OverviewList;
  /** Milliseconds since 1970. */
  readonly oldestPendingEventAt: number | undefined;
}

/** @param now milliseconds since 1970. */
export async function getOverview(db: Kysely<Tables>, now: number): Promise<Overview> {
  const [
    donationsToReview,
    eventsToReview,
    pendingEvents,
    paymentsInProgress,
    pledges,
    failedPayments,
    latestDonations,
    oldestPendingEvent,
    reviewGroups,
  ] = await Promise.all([
    listDonationItems(db, (query) =>
      query.where('status', '=', 'needs_review').orderBy('created_at'),
    ),
    listEventItems(db, ['needs_review', 'manual']),
    listEventItems(db, ['pending']),
    listDonationItems(db, (query) =>
      query
        .where('status', 'in', IN_PROGRESS_STATUSES)
        .where('next_run_at', '<', NEVER)
        .orderBy('created_at'),
    ),
    listDonationItems(db, (query) =>
      query
        .where('status', '=', 'processing')
        .where('next_run_at', '=', NEVER)
        .orderBy('created_at'),
    ),
    listDonationItems(db, (query) =>
      query
        .where('status', '=', 'failed')
        .where('created_at', '>', now - FAILED_DAYS * DAY)
        .orderBy('created_at', 'desc'),
    ),
    createDonationQuery(db)
      .selectAll()
      .orderBy('created_at', 'desc')
      .limit(MAX_LATEST_DONATIONS)
      .execute(),
    db
      .selectFrom('outbox')
      .where('status', '=', 'pending')
      .select(({ fn }) => fn.min<number | null>('created_at').as('at'))
      .executeTakeFirstOrThrow(),
    listReviewGroups(db),
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
    latest: { items: latestDonations.map(toPaymentItem), count: latestDonations.length },
    oldestPendingEventAt: oldestPendingEvent.at ?? undefined,
  };
}

async function listReviewGroups(db: Kysely<Tables>): Promise<ReviewGroup[]> {
  const groups = await db
    .selectFrom('outbox')
    .where('status', 'in', ['needs_review', 'manual'])
    .where('last_error', 'is not', null)
    .groupBy(['organization', 'last_error'])
    .select(({ fn }) => [
      'organization',
      'last_error as reason',
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

function createDonationQuery(db: Kysely<Tables>) {
  return db.selectFrom('donations');
}

async function listDonationItems(
  db: Kysely<Tables>,
  filter: (query: ReturnType<typeof createDonationQuery>) => ReturnType<typeof createDonationQuery>,
): Promise<OverviewList> {
  const query = filter(createDonationQuery(db));
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
  const { reference, organization, status } = donation;
  return {
    reference,
    organization,
    label: 'Payment',
    donorName: formatDonorName(donation),
    amount: formatTotal(donation),
    status,
    since: donation.created_at,
    reason: formatReason(donation),
    nextRetryAt: isPaymentInProgress(donation) ? donation.next_run_at : null,
  };
}

async function listEventItems(
  db: Kysely<Tables>,
  statuses: readonly OutboxStatus[],
): Promise<OverviewList> {
  const query = db.selectFrom('outbox').where('status', 'in', statuses);
  const [events, { count }] = await Promise.all([
    query.selectAll().orderBy('created_at').orderBy('id').limit(MAX_OVERVIEW_ITEMS).execute(),
    query.select(({ fn }) => fn.countAll<number | bigint>().as('count')).executeTakeFirstOrThrow(),
  ]);
  const references = [
    ...new Set(events.map(({ reference, parent_reference }) => parent_reference ?? reference)),
  ];
  const donations =
    references.length === 0
      ? []
      : await db.selectFrom('donations').selectAll().where('reference', 'in', references).execute();
  return {
    count: Number(count),
    items: events.flatMap((event): OverviewItem[] => {
      const reference = event.parent_reference ?? event.reference;
      const donation = donations.find((candidate) => candidate.reference === reference);
      return donation ? [toEventItem(event, donation)] : [];
    }),
  };
}

function toEventItem(event: OutboxEvent, donation: Donation): OverviewItem {
  const { reference, organization, status } = event;
  return {
    reference,
    organization,
    label: getEventKindLabel(event),
    donorName: formatDonorName(donation),
    amount: formatEventAmount(event, donation),
    status,
    since: event.created_at,
    reason: removeErrorName(event.last_error) ?? '',
    nextRetryAt: status === 'pending' ? event.next_run_at : null,
  };
}
