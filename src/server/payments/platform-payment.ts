import {
  PAYMENT_METHOD_TYPES,
  type ConfigurationOf,
  type PaymentProvider,
} from './payment-provider.ts';

/** Payments that the platform charges, such as Virtuous Raise. */
export const platformProvider: PaymentProvider<ConfigurationOf<'platform'>> = {
  isTest: ({ isTest }) => isTest,
  buildOffer: ({ methods, options }) => ({
    methods: methods.map((method) => PAYMENT_METHOD_TYPES[method]),
    hasField: true,
    hasHostedCheckout: false,
    hasCustomerPortal: false,
    options,
  }),
  createOption: (_payment, { platformGateway }) => ({ gateway: platformGateway! }),
};
