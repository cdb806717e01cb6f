import { toMajorUnits } from '@donation-form/core/money';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import type { ListedPayment } from '../payments/payment-gateway.ts';
import {
  sumRefunds,
  getDonationStatus,
  getCurrentGiftStatus,
  type LedgerEntry,
} from './ledger-entries.ts';
import { formatLocalTime } from '../lib/period.ts';
import type { LedgerRow } from './report.ts';

const STATUS_NAMES = new Map(Object.entries(GiftStatus).map(([name, value]) => [value, name]));

/** What a status is called. */
export function formatGiftStatus(status: GiftStatus): string {
  return STATUS_NAMES.get(status) ?? String(status);
}

/** What is known of an entry in one word. */
function formatEntryStatus(entry: LedgerEntry): string {
  const status = getCurrentGiftStatus(entry);
  return status === undefined ? getDonationStatus(entry) : formatGiftStatus(status);
}

/**
 * Whether an entry belongs into the books: money came, or is promised, or it is open whether it
 * came.
 */
export function isReportable(entry: LedgerEntry): boolean {
  const status = getDonationStatus(entry);
  return (
    status === 'succeeded' ||
    status === 'processing' ||
    status === 'needs_review' ||
    (status === 'failed' && entry.events.length > 0)
  );
}

/** @param payment as the processor lists it, where it does. */
export function toLedgerRow(
  entry: LedgerEntry,
  timeZone: string,
  payment?: ListedPayment,
): LedgerRow {
  const { reference, first, renewal, at, total, currency, decimals, provider, paymentId, events } =
    entry;
  const { gift, projects } = first.payload;
  const isWhole = total === gift.total;
  const formatAmount = (minor: number): string => toMajorUnits(minor, decimals);
  const recorded =
    events.find(({ kind }) => kind === 'donation' || kind === 'renewal')?.platform_gift_id ??
    (renewal ? null : first.platform_gift_id);
  return {
    reference,
    first_gift: renewal ? first.reference : '',
    given_utc: new Date(at).toISOString(),
    given_local: formatLocalTime(at, timeZone),
    time_zone: timeZone,
    status: formatEntryStatus(entry),
    frequency: gift.frequency,
    gift: formatAmount(isWhole ? gift.amount : total),
    covered_fees: formatAmount(isWhole ? gift.coveredFees : 0),
    total: formatAmount(total),
    currency,
    fee: payment?.cost?.fee ?? '',
    net: payment?.cost?.net ?? '',
    paid_out_currency: payment?.cost?.currency ?? '',
    refunded: formatAmount(sumRefunds(entry)),
    provider,
    payment_id: paymentId ?? '',
    platform_gift_id: recorded === null ? '' : String(recorded),
    projects: isWhole
      ? gift.projects
          .map((part, index) => `${projects[index]?.code ?? part.id} ${formatAmount(part.amount)}`)
          .join('; ')
      : '',
    segment: gift.segment ?? '',
  };
}
