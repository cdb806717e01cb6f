import type {
  PaymentConfiguration,
  LocalizedText,
  PaymentOffer,
} from '@donation-form/core/schemas';
import {
  getStripeMethodFacts,
  PaymentMethodType,
  toPaymentMethodType,
} from '@donation-form/core/donation';
import { getProviderName } from './payment-configuration.ts';

/** The platform's payment method types, keyed by the configuration's names for payment methods. */
export const PAYMENT_METHOD_TYPES = {
  card: PaymentMethodType.CreditCard,
  bank: PaymentMethodType.ACH,
  wallet: PaymentMethodType.Wallet,
} as const;

/**
 * Builds a provider's entry in a form definition.
 * @param localize function that returns a configured text in the definition's language.
 */
export function buildPaymentOffer(
  payment: PaymentConfiguration,
  localize: (text: LocalizedText) => string,
): PaymentOffer {
  const common = {
    provider: getProviderName(payment),
    ...(payment.label !== undefined && { label: localize(payment.label) }),
  };
  switch (payment.provider) {
    case 'stripe':
      return {
        ...common,
        methods: toStripeMethodTypes(payment.methods),
        hasField: true,
        hasHostedCheckout: true,
        hasCustomerPortal: true,
        ...(payment.wallets &&
          payment.methods.some((method) => getStripeMethodFacts(method)?.hasWalletButton) && {
            hasWallets: true,
          }),
        options: {
          publicKey: payment.publicKey,
          methods: payment.methods.join(','),
          ...(payment.scriptUrl !== undefined && { scriptUrl: payment.scriptUrl }),
          ...(payment.methodOrder === 'configured' && { methodOrder: payment.methodOrder }),
        },
      };
    case 'paypal':
      return {
        label: 'PayPal',
        ...common,
        methods: [PaymentMethodType.Wallet],
        hasField: false,
        hasHostedCheckout: true,
        hasCustomerPortal: true,
        options: {},
      };
    case 'offline':
      return {
        ...common,
        methods: [],
        hasField: false,
        hasHostedCheckout: false,
        hasCustomerPortal: false,
        options: { instructions: localize(payment.description) },
      };
    case 'platform':
      return {
        ...common,
        methods: payment.methods.map((method) => PAYMENT_METHOD_TYPES[method]),
        hasField: true,
        hasHostedCheckout: false,
        hasCustomerPortal: false,
        options: payment.options,
      };
    case 'module':
      return {
        ...common,
        methods: payment.methods.map((method) => PAYMENT_METHOD_TYPES[method]),
        hasField: payment.hasField,
        hasHostedCheckout: payment.hasHostedCheckout,
        hasCustomerPortal: payment.hasCustomerPortal,
        ...(payment.hasWallets && payment.methods.includes('wallet') && { hasWallets: true }),
        options: payment.options,
      };
  }
}

/**
 * Converts Stripe's payment methods to the platform's types. `card` stands for cards and wallets.
 */
function toStripeMethodTypes(methods: readonly string[]): PaymentMethodType[] {
  return [
    ...new Set(
      methods.flatMap((method) =>
        method === 'card'
          ? [PaymentMethodType.CreditCard, PaymentMethodType.Wallet]
          : [toPaymentMethodType(method)],
      ),
    ),
  ];
}
