import type { DonationFrequency } from '@donation-form/core/donation';

export type Side = 'payment-provider' | 'database' | 'platform';

/** Difference between the records of the payment provider, the database, and the platform. */
export interface Difference {
  /**
   * `missing`: `side` does not have the record. `duplicate`: `side` has the record more than once.
   * `mismatch`: `side` has an unexpected value.
   */
  readonly type: 'missing' | 'duplicate' | 'mismatch';
  readonly side: Side;
  readonly reference: string;
  /**
   * `amount`, `currency`, `status`, `id`, `subscription` for the status of a recurring donation, or
   * an event's kind. `donation` if the whole donation is missing or duplicated.
   */
  readonly field: string;
  readonly found: string;
  readonly expected: string;
}

/** Table row for a donation or renewal. Amounts are decimal strings in major units. */
export interface LedgerRow {
  readonly reference: string;
  /** Reference of a renewal's first donation. Otherwise, an empty string. */
  readonly parent_reference: string;
  /** ISO 8601. */
  readonly created_utc: string;
  /** Organization's local time, such as `2026-11-30 23:59:58`. */
  readonly created_local: string;
  readonly time_zone: string;
  /**
   * Expected gift status on the platform, such as `Approved`, or the donation status in the
   * database if the platform should not have the gift.
   */
  readonly status: string;
  readonly frequency: DonationFrequency;
  readonly amount: string;
  readonly covered_fees: string;
  readonly total: string;
  readonly currency: string;
  readonly fee: string;
  readonly net: string;
  /** Currency of `fee` and `net`. */
  readonly payout_currency: string;
  readonly refunded: string;
  readonly provider: string;
  readonly payment_id: string;
  readonly platform_gift_id: string;
  /** Amount for each project code, such as `WATER 33.34; RIVER 33.33`. */
  readonly projects: string;
  readonly segment: string;
}

export const DONATION_COLUMNS = [
  'reference',
  'parent_reference',
  'created_utc',
  'created_local',
  'time_zone',
  'status',
  'frequency',
  'amount',
  'covered_fees',
  'total',
  'currency',
] as const satisfies readonly (keyof LedgerRow)[];

export const FEE_COLUMNS = [
  'fee',
  'net',
  'payout_currency',
] as const satisfies readonly (keyof LedgerRow)[];

export const PAYMENT_COLUMNS = [
  'refunded',
  'provider',
  'payment_id',
  'platform_gift_id',
  'projects',
  'segment',
] as const satisfies readonly (keyof LedgerRow)[];

export const NUMBER_COLUMNS = [
  'amount',
  'covered_fees',
  'total',
  'fee',
  'net',
  'refunded',
] as const satisfies readonly (keyof LedgerRow)[];

/** One line of a reconciliation report. */
export type ReportLine =
  /** Records listed so far. Progress lines prevent the connection from timing out. */
  | { readonly kind: 'progress'; readonly listed: number }
  | { readonly kind: 'row'; readonly row: LedgerRow }
  | { readonly kind: 'difference'; readonly difference: Difference }
  /** A recent change that has not reached all systems yet. Not a difference. */
  | { readonly kind: 'in-progress'; readonly reference: string; readonly reason: string }
  | { readonly kind: 'applied'; readonly reference: string; readonly change: string }
  /**
   * @param isFailure true if a call failed, false if the comparison is not possible or reached a
   *   limit.
   */
  | {
      readonly kind: 'not-compared';
      readonly side: Side;
      readonly reason: string;
      readonly isFailure: boolean;
    }
  | { readonly kind: 'end'; readonly donations: number; readonly differences: number };
