import { loadExportedFunction } from '../../lib/load-module.ts';
import type { CreateGateway } from '../payment-gateway.ts';
import {
  PAYMENT_METHOD_TYPES,
  toProviderTypeField,
  type ConfigurationOf,
  type PaymentProvider,
} from '../payment-provider.ts';
import { checkGateway } from './check-gateway.ts';

/** A payment provider whose gateway a JavaScript file creates. */
export const moduleProvider: PaymentProvider<ConfigurationOf<'module'>> = {
  isTest: ({ isTest }) => isTest,
  buildOffer: ({
    methods,
    hasField,
    hasHostedCheckout,
    hasCustomerPortal,
    hasWallets,
    options,
  }) => ({
    methods: methods.map((method) => PAYMENT_METHOD_TYPES[method]),
    hasField,
    hasHostedCheckout,
    hasCustomerPortal,
    ...(hasWallets && methods.includes('wallet') && { hasWallets: true }),
    options,
  }),
  listSecrets: ({ name, secrets, isTest }, at, organization) =>
    Object.entries(secrets).map(([key, secret]) => ({
      place: `${at}.secrets.${key}`,
      name: secret,
      purpose: `payments to ${organization} through ${name}`,
      acceptedBy: `${name} for ${organization}`,
      getMode: () => (isTest ? 'test' : 'live'),
    })),
  async createOption(payment, { readSecret, organization, place }) {
    const { module, options } = payment;
    const secrets = Object.fromEntries(
      Object.entries(payment.secrets).map(([name, secret]) => [
        name,
        readSecret(secret, `${place}.secrets.${name}`),
      ]),
    );
    const settingPath = `${organization}.${place}.module`;
    const createGateway = await loadExportedFunction<CreateGateway>(module, 'createGateway', {
      settingPath,
      docsPage: 'docs/reference/payment-providers.md',
    });
    return {
      gateway: checkGateway(await createGateway({ options, secrets }), module, settingPath),
      ...toProviderTypeField(payment),
    };
  },
};
