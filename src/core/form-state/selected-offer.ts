import type { FormDefinition, PaymentOffer } from '../schemas/index.ts';
import { getFirstControlValue, type FormValues } from './form-values.ts';
import type { PaymentMethodType } from '../donation/index.ts';

/**
 * Name of the control that selects the payment provider. Donors see the control as a choice of
 * payment method.
 */
export const PROVIDER_CONTROL = 'payment.provider';

/**
 * Returns the selected payment provider's offer, or the first offer if no offered provider is
 * selected.
 */
export function getSelectedOffer(
  { optionalFields }: { readonly optionalFields: FormValues },
  { payments }: FormDefinition,
): PaymentOffer {
  return (
    payments.find(
      ({ provider }) => provider === getFirstControlValue(optionalFields, PROVIDER_CONTROL),
    ) ?? payments[0]
  );
}

/**
 * Returns the selected payment method, or the provider's first method if none is selected. Returns
 * `undefined` for offline payments.
 * @param paymentMethods payment methods selected in the payment fields, keyed by provider.
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
