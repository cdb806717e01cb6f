import type { DonationFrequency } from '@donation-form/core/donation';

/** Who knows of a gift. */
export type Side = 'processor' | 'database' | 'platform';

/** Something that the three do not say alike. */
export interface Difference {
  /**
   * missing: `where` does not have it · double: `where` has it twice · different: `where` says
   * another thing of it.
   */
  readonly what: 'missing' | 'double' | 'different';
  readonly where: Side;
  /** Of the gift or renewal; the processor's or platform's id where no reference is known. */
  readonly gift: string;
  /**
   * What of it: amount, currency, status, refund, dispute, renewal or id; the gift itself where it
   * is missing or double.
   */
  readonly about: string;
  readonly found: string;
  readonly expected: string;
}

/** One gift or renewal, for the books. Amounts are decimal strings in major units. */
export interface LedgerRow {
  readonly reference: string;
  /** Of a renewal: the first gift's reference. */
  readonly first_gift: string;
  /** ISO 8601. */
  readonly given_utc: string;
  /** In the organisation's time zone, such as `2026-11-30 23:59:58`. */
  readonly given_local: string;
  readonly time_zone: string;
  /**
   * The platform's word, such as `Approved`, or what the database says of it where it is not
   * settled.
   */
  readonly status: string;
  readonly frequency: DonationFrequency;
  readonly gift: string;
  readonly covered_fees: string;
  readonly total: string;
  readonly currency: string;
  readonly fee: string;
  readonly net: string;
  /** What fee and net are in. */
  readonly paid_out_currency: string;
  readonly refunded: string;
  readonly provider: string;
  readonly payment_id: string;
  readonly platform_gift_id: string;
  /** Each part by its project's code: `WATER 33.34; RIVER 33.33`. */
  readonly projects: string;
  readonly segment: string;
}

/** What a reconciliation tells, line by line. */
export type ReportLine =
  /** That it goes on: how much was listed so far. */
  | { readonly kind: 'progress'; readonly listed: number }
  | { readonly kind: 'row'; readonly row: LedgerRow }
  | { readonly kind: 'difference'; readonly difference: Difference }
  /** Young, and not come to its end yet: no difference. */
  | { readonly kind: 'under-way'; readonly gift: string; readonly why: string }
  /** Taken into the database now, as a webhook would have been. */
  | { readonly kind: 'taken'; readonly gift: string; readonly what: string }
  /**
   * A side was not asked, or not about everything.
   * @param isFailure it did not answer, though it can.
   */
  | {
      readonly kind: 'not-compared';
      readonly where: Side;
      readonly why: string;
      readonly isFailure: boolean;
    }
  | { readonly kind: 'end'; readonly gifts: number; readonly differences: number };
