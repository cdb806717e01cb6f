import {
  filterStripeMethods,
  getStripeMethodFacts,
  PaymentMethodType,
  toPaymentMethodType,
} from '@donation-form/core/donation';
import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import {
  type ConfigurationOf,
  findRecurringForm,
  type PaymentProvider,
} from '../payment-provider.ts';
import { getStripePayableDecimals } from './amounts.ts';

type StripeConfiguration = ConfigurationOf<'stripe'>;

export const stripeProvider: PaymentProvider<StripeConfiguration> = {
  isTest: ({ publicKey }) => publicKey.startsWith('pk_test_'),
  assertValid(payment, organization, at) {
    const recurring = findRecurringForm(organization);
    if (recurring && !payment.webhookSecret)
      throw new ConfigurationError(
        `${at}.webhookSecret: found nothing; expected a signing secret. The ` +
          `${recurring.id} form offers recurring donations, and Stripe reports renewals by ` +
          'webhook',
      );
    for (const form of organization.forms) assertMethodsSupportForm(payment, form, at);
  },
  buildOffer: ({ methods, wallets, publicKey, scriptUrl, methodOrder }) => ({
    methods: toStripeMethodTypes(methods),
    hasField: true,
    hasHostedCheckout: true,
    hasCustomerPortal: true,
    ...(wallets &&
      methods.some((method) => getStripeMethodFacts(method)?.hasWalletButton) && {
        hasWallets: true,
      }),
    options: {
      publicKey,
      methods: methods.join(','),
      ...(scriptUrl !== undefined && { scriptUrl }),
      ...(methodOrder === 'configured' && { methodOrder }),
    },
  }),
  listSecrets: (payment, at, organization) => [
    {
      place: `${at}.secretKey`,
      name: payment.secretKey,
      purpose: `payments to ${organization} through Stripe`,
      acceptedBy: `stripe for ${organization}`,
      getMode: (value) => (isLiveKey(value) ? 'live' : 'test'),
      assertValid: (value) =>
        assertStripeKeysMatch(payment, { secretKey: value, webhookSecret: undefined }, at),
    },
    ...(payment.webhookSecret
      ? [
          {
            place: `${at}.webhookSecret`,
            name: payment.webhookSecret,
            purpose: `Stripe's webhooks to ${organization} (this command cannot verify the value)`,
            acceptedBy: `stripe webhooks for ${organization}`,
            assertValid: (value: string) => assertStripeSigningSecret(value, at),
          },
        ]
      : []),
  ],
  async createOption(payment, { readSecret, organization, place }) {
    const { webhookSecret } = payment;
    const keys = {
      secretKey: readSecret(payment.secretKey, `${place}.secretKey`),
      webhookSecret: webhookSecret && readSecret(webhookSecret, `${place}.webhookSecret`),
    };
    assertStripeKeysMatch(payment, keys, `${organization}.${place}`);
    // Stripe's library is slow to load.
    const { createStripeGateway } = await import('./stripe-gateway.ts');
    return { gateway: createStripeGateway({ ...payment, ...keys }) };
  },
  getDecimals: getStripePayableDecimals,
};

/** Checks that donors can pay in each currency, once and on each schedule that the form offers. */
function assertMethodsSupportForm(
  { methods }: StripeConfiguration,
  { id, currencies, frequencies }: OrganizationConfiguration['forms'][number],
  at: string,
): void {
  for (const isRecurring of new Set(frequencies.map((frequency) => frequency !== 'once'))) {
    const unsupported = currencies.find(
      ({ code }) => filterStripeMethods(methods, code, isRecurring).length === 0,
    );
    if (unsupported)
      throw new ConfigurationError(
        `${at}.methods: found ${methods.join(', ')}; expected at least one method that supports ` +
          `${isRecurring ? 'recurring donations in ' : ''}${unsupported.code}, which the ` +
          `${id} form offers. Add card, which supports all currencies`,
      );
  }
}

/** Converts Stripe's methods to the platform's types. `card` stands for cards and wallets. */
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

/**
 * @throws {ConfigurationError} if a key is of the wrong type or mode. The message contains no key.
 */
export function assertStripeKeysMatch(
  { publicKey, apiUrl, scriptUrl }: StripeConfiguration,
  { secretKey, webhookSecret }: { secretKey: string; webhookSecret: string | undefined },
  at: string,
): void {
  for (const [name, url] of Object.entries({ apiUrl, scriptUrl }))
    if (url !== undefined && [publicKey, secretKey].some(isLiveKey))
      throw new ConfigurationError(
        `${at}.${name}: found ${JSON.stringify(url)} and a live key; expected only test ` +
          `keys, because the sandbox at this URL replaces Stripe. Remove ${name}, or use keys ` +
          'that start with pk_test_ and sk_test_',
      );
  const mode = publicKey.startsWith('pk_test_') ? 'test' : 'live';
  if (!new RegExp(`^(sk|rk)_${mode}_`).test(secretKey))
    throw new ConfigurationError(
      `${at}.secretKey: found a key of another type or mode; expected one that starts with ` +
        `sk_${mode}_ or rk_${mode}_, because publicKey is in ${mode} mode`,
    );
  if (webhookSecret !== undefined) assertStripeSigningSecret(webhookSecret, at);
}

/** @throws {ConfigurationError} for an invalid format. The message contains no secret. */
function assertStripeSigningSecret(webhookSecret: string, at: string): void {
  if (!webhookSecret.startsWith('whsec_'))
    throw new ConfigurationError(
      `${at}.webhookSecret: found a value that is not a signing secret; expected one that ` +
        'starts with whsec_. Copy the secret from the webhook endpoint in the Stripe Dashboard',
    );
}

const isLiveKey = (key: string): boolean => /^[a-z]+_live_/.test(key);
