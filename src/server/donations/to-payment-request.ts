import type { Donation } from '../database/schema.ts';
import type { PaymentIds, PaymentRequest } from '../payments/payment-gateway.ts';

/** What the donor's browser gives for the payment, and is not stored. */
export type PaymentInput = Pick<PaymentRequest, 'token' | 'returnUrl'>;

/** What a payment provider is asked to charge. */
export function toPaymentRequest(
  { reference, payload: { gift, donor, form, organization, receipts } }: Donation,
  { token, returnUrl }: PaymentInput,
): PaymentRequest {
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
    wantsReceipt: receipts === 'processor',
  };
}

/** The ids of a donation's payment at the provider. @throws where none was opened. */
export function paymentIdsOf({
  reference,
  payment_id: paymentId,
  subscription_id: subscriptionId,
}: Donation): PaymentIds {
  if (paymentId === null) throw new Error(`no payment of ${reference} was opened`);
  return { paymentId, ...(subscriptionId !== null && { subscriptionId }) };
}
