export { Frequency, toFrequencyCode } from './frequency-code.ts';
export {
  AWAITING,
  FAILURE_REASONS,
  PUBLIC_STATUSES,
  type Awaiting,
  type DonationStatus,
  type FailureReason,
  type PublicStatus,
} from './donation-status.ts';
export { DONATION_FREQUENCIES, type DonationFrequency } from './frequency.ts';
export { suggestMonthlyAmount } from './monthly-equivalent.ts';
export { PaymentMethodType } from './payment-method-type.ts';
export {
  filterStripeMethods,
  getStripeMethodFacts,
  STRIPE_METHODS,
  toPaymentMethodType,
  type StripeMethod,
} from './stripe-method-facts.ts';
export { splitEqually } from './split.ts';
export { TRIBUTE_KINDS, MAX_TRIBUTE_NAME_LENGTH } from './tribute.ts';
export type { SubscriptionStatus } from './subscription-status.ts';
