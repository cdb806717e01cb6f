import { PaymentProviderType } from '@donation-form/platform-clients/fundraising';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { localizeInEachLanguage } from '../lib/localize.ts';
import { NotChargedError, type PaymentGateway } from './payment-gateway.ts';
import type { ConfigurationOf, PaymentProvider } from './payment-provider.ts';

export const offlineProvider: PaymentProvider<ConfigurationOf<'offline'>> = {
  isTest: () => false,
  assertValid({ instructions }, _organization, at) {
    const texts = typeof instructions === 'string' ? [instructions] : Object.values(instructions);
    for (const text of texts) {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const unknown = names.find((name) => name !== 'reference' && name !== 'total');
      if (unknown !== undefined)
        throw new ConfigurationError(
          `${at}.instructions: found {${unknown}}; expected only {reference} and {total}`,
        );
      if (!names.includes('reference'))
        throw new ConfigurationError(
          `${at}.instructions: found text without {reference}; expected {reference} in each ` +
            'language, because the reference links a transfer to its donation',
        );
    }
  },
  buildOffer: ({ description }, localize) => ({
    methods: [],
    hasField: false,
    hasHostedCheckout: false,
    hasCustomerPortal: false,
    options: { instructions: localize(description) },
  }),
  createOption: ({ instructions }) => ({
    gateway: createOfflineGateway(),
    isPledge: true,
    providerType: PaymentProviderType.None,
    instructions: localizeInEachLanguage(instructions),
  }),
};

/** Rejects all calls, because the server saves pledges without a gateway. */
export function createOfflineGateway(): PaymentGateway {
  const reject = async (): Promise<never> => {
    throw new NotChargedError('an offline donation is not paid through a payment provider');
  };
  return {
    createPayment: reject,
    chargePayment: reject,
    retrievePayment: reject,
    cancelPayment: reject,
  };
}
