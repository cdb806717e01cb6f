import type { PaymentMethodType } from '../donation/index.ts';
import type { FormDefinition, PaymentOffer } from '../schemas/index.ts';
import { type FormValues, getFirstControlValue } from './form-values.ts';

/**
 * Control that selects the provider, such as `offline`, or one of its methods, such as
 * `stripe:ideal`.
 */
export const PROVIDER_CONTROL = 'payment.provider';

/** @param type Stripe's type of the payment method. */
export function toRowId(provider: string, type: string): string {
  return `${provider}:${type}`;
}

/** Returns the provider of a value of {@link PROVIDER_CONTROL}. */
export function parseRowId(id: string): string {
  return id.split(':')[0]!;
}

export function getSelectedOffer(
  { optionalFields }: { readonly optionalFields: FormValues },
  { payments }: FormDefinition,
): PaymentOffer {
  const name = parseRowId(getFirstControlValue(optionalFields, PROVIDER_CONTROL));
  return payments.find(({ provider }) => provider === name) ?? payments[0];
}

/** Returns the selected or first method, or `undefined` for offline payments. */
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
