import type { Stripe } from 'stripe';
import type { TestPaymentMethod } from './test-payment-methods.ts';

/** The first response saved under an idempotency key. */
export interface SavedResponse {
  readonly path: string;
  /** The request's sorted parameters, as JSON. */
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

/** Fields that the emulator copies from a Checkout Session to its payment or subscription. */
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
 * Access to the portal. The link in the email works once and starts a session, which a cookie
 * identifies.
 */
export interface PortalAccess {
  readonly kind: 'link' | 'session';
  readonly email: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/**
 * Values that the emulator stores in addition to Stripe's objects. The API never returns these
 * values.
 */
export interface InternalRecordsByKind {
  /** Test payment method, keyed by the ID of a payment method or confirmation token. */
  'test-method': TestPaymentMethod;
  /** First response, keyed by idempotency key. */
  response: SavedResponse;
  /** Payment details, keyed by the Checkout Session's ID. */
  'payment-details': PaymentDetails;
  /** Payment attempt, keyed by the Checkout Session's ID. */
  attempt: Attempt;
  /** ID of the Checkout Session that a payment intent pays, keyed by the intent's ID. */
  session: string;
  /** Portal access, keyed by the secret in the link or cookie. */
  'portal-access': PortalAccess;
}
