/** Package entry `donation-form/payment`: the browser API for custom payment providers. */
export { getAppearance, observeAppearance, type FieldAppearance } from './appearance.ts';
export type {
  Confirmation,
  PaymentProviderLoader,
  PaymentFieldFactory,
  Payer,
  PaymentField,
  PaymentFieldOptions,
  ChargeSummary,
} from './payment-field.ts';
export { registerPaymentProvider } from './registry.ts';
export { PaymentMethodType } from '@donation-form/core/donation';
