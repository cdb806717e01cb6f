/**
 * A donation's status in the database, at payment gateways, in responses, and in the form.
 *
 * - `requires_action`: the donor must act, for example confirm the payment.
 * - `unconfirmed`: it is not known yet whether the donor was charged.
 * - `processing`: accepted, but the money arrives later; see {@link Awaiting}.
 * - `succeeded`: the donor was charged.
 * - `failed`: the donor was not charged, or the money never arrived; see {@link FailureReason}.
 * - `needs_review`: the payment contradicts what was agreed or shown, so an admin decides. Donors
 *   see `unconfirmed`.
 */
export type DonationStatus =
  'requires_action' | 'unconfirmed' | 'processing' | 'succeeded' | 'failed' | 'needs_review';

/** Statuses that payment providers report and donors see. */
export const PUBLIC_STATUSES = [
  'requires_action',
  'unconfirmed',
  'processing',
  'succeeded',
  'failed',
] as const satisfies readonly DonationStatus[];
export type PublicStatus = (typeof PUBLIC_STATUSES)[number];

/**
 * Party that a `processing` donation is waiting for. `bank`: to settle a direct debit. `donor`: to
 * send the pledged money.
 */
export const AWAITING = ['bank', 'donor'] as const;
export type Awaiting = (typeof AWAITING)[number];

/**
 * Reason why a donation failed. `not-confirmed`: the donor canceled or did not complete the
 * payment; `payment-failed`: the payment never reached the provider. Every other reason names what
 * the provider rejected; the donor can correct it.
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
