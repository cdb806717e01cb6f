import { z } from 'zod';
import { PaymentMethodType, PUBLIC_STATUSES } from '@donation-form/core/donation';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import { describeExpectation } from '../../lib/configuration-messages.ts';
import { loadExportedFunction } from '../../lib/load-module.ts';
import {
  type CreateGateway,
  InvalidPaymentError,
  type Payment,
  type PaymentGateway,
} from '../payment-gateway.ts';
import {
  type ConfigurationOf,
  PAYMENT_METHOD_TYPES,
  type PaymentProvider,
} from '../payment-provider.ts';

export const moduleProvider: PaymentProvider<ConfigurationOf<'module'>> = {
  isTest: ({ isTest }) => isTest,
  buildOffer: (payment) => ({
    methods: payment.methods.map((method) => PAYMENT_METHOD_TYPES[method]),
    hasField: payment.hasField,
    hasHostedCheckout: payment.hasHostedCheckout,
    hasCustomerPortal: payment.hasCustomerPortal,
    ...(payment.hasWallets && payment.methods.includes('wallet') && { hasWallets: true }),
    options: payment.options,
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
    };
  },
};

/** Many modules set absent fields to null. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Ignores an unknown reason or method, because the donor may already have been charged. */
const payment: z.ZodType<Payment> = z.object({
  paymentId: z.string().min(1),
  subscriptionId: optional(z.string().min(1)),
  status: z.enum([...PUBLIC_STATUSES, 'approved']),
  reason: z.enum(['card-declined', 'not-confirmed']).optional().catch(undefined),
  total: optional(z.number().nonnegative()),
  currency: optional(z.string()),
  method: z.enum(PaymentMethodType).optional().catch(undefined),
  action: optional(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('redirect'),
        url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }),
      }),
      z.object({ kind: z.literal('field'), secret: z.string().min(1) }),
    ]),
  ),
});

const PAYMENT_METHODS = [
  'createPayment',
  'chargePayment',
  'retrievePayment',
  'cancelPayment',
] as const;

/** @throws {ConfigurationError} if the gateway lacks a required method. */
export function checkGateway(
  gateway: PaymentGateway | undefined,
  module: string,
  settingPath: string,
): PaymentGateway {
  for (const name of PAYMENT_METHODS)
    if (typeof gateway?.[name] !== 'function')
      throw new ConfigurationError(
        `${settingPath}: createGateway in ${module} returned no ${name} method; see ` +
          'docs/reference/payment-providers.md for an example',
      );
  return new Proxy({} as PaymentGateway, {
    get(_target, name) {
      const value: unknown = Reflect.get(gateway!, name);
      if (typeof value !== 'function') return value;
      const call = (...values: unknown[]): unknown => Reflect.apply(value, gateway, values);
      return PAYMENT_METHODS.some((each) => each === name)
        ? async (...values: unknown[]) =>
            parsePayment(await call(...values), `${String(name)} in ${module}`)
        : call;
    },
  });
}

function parsePayment(result: unknown, method: string): Payment {
  const { data, error } = payment.safeParse(result, { error: describeExpectation, jitless: true });
  if (data) return data;
  const { path, message } = error.issues[0]!;
  // The message omits the value found, because that may be donor data or a secret.
  throw new InvalidPaymentError(
    `${method} returned an invalid ${path.join('.') || 'payment'}: ${message}. ` +
      'See docs/reference/payment-providers.md',
  );
}
