import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import {
  getPayPalDecimals,
  parsePayPalMoney,
  toPayPalMoney,
} from '../../../src/server/payments/paypal/amounts.ts';
import { type Answer, createErrorBody, createGateway, ScriptedPayPal } from './paypal-support.ts';
import { createPaymentRequest } from './test-provider.ts';

const ORDER = '5O190127TN364715T';
const CAPTURE = '3C679366HH908993F';
const amount = { currency_code: 'USD', value: '51.81' };
const approvalUrl = `https://www.sandbox.paypal.com/checkoutnow?token=${ORDER}`;
const selfUrl = `https://api-m.sandbox.paypal.com/v2/checkout/orders/${ORDER}`;
const links = [
  { href: selfUrl, rel: 'self', method: 'GET' },
  { href: approvalUrl, rel: 'payer-action', method: 'GET' },
];
const createOrder = (status: string, capture?: object): object => ({
  id: ORDER,
  status,
  links,
  purchase_units: [
    { reference_id: 'default', amount, ...(capture && { payments: { captures: [capture] } }) },
  ],
});
const createCapture = (status: string): object => ({ id: CAPTURE, status, amount });

/** Creates a gateway to PayPal that gives these answers. */
const script = (...answers: Answer[]) => createGateway(new ScriptedPayPal(...answers));

const orderIds = { paymentId: `order-${ORDER}` };
const agreed = { total: 5_181, currency: 'USD' };
const captured = { ...agreed, paymentId: CAPTURE, status: 'succeeded', method: 4 };
const notConfirmed = { ...orderIds, status: 'failed', reason: 'not-confirmed' };

test('creates an order with the reference, and sends the donor to PayPal', async () => {
  const paypal = new ScriptedPayPal([200, createOrder('PAYER_ACTION_REQUIRED')]);
  assert.deepEqual(await createGateway(paypal).createPayment(createPaymentRequest()), {
    paymentId: `order-${ORDER}`,
    ...agreed,
    status: 'requires_action',
    action: { kind: 'redirect', url: approvalUrl },
  });
  const [{ method, path, headers, body }] = paypal.calls as [ScriptedPayPal['calls'][number]];
  assert.deepEqual(
    [method, path, headers.get('PayPal-Request-Id'), headers.get('Authorization')],
    ['POST', '/v2/checkout/orders', '7K4M9-QXD2P', 'Bearer A21AAF'],
  );
  assert.deepEqual(body, {
    intent: 'CAPTURE',
    purchase_units: [
      {
        amount,
        custom_id: '7K4M9-QXD2P',
        invoice_id: '7K4M9-QXD2P',
        description: 'Lanternwell 7K4M9-QXD2P',
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: 'https://lanternwell.example/give?src=mail',
          cancel_url: 'https://lanternwell.example/give?src=mail&donation-form-canceled=1',
          locale: 'en-US',
          shipping_preference: 'NO_SHIPPING',
          user_action: 'PAY_NOW',
        },
      },
    },
  });
  assert.equal(JSON.stringify(body).includes('ana@example.org'), false);
  assert.deepEqual(paypal.problems, []);
});

test('sends every form language and a long description in the format that PayPal accepts', async () => {
  for (const language of ['de', 'en-GB', 'pt-BR', 'zh-Hans', 'uk', 'ar']) {
    const paypal = new ScriptedPayPal([200, createOrder('CREATED')]);
    await createGateway(paypal).createPayment(
      createPaymentRequest({ language, description: `${'x'.repeat(120)} 7K4M9-QXD2P` }),
    );
    assert.deepEqual(paypal.problems, [], language);
  }
});

test('converts the status of an order', async () => {
  const action = { kind: 'redirect', url: approvalUrl };
  for (const [status, expected] of [
    ['CREATED', { status: 'requires_action', action }],
    ['PAYER_ACTION_REQUIRED', { status: 'requires_action', action }],
    ['APPROVED', { status: 'approved' }],
    ['VOIDED', { status: 'failed', reason: 'not-confirmed' }],
  ] as const) {
    const payment = await script([200, createOrder(status)]).retrievePayment(orderIds);
    assert.deepEqual(payment, { ...orderIds, ...agreed, ...expected });
  }
});

test('does not take a response without an order for an order that is gone', async () => {
  await assert.rejects(script([204]).retrievePayment(orderIds), TypeError);
  assert.deepEqual(
    await script([404, createErrorBody('', 'RESOURCE_NOT_FOUND')]).retrievePayment(orderIds),
    notConfirmed,
  );
});

