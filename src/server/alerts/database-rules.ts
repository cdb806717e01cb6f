import { formatCount } from '@donation-form/core/i18n';
import type { AlertRule, Finding } from './alert-rule.ts';
import { sumBy, type Sample } from './metric-reader.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Creates a finding for each organization with a total above the limit. */
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

/** Rules that evaluate metrics from the database, which cover all servers. */
export const DATABASE_RULES: readonly AlertRule[] = [
  {
    cause: 'DonationFormChargesUnconfirmed',
    severity: 'page',
    holdsFor: 0,
    action:
      'Run donation-form check. If the payment provider rejects the key, configure a valid key. ' +
      'Otherwise, wait for the payment provider to respond.',
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
    action:
      'Look up each donation at the payment provider and on the platform, and save your decision on ' +
      'the admin pages or with donation-form donations resolve.',
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
          summary: `${formatCount(count, 'donation')} to ${organization} ${count === 1 ? 'needs' : 'need'} review.`,
        }),
      ),
  },
  {
    cause: 'DonationFormManualEntries',
    severity: 'ticket',
    holdsFor: 3 * DAY,
    action:
      'Enter each update on the platform, then confirm the update on the admin pages or with ' +
      'donation-form donations resolve.',
    section: 'needs-review',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_outbox_events', { status: 'manual' }),
        0,
        (organization, count) => ({
          count,
          summary: `${formatCount(count, 'update')} for ${organization} must be entered on the platform manually.`,
        }),
      ),
  },
  {
    cause: 'DonationFormOutboxBehind',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action:
      'Run donation-form check. If the platform rejects the key, configure a valid key. ' +
      'Otherwise, wait for the server to send the donations.',
    section: 'pending',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_outbox_oldest_seconds'),
        7_200,
        (organization, age) => ({
          summary: `Donations to ${organization} have been waiting for the platform for ${formatMinutes(age)}.`,
        }),
      ),
  },
  {
    cause: 'DonationFormPlatformKeyRejected',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action:
      'Create a new API key on the platform, and store it in the environment variable or file that ' +
      'platform.apiKey specifies.',
    section: 'pending',
    find: (metrics) =>
      findAbove(metrics.list('donation_form_platform_key_rejected'), 0, (organization) => ({
        summary:
          `The platform is rejecting the API key for ${organization}. Donors are charged, but their ` +
          'donations are not recorded on the platform.',
      })),
  },
  {
    cause: 'DonationFormPlatformBackoff',
    severity: 'ticket',
    holdsFor: 30 * MINUTE,
    action: "Check the platform's status page. The server retries automatically.",
    section: 'pending',
    find: (metrics) =>
      findAbove(
        metrics.list('donation_form_platform_backoff_until_timestamp_seconds'),
        Date.now() / 1_000,
        (organization) => ({
          summary: `The platform for ${organization} is failing or has asked the server to back off.`,
        }),
      ),
  },
  {
    cause: 'DonationFormQuotaLow',
    severity: 'ticket',
    holdsFor: 5 * MINUTE,
    action: "If other programs call the platform's API, run them at night.",
    find: (metrics) => {
      const limits = sumBy(metrics.list('donation_form_api_quota_limit_calls'), 'organization');
      return metrics
        .list('donation_form_api_quota_used_calls')
        .map(({ labels, value }) => ({ organization: String(labels.organization), used: value }))
        .filter(({ organization, used }) => used / limits.get(organization)! > 0.9)
        .map(({ organization }) => ({
          organization,
          summary: `More than 90% of this hour's platform API calls for ${organization} have been used.`,
        }));
    },
  },
  {
    cause: 'DonationFormOrphans',
    severity: 'ticket',
    holdsFor: 15 * MINUTE,
    action:
      'Add the organization back to the configuration, and keep it there until all its donations ' +
      'and events are finished.',
    find: (metrics) =>
      findAbove(
        [
          ...metrics.list('donation_form_orphaned_donations'),
          ...metrics.list('donation_form_orphaned_events'),
        ],
        0,
        (organization, count) => ({
          count,
          summary:
            `The server cannot finish ${formatCount(count, 'item')} (donations or events) for ` +
            `${organization}, because the organization is not in the configuration.`,
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
          summary: `The receiving server for ${organization} did not accept ${formatCount(count, 'webhook message')}.`,
        }),
      ),
  },
];
