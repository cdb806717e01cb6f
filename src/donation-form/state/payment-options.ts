import type { DonationRequest, FormDefinition, PaymentOffer } from '@donation-form/core/schemas';
import { cleanLine } from '@donation-form/core/donor';
import { firstOf } from './form-values.ts';
import type { FormState } from './form-state.ts';

/** The control that chooses the way to pay, where there are several. */
export const PROVIDER = 'payment.provider';

/** The way to pay that is chosen; the first where none is, or no longer one of the form's. */
export function paymentOf(
  { more }: Pick<FormState, 'more'>,
  { payments }: FormDefinition,
): PaymentOffer {
  return payments.find(({ provider }) => provider === firstOf(more, PROVIDER)) ?? payments[0];
}

/** Whether no money moves through the form: the donor is told how to pay. */
export function isOffline({ methods }: PaymentOffer): boolean {
  return methods.length === 0;
}

/** What the form makes every donor say of who pays. */
export function askedOfPayer({ donorFields }: FormDefinition): ('name' | 'email')[] {
  const asks = (field: string): boolean =>
    donorFields.some(({ name, required }) => required && name === field);
  return [
    ...(asks('firstName') && asks('lastName') ? ['name' as const] : []),
    ...(asks('email') ? ['email' as const] : []),
  ];
}

/** Who pays: an organisation, or else a person. */
export function payerOf({
  firstName = '',
  lastName = '',
  organization,
  email,
}: DonationRequest['donor']): { readonly name?: string; readonly email?: string } {
  const name = organization ?? cleanLine(`${firstName} ${lastName}`);
  return { ...(name && { name }), ...(email && { email }) };
}
