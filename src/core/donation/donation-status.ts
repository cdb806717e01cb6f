/**
 * Donors see `unconfirmed` instead of `needs_review`: the payment contradicts the agreed donation
 * or an earlier status, so an admin must decide. `processing`: accepted, but the money arrives
 * later; see {@link Awaiting}. `failed`: the donor was not charged, or the money never arrived.
 */
export type DonationStatus =
  'requires_action' | 'unconfirmed' | 'processing' | 'succeeded' | 'failed' | 'needs_review';

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

/** Why a donation failed; `payment-failed` if no other reason applies. */
export const FAILURE_REASONS = [
  'card-declined',
  'not-confirmed',
  'payment-failed',
  'email-invalid',
  'amount-too-small',
  'amount-too-large',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Subscription status, as the payment provider reports it. `suspended`: it no longer retries. */
export type SubscriptionStatus = 'active' | 'retrying' | 'suspended' | 'canceled';
