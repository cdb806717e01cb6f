import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { DonationStatus, SubscriptionStatus } from '@donation-form/core/donation';
import type { Donation, OutboxEntry, OutboxStatus, Tables } from '../../database/schema.ts';
import { isOfOrganizations } from '../../database/unfinished-work.ts';
import { selectEvents } from '../../donations/outbox-entries.ts';
import { NO_PLATFORM } from '../../donations/outbox-relay.ts';
import type { donationListSchema } from '../actions/input-schemas.ts';
import { includesAnyTime } from '../actions/input-values.ts';
import { formatDonorName, formatTotal } from './donation-detail.ts';
import { describeFailure } from './labels.ts';

const DAY = 86_400_000;
const MAX_DONATIONS = 500;

export type DonationSummary = ReturnType<typeof toDonationSummary>;

/**
 * Lists recent donations, newest last. `isTruncated` is true if the oldest are omitted.
 * @param organizations IDs. If undefined, lists donations to all organizations.
 */
export async function listDonations(
  db: Kysely<Tables>,
  { status, days }: Pick<z.output<typeof donationListSchema>, 'status' | 'days'>,
  organizations: readonly string[] | undefined,
  now: number,
) {
  let query = db.selectFrom('donations').selectAll();
  if (organizations) query = query.where(isOfOrganizations(organizations));
  if (!includesAnyTime(status)) query = query.where('createdAt', '>', now - days * DAY);
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
      return build.or([
        build('status', '=', status as DonationStatus),
        build('subscriptionStatus', '=', status as SubscriptionStatus),
        ...(isEventStatus ? [build.exists(eventsWithStatus)] : []),
      ]);
    });
  }
  const rows = await query
    .orderBy('createdAt', 'desc')
    .orderBy('reference')
    .limit(MAX_DONATIONS + 1)
    .execute();
  const donations = rows.slice(0, MAX_DONATIONS).reverse();
  const references = donations.map(({ reference }) => reference);
  // PostgreSQL rejects an empty `IN` list.
  const events = references.length === 0 ? [] : await selectEvents(db, references).execute();
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

function toDonationSummary(donation: Donation, events: readonly OutboxEntry[]) {
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
    /** The most urgent status of the outbox events, or `null` without events or a platform. */
    platformStatus: events.every((event) => event.lastError === NO_PLATFORM)
      ? null
      : platformStatus,
    reason: describeFailure(donation, eventError),
  };
}
