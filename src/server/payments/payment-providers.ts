import { getCurrencyDecimals } from '@donation-form/core/money';
import type {
  OrganizationConfiguration,
  PaymentConfiguration,
  PaymentOffer,
} from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import type { Localize } from '../lib/localize.ts';
import { moduleProvider } from './module/module-provider.ts';
import { offlineProvider } from './offline-payment.ts';
import {
  type ConfigurationOf,
  PAYMENT_METHOD_TYPES,
  type PaymentProvider,
} from './payment-provider.ts';
import { payPalProvider } from './paypal/paypal-provider.ts';
import { stripeProvider } from './stripe/stripe-provider.ts';

const PROVIDERS: {
  readonly [Name in PaymentConfiguration['provider']]: PaymentProvider<ConfigurationOf<Name>>;
} = {
  stripe: stripeProvider,
  paypal: payPalProvider,
  offline: offlineProvider,
  // Payments that the platform charges, such as Virtuous Raise.
  platform: {
    isTest: ({ isTest }) => isTest,
    buildOffer: ({ methods, options }) => ({
      methods: methods.map((method) => PAYMENT_METHOD_TYPES[method]),
      hasField: true,
      hasHostedCheckout: false,
      hasCustomerPortal: false,
      options,
    }),
    createOption: (_payment, { platformGateway }) => ({ gateway: platformGateway! }),
  },
  module: moduleProvider,
};

export function getPaymentProvider({
  provider,
}: PaymentConfiguration): PaymentProvider<PaymentConfiguration> {
  return PROVIDERS[provider];
}

/** Returns the name in form definitions, requests, webhook URLs, and the browser. */
export function getProviderName(payment: PaymentConfiguration): string {
  return 'name' in payment ? payment.name : payment.provider;
}

export function isTestPayment(payment: PaymentConfiguration): boolean {
  return getPaymentProvider(payment).isTest(payment);
}

/** @throws {ConfigurationError} if the payment methods do not fit each other or the forms. */
export function assertPaymentsAreValid(organization: OrganizationConfiguration, at: string): void {
  const { payments } = organization;
  const moneyMoving = payments.filter(({ provider }) => provider !== 'offline');
  const test = moneyMoving.find(isTestPayment);
  const live = moneyMoving.find((payment) => !isTestPayment(payment));
  if (test && live)
    throw new ConfigurationError(
      `${at}.payments: found ${getProviderName(live)} in live mode and ` +
        `${getProviderName(test)} in test mode; expected all payment providers in the same ` +
        'mode, because a form is either live or in test mode',
    );
  payments.forEach((payment, index) =>
    getPaymentProvider(payment).assertValid?.(payment, organization, `${at}.payments.${index}`),
  );
}

export function buildPaymentOffer(payment: PaymentConfiguration, localize: Localize): PaymentOffer {
  const provider = getPaymentProvider(payment);
  return {
    ...(provider.defaultLabel !== undefined && { label: provider.defaultLabel }),
    provider: getProviderName(payment),
    ...(payment.label !== undefined && { label: localize(payment.label) }),
    ...provider.buildOffer(payment, localize),
  };
}

/** Returns the decimal places that all providers accept, if the currency is known. */
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

/** @param name name of the provider, which may be that of a module. */
export function getProviderDecimals(name: string, currency: string): number | undefined {
  const [, provider] = Object.entries(PROVIDERS).find(([key]) => key === name) ?? [];
  return provider?.getDecimals ? provider.getDecimals(currency) : getCurrencyDecimals(currency);
}
