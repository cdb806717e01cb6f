import type {
  DonationFrequency,
  DonationStatus,
  SubscriptionStatus,
} from '@donation-form/core/donation';
import type { Expression, Kysely, SqlBool } from 'kysely';
import type { OutboxEntry, OutboxStatus, Donation, Tables } from '../../database/schema.ts';
import { NO_PLATFORM } from '../../donations/outbox-relay.ts';
import { includesAnyTime, type ListStatus } from '../actions/input-values.ts';
import { formatDonorName, formatTotal } from './donation-detail.ts';
import { describeFailure } from './labels.ts';

const DAY = 86_400_000;
const MAX_DONATIONS = 500;

/** A row in a list of donations. */
export interface DonationSummary {
  /** Time of the donation, ISO 8601. */
  readonly createdAt: string;
  readonly reference: string;
  readonly organization: string;
  readonly donorName: string;
  /** Total in major units with its currency. */
  readonly total: string;
  readonly frequency: DonationFrequency;
  readonly paymentStatus: DonationStatus;
  /**
   * The most urgent status among the donation's outbox events, or `null` if the donation has no
   * events or was made without a platform.
   */
  readonly platformStatus: OutboxStatus | null;
  readonly reason: string;
}

export interface DonationListQuery {
  readonly status?: ListStatus | undefined;
  readonly organization?: string | undefined;
  readonly days: number;
}

/**
 * Lists the donations made in the last `days` days, newest last, or recurring donations from any
 * time if the status means that renewals fail. `isTruncated` is true if the list omits the oldest
 * donations.
 * @param now current time, in milliseconds since 1970.
 */
export async function listDonations(
  db: Kysely<Tables>,
  { status, organization, days }: DonationListQuery,
  now: number,
): Promise<{ readonly items: readonly DonationSummary[]; readonly isTruncated: boolean }> {
  let query = db.selectFrom('donations').selectAll();
  if (!includesAnyTime(status)) query = query.where('createdAt', '>', now - days * DAY);
  if (organization !== undefined) query = query.where('organization', '=', organization);
  if (status !== undefined) {
    query = query.where((build) => {
      const isEventStatus = (EVENT_STATUSES_BY_URGENCY as readonly string[]).includes(status);
      const eventsWithStatus = build
        .selectFrom('outbox')
        .select('id')
        .whereRef('outbox.organization', '=', 'donations.organization')
        .where('outbox.status', '=', status as OutboxStatus)
        .where((event) =>
          event.or([
            event('outbox.reference', '=', event.ref('donations.reference')),
            event('outbox.parentReference', '=', event.ref('donations.reference')),
          ]),
        );
      const conditions: Expression<SqlBool>[] = [
        build('status', '=', status as DonationStatus),
        build('subscriptionStatus', '=', status as SubscriptionStatus),
        ...(isEventStatus ? [build.exists(eventsWithStatus)] : []),
      ];
      return build.or(conditions);
    });
  }
  const rows = await query
    .orderBy('createdAt', 'desc')
    .orderBy('reference')
    .limit(MAX_DONATIONS + 1)
    .execute();
  const donations = rows.slice(0, MAX_DONATIONS).reverse();
  const events = await listEvents(
    db,
    donations.map(({ reference }) => reference),
  );
  return {
    items: donations.map((donation) =>
      toDonationSummary(
        donation,
        events.filter(
          ({ reference, parentReference }) => (parentReference ?? reference) === donation.reference,
        ),
      ),
    ),
    isTruncated: rows.length > MAX_DONATIONS,
  };
}

/** Outbox statuses, most urgent first. */
const EVENT_STATUSES_BY_URGENCY = [
  'needs_review',
  'manual',
  'pending',
  'delivered',
] as const satisfies readonly OutboxStatus[];

async function listEvents(
  db: Kysely<Tables>,
  references: readonly string[],
): Promise<OutboxEntry[]> {
  if (references.length === 0) return [];
  return db
    .selectFrom('outbox')
    .selectAll()
    .where((build) =>
      build.or([build('reference', 'in', references), build('parentReference', 'in', references)]),
    )
    .orderBy('createdAt')
    .execute();
}

function toDonationSummary(donation: Donation, events: readonly OutboxEntry[]): DonationSummary {
  const platformStatus =
    EVENT_STATUSES_BY_URGENCY.find((status) => events.some((event) => event.status === status)) ??
    null;
  const failedEvent = events.find(
    (event) => event.status === platformStatus && event.lastError !== null,
  );
  const eventError = platformStatus === 'delivered' ? null : (failedEvent?.lastError ?? null);
  return {
    createdAt: new Date(donation.createdAt).toISOString(),
    reference: donation.reference,
    organization: donation.organization,
    donorName: formatDonorName(donation),
    total: formatTotal(donation),
    frequency: donation.payload.gift.frequency,
    paymentStatus: donation.status,
    platformStatus: events.every((event) => event.lastError === NO_PLATFORM)
      ? null
      : platformStatus,
    reason: describeFailure(donation, eventError),
  };
}
