import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { DonationServices } from '../donations/donation-service.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { Metrics } from './metrics.ts';
import {
  countDueReceipts,
  countOrphanedWork,
  countUndeliveredMessages,
  countUnfinishedWork,
  countUnsentMail,
  listQuotas,
  OPEN_DONATION_STATUSES,
  OPEN_OUTBOX_STATUSES,
  type StatusCount,
  UNDELIVERED_STATUSES,
  UNSENT_STATUSES,
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

/** Gauges about this server. */
const SERVER_GAUGES = {
  donation_form_database_up:
    '1 if the database responded to this scrape. Otherwise 0, and all metrics from the database ' +
    'are missing.',
  donation_form_database_free_bytes:
    'Free disk space on the volume of the SQLite file, in bytes. Missing with PostgreSQL.',
  donation_form_clock_skew_seconds:
    "Seconds by which this server's clock is ahead of PostgreSQL's clock, measured every minute. " +
    'Missing with SQLite.',
};
const KEY_GAUGE = {
  donation_form_platform_key_rejected:
    "1 if the platform rejected the API key in this server's most recent call; otherwise 0.",
};

/** Gauges from the database. */
const STATUS_GAUGES = {
  donation_form_donations_in_progress: 'Unfinished donations, by status.',
  donation_form_donations_in_progress_oldest_seconds:
    'Age of the oldest unfinished donation in seconds, by status; 0 if there is none.',
  donation_form_outbox_events:
    'Unfinished outbox events, by status: pending, needs_review (the platform may already have ' +
    'the event), or manual (for manual entry on the platform).',
  donation_form_webhook_messages:
    'Undelivered outbound webhook messages, by status: pending, failed (all attempts failed), or ' +
    'endpoint_gone (status 410).',
  donation_form_mail_messages:
    'Messages to donors that were not sent, by status: pending, or failed (refused, or all attempts ' +
    'failed).',
};
const ORGANIZATION_GAUGES = {
  donation_form_outbox_oldest_seconds:
    'Age of the oldest pending outbox event in seconds; 0 if there is none.',
  donation_form_orphaned_donations:
    'Unfinished donations to organizations that are not in the configuration. Missing if there ' +
    'are none.',
  donation_form_orphaned_events:
    'Unfinished outbox events for organizations that are not in the configuration.',
  donation_form_webhook_messages_oldest_seconds:
    'Age of the oldest pending outbound webhook message in seconds; 0 if there is none.',
  donation_form_mail_messages_oldest_seconds:
    'Age of the oldest message to a donor that the SMTP server has neither accepted nor refused in ' +
    'seconds; 0 if there is none.',
  donation_form_receipts_due: 'Receipts that the server has yet to issue.',
  donation_form_receipts_due_oldest_seconds:
    'Age of the oldest receipt that the server has yet to issue in seconds; 0 if there is none.',
  donation_form_api_quota_limit_calls: 'Maximum platform API calls per hour.',
  donation_form_api_quota_used_calls: 'Platform API calls in the current hour.',
  donation_form_api_quota_resets_timestamp_seconds:
    'Unix time at which the platform API quota resets.',
  donation_form_platform_backoff_until_timestamp_seconds:
    'Unix time at which the backoff after a platform error or rate limit ends; 0 if calls are ' +
    'allowed.',
};

function createGauges<Name extends string>(
  registry: Registry,
  texts: Readonly<Record<Name, string>>,
  scope: 'this server' | 'all servers',
  ...labelNames: string[]
): Record<Name, Gauge> {
  const gauges = Object.entries<string>(texts).map(([name, text]) => {
    const help = `${text} Scope: ${scope}.`;
    return [name, new Gauge({ name, help, labelNames, registers: [registry] })];
  });
  return Object.fromEntries(gauges) as Record<Name, Gauge>;
}

/** Creates a function that returns the response to a Prometheus scrape. */
export function createMetricsScraper(options: MetricsEndpointOptions) {
  const { metrics, database, folder, organizations, donationServices } = options;
  const { registry } = metrics;
  const own = createGauges(registry, SERVER_GAUGES, 'this server');
  const { donation_form_platform_key_rejected: keyRejected } = createGauges(
    registry,
    KEY_GAUGE,
    'this server',
    'organization',
  );
  const shared: SharedGauges = {
    ...createGauges(registry, STATUS_GAUGES, 'all servers', 'organization', 'status'),
    ...createGauges(registry, ORGANIZATION_GAUGES, 'all servers', 'organization'),
  };
  collectDefaultMetrics({ register: registry });
  return async () => {
    keyRejected.reset();
    for (const { id: organization, payments } of organizations.all) {
      metrics.addMissingDonationSeries(organization, payments.keys());
      const isRejected = donationServices.find(organization)?.isPlatformKeyRejected;
      keyRejected.set({ organization }, isRejected ? 1 : 0);
    }
    const readings = await readSharedGauges(options).catch(() => undefined);
    // Together, because alert checks may read the gauges at any time.
    for (const gauge of Object.values(shared)) gauge.reset();
    for (const [name, labels, value] of readings ?? []) shared[name].set(labels, value);
    own.donation_form_database_up.set(readings ? 1 : 0);
    const { getSkew } = database.clock;
    if (getSkew) own.donation_form_clock_skew_seconds.set(getSkew() / 1_000);
    else own.donation_form_clock_skew_seconds.remove();
    const volume = folder === undefined ? undefined : await statfs(folder).catch(() => undefined);
    if (volume) own.donation_form_database_free_bytes.set(volume.bavail * volume.bsize);
    else own.donation_form_database_free_bytes.remove();
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

type SharedGauges = Record<keyof typeof STATUS_GAUGES | keyof typeof ORGANIZATION_GAUGES, Gauge>;

async function readSharedGauges({ database, organizations, now }: MetricsEndpointOptions) {
  const ids = organizations.all.map(({ id }) => id);
  const [{ donations, events }, messages, mail, receipts, orphans, quotas] = await Promise.all([
    countUnfinishedWork(database, ids),
    countUndeliveredMessages(database, organizations.all),
    countUnsentMail(database, organizations.all),
    countDueReceipts(database, organizations.all),
    countOrphanedWork(database, ids),
    listQuotas(organizations.all),
  ]);
  const readings: [keyof SharedGauges, Readonly<Record<string, string>>, number][] = [];
  const add = (...reading: (typeof readings)[number]): unknown => readings.push(reading);
  for (const organization of ids) {
    const find = <Status extends string>(counts: readonly StatusCount<Status>[], status: Status) =>
      counts.find((count) => count.organization === organization && count.status === status);
    const getAge = (count: StatusCount<string> | undefined): number =>
      count ? (now() - count.oldest) / 1_000 : 0;
    const labels = { organization };
    for (const status of OPEN_DONATION_STATUSES) {
      const found = find(donations, status);
      add('donation_form_donations_in_progress', { ...labels, status }, found?.count ?? 0);
      add(
        'donation_form_donations_in_progress_oldest_seconds',
        { ...labels, status },
        getAge(found),
      );
    }
    for (const status of OPEN_OUTBOX_STATUSES)
      add('donation_form_outbox_events', { ...labels, status }, find(events, status)?.count ?? 0);
    for (const status of UNDELIVERED_STATUSES) {
      const count = find(messages, status)?.count ?? 0;
      add('donation_form_webhook_messages', { ...labels, status }, count);
    }
    for (const status of UNSENT_STATUSES)
      add(
        'donation_form_mail_messages',
        { ...labels, status },
        find(mail.messages, status)?.count ?? 0,
      );
    add(
      'donation_form_mail_messages_oldest_seconds',
      labels,
      getAge(find(mail.untried, 'pending')),
    );
    const due = find(receipts, 'due');
    add('donation_form_receipts_due', labels, due?.count ?? 0);
    add('donation_form_receipts_due_oldest_seconds', labels, getAge(due));
    add('donation_form_outbox_oldest_seconds', labels, getAge(find(events, 'pending')));
    const oldestMessage = find(messages, 'pending');
    add('donation_form_webhook_messages_oldest_seconds', labels, getAge(oldestMessage));
  }
  for (const { organization, ...counts } of orphans) {
    add('donation_form_orphaned_donations', { organization }, counts.donations);
    add('donation_form_orphaned_events', { organization }, counts.events);
  }
  for (const { organization, limit, used, resetsAt, backoffUntil } of quotas) {
    const labels = { organization };
    const getSeconds = (time: Date | undefined): number => (time?.getTime() ?? 0) / 1_000;
    add('donation_form_api_quota_limit_calls', labels, limit);
    add('donation_form_api_quota_used_calls', labels, used);
    if (resetsAt)
      add('donation_form_api_quota_resets_timestamp_seconds', labels, getSeconds(resetsAt));
    const backoffEnd = getSeconds(backoffUntil);
    add('donation_form_platform_backoff_until_timestamp_seconds', labels, backoffEnd);
  }
  return readings;
}
