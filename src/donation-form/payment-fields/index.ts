/** Package entry `donation-form/payment`: the browser API for custom payment providers. */
export { getAppearance, type FieldAppearance } from './appearance.ts';
export { observeAppearance } from './observe-appearance.ts';
export type {
  Confirmation,
  PaymentFieldFactory,
  Payer,
  PaymentField,
  PaymentFieldOptions,
  ChargeSummary,
} from './payment-field.ts';
export type {
  WalletAddress,
  WalletApproval,
  WalletButtons,
  WalletButtonsFactory,
  WalletButtonsOptions,
  WalletCharge,
  WalletDetail,
  WalletDonor,
} from './wallet-buttons.ts';
export type { PaymentProviderLoader } from './registered-providers.ts';
export { registerPaymentProvider } from './registry.ts';
export { PaymentMethodType } from '@donation-form/core/donation';
