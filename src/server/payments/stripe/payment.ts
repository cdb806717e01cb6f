import type Stripe from 'stripe';
import { PaymentMethodType } from '@donation-form/core/donation';
import type { Payment } from '../payment-gateway.ts';
import { fromStripeUnits } from './amounts.ts';

/** Value of `expand` that {@link toPayment} requires to read the payment method. */
export const EXPAND = ['latest_charge'];

const BANK_DEBITS: readonly string[] = [
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
];

/** Converts a Stripe payment method to the platform's payment method type. */
export function fromStripeMethodType(type: string, hasWallet = false): PaymentMethodType {
  if (BANK_DEBITS.includes(type)) return PaymentMethodType.ACH;
  return type === 'card' && !hasWallet ? PaymentMethodType.CreditCard : PaymentMethodType.Wallet;
}

/** Converts a payment intent. */
export function toPayment(intent: Stripe.PaymentIntent, subscriptionId?: string): Payment {
  const { id, amount, client_secret: secret, latest_charge: charge } = intent;
  const details = typeof charge === 'object' ? charge?.payment_method_details : undefined;
  const result = getIntentStatus(intent);
  return {
    paymentId: id,
    subscriptionId,
    ...result,
    ...fromStripeUnits(
      result.status === 'succeeded' ? intent.amount_received : amount,
      intent.currency,
    ),
    ...(details && { method: fromStripeMethodType(details.type, details.card?.wallet != null) }),
    ...(result.status === 'requires_action' &&
      secret !== null && { action: { kind: 'field', secret } }),
  };
}

/**
 * Converts the status. A declined intent would accept another card, but counts as failed, because the
 * donor's next attempt creates a new intent.
 */
function getIntentStatus({
  id,
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): Pick<Payment, 'status' | 'awaiting' | 'reason'> {
  switch (status) {
    case 'requires_payment_method':
    case 'canceled':
    case 'requires_confirmation': {
      const isCanceled = error
        ? error.code === 'payment_intent_authentication_failure'
        : status === 'canceled';
      if (isCanceled) return { status: 'failed', reason: 'not-confirmed' };
      return error ? { status: 'failed', reason: 'card-declined' } : { status: 'unconfirmed' };
    }
    case 'requires_action':
      return { status: 'requires_action' };
    case 'processing':
      return { status: 'processing', awaiting: 'bank' };
    case 'succeeded':
      return { status: 'succeeded' };
    default:
      throw new Error(`payment ${id} has the unexpected status ${status}`);
  }
}
