import type Stripe from 'stripe';
import type { PaymentRequest } from '../payment-gateway.ts';

/** Has a key of our own, because other applications may use the same account. */
export function toMetadata(reference: string): { readonly donation_form_reference: string } {
  return { donation_form_reference: reference };
}

/** Version 0.1.0 used only the reference, but Stripe rejects a repeated key with other metadata. */
export function toIdempotencyKey(reference: string): string {
  return `donation-form ${reference}`;
}

/** In version 0.1.0, the description ended with the reference. */
export function getPaymentReference(intent: Stripe.PaymentIntent): string | undefined {
  const { metadata, description } = intent;
  const reference = getPossibleReference(metadata);
  return description?.endsWith(` ${reference}`) ? reference : metadata.donation_form_reference;
}

/** Other applications use version 0.1.0's key too, so check first that the object is ours. */
export function getPossibleReference(metadata?: Stripe.Metadata | null): string | undefined {
  return metadata?.donation_form_reference ?? metadata?.reference;
}

export function toReceiptEmail({ receiptSender, donor }: PaymentRequest) {
  return (
    receiptSender === 'processor' && donor.email !== undefined && { receipt_email: donor.email }
  );
}
