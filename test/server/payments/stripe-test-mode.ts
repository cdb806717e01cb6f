import assert from 'node:assert/strict';
import Stripe from 'stripe';
import { fromStripeUnits } from '../../../src/server/payments/stripe/amounts.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { testGateway, type TestPaymentMethod, type TestProvider } from './contract.ts';

/**
 * The promises of a gateway, against Stripe itself in its test mode: with STRIPE_TEST_SECRET_KEY,
 * as `npm run test:stripe`. What only a person or a bank can do is left out.
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

testGateway('stripe, in test mode', (): Promise<TestProvider> => {
  const stripe = new Stripe(secretKey);
  const startedAt = Math.floor(Date.now() / 1_000) - 60;
  return Promise.resolve({
    gateway: createStripeGateway({ secretKey, methods: ['card'] }),
    returnUrl: 'https://example.org/give',
    async createToken(method, frequency = 'once') {
      const token = await stripe.testHelpers.confirmationTokens.create({
        payment_method: PAYMENT_METHODS[method] ?? 'pm_card_visa',
        ...(frequency !== 'once' && { setup_future_usage: 'off_session' as const }),
      });
      return token.id;
    },
    async listCharges(reference) {
      const taken: number[] = [];
      for await (const {
        status,
        metadata,
        customer,
        amount_received: amount,
        currency,
      } of stripe.paymentIntents.list({
        created: { gte: startedAt },
        limit: 100,
        expand: ['data.customer'],
      })) {
        const payer =
          typeof customer === 'object' && customer && !customer.deleted
            ? customer.metadata.reference
            : undefined;
        if (status === 'succeeded' && (metadata.reference === reference || payer === reference))
          taken.push(fromStripeUnits(amount, currency).total);
      }
      return taken;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});
