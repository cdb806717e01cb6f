import type { Stripe } from 'stripe';
import type { TestPaymentMethod } from './test-payment-methods.ts';

/** First response of an idempotency key. */
export interface SavedResponse {
  readonly path: string;
  /** Sorted parameters, as JSON. */
  readonly request: string;
  readonly status: number;
  readonly body: string;
}

/** Fields that a Checkout Session passes on to its payment or subscription. */
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

/** Access to the portal: by the link in an email, once, or by the session's cookie. */
export interface PortalAccess {
  readonly kind: 'link' | 'session';
  readonly email: string;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Values stored beside Stripe's objects, which the API does not show. */
export interface InternalRecordsByKind {
  /** By the ID of a payment method or confirmation token. */
  'test-method': TestPaymentMethod;
  /** By idempotency key. */
  response: SavedResponse;
  /** By the session's ID. */
  'payment-details': PaymentDetails;
  /** By the session's ID. */
  attempt: Attempt;
  /** ID of the Checkout Session that a payment intent pays, by the intent's ID. */
  session: string;
  /** By the secret in the link or cookie. */
  'portal-access': PortalAccess;
}