for (const [captureStatus, expected] of [
  ['COMPLETED', { status: 'succeeded' }],
  ['PARTIALLY_REFUNDED', { status: 'succeeded' }],
  ['REFUNDED', { status: 'succeeded' }],
  ['PENDING', { status: 'processing' }],
  ['DECLINED', { status: 'failed', reason: 'card-declined' }],
  ['FAILED', { status: 'failed', reason: 'card-declined' }],
] as const) {
  test(`converts a capture with the status ${captureStatus}`, async () => {
    const paypal = new ScriptedPayPal(
      [201, createOrder('COMPLETED', createCapture(captureStatus))],
      [200, createCapture(captureStatus)],
    );
    const gateway = createGateway(paypal);
    const payment = await gateway.chargePayment(orderIds, createPaymentRequest());
    assert.deepEqual(payment, { ...agreed, paymentId: CAPTURE, method: 4, ...expected });
    assert.deepEqual(await gateway.retrievePayment(payment), payment);
    assert.deepEqual(
      [paypal.calls.map(({ path }) => path), paypal.calls[0]?.headers.get('PayPal-Request-Id')],
      [
        [`/v2/checkout/orders/${ORDER}/capture`, `/v2/payments/captures/${CAPTURE}`],
        '7K4M9-QXD2P-capture',
      ],
    );
    assert.deepEqual(paypal.problems, []);
  });
}

test('fails a declined capture, after which the donor can try again', async () => {
  for (const issue of ['INSTRUMENT_DECLINED', 'PAYER_CANNOT_PAY', 'TRANSACTION_REFUSED']) {
    const gateway = script([422, createErrorBody(issue)]);
    assert.deepEqual(await gateway.chargePayment(orderIds, createPaymentRequest()), {
      ...orderIds,
      status: 'failed',
      reason: 'card-declined',
    });
  }
});

test('retrieves an order that was already captured', async () => {
  const gateway = script(
    [422, createErrorBody('ORDER_ALREADY_CAPTURED')],
    [200, createOrder('COMPLETED', createCapture('COMPLETED'))],
  );
  assert.deepEqual(await gateway.chargePayment(orderIds, createPaymentRequest()), captured);
});

test('treats a rejected capture as not charged, and leaves others open', async () => {
  for (const [answer, isNotCharged] of [
    [[422, createErrorBody('ORDER_NOT_APPROVED')], true],
    [[403, createErrorBody('PERMISSION_DENIED', 'NOT_AUTHORIZED')], true],
    [[422, createErrorBody('ORDER_COMPLETION_IN_PROGRESS')], false],
    [[429, { name: 'RATE_LIMIT_REACHED' }], false],
    [[500, { name: 'INTERNAL_SERVER_ERROR' }], false],
    [[503], false],
    [new TypeError('fetch failed'), false],
  ] as const)
    await assert.rejects(
      script(answer).chargePayment(orderIds, createPaymentRequest()),
      (error) => error instanceof NotChargedError === isNotCharged,
    );
});

test('never fails an order that PayPal cannot find for reasons other than its age', async () => {
  const missing = createErrorBody('INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND');
  assert.deepEqual(await script([404, missing]).retrievePayment(orderIds), notConfirmed);
  await assert.rejects(script([503]).retrievePayment(orderIds));
});

test('cancels an order that was not captured, and returns the payment of one that was', async () => {
  for (const status of ['PAYER_ACTION_REQUIRED', 'APPROVED'])
    assert.deepEqual(
      await script([200, createOrder(status)]).cancelPayment(orderIds),
      notConfirmed,
    );
  const completed = createOrder('COMPLETED', createCapture('COMPLETED'));
  assert.deepEqual(await script([200, completed]).cancelPayment(orderIds), captured);
});

test('reports what the donor must correct if PayPal rejects the amount', async () => {
  await assert.rejects(
    script([422, createErrorBody('MAX_VALUE_EXCEEDED')]).createPayment(createPaymentRequest()),
    (error) => error instanceof NotChargedError && error.reason === 'amount-too-large',
  );
});

test('converts amounts to PayPal and back, without decimals where PayPal has none', () => {
  for (const [currency, decimals, total, value] of [
    ['USD', 2, 5_181, '51.81'],
    ['EUR', 2, 5, '0.05'],
    ['JPY', 0, 5_000, '5000'],
    ['HUF', 0, 5_000, '5000'],
    ['TWD', 0, 150, '150'],
  ] as const) {
    assert.equal(getPayPalDecimals(currency), decimals);
    assert.deepEqual(toPayPalMoney(total, currency), { currency_code: currency, value });
    assert.deepEqual(parsePayPalMoney({ currency_code: currency, value }), { total, currency });
  }
  for (const [value, currency, total] of [
    ['100.00', 'HUF', 100],
    ['1234.50', 'HUF', 1_234.5],
    ['-500', 'HUF', -500],
    ['5000.00', 'JPY', 5_000],
    ['-1.8', 'USD', -180],
    ['-1.52', 'USD', -152],
    ['.5', 'USD', 50],
    ['1.234', 'USD', 123.4],
  ] as const)
    assert.deepEqual(parsePayPalMoney({ currency_code: currency, value }), { total, currency });
  for (const value of ['1e3', '', '.', '-', ' 1'])
    assert.throws(() => parsePayPalMoney({ currency_code: 'USD', value }), RangeError);
  assert.throws(() => parsePayPalMoney({ currency_code: 'KWD', value: '1' }), RangeError);
  assert.equal(getPayPalDecimals('KWD'), undefined);
});
