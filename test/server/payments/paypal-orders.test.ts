import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parsePayPalMoney,
  getPayPalDecimals,
  toPayPalMoney,
} from '../../../src/server/payments/paypal/amounts.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import {
  NotChargedError,
  type PaymentGateway,
} from '../../../src/server/payments/payment-gateway.ts';
import {
  createErrorBody,
  createPaymentRequest,
  ScriptedPayPal,
  type Answer,
} from './paypal-support.ts';

const ORDER = '5O190127TN364715T';
const CAPTURE = '3C679366HH908993F';
const amount = { currency_code: 'USD', value: '51.81' };
const approvalUrl = `https://www.sandbox.paypal.com/checkoutnow?token=${ORDER}`;
const links = [
  {
    href: `https://api-m.sandbox.paypal.com/v2/checkout/orders/${ORDER}`,
    rel: 'self',
    method: 'GET',
  },
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

const createGateway = (paypal: ScriptedPayPal, now?: () => number): PaymentGateway =>
  createPayPalGateway({
    clientId: 'client',
    clientSecret: 'secret',
    environment: 'sandbox',
    fetch: paypal.fetch,
    now,
  });

const orderIds = { paymentId: `order-${ORDER}` };
const captured = {
  paymentId: CAPTURE,
  status: 'succeeded',
  total: 5_181,
  currency: 'USD',
  method: 4,
};

test('creates an order with the reference, and sends the donor to PayPal', async () => {
  const paypal = new ScriptedPayPal([200, createOrder('PAYER_ACTION_REQUIRED')]);
  assert.deepEqual(await createGateway(paypal).createPayment(createPaymentRequest()), {
    paymentId: `order-${ORDER}`,
    status: 'requires_action',
    total: 5_181,
    currency: 'USD',
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

for (const [orderStatus, expected] of [
  ['CREATED', { status: 'requires_action', action: { kind: 'redirect', url: approvalUrl } }],
  [
    'PAYER_ACTION_REQUIRED',
    { status: 'requires_action', action: { kind: 'redirect', url: approvalUrl } },
  ],
  ['APPROVED', { status: 'approved' }],
  ['VOIDED', { status: 'failed', reason: 'not-confirmed' }],
] as const) {
  test(`converts an order with the status ${orderStatus}`, async () => {
    const paypal = new ScriptedPayPal([200, createOrder(orderStatus)]);
    assert.deepEqual(await createGateway(paypal).retrievePayment(orderIds), {
      ...orderIds,
      total: 5_181,
      currency: 'USD',
      ...expected,
    });
  });
}

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
    assert.deepEqual(payment, {
      paymentId: CAPTURE,
      total: 5_181,
      currency: 'USD',
      method: 4,
      ...expected,
    });
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
    const paypal = new ScriptedPayPal([422, createErrorBody(issue)]);
    assert.deepEqual(await createGateway(paypal).chargePayment(orderIds, createPaymentRequest()), {
      ...orderIds,
      status: 'failed',
      reason: 'card-declined',
    });
  }
});

test('retrieves an order that was already captured', async () => {
  const paypal = new ScriptedPayPal(
    [422, createErrorBody('ORDER_ALREADY_CAPTURED')],
    [200, createOrder('COMPLETED', createCapture('COMPLETED'))],
  );
  assert.deepEqual(
    await createGateway(paypal).chargePayment(orderIds, createPaymentRequest()),
    captured,
  );
});

test('treats a rejected capture as not charged, and leaves others open', async () => {
  const chargeAndCatch = (answer: Answer): Promise<unknown> =>
    createGateway(new ScriptedPayPal(answer))
      .chargePayment(orderIds, createPaymentRequest())
      .catch((error: unknown) => error);
  assert.ok(
    (await chargeAndCatch([422, createErrorBody('ORDER_NOT_APPROVED')])) instanceof NotChargedError,
  );
  assert.ok(
    (await chargeAndCatch([403, createErrorBody('PERMISSION_DENIED', 'NOT_AUTHORIZED')])) instanceof
      NotChargedError,
  );
  for (const answer of [
    [422, createErrorBody('ORDER_COMPLETION_IN_PROGRESS')],
    [429, { name: 'RATE_LIMIT_REACHED' }],
    [500, { name: 'INTERNAL_SERVER_ERROR' }],
    [503],
    new TypeError('fetch failed'),
  ] as const) {
    const error = await chargeAndCatch(answer);
    assert.ok(error instanceof Error && !(error instanceof NotChargedError));
  }
});

test('never fails an order that PayPal cannot find for reasons other than its age', async () => {
  const missing = createErrorBody('INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND');
  assert.deepEqual(
    await createGateway(new ScriptedPayPal([404, missing])).retrievePayment(orderIds),
    {
      ...orderIds,
      status: 'failed',
      reason: 'not-confirmed',
    },
  );
  await assert.rejects(createGateway(new ScriptedPayPal([503])).retrievePayment(orderIds));
});

test('cancels an order that was not captured, and returns the payment of one that was', async () => {
  for (const status of ['PAYER_ACTION_REQUIRED', 'APPROVED'])
    assert.deepEqual(
      await createGateway(new ScriptedPayPal([200, createOrder(status)])).cancelPayment(orderIds),
      { ...orderIds, status: 'failed', reason: 'not-confirmed' },
    );
  assert.deepEqual(
    await createGateway(
      new ScriptedPayPal([200, createOrder('COMPLETED', createCapture('COMPLETED'))]),
    ).cancelPayment(orderIds),
    captured,
  );
});

test('reports what the donor must correct if PayPal rejects the amount', async () => {
  const paypal = new ScriptedPayPal([422, createErrorBody('MAX_VALUE_EXCEEDED')]);
  await assert.rejects(
    createGateway(paypal).createPayment(createPaymentRequest()),
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
  assert.deepEqual(parsePayPalMoney({ currency_code: 'HUF', value: '100.00' }).total, 100);
  assert.deepEqual(parsePayPalMoney({ currency_code: 'USD', value: '-1.8' }).total, -180);
  assert.equal(parsePayPalMoney({ currency_code: 'HUF', value: '1234.50' }).total, 1_234.5);
  assert.equal(parsePayPalMoney({ currency_code: 'USD', value: '1.234' }).total, 123.4);
  for (const value of ['1e3', '', '.', '-', ' 1'])
    assert.throws(() => parsePayPalMoney({ currency_code: 'USD', value }), RangeError);
  assert.throws(() => parsePayPalMoney({ currency_code: 'KWD', value: '1' }), RangeError);
  assert.equal(getPayPalDecimals('KWD'), undefined);
});
