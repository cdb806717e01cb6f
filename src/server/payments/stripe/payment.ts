import type Stripe from 'stripe';
import { toPaymentMethodType } from '@donation-form/core/donation';
import type { Payment } from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';

/** Fields to expand for {@link toPayment}. */
export const EXPAND = ['latest_charge'];

/** Codes for payments that the donor did not approve. Other codes mean a declined payment. */
const NOT_CONFIRMED_CODES: readonly (string | undefined)[] = [
  'payment_intent_authentication_failure',
  'payment_intent_payment_attempt_expired',
  'payment_method_customer_decline',
  'payment_method_provider_timeout',
];

/** The total is the intent's amount or, after the payment succeeded, the amount received. */
export function toPayment(intent: Stripe.PaymentIntent, subscriptionId?: string): Payment {
  const { id, amount, client_secret: secret, latest_charge: charge } = intent;
  const details = typeof charge === 'object' ? charge?.payment_method_details : undefined;
  const result = toPaymentStatus(intent);
  const total = result.status === 'succeeded' ? intent.amount_received : amount;
  return {
    paymentId: id,
    subscriptionId,
    ...result,
    ...fromStripeUnits(total, intent.currency),
    ...(details && { method: toPaymentMethodType(details.type, details.card?.wallet != null) }),
    ...(result.status === 'requires_action' &&
      secret !== null && { action: { kind: 'field', secret } }),
  };
}

/** Returns the ID of a Stripe object that may not be expanded. */
export function getObjectId(object: string | { readonly id: string }): string {
  return typeof object === 'string' ? object : object.id;
}

/** A declined intent counts as failed, because the donor's next attempt creates a new intent. */
function toPaymentStatus(intent: Stripe.PaymentIntent): Pick<Payment, 'status' | 'reason'> {
  const { id, status, last_payment_error: error } = intent;
  switch (status) {
    case 'requires_payment_method':
    case 'canceled':
    case 'requires_confirmation': {
      const isCanceled = error ? NOT_CONFIRMED_CODES.includes(error.code) : status === 'canceled';
      if (isCanceled) return { status: 'failed', reason: 'not-confirmed' };
      return error ? { status: 'failed', reason: 'card-declined' } : { status: 'unconfirmed' };
    }
    case 'requires_action':
      return { status: 'requires_action' };
    case 'processing':
      return { status: 'processing' };
    case 'succeeded':
      return { status: 'succeeded' };
    default:
      throw new Error(`Stripe payment ${id} has the unexpected status ${status}`);
  }
}
