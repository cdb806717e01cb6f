import type { OutboxEntry } from '../../database/schema.ts';
import { isGiftCreation } from '../../donations/review-options.ts';
import type { Organization } from '../../organizations/organization.ts';
import { getMethod, getPlatformGiftId } from '../../reporting/donation-filter.ts';
import { getDonationStatus, type LedgerEntry } from '../../reporting/ledger-entries.ts';
import { formatDonorName } from './donation-detail.ts';
import { buildGiftUrl } from './donation-links.ts';
import { isInTestMode } from './income-cache.ts';
import {
  describeFailure,
  formatAmount,
  FREQUENCY_LABELS,
  METHOD_LABELS,
  removeErrorName,
} from './labels.ts';
import { listPaymentBadges } from './payment-outcomes.ts';

export type DonationTableRow = ReturnType<typeof toDonationRow>;
export type DonationTableOptions = ReturnType<typeof createTableOptions>;

const MAX_REASON_LENGTH = 90;

export function createTableOptions(organization: Organization) {
  return {
    timeZone: organization.timeZone,
    /** True if all forms are in test mode. Rows then omit the test label. */
    isTest: isInTestMode(organization),
    usesPlatform: organization.platform.isNone !== true,
    getGiftUrl: (id: string) => buildGiftUrl(organization, id),
  };
}

export function toDonationRow(entry: LedgerEntry) {
  const { reference, createdAt, donation, renewal, total, currency, decimals, events } = entry;
  const { donor, gift, isTest } = donation.payload;
  const creation = events.find(isGiftCreation);
  return {
    reference,
    at: createdAt,
    donorName: formatDonorName(donation),
    email: donor.email ?? '',
    isDeleted: donation.donorDeletedAt !== null,
    isTest,
    total: formatAmount(total, currency, decimals),
    /** Such as `monthly, card`. */
    kind: `${FREQUENCY_LABELS[gift.frequency]}, ${METHOD_LABELS[getMethod(donation)]}`,
    isRenewal: renewal !== undefined,
    status: getDonationStatus(entry),
    awaiting: donation.awaiting,
    outcomes: listPaymentBadges(events, entry),
    platformGiftId: getPlatformGiftId(entry),
    /** `null` if no event creates the gift on the platform. */
    platformStatus: creation?.status ?? null,
    platformReason: formatPlatformReason(entry, creation),
  };
}

/** Explains briefly why the platform does not have a gift, or returns an empty string. */
function formatPlatformReason(entry: LedgerEntry, creation: OutboxEntry | undefined): string {
  if (getPlatformGiftId(entry) !== null || creation?.status === 'delivered') return '';
  const reason =
    getDonationStatus(entry) === 'needs_review'
      ? describeFailure(entry.donation)
      : (removeErrorName(creation?.lastError ?? null) ?? '');
  return shortenReason(reason);
}

/** Shortens a reason: removes text in parentheses and after a semicolon, and limits the length. */
function shortenReason(reason: string): string {
  const main = reason.replaceAll(/ \([^()]*\)/g, '').split(';')[0]!;
  return main.length > MAX_REASON_LENGTH
    ? `${main.slice(0, MAX_REASON_LENGTH - 1).trimEnd()}…`
    : main;
}
