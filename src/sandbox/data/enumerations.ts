/**
 * Enumeration values of the Fundraising Platform API (specification, "Enumerations"). For the
 * values of the basic-key interface, see `donation-v1/enumerations.ts`.
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

export type QueryType = (typeof QUERY_TYPES)[number];

export const ADDRESS_TYPES = {
  Other: 0,
  Shipping: 1,
  Billing: 2,
  Technical: 3,
  Contact: 4,
  None: 5,
} as const;

export const FREQUENCIES = {
  Weekly: 52,
  EveryOtherWeek: 26,
  Monthly: 12,
  Quarterly: 4,
  BiAnnual: 2,
  Annually: 1,
} as const;

/** Names of `QueryOperator`. */
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
  | 'IsNoneOf'
  | 'IsTrue'
  | 'IsFalse'
  | 'IsSet'
  | 'IsNotSet'
  | 'Matches'
  | 'IsIn'
  | 'IsNotIn'
  | 'HasAny'
  | 'HasNone';

export const CONJUNCT_OPERATORS = { And: 0, Or: 1 } as const;

export const EVENT_TYPES = {
  Gift_Added: 10,
  Gift_Modified: 11,
  Gift_Deleted: 12,
  Donor_Added: 20,
  Donor_Modified: 21,
  Donor_Deleted: 22,
  RecurringGift_Added: 30,
  RecurringGift_Modified: 31,
  RecurringGift_Deleted: 32,
  Project_Added: 40,
  Project_Modified: 41,
  Project_Deleted: 42,
  Premium_Added: 50,
  Premium_Modified: 51,
  Premium_Deleted: 52,
} as const;

/** Event types that the sandbox emits itself. A call can emit the others. */
export const GIFT_EVENT_TYPES = [EVENT_TYPES.Gift_Added, EVENT_TYPES.Gift_Modified];

export type EventType = (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES];

export const WEBHOOK_STATUSES = { Active: 1, Paused: 2 } as const;

export const WEBHOOK_FORMATS = { JSON: 1, XML: 2 } as const;

/**
 * Returns the name of an enumeration value, or the number as text if the enumeration has no such
 * value.
 */
export function getEnumName(table: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(table).find((name) => table[name] === value) ?? String(value);
}

/**
 * Converts the name or number of an enumeration value to the number. Returns `undefined` for
 * unknown names and numbers.
 */
export function parseEnumValue<Value extends number>(
  table: Readonly<Record<string, Value>>,
  input: unknown,
): Value | undefined {
  return typeof input === 'string' && Object.hasOwn(table, input)
    ? table[input]
    : Object.values(table).find((value) => value === input);
}

/** Lists an enumeration's values for an error message, such as `1 (Active), 2 (Paused)`. */
export function formatEnumValues(table: Readonly<Record<string, number>>): string {
  return Object.entries(table)
    .map(([name, value]) => `${value} (${name})`)
    .join(', ');
}
