import type { Stripe } from 'stripe';
import type { TestPaymentMethod } from './test-payment-methods.ts';

/** The first response saved under an idempotency key. */
export interface SavedResponse {
  readonly path: string;
  /** The request's parameters, sorted, as JSON. */
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

/** Fields that a Checkout Session copies to its payment or subscription. */
export interface PaymentDetails {
  readonly metadata: Stripe.Metadata;
  readonly description: string | null;
  readonly receipt_email?: string | undefined;
  readonly setup_future_usage?: 'off_session' | 'on_session' | undefined;
}

/** IDs of the objects created to pay a Checkout Session. */
export interface Attempt {
  readonly intent: string;
  readonly customer: string | null;
  readonly subscription: string | null;
}

/**
 * Access to the portal. The link in the email works once. After that, the session cookie gives
 * access.
 */
export interface PortalAccess {
  readonly kind: 'link' | 'session';
  readonly email: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/**
 * Values that the emulator stores in addition to Stripe's objects. The API does not return them.
 */
export interface InternalRecordsByKind {
  /** Keyed by the ID of a payment method or confirmation token. */
  'test-method': TestPaymentMethod;
  /** By idempotency key. */
  response: SavedResponse;
  /** Keyed by the session's ID. */
  'payment-details': PaymentDetails;
  /** Keyed by the session's ID. */
  attempt: Attempt;
  /** ID of the Checkout Session in which a payment intent is paid, by the intent's ID. */
  session: string;
  /** Keyed by the secret in the link or cookie. */
  'portal-access': PortalAccess;
}
