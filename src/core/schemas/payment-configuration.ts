import { z } from 'zod';
import { STRIPE_METHODS, type StripeMethod } from '../donation/stripe-method-facts.ts';
import {
  id,
  line,
  localizedLine,
  localizedText,
  nonEmptyArray,
  requireUnique,
  secret,
  serviceUrl,
} from './configuration-values.ts';

export const PAYMENT_METHODS = ['card', 'bank', 'wallet'] as const;

const platformProviderType = z
  .enum(['PlatformPayments', 'ThirdPartyProcessorA', 'ThirdPartyProcessorB'])
  .optional()
  .describe(
    'name of this payment provider on the fundraising platform (Fundraising Platform API, ' +
      '"Enumerations", PaymentProviderType); if absent, the server does not send a name',
  );

const stripePayment = z.strictObject({
  provider: z.literal('stripe'),
  label: localizedLine.optional(),
  platformProviderType,
  publicKey: z
    .string()
    .regex(
      /^pk_(test|live)_\w+$/,
      'expected the publishable key, which starts with pk_test_ or pk_live_',
    ),
  secretKey: secret,
  webhookSecret: secret
    .optional()
    .describe(
      'signing secret of the webhook endpoint /webhooks/stripe/<organization ID>; without ' +
        'it, the server is not notified of renewals, refunds, or disputes',
    ),
  methods: requireUnique(
    nonEmptyArray(z.enum(Object.keys(STRIPE_METHODS) as [StripeMethod, ...StripeMethod[]])),
    'method',
    (method) => method,
  ).default(['card']),
  methodOrder: z
    .enum(['automatic', 'configured'])
    .default('automatic')
    .describe(
      "order of the payment methods: automatic (methods from the donor's likely countries first) or " +
        'configured (the order of the methods setting)',
    ),
  wallets: z
    .boolean()
    .default(true)
    .describe(
      "true to show the payment methods' wallet buttons, if any, above the donor's details; false " +
        'to offer no Apple Pay or Google Pay',
    ),
  apiUrl: serviceUrl
    .optional()
    .describe("URL of the sandbox that emulates Stripe's API; allowed only with test keys"),
  scriptUrl: serviceUrl
    .optional()
    .describe("URL of the sandbox's replacement for Stripe.js; allowed only with test keys"),
});

const paypalPayment = z.strictObject({
  provider: z.literal('paypal'),
  label: localizedLine.optional().describe('name of the payment method; default: PayPal'),
  platformProviderType,
  environment: z
    .enum(['sandbox', 'live'])
    .describe('sandbox for a PayPal sandbox app, which moves no money; live for a live app'),
  clientId: z
    .string()
    .regex(/^[\w-]+$/, "expected the app's client ID: letters, digits, hyphens, and underscores"),
  clientSecret: secret,
  webhookId: z
    .string()
    .regex(/^\w+$/, 'expected the webhook ID that PayPal shows, not the webhook URL')
    .optional()
    .describe(
      'ID of the webhook /webhooks/paypal/<organization ID>; without it, the server is not ' +
        'notified of renewals, refunds, or disputes',
    ),
  apiUrl: serviceUrl
    .optional()
    .describe(
      "URL of a server that emulates PayPal's API; allowed only in the sandbox environment",
    ),
});

const offlinePayment = z.strictObject({
  provider: z.literal('offline'),
  label: localizedLine.describe('name of the payment method, such as "Bank transfer or check"'),
  description: localizedText.describe(
    'text that the form shows with the payment method before the donation',
  ),
  instructions: localizedText.describe(
    'payment instructions that the form shows after the donation; can contain {reference} and {total}',
  ),
});

const options = z
  .record(z.string(), z.string())
  .default({})
  .describe('public options for the payment field in the browser');

const modulePayment = z.strictObject({
  provider: z.literal('module'),
  name: id.describe('name under which the module in the browser registers the provider'),
  module: line.describe(
    'path to a JavaScript file that exports createGateway, relative to the configuration file',
  ),
  label: localizedLine.optional(),
  platformProviderType,
  methods: nonEmptyArray(z.enum(PAYMENT_METHODS)).default(['card']),
  hasField: z
    .boolean()
    .default(true)
    .describe('false if the provider has no payment field, only its own payment page'),
  hasHostedCheckout: z.boolean().default(false),
  hasCustomerPortal: z
    .boolean()
    .default(false)
    .describe('true if the gateway implements getPortalUrl'),
  hasWallets: z
    .boolean()
    .default(false)
    .describe(
      'true if the module in the browser implements mountWallets; requires the wallet method',
    ),
  isTest: z.boolean().default(false).describe('true if the gateway moves no money'),
  options,
  secrets: z
    .record(z.string(), secret)
    .default({})
    .describe('secrets that createGateway receives, keyed by name'),
});

const platformPayment = z.strictObject({
  provider: z.literal('platform'),
  name: id.describe('name under which the module in the browser registers the payment field'),
  label: localizedLine.optional(),
  methods: nonEmptyArray(z.enum(PAYMENT_METHODS)).default(['card']),
  isTest: z.boolean().default(false).describe('true if the platform moves no money'),
  options,
});

export const payment = z.discriminatedUnion(
  'provider',
  [stripePayment, paypalPayment, offlinePayment, platformPayment, modulePayment],
  {
    error: ({ input }) => {
      const found = (input as { provider?: unknown } | undefined)?.provider;
      return (
        `found ${found === undefined ? 'nothing' : JSON.stringify(found)}; ` +
        'expected stripe, paypal, offline, platform, or module (a custom provider)'
      );
    },
  },
);
export type PaymentConfiguration = z.infer<typeof payment>;
