import { PaymentMethodType } from '@donation-form/core/donation';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import {
  type ConfigurationOf,
  findRecurringForm,
  type PaymentProvider,
} from '../payment-provider.ts';
import { getPayPalDecimals } from './amounts.ts';
import { createPayPalGateway } from './paypal-gateway.ts';

export const payPalProvider: PaymentProvider<ConfigurationOf<'paypal'>> = {
  defaultLabel: 'PayPal',
  isTest: ({ environment }) => environment === 'sandbox',
  assertValid({ environment, apiUrl, webhookId }, organization, at) {
    const { payments, forms } = organization;
    if (apiUrl !== undefined && environment === 'live')
      throw new ConfigurationError(
        `${at}.apiUrl: found ${JSON.stringify(apiUrl)} in the live environment; expected it ` +
          'only in the sandbox environment, because the server at this URL replaces PayPal. ' +
          'Remove apiUrl, or use a sandbox app',
      );
    const stripe = payments.findIndex(
      (payment) => payment.provider === 'stripe' && payment.methods.includes('paypal'),
    );
    if (stripe >= 0)
      throw new ConfigurationError(
        `${at}: found PayPal here and in payments.${stripe}.methods (stripe); expected PayPal ` +
          'only once, because donors cannot tell the two apart. Remove PayPal from one of them',
      );
    const recurring = findRecurringForm(organization);
    if (recurring && webhookId === undefined)
      throw new ConfigurationError(
        `${at}.webhookId: found nothing; expected the ID of a webhook. The ${recurring.id} ` +
          'form offers recurring donations, and PayPal reports renewals by webhook',
      );
    for (const { id, currencies } of forms)
      for (const { code } of currencies)
        if (getPayPalDecimals(code) === undefined)
          throw new ConfigurationError(
            `${at}: PayPal does not support ${code}, which the ${id} form offers. Remove the ` +
              'currency from that form, or offer the currency in a form for an organization ' +
              'without PayPal',
          );
  },
  buildOffer: () => ({
    methods: [PaymentMethodType.Wallet],
    hasField: false,
    hasHostedCheckout: true,
    hasCustomerPortal: true,
    options: {},
  }),
  listSecrets: ({ clientSecret, environment }, at, organization) => [
    {
      place: `${at}.clientSecret`,
      name: clientSecret,
      purpose: `payments to ${organization} through PayPal`,
      acceptedBy: `paypal for ${organization}`,
      getMode: () => (environment === 'sandbox' ? 'test' : 'live'),
    },
  ],
  createOption: (payment, { readSecret, place }) => ({
    gateway: createPayPalGateway({
      ...payment,
      clientSecret: readSecret(payment.clientSecret, `${place}.clientSecret`),
    }),
  }),
  getDecimals: getPayPalDecimals,
};
