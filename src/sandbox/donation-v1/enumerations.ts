import type { GiftStatus } from '../data/enumerations.ts';
import type { Gift } from '../data/records.ts';

/**
 * Enumeration values of the Donation Platform API v1 (specification, "Enumerations"). The
 * bearer-key interface uses other values.
 */
export const TENDER_TYPES = {
  None: 0,
  'Credit Card': 1,
  'E-Check': 2,
  Cash: 4,
  Check: 5,
  Stock: 6,
  Other: 7,
  'Bank linking': 8,
  'Digital wallet': 9,
  Free: 10,
} as const;

export const TENDER_TYPE_BY_METHOD: Readonly<Record<Gift['method'], number>> = {
  card: TENDER_TYPES['Credit Card'],
  bank: TENDER_TYPES['E-Check'],
  wallet: TENDER_TYPES['Digital wallet'],
  check: TENDER_TYPES.Check,
};

export const DONATION_STATUSES = {
  Approved: 1,
  Declined: 2,
  Voided: 3,
  Refunded: 4,
  Error: 5,
  Pending: 8,
  DisputedWon: 9,
  Disputed: 10,
  DisputedLost: 11,
} as const;

/** Donation statuses in this API, keyed by the fundraising platform's `GiftStatus`. */
export const DONATION_STATUS_BY_GIFT_STATUS: Readonly<Record<GiftStatus, number>> = {
  1: DONATION_STATUSES.Approved,
  2: DONATION_STATUSES.Declined,
  3: DONATION_STATUSES.Voided,
  4: DONATION_STATUSES.Refunded,
  5: DONATION_STATUSES.Error,
  8: DONATION_STATUSES.Pending,
  9: DONATION_STATUSES.DisputedWon,
  10: DONATION_STATUSES.Disputed,
  11: DONATION_STATUSES.DisputedLost,
};

const RECURRING_FREQUENCIES: Readonly<Record<string, number>> = {
  weekly: 52,
  monthly: 12,
  quarterly: 4,
  biannual: 2,
  annually: 1,
};

/**
 * Converts a gift's frequency to a Recurring Frequency value. Returns `null` for `once`, and Other
 * (100) for an unknown frequency.
 */
export function toRecurringFrequency(frequency: string): number | null {
  if (frequency === 'once') return null;
  return Object.hasOwn(RECURRING_FREQUENCIES, frequency) ? RECURRING_FREQUENCIES[frequency]! : 100;
}

/** Converts a Recurring Frequency value, except Other, to a gift's frequency. */
export function fromRecurringFrequency(value: unknown): string | undefined {
  return Object.keys(RECURRING_FREQUENCIES).find((name) => RECURRING_FREQUENCIES[name] === value);
}

export const SCHEDULE_STATUSES = {
  Active: 1,
  Cancelled: 2,
  Expired: 3,
  Suspended: 4,
  Terminated: 5,
  Error: 6,
} as const;

/** Address Type "Contact". */
export const CONTACT_ADDRESS_TYPE = 4;
