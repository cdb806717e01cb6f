import type { Awaiting, DonationStatus } from '@donation-form/core/donation';
import type { OutboxStatus } from '../database/schema.ts';
import {
  getDisputeStatus,
  getDonationStatus,
  sumRefunds,
  type LedgerEntry,
} from '../reporting/ledger-entries.ts';
import { getMethod, getPlatformGiftId } from '../reporting/donation-filter.ts';
import { formatDonorName } from './donation-detail.ts';
import { formatAmount } from './format-amount.ts';
import { FREQUENCY_LABELS, METHOD_LABELS } from './labels.ts';

/** A row in a table of donations and renewals. */
export interface DonationRow {
  readonly reference: string;
  /** Time of the donation or renewal, in milliseconds since 1970. */
  readonly at: number;
  /** Empty if the donor gave no name. */
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
  /** Refunds and disputes, such as `10.00 USD refunded`. */
  readonly notes: readonly string[];
  readonly platformGiftId: number | null;
  /**
   * Status of the event that creates the gift on the platform, or `null` if there is no such event.
   */
  readonly platformStatus: OutboxStatus | null;
}

export function toDonationRow(entry: LedgerEntry): DonationRow {
  const { reference, createdAt, donation, renewal, total, currency, decimals, events } = entry;
  const { donor, gift, isTest } = donation.payload;
  const refunded = sumRefunds(entry);
  const dispute = getDisputeStatus(events);
  return {
    reference,
    at: createdAt,
    donorName: formatDonorName(donation),
    email: donor.email ?? '',
    isDeleted: donation.donor_deleted_at !== null,
    isTest,
    total: formatAmount(total, currency, decimals),
    kind: `${FREQUENCY_LABELS[gift.frequency]}, ${METHOD_LABELS[getMethod(donation)]}`,
    isRenewal: renewal !== undefined,
    status: getDonationStatus(entry),
    awaiting: donation.awaiting,
    notes: [
      ...(refunded > 0 ? [`${formatAmount(refunded, currency, decimals)} refunded`] : []),
      ...(dispute === undefined ? [] : [`dispute ${dispute}`]),
    ],
    platformGiftId: getPlatformGiftId(entry),
    platformStatus:
      events.find(({ kind }) => kind === 'donation' || kind === 'renewal')?.status ?? null,
  };
}
