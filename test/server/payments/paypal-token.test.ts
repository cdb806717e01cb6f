import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  NotChargedError,
  type PaymentGateway,
} from '../../../src/server/payments/payment-gateway.ts';
import { createGateway, ScriptedPayPal } from './paypal-support.ts';
import { createPaymentRequest } from './test-provider.ts';

const ORDER = {
  id: '5O190127TN364715T',
  status: 'PAYER_ACTION_REQUIRED',
  links: [],
  purchase_units: [{ amount: { currency_code: 'USD', value: '51.81' } }],
};
const orderIds = { paymentId: `order-${ORDER.id}` };
const subscriptionIds = { paymentId: 'I-BW452GLLEP1G', subscriptionId: 'I-BW452GLLEP1G' };

test('requests a token once until it expires, and again if PayPal has revoked it', async () => {
  let now = 0;
  const found = [200, ORDER] as const;
  const refused = [401, { name: 'AUTHENTICATION_FAILURE' }] as const;
  const paypal = new ScriptedPayPal(found, found, found, found, refused, found, refused, refused);
  const gateway = createGateway(paypal, () => now);
  await Promise.all([gateway.retrievePayment(orderIds), gateway.retrievePayment(orderIds)]);
  for (const [time, requests] of [
    [32_000_000, 1],
    [32_400_000, 2],
    [32_400_000, 3],
  ] as const) {
    now = time;
    await gateway.retrievePayment(orderIds);
    assert.equal(paypal.tokenRequests, requests);
  }
  await assert.rejects(gateway.retrievePayment(orderIds), /401/);
  assert.equal(paypal.tokenRequests, 4);
});

test('recovers after a failed request for a token', async () => {
  const paypal = new ScriptedPayPal([200, { ...ORDER, status: 'APPROVED' }]);
  paypal.tokenAnswers = [[503], new TypeError('fetch failed')];
  const gateway = createGateway(paypal);
  await assert.rejects(gateway.retrievePayment(orderIds));
  await assert.rejects(gateway.retrievePayment(orderIds));
  assert.equal((await gateway.retrievePayment(orderIds)).status, 'approved');
});

for (const [status, error] of [
  [400, 'invalid_request'],
  [401, 'invalid_client'],
  [403, 'unauthorized_client'],
  [404, 'not_found'],
] as const)
  test(`leaves payments open if PayPal rejects the client secret with status ${status}`, async () => {
    const request = createPaymentRequest();
    for (const call of [
      (gateway: PaymentGateway) => gateway.createPayment(request),
      (gateway: PaymentGateway) => gateway.chargePayment(orderIds, request),
      (gateway: PaymentGateway) => gateway.retrievePayment(orderIds),
      (gateway: PaymentGateway) => gateway.cancelPayment(orderIds),
      (gateway: PaymentGateway) => gateway.chargePayment(subscriptionIds, request),
      (gateway: PaymentGateway) => gateway.retrievePayment(subscriptionIds),
    ]) {
      const paypal = new ScriptedPayPal();
      paypal.tokenAnswers = Array.from({ length: 3 }, () => [status, { error }] as const);
      await assert.rejects(
        async () => call(createGateway(paypal)),
        (reason) => !(reason instanceof NotChargedError) && String(reason).includes('access token'),
      );
    }
  });

test("reports rejected credentials in the provider's check", async () => {
  const paypal = new ScriptedPayPal();
  paypal.tokenAnswers = [[401, { error: 'invalid_client' }]];
  const [result] = await createGateway(paypal).runChecks!({
    webhookPath: '/webhooks/paypal/lanternwell',
    origins: [],
    minimums: [],
  });
  assert.equal(result?.status, 'fail');
  assert.match(result.message, /rejected the client ID and secret/);
});
