import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { DonationServices } from '../donations/donation-services.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from './metrics.ts';
import {
  OPEN_OUTBOX_STATUSES,
  OPEN_DONATION_STATUSES,
  listQuotas,
  countOrphanedWork,
  countUndeliveredMessages,
  countUnfinishedWork,
  UNDELIVERED_STATUSES,
} from './queries.ts';

export interface MetricsEndpointOptions {
  readonly metrics: Metrics;
  readonly database: Pick<Database, 'db' | 'clock'>;
  /** Of the SQLite file. Undefined if the database is PostgreSQL. */
  readonly folder?: string | undefined;
  readonly organizations: Organizations;
  readonly donationServices: DonationServices;
  readonly now: () => number;
}

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

const SCOPE_NOTE = 'Scope: all servers.';

/** Creates a function that returns the response to a Prometheus scrape. */
export function createMetricsScraper({
  metrics,
  database,
  folder,
  organizations,
  donationServices,
  now,
}: MetricsEndpointOptions): () => Promise<Exposition> {
  const { registry } = metrics;
  const gauge = createGaugeFactory(registry);
  const up = gauge(
    'donation_form_database_up',
    '1 if the database responded to this scrape. Otherwise 0, and all metrics from the database ' +
      'are missing. Scope: this server.',
  );
  const free = gauge(
    'donation_form_database_free_bytes',
    'Free disk space on the volume of the SQLite file, in bytes. Missing with PostgreSQL. Scope: this server.',
  );
  const skew = gauge(
    'donation_form_clock_skew_seconds',
    "Seconds by which this server's clock is ahead of PostgreSQL's clock, measured every minute. " +
      'Missing with SQLite. Scope: this server.',
  );
  const donations = gauge(
    'donation_form_donations_in_progress',
    `Unfinished donations, by status. ${SCOPE_NOTE}`,
    'organization',
    'status',
  );
  const oldestGift = gauge(
    'donation_form_donations_in_progress_oldest_seconds',
    `Age of the oldest unfinished donation in seconds, by status; 0 if there is none. ${SCOPE_NOTE}`,
    'organization',
    'status',
  );
  const events = gauge(
    'donation_form_outbox_events',
    'Unfinished outbox events, by status: pending, needs_review (the platform may already have ' +
      `the event), or manual (for manual entry on the platform). ${SCOPE_NOTE}`,
    'organization',
    'status',
  );
  const oldestEvent = gauge(
    'donation_form_outbox_oldest_seconds',
    `Age of the oldest pending outbox event in seconds; 0 if there is none. ${SCOPE_NOTE}`,
    'organization',
  );
  const orphanedDonations = gauge(
    'donation_form_orphaned_donations',
    'Unfinished donations to organizations that are not in the configuration. Missing if there ' +
      `are none. ${SCOPE_NOTE}`,
    'organization',
  );
  const orphanedEvents = gauge(
    'donation_form_orphaned_events',
    `Unfinished outbox events for organizations that are not in the configuration. ${SCOPE_NOTE}`,
    'organization',
  );
  const messages = gauge(
    'donation_form_webhook_messages',
    'Undelivered outbound webhook messages, by status: pending, failed (all attempts failed), or ' +
      `endpoint_gone (status 410). ${SCOPE_NOTE}`,
    'organization',
    'status',
  );
  const oldestMessage = gauge(
    'donation_form_webhook_messages_oldest_seconds',
    `Age of the oldest pending outbound webhook message in seconds; 0 if there is none. ${SCOPE_NOTE}`,
    'organization',
  );
  const limit = gauge(
    'donation_form_api_quota_limit_calls',
    'Maximum platform API calls per hour. Scope: all servers.',
    'organization',
  );
  const used = gauge(
    'donation_form_api_quota_used_calls',
    'Platform API calls in the current hour. Scope: all servers.',
    'organization',
  );
  const resets = gauge(
    'donation_form_api_quota_resets_timestamp_seconds',
    'Unix time at which the platform API quota resets. Scope: all servers.',
    'organization',
  );
  const silent = gauge(
    'donation_form_platform_backoff_until_timestamp_seconds',
    'Unix time at which the backoff after a platform error or rate limit ends; 0 if calls are ' +
      'allowed. Scope: all servers.',
    'organization',
  );
  const keyRejected = gauge(
    'donation_form_platform_key_rejected',
    "1 if the platform rejected the API key in this server's most recent call; otherwise 0. Scope: this server.",
    'organization',
  );
  collectDefaultMetrics({ register: registry });

  const databaseGauges = [
    donations,
    oldestGift,
    events,
    oldestEvent,
    orphanedDonations,
    orphanedEvents,
    messages,
    oldestMessage,
    limit,
    used,
    resets,
    silent,
  ];

  /** Updates all gauges together, because alert checks may read them at any time. */
  async function updateGauges(): Promise<void> {
    const ids = organizations.all.map(({ id }) => id);
    const [readings, toSites, orphans, quotas] = await Promise.all([
      countUnfinishedWork(database, ids),
      countUndeliveredMessages(database, organizations.all),
      countOrphanedWork(database, ids),
      listQuotas(organizations.all),
    ]);
    for (const one of databaseGauges) one.reset();
    for (const organization of ids) {
      for (const status of OPEN_DONATION_STATUSES) {
        const reading = readings.donations.find(
          (count) => count.organization === organization && count.status === status,
        );
        donations.set({ organization, status }, reading?.count ?? 0);
        oldestGift.set({ organization, status }, reading ? (now() - reading.oldest) / 1_000 : 0);
      }
      for (const status of OPEN_OUTBOX_STATUSES)
        events.set(
          { organization, status },
          readings.events.find(
            (count) => count.organization === organization && count.status === status,
          )?.count ?? 0,
        );
      const waiting = readings.events.find(
        (count) => count.organization === organization && count.status === 'pending',
      );
      oldestEvent.set({ organization }, waiting ? (now() - waiting.oldest) / 1_000 : 0);
    }
    for (const organization of ids) {
      for (const status of UNDELIVERED_STATUSES)
        messages.set(
          { organization, status },
          toSites.find((count) => count.organization === organization && count.status === status)
            ?.count ?? 0,
        );
      const waiting = toSites.find(
        (count) => count.organization === organization && count.status === 'pending',
      );
      oldestMessage.set({ organization }, waiting ? (now() - waiting.oldest) / 1_000 : 0);
    }
    for (const { organization, donations: count, events: eventCount } of orphans) {
      orphanedDonations.set({ organization }, count);
      orphanedEvents.set({ organization }, eventCount);
    }
    for (const { organization, limit: most, used: done, resetsAt, backoffUntil } of quotas) {
      limit.set({ organization }, most);
      used.set({ organization }, done);
      if (resetsAt) resets.set({ organization }, resetsAt.getTime() / 1_000);
      silent.set({ organization }, (backoffUntil?.getTime() ?? 0) / 1_000);
    }
  }

  return async () => {
    for (const { id, payments } of organizations.all)
      metrics.addMissingDonationSeries(id, payments.keys());
    keyRejected.reset();
    for (const { id } of organizations.all)
      keyRejected.set(
        { organization: id },
        donationServices.find(id)?.isPlatformKeyRejected ? 1 : 0,
      );
    up.set(
      await updateGauges().then(
        () => 1,
        () => {
          for (const one of databaseGauges) one.reset();
          return 0;
        },
      ),
    );
    const { getSkew } = database.clock;
    if (getSkew) skew.set(getSkew() / 1_000);
    else skew.remove();
    if (folder === undefined) free.remove();
    else
      await statfs(folder).then(
        ({ bavail, bsize }) => {
          free.set(bavail * bsize);
        },
        () => {
          free.remove();
        },
      );
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

function createGaugeFactory(registry: Registry) {
  return (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
}
