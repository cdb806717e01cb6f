import type { PaymentConfiguration } from '@donation-form/core/schemas';
import { getCurrencyDecimals } from '@donation-form/core/money';
import { getPayPalDecimals } from './paypal/amounts.ts';
import { getStripePayableDecimals } from './stripe/amounts.ts';

/**
 * Returns the provider's name, as used in form definitions, requests, webhook URLs, and the
 * browser.
 */
export function getProviderName(payment: PaymentConfiguration): string {
  return 'name' in payment ? payment.name : payment.provider;
}

/** Returns true for a provider in test mode, which moves no money. */
export function isTestPayment(payment: PaymentConfiguration): boolean {
  switch (payment.provider) {
    case 'stripe':
      return payment.publicKey.startsWith('pk_test_');
    case 'paypal':
      return payment.environment === 'sandbox';
    case 'platform':
    case 'module':
      return payment.isTest;
    case 'offline':
      return false;
  }
}

/**
 * Returns the number of decimal places that all given payment providers accept for a currency, or
 * `undefined` for an unknown currency.
 */
export function getPayableDecimals(
  payments: readonly PaymentConfiguration[],
  currency: string,
): number | undefined {
  const decimals = getCurrencyDecimals(currency);
  if (decimals === undefined) return undefined;
  return Math.min(
    decimals,
    ...payments.map(({ provider }) => getProviderDecimals(provider, currency) ?? decimals),
  );
}

/**
 * Returns the number of decimal places that a payment provider accepts for a currency, or
 * `undefined` for an unknown currency.
 * @param provider name of the provider.
 */
export function getProviderDecimals(provider: string, currency: string): number | undefined {
  switch (provider) {
    case 'stripe':
      return getStripePayableDecimals(currency);
    case 'paypal':
      return getPayPalDecimals(currency);
    default:
      return getCurrencyDecimals(currency);
  }
}
