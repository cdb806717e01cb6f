import type Stripe from 'stripe';

/** Builds metadata with a key of our own, because other applications may use the same account. */
export function toMetadata(reference: string): { readonly donation_form_reference: string } {
  return { donation_form_reference: reference };
}

/**
 * Builds an idempotency key. Version 0.1.0 used only the reference, but Stripe rejects a repeated key
 * with other metadata.
 */
export function toIdempotencyKey(reference: string): string {
  return `donation-form ${reference}`;
}

/**
 * Returns the reference of a single payment. Recognizes payments of version 0.1.0 by their
 * description, which ends with the reference.
 */
export function getPaymentReference({
  metadata,
  description,
}: Stripe.PaymentIntent): string | undefined {
  const reference = getPossibleReference(metadata);
  return (
    metadata.donation_form_reference ??
    (description?.endsWith(` ${reference}`) ? reference : undefined)
  );
}

/**
 * Returns the reference, or the value of `reference`, the key that version 0.1.0 used. Other
 * applications use that key too, so check first that the object is ours.
 */
export function getPossibleReference(
  metadata: Stripe.Metadata | null | undefined,
): string | undefined {
  return metadata?.donation_form_reference ?? metadata?.reference;
}
