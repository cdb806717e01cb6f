import type { PaymentConfiguration, Words, PaymentOffer } from '@donation-form/core/schemas';
import { decimalsOf } from '@donation-form/core/money';
import { PaymentMethodType } from '@donation-form/core/donation';
import { payableDecimals } from './stripe/amounts.ts';
import { methodOf } from './stripe/payment.ts';

const METHODS = {
  card: PaymentMethodType.CreditCard,
  bank: PaymentMethodType.ACH,
  wallet: PaymentMethodType.Wallet,
} as const;

/**
 * What a provider is called in definitions, requests, webhook addresses and the browser's registry.
 */
export function providerName(payment: PaymentConfiguration): string {
  return payment.provider === 'module' ? payment.name : payment.provider;
}

/** Whether no money moves with this configuration. */
export function isTestPayment(payment: PaymentConfiguration): boolean {
  switch (payment.provider) {
    case 'sandbox':
      return true;
    case 'stripe':
      return payment.publicKey.startsWith('pk_test_');
    case 'module':
      return payment.isTest;
    case 'offline':
      return false;
  }
}

/**
 * The decimals of a currency that every one of these ways to pay takes; `undefined` where it is no
 * currency.
 */
export function decimalsWith(
  payments: readonly PaymentConfiguration[],
  currency: string,
): number | undefined {
  return payments.some(({ provider }) => provider === 'stripe')
    ? payableDecimals(currency)
    : decimalsOf(currency);
}

/**
 * A way to pay, as a form's definition has it.
 * @param say an operator's words in the definition's language.
 */
export function paymentOffer(
  payment: PaymentConfiguration,
  say: (words: Words) => string,
): PaymentOffer {
  const known = {
    provider: providerName(payment),
    ...(payment.label !== undefined && { label: say(payment.label) }),
  };
  switch (payment.provider) {
    case 'sandbox':
      return {
        ...known,
        methods: payment.methods.map((method) => METHODS[method]),
        hasHostedCheckout: true,
        hasCustomerPortal: true,
        options: {
          frame: `${payment.baseUrl.replace(/\/$/, '')}/card-frame`,
          publicKey: payment.publicKey,
        },
      };
    case 'stripe':
      return {
        ...known,
        methods: stripeMethods(payment.methods),
        hasHostedCheckout: true,
        hasCustomerPortal: true,
        options: { publicKey: payment.publicKey, methods: payment.methods.join(',') },
      };
    case 'offline':
      return {
        ...known,
        methods: [],
        hasHostedCheckout: false,
        hasCustomerPortal: false,
        options: { instructions: say(payment.about) },
      };
    case 'module':
      return {
        ...known,
        methods: payment.methods.map((method) => METHODS[method]),
        hasHostedCheckout: payment.hasHostedCheckout,
        hasCustomerPortal: payment.hasCustomerPortal,
        options: payment.options,
      };
  }
}

/** A card may be in a wallet. */
function stripeMethods(methods: readonly string[]): PaymentMethodType[] {
  return [
    ...new Set(
      methods.flatMap((method) =>
        method === 'card'
          ? [PaymentMethodType.CreditCard, PaymentMethodType.Wallet]
          : [methodOf(method)],
      ),
    ),
  ];
}
