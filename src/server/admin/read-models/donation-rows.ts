import type { Awaiting, DonationStatus } from '@donation-form/core/donation';
import type { OutboxEntry, OutboxStatus } from '../../database/schema.ts';
import { getDonationStatus, type LedgerEntry } from '../../reporting/ledger-entries.ts';
import { getMethod, getPlatformGiftId } from '../../reporting/donation-filter.ts';
import { formatDonorName } from './donation-detail.ts';
import { formatAmount } from './format-amount.ts';
import { describeFailure, FREQUENCY_LABELS, METHOD_LABELS, removeErrorName } from './labels.ts';
import { isGiftCreation } from '../../donations/review-options.ts';
import { listPaymentBadges, type PaymentOutcome } from './payment-outcomes.ts';

/** A row in a table of donations and renewals. */
export interface DonationRow {
  readonly reference: string;
  /** Time of the donation or renewal, in milliseconds since 1970. */
  readonly at: number;
  /** The donor's name, or an empty string if the donor entered none. */
  readonly donorName: string;
  readonly email: string;
  readonly isDeleted: boolean;
  readonly isTest: boolean;
  readonly total: string;
  /** Frequency and payment method, such as `monthly, card`. */
  readonly kind: string;
  readonly isRenewal: boolean;
  readonly status: DonationStatus;
  readonly awaiting: Awaiting | null;
  readonly outcomes: readonly PaymentOutcome[];
  readonly platformGiftId: string | null;
  /**
   * Status of the event that creates the gift on the platform, or `null` if there is no such event.
   */
  readonly platformStatus: OutboxStatus | null;
  /** Shortened reason why the platform does not have the gift, or an empty string. */
  readonly platformReason: string;
}

/** Maximum length of a reason in a table, in characters. */
const MAX_REASON_LENGTH = 90;

export function toDonationRow(entry: LedgerEntry): DonationRow {
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
    kind: `${FREQUENCY_LABELS[gift.frequency]}, ${METHOD_LABELS[getMethod(donation)]}`,
    isRenewal: renewal !== undefined,
    status: getDonationStatus(entry),
    awaiting: donation.awaiting,
    outcomes: listPaymentBadges(events, entry),
    platformGiftId: getPlatformGiftId(entry),
    platformStatus: creation?.status ?? null,
    platformReason: formatPlatformReason(entry, creation),
  };
}

/**
 * Explains briefly why the platform does not have a gift. Returns an empty string if there is no
 * reason.
 * @param creation event that creates the gift on the platform.
 */
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
