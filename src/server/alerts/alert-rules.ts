import { formatCount } from '@donation-form/core/i18n';
import { type MetricReader, type Sample, sum, sumBy } from './metric-reader.ts';

/** A problem that a rule has found. */
export interface AlertFinding {
  /** ID of the affected organization. Undefined if the problem affects all organizations. */
  readonly organization?: string;
  /** Description of the problem, as a sentence without donor data. */
  readonly summary: string;
  /** Number of affected items. If the number grows, the server sends another message. */
  readonly count?: number;
}

/**
 * A rule that detects a problem that an operator must handle. deploy/prometheus-alerts.yml defines
 * alerts with the same names and metrics, and docs/server/runbook.md describes how to handle each problem.
 */
export interface AlertRule {
  readonly cause: string;
  /** `page`: donors are or soon will be affected. `ticket`: can wait until the next business day. */
  readonly severity: 'page' | 'ticket';
  /** Minimum duration of the problem before a message is sent, in milliseconds. */
  readonly holdsFor: number;
  /** Recommended action, as a sentence. */
  readonly action: string;
  /** Section of the admin page that lists the affected items. */
  readonly section?: string;
  /** True if the problem may prevent database writes, so that the server records it in memory. */
  readonly isAboutDatabase?: boolean;
  readonly find: (metrics: MetricReader) => readonly AlertFinding[];
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const REQUESTS = 'donation_form_http_request_duration_seconds';
const WRITES = 'donation_form_database_write_duration_seconds';
const DONATIONS = 'donation_form_donations_total';
const REJECTIONS = 'donation_form_rejected_requests_total';
const WEBHOOK_ROUTE = '/webhooks/:provider/:organization';

const formatMinutes = (seconds: number): string => `${Math.round(seconds / 60)} minutes`;

/** Finds each organization whose samples add up to more than the limit. */
const findAbove =
  (
    limit: number,
    select: (metrics: MetricReader) => readonly Sample[],
    summarize: (organization: string, value: number) => string,
    isCount = false,
  ): AlertRule['find'] =>
  (metrics) =>
    [...sumBy(select(metrics), 'organization')]
      .filter(([, value]) => value > limit)
      .map(([organization, value]) => ({
        organization,
        summary: summarize(organization, value),
        ...(isCount && { count: value }),
      }));

/** Finds each organization with affected items, which the samples count. */
const findItems = (
  select: (metrics: MetricReader) => readonly Sample[],
  summarize: (organization: string, count: number) => string,
): AlertRule['find'] => findAbove(0, select, summarize, true);

/** Finds a problem of this server. */
const findIf =
  (isFound: (metrics: MetricReader) => boolean, summary: string): AlertRule['find'] =>
  (metrics) =>
    isFound(metrics) ? [{ summary }] : [];

/** Returns true if over 5% of the last 10 minutes' observations exceeded a bucket's limit. */
function isSlow(
  metrics: MetricReader,
  histogram: string,
  limit: number,
  labels: Readonly<Record<string, string>>,
): boolean {
  const count = sum(metrics.listIncreases(`${histogram}_count`, labels, 10 * MINUTE));
  const fast = sum(
    metrics.listIncreases(`${histogram}_bucket`, { ...labels, le: limit }, 10 * MINUTE),
  );
  return count > 0 && fast / count < 0.95;
}

function countWebhooks(metrics: MetricReader, status: string): number {
  const labels = { route: WEBHOOK_ROUTE };
  const responses = metrics.listIncreases(`${REQUESTS}_count`, labels, 60 * MINUTE);
  return sum(responses.filter((response) => String(response.labels.status) === status));
}

const pageAfter = (holdsFor: number) => ({ severity: 'page', holdsFor }) as const;
const ticketAfter = (holdsFor: number) => ({ severity: 'ticket', holdsFor }) as const;

const RULES_BY_CAUSE: Readonly<Record<string, Omit<AlertRule, 'cause'>>> = {
  // Rules that evaluate metrics from the database, which cover all servers.
  DonationFormChargesUnconfirmed: {
    ...pageAfter(0),
    action:
      'Run donation-form check. If the payment provider rejects the key, configure a valid key. ' +
      'Otherwise, wait for the payment provider to respond.',
    section: 'in-progress',
    find: findAbove(
      600,
      (metrics) =>
        metrics.list('donation_form_donations_in_progress_oldest_seconds', {
          status: 'unconfirmed',
        }),
      (organization, age) =>
        `The result of a charge for ${organization} has been unknown for ${formatMinutes(age)}.`,
    ),
  },
  DonationFormNeedsReview: {
    ...ticketAfter(15 * MINUTE),
    action:
      'Look up each donation at the payment provider and on the platform, and save your decision on ' +
      'the admin pages or with donation-form donations resolve.',
    section: 'needs-review',
    find: findItems(
      (metrics) => [
        ...metrics.list('donation_form_donations_in_progress', { status: 'needs_review' }),
        ...metrics.list('donation_form_outbox_events', { status: 'needs_review' }),
      ],
      (organization, count) =>
        `${formatCount(count, 'donation')} to ${organization} ${count === 1 ? 'needs' : 'need'} review.`,
    ),
  },
  DonationFormManualEntries: {
    ...ticketAfter(3 * DAY),
    action:
      'Enter each update on the platform, then confirm the update on the admin pages or with ' +
      'donation-form donations resolve.',
    section: 'needs-review',
    find: findItems(
      (metrics) => metrics.list('donation_form_outbox_events', { status: 'manual' }),
      (organization, count) =>
        `${formatCount(count, 'update')} for ${organization} must be entered on the platform manually.`,
    ),
  },
  DonationFormOutboxBehind: {
    ...ticketAfter(5 * MINUTE),
    action:
      'Run donation-form check. If the platform rejects the key, configure a valid key. ' +
      'Otherwise, wait for the server to send the donations.',
    section: 'pending',
    find: findAbove(
      7_200,
      (metrics) => metrics.list('donation_form_outbox_oldest_seconds'),
      (organization, age) =>
        `Donations to ${organization} have been waiting for the platform for ${formatMinutes(age)}.`,
    ),
  },
  DonationFormPlatformKeyRejected: {
    ...ticketAfter(5 * MINUTE),
    action:
      'Create a new API key on the platform, and store it in the environment variable or file that ' +
      'platform.apiKey specifies.',
    section: 'pending',
    find: findAbove(
      0,
      (metrics) => metrics.list('donation_form_platform_key_rejected'),
      (organization) =>
        `The platform is rejecting the API key for ${organization}. Donors are charged, but their ` +
        'donations are not recorded on the platform.',
    ),
  },
  DonationFormPlatformBackoff: {
    ...ticketAfter(30 * MINUTE),
    action: "Check the platform's status page. The server retries automatically.",
    section: 'pending',
    find: (metrics) =>
      findAbove(
        Date.now() / 1_000,
        () => metrics.list('donation_form_platform_backoff_until_timestamp_seconds'),
        (organization) =>
          `The platform for ${organization} is failing or has asked the server to back off.`,
      )(metrics),
  },
  DonationFormQuotaLow: {
    ...ticketAfter(5 * MINUTE),
    action: "If other programs call the platform's API, run them at night.",
    find: findAbove(
      0.9,
      (metrics) => {
        const limits = sumBy(metrics.list('donation_form_api_quota_limit_calls'), 'organization');
        return metrics.list('donation_form_api_quota_used_calls').map(({ labels, value }) => ({
          labels,
          value: value / limits.get(String(labels.organization))!,
        }));
      },
      (organization) =>
        `More than 90% of this hour's platform API calls for ${organization} have been used.`,
    ),
  },
  DonationFormOrphans: {
    ...ticketAfter(15 * MINUTE),
    action:
      'Add the organization back to the configuration, and keep it there until all its donations ' +
      'and events are finished.',
    find: findItems(
      (metrics) => [
        ...metrics.list('donation_form_orphaned_donations'),
        ...metrics.list('donation_form_orphaned_events'),
      ],
      (organization, count) =>
        `The server cannot finish ${formatCount(count, 'item')} (donations or events) for ` +
        `${organization}, because the organization is not in the configuration.`,
    ),
  },
  DonationFormWebhookDeliveryFailed: {
    ...ticketAfter(0),
    action: 'Fix the receiving server, then run donation-form webhooks retry.',
    section: 'needs-review',
    find: findItems(
      (metrics) => [
        ...metrics.list('donation_form_webhook_messages', { status: 'failed' }),
        ...metrics.list('donation_form_webhook_messages', { status: 'endpoint_gone' }),
      ],
      (organization, count) =>
        `The receiving server for ${organization} did not accept ${formatCount(count, 'webhook message')}.`,
    ),
  },
  DonationFormMailDelayed: {
    ...ticketAfter(0),
    action: 'Run donation-form check, and correct "mail" or the SMTP server.',
    find: findAbove(
      3_600,
      (metrics) => metrics.list('donation_form_mail_messages_oldest_seconds'),
      (organization, age) =>
        `A message to a donor of ${organization} has been waiting for ${formatMinutes(age)}.`,
    ),
  },
  DonationFormReceiptsDelayed: {
    ...ticketAfter(0),
    action:
      'Look up the latest error on the page “Receipts”, or search the server log for "cannot issue ' +
      'a receipt".',
    find: findAbove(
      3_600,
      (metrics) => metrics.list('donation_form_receipts_due_oldest_seconds'),
      (organization, age) =>
        `A receipt for a donor of ${organization} has been due for ${formatMinutes(age)}.`,
    ),
  },
  // Rules that evaluate this server's own metrics.
  DonationFormDatabaseDown: {
    ...pageAfter(MINUTE),
    isAboutDatabase: true,
    action: 'Bring the database back online. The server reconnects automatically.',
    find: findIf(
      (metrics) => sum(metrics.list('donation_form_database_up')) === 0,
      'The database is not responding, so the server cannot accept donations.',
    ),
  },
  DonationFormDatabaseWritesFail: {
    ...pageAfter(0),
    isAboutDatabase: true,
    action: 'Free up disk space, or set DATABASE_URL to the primary PostgreSQL server.',
    find: findIf(
      (metrics) =>
        sum(metrics.listIncreases(`${WRITES}_count`, { result: 'failed' }, 5 * MINUTE)) > 2,
      'Database writes are failing, so the server cannot accept donations.',
    ),
  },
  DonationFormDatabaseSlow: {
    ...ticketAfter(10 * MINUTE),
    action: 'Find out which other programs use the disk or the database.',
    find: findIf(
      (metrics) => isSlow(metrics, WRITES, 0.5, { result: 'done' }),
      'More than 1 in 20 database transactions take longer than half a second.',
    ),
  },
  DonationFormDiskAlmostFull: {
    ...pageAfter(5 * MINUTE),
    action: 'Delete old backups and logs to free up disk space.',
    find: findIf(
      (metrics) =>
        metrics.list('donation_form_database_free_bytes').some(({ value }) => value < 1e9),
      "Less than 1 GB is free on the database's disk.",
    ),
  },
  DonationFormErrors: {
    ...pageAfter(0),
    action: 'To find the cause, search the server log for "request failed".',
    find: (metrics) => {
      const failures = metrics.listIncreases(`${REQUESTS}_count`, {}, 5 * MINUTE).filter(
        ({ labels: { route, status } }) =>
          String(status).startsWith('5') &&
          // The payment provider sends the webhook again. See DonationFormPaymentWebhooksFail.
          !(route === WEBHOOK_ROUTE && String(status) === '503'),
      );
      const routes = [...sumBy(failures, 'route')].filter(([, count]) => count > 2);
      if (routes.length === 0) return [];
      const list = routes.map(([route]) => route).join(', ');
      return [{ summary: `Requests to these routes are failing: ${list}.` }];
    },
  },
  DonationFormSlow: {
    ...ticketAfter(10 * MINUTE),
    action: "Check the payment provider's status page. If it reports a problem, wait.",
    find: findIf(
      (metrics) => isSlow(metrics, REQUESTS, 5, { method: 'POST', route: '/donations' }),
      'More than 1 in 20 donors wait longer than 5 seconds after they submit the form.',
    ),
  },
  DonationFormCardTesting: {
    ...pageAfter(0),
    action: 'Raise the minimum of each currency to 5 or more, and refund the fraudulent charges.',
    section: 'failed',
    find: (metrics) => {
      const countDonations = (status: string): Map<string, number> =>
        sumBy(metrics.listIncreases(DONATIONS, { status }, 15 * MINUTE), 'organization');
      const accepted = countDonations('accepted');
      return [...countDonations('failed')]
        .filter(([id, failed]) => failed > 20 && failed > 0.5 * (accepted.get(id) ?? 0))
        .map(([organization]) => ({
          organization,
          summary: `Many donations to ${organization} are failing. Someone may be testing stolen cards.`,
        }));
    },
  },
  DonationFormPaymentsFail: {
    ...pageAfter(0),
    action:
      'Run donation-form check. If the payment provider rejects the key, configure a valid key. ' +
      'Otherwise, wait for the payment provider to respond.',
    section: 'failed',
    find: findAbove(
      2,
      (metrics) => metrics.listIncreases(DONATIONS, { status: 'payment-failed' }, 15 * MINUTE),
      (organization) =>
        `The payment provider for ${organization} is not responding or is rejecting the ` +
        "server's requests. The affected donors were not charged.",
    ),
  },
  DonationFormRequestsRejected: {
    ...ticketAfter(0),
    action: 'If the server is behind proxies, set listen.trustedProxies to the number of proxies.',
    find: findIf((metrics) => {
      const rejections = metrics.listIncreases(REJECTIONS, {}, 15 * MINUTE);
      return [...sumBy(rejections, 'reason').values()].some((count) => count > 200);
    }, 'Fraud protection is rejecting many requests or requiring a proof of work.'),
  },
  DonationFormWebhookSignaturesInvalid: {
    ...ticketAfter(0),
    action:
      "Store the webhook endpoint's signing secret in the environment variable or file that " +
      'webhookSecret specifies.',
    find: findIf(
      (metrics) => countWebhooks(metrics, '400') > 5,
      'Webhooks from a payment provider have invalid signatures.',
    ),
  },
  DonationFormPaymentWebhooksFail: {
    ...ticketAfter(0),
    action:
      'Run donation-form check. If the payment provider rejects the key or its permissions, ' +
      'configure a valid key. Otherwise, search the server log for "request failed".',
    find: findIf(
      (metrics) => countWebhooks(metrics, '503') > 5,
      "The server cannot process a payment provider's webhooks.",
    ),
  },
  DonationFormOverloaded: {
    ...ticketAfter(5 * MINUTE),
    action: 'Start a second server behind the same load balancer.',
    find: findIf(
      (metrics) =>
        metrics.list('nodejs_eventloop_lag_p99_seconds').some(({ value }) => value > 0.5),
      'The server is overloaded, so all requests are slow.',
    ),
  },
  DonationFormClockSkew: {
    ...ticketAfter(5 * MINUTE),
    action: 'Turn on time synchronization on the servers and the PostgreSQL machine.',
    find: findIf(
      (metrics) =>
        metrics.list('donation_form_clock_skew_seconds').some(({ value }) => Math.abs(value) > 10),
      "This server's clock differs from the PostgreSQL machine's clock by more than 10 seconds.",
    ),
  },
};

/** All alert rules that a running server checks. */
export const ALERT_RULES: readonly AlertRule[] = Object.entries(RULES_BY_CAUSE).map(
  ([cause, rule]) => ({ cause, ...rule }),
);
