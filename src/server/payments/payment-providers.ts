import type {
  OrganizationConfiguration,
  PaymentConfiguration,
  PaymentOffer,
} from '@donation-form/core/schemas';
import { getCurrencyDecimals } from '@donation-form/core/money';
import { ConfigurationError } from '../lib/configuration-error.ts';
import type { Localize } from '../lib/localize.ts';
import { moduleProvider } from './module/module-provider.ts';
import { offlineProvider } from './offline-payment.ts';
import type { ConfigurationOf, PaymentProvider } from './payment-provider.ts';
import { payPalProvider } from './paypal/paypal-provider.ts';
import { platformProvider } from './platform-payment.ts';
import { stripeProvider } from './stripe/stripe-provider.ts';

/** All payment providers, keyed by their name in the configuration. */
const PROVIDERS: {
  readonly [Name in PaymentConfiguration['provider']]: PaymentProvider<ConfigurationOf<Name>>;
} = {
  stripe: stripeProvider,
  paypal: payPalProvider,
  offline: offlineProvider,
  platform: platformProvider,
  module: moduleProvider,
};

export function getPaymentProvider({
  provider,
}: PaymentConfiguration): PaymentProvider<PaymentConfiguration> {
  return PROVIDERS[provider];
}

/**
 * Returns the provider's name, as used in form definitions, requests, webhook URLs, and the
 * browser.
 */
export function getProviderName(payment: PaymentConfiguration): string {
  return 'name' in payment ? payment.name : payment.provider;
}

export function isTestPayment(payment: PaymentConfiguration): boolean {
  return getPaymentProvider(payment).isTest(payment);
}

/**
 * Checks that an organization's payment methods are compatible with each other and with its forms.
 * @param at the organization's path in the configuration file.
 * @throws {ConfigurationError} if the payment methods are incompatible.
 */
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
  payments.forEach((payment, index) => {
    const provider = getPaymentProvider(payment);
    provider.assertValid?.(payment, organization, `${at}.payments.${index}`);
  });
}

/**
 * Builds a provider's entry in a form definition.
 * @param localize function that returns a configured text in the definition's language.
 */
export function buildPaymentOffer(payment: PaymentConfiguration, localize: Localize): PaymentOffer {
  const provider = getPaymentProvider(payment);
  return {
    ...(provider.defaultLabel !== undefined && { label: provider.defaultLabel }),
    provider: getProviderName(payment),
    ...(payment.label !== undefined && { label: localize(payment.label) }),
    ...provider.buildOffer(payment, localize),
  };
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
 * @param name name of the provider, which may be that of a module.
 */
export function getProviderDecimals(name: string, currency: string): number | undefined {
  const provider = Object.hasOwn(PROVIDERS, name)
    ? PROVIDERS[name as PaymentConfiguration['provider']]
    : undefined;
  return provider?.getDecimals ? provider.getDecimals(currency) : getCurrencyDecimals(currency);
}
