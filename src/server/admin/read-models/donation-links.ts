import type { WebhookMessageRow } from '../../database/schema.ts';
import type { DonationHistory } from '../../donations/review-options.ts';
import { getDocumentationUrl } from '../../lib/package-file.ts';
import type { Organization } from '../../organizations/organization.ts';
import { getDonationProviderName } from './donation-story.ts';

type UndeliveredWebhooks = readonly Pick<WebhookMessageRow, 'status'>[];

/** Lists a donation's records in other systems, with the URLs of their pages, if known. */
export function listExternalLinks(
  { donation, events }: DonationHistory,
  organization: Organization | undefined,
) {
  const { provider } = donation.payload.payment;
  const gateway = organization?.payments.get(provider)?.gateway;
  const name = getDonationProviderName(donation);
  const renewals = events.filter(({ kind }) => kind === 'renewal');
  const createLinks = (
    ids: readonly (readonly [label: string, id: string | null])[],
    getUrl: (id: string) => string | undefined,
  ) => ids.flatMap(([label, id]) => (id === null ? [] : [{ label, id, url: getUrl(id) }]));
  const payments = createLinks(
    [
      [`Payment at ${name}`, donation.paymentId],
      [`Recurring donation at ${name}`, donation.subscriptionId],
      ...renewals.map(({ reference, paymentId: id }) => [`Payment for ${reference}`, id] as const),
    ],
    (id) => gateway?.getDashboardUrl?.(id),
  );
  const gifts = createLinks(
    [
      ['Gift on the platform', donation.platformGiftId],
      ...renewals.map(
        ({ reference, platformGiftId: id }) => [`Gift for ${reference}`, id] as const,
      ),
    ],
    (id) => buildGiftUrl(organization, id),
  );
  return provider === 'offline' ? gifts : [...payments, ...gifts];
}

/** Builds the URL of a donation's page. The URL of a renewal points to its entry in the history. */
export function buildDonationUrl(reference: string, isRenewal: boolean): string {
  return `/donations/${reference}${isRenewal ? `#${reference}` : ''}`;
}

export function buildGiftUrl(
  organization: Pick<Organization, 'giftUrl'> | undefined,
  id: string,
): string | undefined {
  return organization?.giftUrl?.replaceAll('{id}', encodeURIComponent(id));
}

/** Lists links to the documentation about a donation's status. */
export function listHelp({ donation, events }: DonationHistory, webhooks: UndeliveredWebhooks) {
  const hasEvent = (status: string): boolean => events.some((event) => event.status === status);
  const topics: (readonly [isRelevant: boolean, page: string, label: string])[] = [
    [
      donation.status === 'needs_review' || hasEvent('needs_review'),
      'server/runbook.md#donationformneedsreview',
      'What to do if a donation needs review',
    ],
    [
      hasEvent('manual'),
      'server/runbook.md#donationformmanualentries',
      'How to enter an update on the platform',
    ],
    [
      events.some(({ status, lastError: error }) => status === 'pending' && error !== null),
      'server/runbook.md#donationformoutboxbehind',
      'What to do if the platform does not accept an update',
    ],
    [
      donation.status === 'unconfirmed',
      'server/runbook.md#donationformchargesunconfirmed',
      'What to do if a charge remains unconfirmed',
    ],
    [
      webhooks.some(({ status }) => status !== 'pending'),
      'server/runbook.md#donationformwebhookdeliveryfailed',
      'What to do if a webhook is not delivered',
    ],
    [true, 'server/admin.md#payment-statuses', 'What each status means'],
  ];
  return topics
    .filter(([isRelevant]) => isRelevant)
    .map(([, page, label]) => ({ label, url: getDocumentationUrl(page) }));
}
