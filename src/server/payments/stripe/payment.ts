import type Stripe from 'stripe';
import { PaymentMethodType } from '@donation-form/core/donation';
import type { Payment } from '../payment-gateway.ts';
import { giftAmount } from './amounts.ts';

/** What `expand` has to name, so that {@link toPayment} can say how a payment was made. */
export const EXPANDED = ['latest_charge'];

const BANK_DEBITS: readonly string[] = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'nz_bank_account',
  'sepa_debit',
  'us_bank_account',
];

/** How a payment is made in the platform's words, by Stripe's name for it. */
export function methodOf(type: string, hasWallet = false): PaymentMethodType {
  if (BANK_DEBITS.includes(type)) return PaymentMethodType.ACH;
  return type === 'card' && !hasWallet ? PaymentMethodType.CreditCard : PaymentMethodType.Wallet;
}

/** A payment intent as the server reads it. */
export function toPayment(intent: Stripe.PaymentIntent, subscriptionId?: string): Payment {
  const { id, amount, client_secret: secret, latest_charge: charge } = intent;
  const details = typeof charge === 'object' ? charge?.payment_method_details : undefined;
  const state = stateOf(intent);
  return {
    paymentId: id,
    subscriptionId,
    state,
    ...giftAmount(state === 'succeeded' ? intent.amount_received : amount, intent.currency),
    ...(details && { method: methodOf(details.type, details.card?.wallet != null) }),
    ...(state === 'action' && secret !== null && { action: { kind: 'field', secret } }),
  };
}

/**
 * An intent that was refused waits for another card: the gift's next try is another intent, so this
 * one has ended.
 */
function stateOf({
  id,
  status,
  last_payment_error: error,
}: Stripe.PaymentIntent): Payment['state'] {
  switch (status) {
    case 'requires_payment_method':
    case 'canceled':
    case 'requires_confirmation': {
      if (error)
        return error.code === 'payment_intent_authentication_failure' ? 'canceled' : 'declined';
      return status === 'canceled' ? 'canceled' : 'open';
    }
    case 'requires_action':
      return 'action';
    case 'processing':
      return 'pending';
    case 'succeeded':
      return 'succeeded';
    default:
      throw new Error(`payment ${id} is ${status}, which nothing here asked for`);
  }
}
