import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { getStripeDecimals, toMajorUnits } from '../../../src/core/money/index.ts';
import { fromStripeUnits } from '../../../src/server/payments/stripe/amounts.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { testGateway } from './contract.ts';
import type { MissingCapabilities, TestPaymentMethod, TestProvider } from './test-provider.ts';

/**
 * Runs the gateway contract against Stripe's test mode, with STRIPE_TEST_SECRET_KEY: `npm test
 * stripe`. Omits tests that need a person or a bank. STRIPE_TEST_API_URL is for
 * stripe-test-mode.test.ts, which runs it against the fake.
 */
const secretKey = process.env.STRIPE_TEST_SECRET_KEY ?? '';
assert.match(
  secretKey,
  /^(sk|rk)_test_/,
  "STRIPE_TEST_SECRET_KEY must hold a secret key of Stripe's test mode, which begins with sk_test_ or rk_test_; a live key would move money",
);

const PAYMENT_METHODS: Readonly<Partial<Record<TestPaymentMethod, string>>> = {
  good: 'pm_card_visa',
  declined: 'pm_card_visa_chargeDeclined',
  'insufficient funds': 'pm_card_visa_chargeDeclinedInsufficientFunds',
  expired: 'pm_card_chargeDeclinedExpiredCard',
};

const apiUrl = process.env.STRIPE_TEST_API_URL;

const MISSING_CAPABILITIES: MissingCapabilities = {
  'hosted page': 'a person pays on the page',
  authentication: 'a person confirms or refuses it',
  'bank debits': 'the bank takes days',
  webhooks: 'the test has no URL that Stripe reaches',
  renewals: 'the test does not wait for a billing period',
  refunds: 'a person refunds in the Dashboard',
  disputes: 'a person disputes the payment',
};

testGateway('stripe, in test mode', MISSING_CAPABILITIES, async (): Promise<TestProvider> => {
  const { hostname, port } = new URL(apiUrl ?? 'https://api.stripe.com');
  const stripe = new Stripe(secretKey, {
    telemetry: false,
    ...(apiUrl !== undefined && { host: hostname, port, protocol: 'http' as const }),
  });
  const startedAt = Math.floor(Date.now() / 1_000) - 60;
  const expectedCost = await readCost(stripe);
  return {
    gateway: createStripeGateway({ secretKey, methods: ['card'], apiUrl }),
    ...(expectedCost && { expectedCost }),
    returnUrl: 'https://example.org/give',
    async createToken(method, frequency = 'once') {
      const token = await stripe.testHelpers.confirmationTokens.create({
        payment_method: PAYMENT_METHODS[method] ?? 'pm_card_visa',
        ...(frequency !== 'once' && { setup_future_usage: 'off_session' as const }),
      });
      return token.id;
    },
    async listCharges(reference) {
      const created = { gte: startedAt };
      const options = { created, limit: 100, expand: ['data.customer'] };
      const intents = await Array.fromAsync(stripe.paymentIntents.list(options));
      return intents
        .filter(({ status, metadata, customer }) => {
          const payer = customer as Stripe.Customer | null;
          const names = [metadata, payer?.metadata].map((one) => one?.donation_form_reference);
          return status === 'succeeded' && names.includes(reference);
        })
        .map((intent) => fromStripeUnits(intent.amount_received, intent.currency).total);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});

/**
 * Returns the fee of a charge of 51.81 USD, made without the gateway. The fee depends on the
 * account's country and the current exchange rate.
 */
async function readCost(stripe: Stripe): Promise<TestProvider['expectedCost']> {
  const intent = await stripe.paymentIntents.create({
    amount: 5_181,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    return_url: 'https://example.org/give',
    expand: ['latest_charge.balance_transaction'],
  });
  const charge = intent.latest_charge as Stripe.Charge | null;
  const transaction = charge?.balance_transaction;
  if (typeof transaction !== 'object' || !transaction) return undefined;
  const decimals = getStripeDecimals(transaction.currency.toUpperCase());
  return {
    fee: toMajorUnits(transaction.fee, decimals),
    net: toMajorUnits(transaction.net, decimals),
    currency: transaction.currency.toUpperCase(),
  };
}
