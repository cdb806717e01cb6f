import type { DonationRequest, FormDefinition, PaymentOffer } from '@donation-form/core/schemas';
import { cleanLine } from '@donation-form/core/donor';
import { getFirstValue, type FormValues } from './form-values.ts';
import type { PaymentMethodType } from '@donation-form/core/donation';

/** Name of the control that selects the provider. Donors know it as the payment method. */
export const PROVIDER_CONTROL = 'payment.provider';

/** Returns the selected provider's offer, or the first if none is selected or it is not offered. */
export function getSelectedOffer(
  { optionalFields }: { readonly optionalFields: FormValues },
  { payments }: FormDefinition,
): PaymentOffer {
  return (
    payments.find(({ provider }) => provider === getFirstValue(optionalFields, PROVIDER_CONTROL)) ??
    payments[0]
  );
}

/**
 * Returns the method with which the donor pays, the provider's first by default, or `undefined` for
 * offline payments.
 * @param paymentMethods methods selected in the payment fields, by provider.
 */
export function getSelectedMethod(
  optionalFields: FormValues,
  definition: FormDefinition,
  paymentMethods: Readonly<Record<string, PaymentMethodType>> = {},
): PaymentMethodType | undefined {
  const { provider, methods } = getSelectedOffer({ optionalFields }, definition);
  return methods.find((method) => method === paymentMethods[provider]) ?? methods[0];
}

/** Returns true if the donor receives payment instructions instead of paying through the form. */
export function isOfflinePayment({ methods }: PaymentOffer): boolean {
  return methods.length === 0;
}

/** Returns the payer's details that the form requires from every donor. */
export function getRequiredPayerFields({ donorFields }: FormDefinition): ('name' | 'email')[] {
  const isRequired = (field: string): boolean =>
    donorFields.some(({ name, required }) => required && name === field);
  return [
    ...(isRequired('firstName') && isRequired('lastName') ? ['name' as const] : []),
    ...(isRequired('email') ? ['email' as const] : []),
  ];
}

/** Returns the payer: the name of the organization or else the person, and the email address. */
export function toPayer({
  firstName = '',
  lastName = '',
  organization,
  email,
}: DonationRequest['donor']): { readonly name?: string; readonly email?: string } {
  const name = organization ?? cleanLine(`${firstName} ${lastName}`);
  return { ...(name && { name }), ...(email && { email }) };
}
