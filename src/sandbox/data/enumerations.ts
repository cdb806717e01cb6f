/**
 * Values as the Fundraising Platform API ('Enumerations') has them. The other interface has its
 * own: see `donation-v1/enumerations.ts`.
 */
export const ACTIVITY_ORIGINS = {
  Donor: 0,
  Team: 1,
  System: 2,
  Giving: 3,
  CRM: 4,
  DonorPortal: 5,
} as const;

export const GIFT_STATUSES = {
  Approved: 1,
  Declined: 2,
  Voided: 3,
  Refunded: 4,
  Error: 5,
  Pending: 8,
  'Disputed (Won)': 9,
  Disputed: 10,
  'Disputed (Lost)': 11,
} as const;

export type GiftStatus = (typeof GIFT_STATUSES)[keyof typeof GIFT_STATUSES];

export const RECURRING_GIFT_STATUSES = {
  Active: 1,
  Cancelled: 2,
  Suspended: 4,
  Retrying: 6,
} as const;

export const QUERY_TYPES = [
  'Other',
  'Donor',
  'DonorAddress',
  'Gift',
  'Project',
  'Premium',
  'Page',
  'RecurringGift',
  'Campaign',
  'Segment',
] as const;

/** The operators that the sandbox offers; a subset of QueryOperator. */
export type QueryOperator =
  | 'Is'
  | 'IsNot'
  | 'IsKnown'
  | 'IsNotKnown'
  | 'LessThan'
  | 'LessThanOrEqual'
  | 'GreaterThan'
  | 'GreaterThanOrEqual'
  | 'Contains'
  | 'DoesNotContain'
  | 'StartsWith'
  | 'EndsWith'
  | 'In'
  | 'NotIn'
  | 'Between'
  | 'Before'
  | 'After'
  | 'OnOrBefore'
  | 'OnOrAfter'
  | 'IsAnyOf'
  | 'IsNoneOf';

export const CONJUNCTS = { And: 0, Or: 1 } as const;

/** The kinds of events that the sandbox brings about. */
export const EVENT_TYPES = { Gift_Added: 10, Gift_Modified: 11 } as const;

export type EventType = (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES];

export const WEBHOOK_STATUSES = { Active: 1, Paused: 2 } as const;

export const WEBHOOK_FORMATS = { JSON: 1, XML: 2 } as const;

/** The name of a value in one of these tables. */
export function nameOf(table: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(table).find((name) => table[name] === value) ?? String(value);
}

/**
 * Reads a value that is written as its number or as its name.
 * @returns `undefined` where it is neither.
 */
export function valueOf<Value extends number>(
  table: Readonly<Record<string, Value>>,
  written: unknown,
): Value | undefined {
  return typeof written === 'string' && Object.hasOwn(table, written)
    ? table[written]
    : Object.values(table).find((value) => value === written);
}
