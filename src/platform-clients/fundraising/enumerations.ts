/**
 * Values from the Fundraising Platform API ("Enumerations", "States and transitions", and
 * "Events"). The Donation Platform API v1 uses different values, so do not mix the two sets.
 */
export { CustomFieldDataFormatter, CustomFieldDataType } from '@donation-form/core/donor';
export { Frequency, PaymentMethodType } from '@donation-form/core/donation';
export { WebhookFormat, WebhookStatus } from '../http/webhook.ts';

/** Origin of a change to an entity. */
export const ActivityOrigin = {
  Donor: 0,
  Team: 1,
  System: 2,
  Giving: 3,
  CRM: 4,
  DonorPortal: 5,
} as const;
export type ActivityOrigin = (typeof ActivityOrigin)[keyof typeof ActivityOrigin];

/** Values 2 and 3 are third-party processors, which the specification does not name. */
export const PaymentProviderType = {
  None: 0,
  PlatformPayments: 1,
  ThirdPartyProcessorA: 2,
  ThirdPartyProcessorB: 3,
} as const;
export type PaymentProviderType = (typeof PaymentProviderType)[keyof typeof PaymentProviderType];

/** Fundraising Platform API, "Enumerations": AddressType. */
export const AddressType = {
  Other: 0,
  Shipping: 1,
  Billing: 2,
  Technical: 3,
  Contact: 4,
  None: 5,
} as const;
export type AddressType = (typeof AddressType)[keyof typeof AddressType];

/** Fundraising Platform API, "Enumerations": ContactMethodType. */
export const ContactMethodType = {
  Unknown: 0,
  HomeEmail: 10,
  WorkEmail: 11,
  OtherEmail: 12,
  HomePhone: 20,
  WorkPhone: 21,
  MobilePhone: 22,
  Other: 99,
} as const;
export type ContactMethodType = (typeof ContactMethodType)[keyof typeof ContactMethodType];

/** Fundraising Platform API, "Enumerations": CustomFieldEntityType. */
export const CustomFieldEntityType = {
  Contact: 0,
  ContactIndividual: 1,
  Gift: 2,
  Event: 3,
  EventInvitation: 4,
  Project: 5,
  VolunteerOpportunity: 6,
  Grant: 7,
  Premium: 8,
  GiftAsk: 9,
  MediaOutlet: 10,
  PlannedGift: 11,
  Pledge: 12,
  RecurringGift: 13,
  Membership: 14,
  ContactNote: 15,
} as const;
export type CustomFieldEntityType =
  (typeof CustomFieldEntityType)[keyof typeof CustomFieldEntityType];

/** Statuses of a gift, with undocumented transitions. */
export const GiftStatus = {
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
export type GiftStatus = (typeof GiftStatus)[keyof typeof GiftStatus];

/** Statuses of a recurring gift, with undocumented transitions. */
export const RecurringGiftStatus = { Active: 1, Cancelled: 2, Suspended: 4, Retrying: 6 } as const;
export type RecurringGiftStatus = (typeof RecurringGiftStatus)[keyof typeof RecurringGiftStatus];

/** Operators of query conditions. Queries contain their names, not their numbers. */
export const QueryOperator = {
  Is: 0,
  IsNot: 1,
  IsKnown: 2,
  IsNotKnown: 3,
  LessThan: 4,
  LessThanOrEqual: 5,
  GreaterThan: 6,
  GreaterThanOrEqual: 7,
  Contains: 8,
  StartsWith: 9,
  EndsWith: 10,
  IsTrue: 11,
  IsFalse: 12,
  IsSet: 13,
  IsNotSet: 14,
  In: 15,
  NotIn: 16,
  Between: 17,
  Before: 18,
  After: 19,
  IsAnyOf: 20,
  IsNoneOf: 21,
  Matches: 22,
  IsIn: 23,
  IsNotIn: 24,
  HasAny: 25,
  HasNone: 26,
  DoesNotContain: 27,
  OnOrBefore: 28,
  OnOrAfter: 29,
} as const;
export type QueryOperator = (typeof QueryOperator)[keyof typeof QueryOperator];
/** Name of an operator, spelled as in queries, such as `OnOrBefore`. */
export type QueryOperatorName = keyof typeof QueryOperator;

/** Fundraising Platform API, "Enumerations": QueryType. */
export const QueryType = {
  Other: 0,
  Donor: 1,
  DonorAddress: 2,
  Gift: 3,
  Project: 4,
  Premium: 5,
  Page: 6,
  RecurringGift: 7,
  Campaign: 8,
  Segment: 9,
} as const;
export type QueryType = (typeof QueryType)[keyof typeof QueryType];
/** Name of a query type. */
export type QueryTypeName = keyof typeof QueryType;

/** Fundraising Platform API, "Enumerations": ConjunctOperator. */
export const ConjunctOperator = { And: 0, Or: 1 } as const;
export type ConjunctOperator = (typeof ConjunctOperator)[keyof typeof ConjunctOperator];

/** Event types of webhooks. */
export const EventType = {
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
export type EventType = (typeof EventType)[keyof typeof EventType];
