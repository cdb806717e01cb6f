/**
 * - `requires_action`: the donor must take a step, such as confirming the payment.
 * - `unconfirmed`: the server does not know yet whether the donor was charged.
 * - `processing`: the donation was accepted, but the money arrives later; see {@link Awaiting}.
 * - `succeeded`: the donor was charged.
 * - `failed`: the donor was not charged, or the money never arrived; see {@link FailureReason}.
 * - `needs_review`: the payment contradicts the agreed donation or an earlier status, so an admin
 *   must decide. Donors see `unconfirmed` instead.
 */
export type DonationStatus =
  'requires_action' | 'unconfirmed' | 'processing' | 'succeeded' | 'failed' | 'needs_review';

/** Statuses that payment providers can report and donors can see. */
export const PUBLIC_STATUSES = [
  'requires_action',
  'unconfirmed',
  'processing',
  'succeeded',
  'failed',
] as const satisfies readonly DonationStatus[];
export type PublicStatus = (typeof PUBLIC_STATUSES)[number];

/** Party that a `processing` donation waits for: the bank, or the donor who pledged the money. */
export const AWAITING = ['bank', 'donor'] as const;
export type Awaiting = (typeof AWAITING)[number];

/**
 * Why a donation failed. `not-confirmed`: the donor canceled or did not complete the payment.
 * `payment-failed`: no other reason applies. All others are problems that the donor can correct.
 */
export const FAILURE_REASONS = [
  'card-declined',
  'not-confirmed',
  'payment-failed',
  'email-invalid',
  'amount-too-small',
  'amount-too-large',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/**
 * Status of a recurring donation's subscription, as the payment provider reports it.
 * - `active`: the subscription renews on schedule.
 * - `retrying`: the last renewal failed, and the provider will retry it.
 * - `suspended`: the provider has stopped retrying.
 * - `canceled`: the subscription has ended.
 */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'canceled';
