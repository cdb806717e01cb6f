import type { DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import type { PaymentIds, PaymentRequest } from '../payments/payment-gateway.ts';
import { toPlatformGift } from './to-platform-gift.ts';

/** Payment data from the browser. The server never stores this data. */
export type PaymentInput = Pick<DonationRequest['payment'], 'token' | 'returnUrl'>;

export function toPaymentRequest(
  donation: Donation,
  { token, returnUrl }: PaymentInput,
): PaymentRequest {
  const { reference, payload } = donation;
  const { gift, donor, form, organization, receiptSender } = payload;
  const { total, currency, frequency } = gift;
  return {
    reference,
    total,
    currency,
    frequency,
    token,
    returnUrl,
    donor: {
      name: donor.organization ?? [donor.firstName, donor.lastName].filter(Boolean).join(' '),
      email: donor.email,
    },
    description: `${organization} ${reference}`,
    language: form.language,
    receiptSender,
    createPlatformGift: () => toPlatformGift(donation),
  };
}

/** @throws {Error} if no payment has been created. */
export function getPaymentIds({ reference, paymentId, subscriptionId }: Donation): PaymentIds {
  if (paymentId === null) throw new Error(`donation ${reference} has no payment`);
  return { paymentId, ...(subscriptionId !== null && { subscriptionId }) };
}
