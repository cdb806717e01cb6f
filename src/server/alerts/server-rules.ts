import type { AlertRule, Finding } from './alert-rule.ts';
import { sum, sumBy, type MetricReader } from './metric-reader.ts';

const MINUTE = 60_000;
const REQUESTS = 'donation_form_http_request_duration_seconds';
const WRITES = 'donation_form_database_write_duration_seconds';
const DONATIONS = 'donation_form_donations_total';
const WEBHOOK_ROUTE = '/webhooks/:provider/:organization';

const findIf = (isFound: boolean, summary: string): Finding[] => (isFound ? [{ summary }] : []);

/**
 * Returns true if more than one in twenty observations in the last 10 minutes exceeded a limit. The
 * limit must be the upper bound of one of the histogram's buckets.
 */
function isSlow(
  metrics: MetricReader,
  histogram: string,
  limit: number,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const count = sum(metrics.listIncreases(`${histogram}_count`, labels, 10 * MINUTE));
  const fast = sum(
    metrics.listIncreases(`${histogram}_bucket`, { ...labels, le: limit }, 10 * MINUTE),
  );
  return count > 0 && fast / count < 0.95;
}

/** Counts the last hour's payment webhooks with the given response status. */
function countWebhooks(metrics: MetricReader, status: string): number {
  const responses = metrics.listIncreases(
    `${REQUESTS}_count`,
    { route: WEBHOOK_ROUTE },
    60 * MINUTE,
  );
  return sum(responses.filter(({ labels }) => String(labels.status) === status));
}

/** Rules that evaluate this server's own metrics. */
export const SERVER_RULES: readonly AlertRule[] = [
  {
    cause: 'DonationFormDatabaseDown',
    severity: 'page',
    holdsFor: MINUTE,
    isAboutDatabase: true,
    action: 'Bring the database back online. The server reconnects automatically.',
    find: (metrics) =>
      findIf(
        sum(metrics.list('donation_form_database_up')) === 0,
        'The database is not responding, so the server cannot accept donations.',
      ),
  },
  {
    cause: 'DonationFormDatabaseWritesFail',
    severity: 'page',
    holdsFor: 0,
    isAboutDatabase: true,
    action: 'Free up disk space, or set DATABASE_URL to the primary PostgreSQL server.',
    find: (metrics) =>
      findIf(
        sum(metrics.listIncreases(`${WRITES}_count`, { result: 'failed' }, 5 * MINUTE)) > 2,
        'Database writes are failing, so the server cannot accept donations.',
      ),
  },
  {
    cause: 'DonationFormDatabaseSlow',
    severity: 'ticket',
    holdsFor: 10 * MINUTE,
    action: 'Find out which other programs use the disk or the database.',
    find: (metrics) =>
      findIf(
        isSlow(metrics, WRITES, 0.5, { result: 'done' }),
        'More than 1 in 20 database transactions take longer than half a second.',
      ),
  },
  {
    cause: 'DonationFormDiskAlmostFull',
    severity: 'page',
    holdsFor: 5 * MINUTE,
    action: 'Delete old backups and logs to free up disk space.',
    find: (metrics) =>
      findIf(
        metrics.list('donation_form_database_free_bytes').some(({ value }) => value < 1e9),
        "Less than 1 GB is free on the database's disk.",
      ),
  },
  {
    cause: 'DonationFormErrors',
    severity: 'page',
    holdsFor: 0,
    action: 'To find the cause, search the server log for "request failed".',
    find: (metrics) => {
      const failures = metrics.listIncreases(`${REQUESTS}_count`, {}, 5 * MINUTE).filter(
        ({ labels: { route, status } }) =>
          String(status).startsWith('5') &&
          // The payment provider sends the webhook again. See DonationFormPaymentWebhooksFail.
          !(route === WEBHOOK_ROUTE && String(status) === '503'),
      );
      const routes = [...sumBy(failures, 'route')].filter(([, count]) => count > 2);
      return findIf(
        routes.length > 0,
        `Requests to these routes are failing: ${routes.map(([route]) => route).join(', ')}.`,
      );
    },
  },
  {
    cause: 'DonationFormSlow',
    severity: 'ticket',
    holdsFor: 10 * MINUTE,
    action: "Check the payment provider's status page. If it reports a problem, wait.",
    find: (metrics) =>
      findIf(
        isSlow(metrics, REQUESTS, 5, { method: 'POST', route: '/donations' }),
        'More than 1 in 20 donors wait longer than 5 seconds after they submit the form.',
      ),
  },
  {
    cause: 'DonationFormCardTesting',
    severity: 'page',
    holdsFor: 0,
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
  {
    cause: 'DonationFormPaymentsFail',
    severity: 'page',
    holdsFor: 0,
    action:
      'Run donation-form check. If the payment provider rejects the key, configure a valid key. ' +
      'Otherwise, wait for the payment provider to respond.',
    section: 'failed',
    find: (metrics) =>
      [
        ...sumBy(
          metrics.listIncreases(DONATIONS, { status: 'payment-failed' }, 15 * MINUTE),
          'organization',
        ),
      ]
        .filter(([, count]) => count > 2)
        .map(([organization]) => ({
          organization,
          summary:
            `The payment provider for ${organization} is not responding or is rejecting the ` +
            "server's requests. The affected donors were not charged.",
        })),
  },
  {
    cause: 'DonationFormRequestsRejected',
    severity: 'ticket',
    holdsFor: 0,
    action: 'If the server is behind proxies, set listen.trustedProxies to the number of proxies.',
    find: (metrics) =>
      findIf(
        [
          ...sumBy(
            metrics.listIncreases('donation_form_rejected_requests_total', {}, 15 * MINUTE),
            'reason',
          ).values(),
        ].some((count) => count > 200),
        'Fraud protection is rejecting many requests or requiring a proof of work.',
      ),
  },
  {
    cause: 'DonationFormWebhookSignaturesInvalid',
    severity: 'ticket',
    holdsFor: 0,
    action:
      "Store the webhook endpoint's signing secret in the environment variable or file that " +
      'webhookSecret specifies.',
    find: (metrics) =>
      findIf(
        countWebhooks(metrics, '400') > 5,
        'Webhooks from a payment provider have invalid signatures.',
      ),
  },
  {
    cause: 'DonationFormPaymentWebhooksFail',
    severity: 'ticket',
    holdsFor: 0,
    action:
      'Run donation-form check. If the payment provider rejects the key or its permissions, ' +
      'configure a valid key. Otherwise, search the server log for "request failed".',
    find: (metrics) =>
      findIf(
        countWebhooks(metrics, '503') > 5,
        "The server cannot process a payment provider's webhooks.",
      ),
  },
  {
    cause: 'DonationFormOverloaded',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action: 'Start a second server behind the same load balancer.',
    find: (metrics) =>
      findIf(
        metrics.list('nodejs_eventloop_lag_p99_seconds').some(({ value }) => value > 0.5),
        'The server is overloaded, so all requests are slow.',
      ),
  },
  {
    cause: 'DonationFormClockSkew',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action: 'Turn on time synchronization on the servers and the PostgreSQL machine.',
    find: (metrics) =>
      findIf(
        metrics.list('donation_form_clock_skew_seconds').some(({ value }) => Math.abs(value) > 10),
        "This server's clock differs from the PostgreSQL machine's clock by more than 10 seconds.",
      ),
  },
];
