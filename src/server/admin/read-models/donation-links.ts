import type { DonationHistory } from '../../donations/review-options.ts';
import type { WebhookMessageRow } from '../../database/schema.ts';
import { getDocumentationUrl } from '../../lib/package-file.ts';
import type { Organization } from '../../organizations/organization.ts';
import { getProviderName } from './donation-story.ts';

/** A record in another system. `url` is undefined if the URL of the record's page is unknown. */
export interface ExternalLink {
  readonly label: string;
  readonly id: string;
  readonly url: string | undefined;
}

/** Links from a donation's page to other systems and to the documentation. */
export interface DonationLinks {
  /** Payments and subscription at the payment provider. */
  readonly provider: readonly ExternalLink[];
  /** Gifts on the platform. */
  readonly platform: readonly ExternalLink[];
  /** Documentation about the donation's status. */
  readonly help: readonly { readonly label: string; readonly url: string }[];
}

/**
 * Lists the links from a donation's page.
 * @param organization the donation's organization. Undefined if the organization is no longer
 * configured.
 */
export function listDonationLinks(
  history: DonationHistory,
  organization: Organization | undefined,
  webhooks: readonly Pick<WebhookMessageRow, 'status'>[],
): DonationLinks {
  return {
    provider: listProviderLinks(history, organization),
    platform: listPlatformLinks(history, organization),
    help: listHelp(history, webhooks).map(([page, label]) => ({
      label,
      url: getDocumentationUrl(page),
    })),
  };
}

function listProviderLinks(
  { donation, events }: DonationHistory,
  organization: Organization | undefined,
): ExternalLink[] {
  const { provider } = donation.payload.payment;
  if (provider === 'offline') return [];
  const gateway = organization?.payments.get(provider)?.gateway;
  const name = getProviderName(donation);
  const ids: (readonly [string, string | null])[] = [
    [`Payment at ${name}`, donation.paymentId],
    [`Recurring donation at ${name}`, donation.subscriptionId],
    ...events
      .filter(({ kind }) => kind === 'renewal')
      .map(({ reference, paymentId: id }) => [`Payment for ${reference}`, id] as const),
  ];
  return ids.flatMap(([label, id]) =>
    id === null ? [] : [{ label, id, url: gateway?.getDashboardUrl?.(id) }],
  );
}

function listPlatformLinks(
  { donation, events }: DonationHistory,
  organization: Organization | undefined,
): ExternalLink[] {
  const gifts = [
    ['Gift on the platform', donation.platformGiftId] as const,
    ...events
      .filter(({ kind }) => kind === 'renewal')
      .map(({ reference, platformGiftId: id }) => [`Gift for ${reference}`, id] as const),
  ];
  return gifts.flatMap(([label, id]) =>
    id === null ? [] : [{ label, id, url: buildGiftUrl(organization, id) }],
  );
}

/**
 * Returns the URL of a donation's page. For a renewal, the URL points to the renewal's entry in the
 * history of the first donation.
 */
export function buildDonationUrl(reference: string, isRenewal: boolean): string {
  return `/donations/${reference}${isRenewal ? `#${reference}` : ''}`;
}

/**
 * Returns the URL of a gift's page on the platform, or `undefined` if the configuration has no gift
 * URL.
 */
export function buildGiftUrl(
  organization: Pick<Organization, 'giftUrl'> | undefined,
  id: string,
): string | undefined {
  return organization?.giftUrl?.replaceAll('{id}', encodeURIComponent(id));
}

type Help = readonly [page: string, label: string];

function listHelp(
  { donation, events }: DonationHistory,
  webhooks: readonly Pick<WebhookMessageRow, 'status'>[],
): Help[] {
  const hasEvent = (status: string): boolean => events.some((event) => event.status === status);
  const help: (false | Help)[] = [
    (donation.status === 'needs_review' || hasEvent('needs_review')) && [
      'server/runbook.md#donationformneedsreview',
      'What to do if a donation needs review',
    ],
    hasEvent('manual') && [
      'server/runbook.md#donationformmanualentries',
      'How to enter an update on the platform',
    ],
    events.some(({ status, lastError: error }) => status === 'pending' && error !== null) && [
      'server/runbook.md#donationformoutboxbehind',
      'What to do if the platform does not accept an update',
    ],
    donation.status === 'unconfirmed' && [
      'server/runbook.md#donationformchargesunconfirmed',
      'What to do if a charge remains unconfirmed',
    ],
    webhooks.some(({ status }) => status !== 'pending') && [
      'server/runbook.md#donationformwebhookdeliveryfailed',
      'What to do if a webhook is not delivered',
    ],
    ['server/admin.md#payment-statuses', 'What each status means'],
  ];
  return help.filter((entry) => entry !== false);
}
