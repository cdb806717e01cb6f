/**
 * The package's entry `donation-form/payment`: what a payment provider of one's own is made of, in
 * the browser.
 */
export { lookOf, onLookChange, type Look } from './appearance.ts';
export type {
  Confirmation,
  LoadPaymentProvider,
  MountPaymentField,
  Payer,
  PaymentField,
  PaymentFieldOptions,
  PaymentGift,
} from './payment-field.ts';
export { registerPaymentProvider } from './registry.ts';
export { PaymentMethodType } from '@donation-form/core/donation';
