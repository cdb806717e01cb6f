/**
 * Values from the Donation Platform API v1 ("Enumerations" and "States and transitions"). The
 * Fundraising Platform API uses different values, so do not mix the two sets.
 */

export { WebhookFormat, WebhookStatus } from '../http/webhook.ts';

/** Values 1 to 4 are card networks, which the specification does not name. */
export const CardBrand = { NetworkA: 1, NetworkB: 2, NetworkC: 3, NetworkD: 4, Other: 5 } as const;
export type CardBrand = (typeof CardBrand)[keyof typeof CardBrand];

/** Donation Platform API v1, "Enumerations": PaymentTenderType. */
export const PaymentTenderType = {
  None: 0,
  CreditCard: 1,
  ECheck: 2,
  Cash: 4,
  Check: 5,
  Stock: 6,
  Other: 7,
  BankLinking: 8,
  DigitalWallet: 9,
  Free: 10,
} as const;
export type PaymentTenderType = (typeof PaymentTenderType)[keyof typeof PaymentTenderType];

/** Statuses of a donation, with undocumented transitions. */
export const DonationStatus = {
  Approved: 1,
  Declined: 2,
  Voided: 3,
  Refunded: 4,
  Error: 5,
  HeldForReview: 6,
  ChargeBack: 7,
  Pending: 8,
  DisputedWon: 9,
  Disputed: 10,
  DisputedLost: 11,
} as const;
export type DonationStatus = (typeof DonationStatus)[keyof typeof DonationStatus];

/** Statuses of a recurring schedule, with undocumented transitions. */
export const RecurringScheduleStatus = {
  Active: 1,
  Cancelled: 2,
  Expired: 3,
  Suspended: 4,
  Terminated: 5,
  Error: 6,
} as const;
export type RecurringScheduleStatus =
  (typeof RecurringScheduleStatus)[keyof typeof RecurringScheduleStatus];

/** Donation Platform API v1, "Enumerations": RecurringFrequency. */
export const RecurringFrequency = {
  Weekly: 52,
  Monthly: 12,
  Quarterly: 4,
  Biannually: 2,
  Annually: 1,
  Other: 100,
} as const;
export type RecurringFrequency = (typeof RecurringFrequency)[keyof typeof RecurringFrequency];

/** Donation Platform API v1, "Enumerations": AddressType. */
export const AddressType = { Shipping: 1, Billing: 2, Technical: 3, Contact: 4 } as const;
export type AddressType = (typeof AddressType)[keyof typeof AddressType];

/** Event types of webhook subscriptions. The value 15 is unassigned. */
export const WebhookEventType = {
  'Donation.Created': 1,
  'Donation.Edited': 2,
  'Donor.Created': 3,
  'Donor.Edited': 4,
  'Donor.Deleted': 5,
  'Schedule.Created': 6,
  'Schedule.Edited': 7,
  'Schedule.Deleted': 8,
  'Fund.Created': 9,
  'Fund.Edited': 10,
  'Fund.Deleted': 11,
  'Campaign.Created': 12,
  'Campaign.Edited': 13,
  'Campaign.Deleted': 14,
  'Product.Created': 16,
  'Product.Edited': 17,
  'Product.Deleted': 18,
} as const;
export type WebhookEventType = (typeof WebhookEventType)[keyof typeof WebhookEventType];

/** Donation Platform API v1, "Enumerations": AmountDisplayType. */
export const AmountDisplayType = {
  TextBox: 1,
  PrePopulatedAmount: 2,
  SuggestedAmounts: 3,
} as const;
export type AmountDisplayType = (typeof AmountDisplayType)[keyof typeof AmountDisplayType];

/** Donation Platform API v1, "Enumerations": FrequencyOptions. */
export const FrequencyOptions = { Recurring: 1, OneTime: 2, Either: 3 } as const;
export type FrequencyOptions = (typeof FrequencyOptions)[keyof typeof FrequencyOptions];

/** Donation Platform API v1, "Enumerations": PaymentTenderSupported. */
export const PaymentTenderSupported = { CC: 1, ACH: 2, CcAndAch: 3 } as const;
export type PaymentTenderSupported =
  (typeof PaymentTenderSupported)[keyof typeof PaymentTenderSupported];

/** Donation Platform API v1, "Enumerations": FundDisplayType. */
export const FundDisplayType = {
  Single: 0,
  Multiple_TableLayout: 1,
  Fund_ShoppingCart: 2,
} as const;
export type FundDisplayType = (typeof FundDisplayType)[keyof typeof FundDisplayType];
