import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';

test("returns the URLs of payments and subscriptions in Stripe's dashboard, in live and test mode", () => {
  for (const [secretKey, base] of [
    ['sk_live_canary', 'https://dashboard.stripe.com'],
    ['rk_live_canary', 'https://dashboard.stripe.com'],
    ['sk_test_canary', 'https://dashboard.stripe.com/test'],
    ['rk_test_canary', 'https://dashboard.stripe.com/test'],
  ] as const) {
    const gateway = createStripeGateway({ secretKey, methods: ['card'] });
    assert.equal(gateway.getDashboardUrl!('pi_3Nx'), `${base}/payments/pi_3Nx`);
    assert.equal(gateway.getDashboardUrl!('sub_1Nx'), `${base}/subscriptions/sub_1Nx`);
    assert.equal(gateway.getDashboardUrl!('cs_test_1'), undefined);
  }
  const apiUrl = 'http://127.0.0.1:4102/stripe';
  const sandbox = createStripeGateway({ secretKey: 'sk_test_canary', methods: ['card'], apiUrl });
  assert.ok(!('getDashboardUrl' in sandbox));
});

test("returns the URLs of payments and subscriptions on PayPal's website, in live and test mode", () => {
  for (const [environment, base] of [
    ['live', 'https://www.paypal.com'],
    ['sandbox', 'https://www.sandbox.paypal.com'],
  ] as const) {
    const options = { environment, clientId: 'id', clientSecret: 'secret' };
    const gateway = createPayPalGateway(options);
    assert.equal(
      gateway.getDashboardUrl!('8MC585209K746392H'),
      `${base}/activity/payment/8MC585209K746392H`,
    );
    assert.equal(
      gateway.getDashboardUrl!('I-BW452GLLEP1G'),
      `${base}/billing/subscriptions/I-BW452GLLEP1G`,
    );
    assert.equal(gateway.getDashboardUrl!('order-5O190127TN364715T'), undefined, 'an unpaid order');
  }
});
