import type { AlertRule, Finding } from './alert-rule.ts';
import { sumBy, type Sample } from './metric-reader.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Creates a finding for each organization whose value is above a limit. */
function findAbove(
  samples: readonly Sample[],
  limit: number,
  describe: (organization: string, value: number) => Omit<Finding, 'organization'>,
): Finding[] {
  return [...sumBy(samples, 'organization')]
    .filter(([, value]) => value > limit)
    .map(([organization, value]) => ({ organization, ...describe(organization, value) }));
}

const formatMinutes = (seconds: number): string => `${Math.round(seconds / 60)} minutes`;
const pluralize = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Rules about what the database has for all servers. */
export const DATABASE_RULES: readonly AlertRule[] = [
  {
    cause: 'DonationFormChargesUnconfirmed',
    severity: 'page',
    holdsFor: 0,
    action: 'Check whether a key of the payment provider was changed; otherwise wait for it.',
    section: 'in-progress',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_donations_in_progress_oldest_seconds', {
          status: 'unconfirmed',
        }),
        600,
        (organization, age) => ({
          summary: `The result of a charge for ${organization} has been unknown for ${formatMinutes(age)}.`,
        }),
      ),
  },
  {
    cause: 'DonationFormNeedsReview',
    severity: 'ticket',
    holdsFor: 15 * MINUTE,
    action: 'Look each one up at the payment provider and the platform, and save your decision.',
    section: 'needs-review',
    find: (metrics) =>
      findAbove(
        [
          ...metrics.list('donation_form_donations_in_progress', { status: 'needs_review' }),
          ...metrics.list('donation_form_outbox_events', { status: 'needs_review' }),
        ],
        0,
        (organization, count) => ({
          count,
          summary: `${pluralize(count, 'donation')} to ${organization} ${count === 1 ? 'needs' : 'need'} review.`,
        }),
      ),
  },
  {
    cause: 'DonationFormManualEntries',
    severity: 'ticket',
    holdsFor: 3 * DAY,
    action: 'Enter them on the platform, and confirm that.',
    section: 'needs-review',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_outbox_events', { status: 'manual' }),
        0,
        (organization, count) => ({
          count,
          summary: `${pluralize(count, 'change')} for ${organization} must be entered on the platform by hand.`,
        }),
      ),
  },
  {
    cause: 'DonationFormOutboxBehind',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action: 'Run donation-form check. If the platform accepts the key, wait.',
    section: 'pending',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_outbox_oldest_seconds'),
        7_200,
        (organization, age) => ({
          summary: `Donations to ${organization} have waited for the platform for ${formatMinutes(age)}.`,
        }),
      ),
  },
  {
    cause: 'DonationFormPlatformKeyRejected',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action: 'Create a new key on the platform, and put it where platform.apiKey points.',
    section: 'pending',
    find: (metrics) =>
      findAbove(metrics.list('donation_form_platform_key_rejected'), 0, (organization) => ({
        summary: `The platform rejects the key of ${organization}. Donations are charged, and wait.`,
      })),
  },
  {
    cause: 'DonationFormPlatformBackoff',
    severity: 'ticket',
    holdsFor: 30 * MINUTE,
    action: "See the platform's status page, and wait: the server tries again by itself.",
    section: 'pending',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_platform_backoff_until_timestamp_seconds'),
        Date.now() / 1_000,
        (organization) => ({
          summary: `The platform of ${organization} fails, or has asked the server to wait.`,
        }),
      ),
  },
  {
    cause: 'DonationFormQuotaLow',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action: 'Run other programs that call the platform at night.',
    find: (metrics) => {
      const limits = sumBy(metrics.list('donation_form_api_quota_limit_calls'), 'organization');
      return metrics
        .list('donation_form_api_quota_used_calls')
        .map(({ labels, value }) => ({ organization: String(labels.organization), used: value }))
        .filter(({ organization, used }) => used / limits.get(organization)! > 0.9)
        .map(({ organization }) => ({
          organization,
          summary: `${organization} has used 90% of this hour's calls to its platform.`,
        }));
    },
  },
  {
    cause: 'DonationFormOrphans',
    severity: 'ticket',
    holdsFor: 15 * MINUTE,
    action: 'Put the organization back into the configuration until nothing is left.',
    find: (metrics) =>
      findAbove(
        [
          ...metrics.list('donation_form_orphaned_donations'),
          ...metrics.list('donation_form_orphaned_events'),
        ],
        0,
        (organization, count) => ({
          count,
          summary: `${pluralize(count, 'donation or event')} of ${organization}, which is not in the configuration, cannot be finished.`,
        }),
      ),
  },
  {
    cause: 'DonationFormWebhookDeliveryFailed',
    severity: 'ticket',
    holdsFor: 0,
    action: 'Fix the receiving server, then run donation-form webhooks retry.',
    section: 'needs-review',
    find: (metrics) =>
      findAbove(
        [
          ...metrics.list('donation_form_webhook_messages', { status: 'failed' }),
          ...metrics.list('donation_form_webhook_messages', { status: 'endpoint_gone' }),
        ],
        0,
        (organization, count) => ({
          count,
          summary: `The server of ${organization} did not accept ${pluralize(count, 'webhook message')}.`,
        }),
      ),
  },
];
