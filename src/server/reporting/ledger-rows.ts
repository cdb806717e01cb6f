import { toMajorUnits } from '@donation-form/core/money';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import { getRefundedAmount } from '../donations/refunds-and-disputes.ts';
import { isGiftCreation } from '../donations/review-options.ts';
import { formatLocalTime } from '../lib/period.ts';
import type { ListedPayment } from '../payments/payment-gateway.ts';
import { getDonationStatus, getExpectedGiftStatus, type LedgerEntry } from './ledger-entries.ts';
import type { LedgerRow } from './report.ts';

const STATUS_NAMES = new Map(Object.entries(GiftStatus).map(([name, value]) => [value, name]));

export function getGiftStatusName(status: GiftStatus): string {
  return STATUS_NAMES.get(status) ?? String(status);
}

function formatEntryStatus(entry: LedgerEntry): string {
  const status = getExpectedGiftStatus(entry);
  return status === undefined ? getDonationStatus(entry) : getGiftStatusName(status);
}

/** Includes entries that failed after the server created events for the platform. */
export function isReportedInLedger(entry: LedgerEntry): boolean {
  const status = getDonationStatus(entry);
  return (
    status === 'succeeded' ||
    status === 'processing' ||
    status === 'needs_review' ||
    (status === 'failed' && entry.events.length > 0)
  );
}

/** @param payment the entry's payment in the payment provider's list, if any. */
export function toLedgerRow(
  entry: LedgerEntry,
  timeZone: string,
  payment?: ListedPayment,
): LedgerRow {
  const { reference, donation, renewal, createdAt, currency, decimals, events } = entry;
  const { gift, projects } = donation.payload;
  // If a renewal's total differs from the first donation's, its fees and projects are unknown.
  const isAgreedTotal = entry.total === gift.total;
  const formatAmount = (minor: number): string => toMajorUnits(minor, decimals);
  const platformId =
    events.find(isGiftCreation)?.platformGiftId ?? (renewal ? null : donation.platformGiftId);
  return {
    reference,
    parent_reference: renewal ? donation.reference : '',
    created_utc: new Date(createdAt).toISOString(),
    created_local: formatLocalTime(createdAt, timeZone),
    time_zone: timeZone,
    status: formatEntryStatus(entry),
    frequency: gift.frequency,
    amount: formatAmount(isAgreedTotal ? gift.amount : entry.total),
    covered_fees: formatAmount(isAgreedTotal ? gift.coveredFees : 0),
    total: formatAmount(entry.total),
    currency,
    fee: payment?.cost?.fee ?? '',
    net: payment?.cost?.net ?? '',
    payout_currency: payment?.cost?.currency ?? '',
    refunded: formatAmount(getRefundedAmount(events)),
    provider: entry.provider,
    payment_id: entry.paymentId ?? '',
    platform_gift_id: platformId ?? '',
    projects: isAgreedTotal
      ? gift.projects
          .map((part, index) => `${projects[index]?.code ?? part.id} ${formatAmount(part.amount)}`)
          .join('; ')
      : '',
    segment: gift.segment ?? '',
  };
}
