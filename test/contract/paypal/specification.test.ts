import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createCheckedFetch } from './checked-fetch.ts';
import {
  type ApiRequest,
  PayPalSpecification,
  readSpecificationFile,
  SPECIFICATION_FILES,
} from './specification.ts';

/** Git object IDs of the files in the commit that NOTICE names. */
const OBJECT_IDS: Readonly<Record<string, string>> = {
  billing_subscriptions_v1: '943d919d80442b8ee88716d48ce9b619173cedcf',
  catalogs_products_v1: '784ba91020d63bc37775786129ca37a33b7d9afa',
  checkout_orders_v2: 'f1eb080cdc595a679efd6fdfa917cb56ec5e3948',
  customer_disputes_v1: '22651fa67de264381d02f66f4b6f7a37e4937b04',
  notifications_webhooks_v1: '1a3649f4534adffdbe549006e9801acd25ea8b5c',
  payments_payment_v1: 'e0906fb2fa280c95fbeb73655765d98d548cd2bf',
  payments_payment_v2: '2a23704772b6855464913ab6d1946707dac5fdb0',
  reporting_transactions_v1: '6b5316f8707d0b5b8d3daead0933beb97852de2b',
};

/** Samples that contradict their own file: two are swapped, and two use undocumented values. */
const WRONG_SAMPLES = [
  'POST /v2/checkout/orders request: request body/payment_source/paypal/experience_context/payment_method_selected is not documented',
  'POST /v2/checkout/orders/{id}/confirm-payment-source request: request body/payment_source/paypal/experience_context/payment_method_selected is not documented',
  "POST /v1/customer/disputes/{id}/require-evidence request: request body must have required property 'action'",
  'POST /v1/customer/disputes/{id}/require-evidence request: request body/note is not documented',
  "POST /v1/customer/disputes/{id}/escalate request: request body must have required property 'note'",
  'POST /v1/customer/disputes/{id}/escalate request: request body/action is not documented',
  'POST /v1/notifications/verify-webhook-signature request: request body/cert_url is "cert_url"; it must match format "uri"',
];

const JSON_HEADERS = { 'Content-Type': 'application/json' };
const specification = new PayPalSpecification();

const ORDER = {
  intent: 'CAPTURE',
  purchase_units: [{ amount: { currency_code: 'USD', value: '50.00' }, custom_id: 'ABCDE-FGHJK' }],
};

function createOrderRequest(
  body: unknown = ORDER,
  headers: Readonly<Record<string, string>> = {},
): ApiRequest {
  return {
    method: 'POST',
    url: '/v2/checkout/orders',
    headers: new Headers({
      ...JSON_HEADERS,
      Authorization: 'Bearer token',
      'PayPal-Request-Id': 'key',
      ...headers,
    }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function checkResponse(method: string, url: string, status: number, body: unknown): string[] {
  return specification.checkResponse(
    { method, url },
    {
      status,
      headers: new Headers(body === '' ? {} : JSON_HEADERS),
      body: body === '' ? '' : JSON.stringify(body),
    },
  );
}

test('keeps the OpenAPI files as they are in the pinned commit', () => {
  for (const file of SPECIFICATION_FILES) {
    const content = readSpecificationFile(file);
    const id = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    assert.equal(id, OBJECT_IDS[file], file);
  }
});

test('accepts the samples in the OpenAPI files, except those that contradict their file', () => {
  const errors = specification.samples.flatMap(({ operation, status, body }) => {
    const [method = '', path = ''] = operation.split(' ');
    const url = path.replace(/\{\w+\}/g, 'PROD12345678901234567890');
    const found =
      status === undefined
        ? specification
            .checkRequest({ ...createOrderRequest(body, {}), method, url })
            .filter(
              (error) => error !== 'header paypal-request-id is not documented for this operation',
            )
        : checkResponse(method, url, status, body);
    return found.map((error) => `${operation} ${status ?? 'request'}: ${error}`);
  });
  assert.deepEqual(errors, WRONG_SAMPLES);
  assert.ok(specification.samples.length > 30);
});

test('accepts a valid request and names each wrong part of others', () => {
  assert.deepEqual(specification.checkRequest(createOrderRequest()), []);
  const [unit] = ORDER.purchase_units;
  const wrongBodies = [
    [{ ...ORDER, intent: 'SALE' }, 'intent is "SALE"; expected one of CAPTURE, AUTHORIZE'],
    [{ intent: 'CAPTURE' }, "must have required property 'purchase_units'"],
    [
      { ...ORDER, purchase_units: [{ amount: { currency_code: 'USD', value: 50 } }] },
      'purchase_units/0/amount/value is 50; it must be string',
    ],
    [
      { ...ORDER, purchase_units: [{ ...unit, customId: '1' }] },
      'purchase_units/0/customId is not documented',
    ],
    [{ ...ORDER, id: '1' }, 'id is not documented'],
    ['{', 'is not JSON: {'],
    ['', 'is missing; expected application/json'],
  ] as const;
  for (const [body, expected] of wrongBodies) {
    const errors = specification.checkRequest(createOrderRequest(body));
    assert.deepEqual(
      errors.map((error) => error.replace(/^request body[ /]/, '')),
      [expected],
    );
  }
  const wrongHeaders = [
    [
      { 'Content-Type': 'text/plain' },
      'request Content-Type is text/plain; expected application/json',
    ],
    [
      { 'PayPal-Request-Id': 'x'.repeat(109) },
      `header PayPal-Request-Id is "${'x'.repeat(109)}"; it must NOT have more than 108 characters`,
    ],
    [
      { 'PayPal-Idempotency-Key': 'key' },
      'header paypal-idempotency-key is not documented for this operation',
    ],
    [
      { Authorization: 'Basic abc' },
      'header Authorization is missing; expected Bearer and an access token',
    ],
  ] as const;
  for (const [headers, expected] of wrongHeaders)
    assert.deepEqual(specification.checkRequest(createOrderRequest(ORDER, headers)), [expected]);
  for (const [url, expected] of [
    ['/v2/checkout/orders?total=1', 'query total is not documented'],
    ['/v1/checkout/order', 'POST /v1/checkout/order is not an operation of the files'],
  ] as const)
    assert.deepEqual(specification.checkRequest({ ...createOrderRequest(), url }), [expected]);
  const [tooShort, wrongPattern, ...others] = specification.checkRequest({
    method: 'GET',
    url: '/v1/billing/subscriptions/I-BW452GLLEP1G/transactions?start_time=today',
    headers: new Headers({ Authorization: 'Bearer token' }),
    body: '',
  });
  assert.equal(tooShort, 'query start_time is "today"; it must NOT have fewer than 20 characters');
  assert.ok(wrongPattern!.startsWith('query start_time is "today"; it must match pattern'));
  assert.deepEqual(others, ['query end_time is missing']);
});

test('rejects fields in a request that only PayPal may set', () => {
  const errors = specification.checkRequest({
    ...createOrderRequest({
      plan_id: 'P-5ML4271244454362WXNWU5NQ',
      subscriber: { payer_id: 'WDJJHEBZ4X2LY' },
    }),
    url: '/v1/billing/subscriptions',
  });
  assert.deepEqual(errors, ['request body/subscriber/payer_id is read-only']);
});

test('names each wrong part of a response', () => {
  const path = '/v2/checkout/orders/5O190127TN364715T';
  assert.deepEqual(checkResponse('GET', path, 200, { id: 'A', status: 'CREATED' }), []);
  assert.deepEqual(checkResponse('GET', path, 200, { id: 'A', status: 'PAID', state: 1 }), [
    'response body/status is "PAID"; expected one of CREATED, SAVED, APPROVED, VOIDED, COMPLETED, PAYER_ACTION_REQUIRED',
    'response body/state is not documented',
  ]);
  assert.deepEqual(
    checkResponse('POST', `${path}/capture`, 422, {
      name: 'UNPROCESSABLE_ENTITY',
      message:
        'The requested action could not be performed, semantically incorrect, or failed business validation.',
      details: [{ issue: 'CARD_DECLINED', description: 'Declined.' }],
    }),
    [
      'response body/details/0 is {"issue":"CARD_DECLINED","description":"Declined."}; expected one of the documented alternatives',
    ],
  );
  assert.deepEqual(checkResponse('GET', path, 503, { message: 'Down.' }), [
    'response body is {"message":"Down."}; expected one of the documented alternatives',
  ]);
  assert.deepEqual(
    checkResponse('POST', '/v1/billing/subscriptions/I-BW452GLLEP1G/cancel', 204, { id: 'A' }),
    ['response body is {"id":"A"}; expected no body'],
  );
  assert.deepEqual(checkResponse('GET', path, 429, {}), [
    'response body is {}; expected the name RATE_LIMIT_REACHED and a message',
  ]);
});

test('checks the call for an access token, which the OpenAPI files lack', () => {
  const request = {
    method: 'POST',
    url: '/v1/oauth2/token',
    headers: new Headers({
      Authorization: `Basic ${btoa('client:secret')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    body: 'grant_type=client_credentials',
  };
  assert.deepEqual(specification.checkRequest(request), []);
  assert.deepEqual(
    specification.checkRequest({ ...request, headers: new Headers(JSON_HEADERS), body: '' }),
    [
      'header Authorization must be Basic with the client ID and secret',
      'request Content-Type is application/json; expected application/x-www-form-urlencoded',
      'request body/grant_type is null; expected client_credentials',
    ],
  );
  assert.deepEqual(
    checkResponse('POST', '/v1/oauth2/token', 200, {
      scope: '',
      access_token: 'A',
      token_type: 'Bearer',
      app_id: 'APP-1',
      expires_in: '3600',
      nonce: 'n',
    }),
    ['response body/expires_in must be a number'],
  );
});

test('checks a webhook event and its resource', () => {
  const event = {
    id: 'WH-1',
    create_time: '2026-01-01T00:00:00.000Z',
    resource_type: 'capture',
    event_type: 'PAYMENT.CAPTURE.COMPLETED',
    event_version: '1.0',
    summary: 'Payment completed for $ 50.0 USD',
    resource: { id: 'A', status: 'COMPLETED', amount: { currency_code: 'USD', value: '50.00' } },
  };
  assert.deepEqual(specification.checkEvent(event), []);
  assert.deepEqual(
    specification.checkEvent({ ...event, resource: { ...event.resource, status: 'PAID' } }),
    [
      'capture-2/status is "PAID"; expected one of COMPLETED, DECLINED, PARTIALLY_REFUNDED, PENDING, REFUNDED, FAILED',
    ],
  );
  assert.deepEqual(specification.checkEvent({ ...event, event_type: 'PAYMENT.DONE' }), [
    'event/event_type PAYMENT.DONE is unknown',
  ]);
});

test('records the errors of calls and responses without changing them', async () => {
  const { fetch, problems, calls } = createCheckedFetch({
    baseUrl: 'https://paypal.test/api',
    send: async (input) =>
      new Response(await (input as Request).text(), { status: 201, headers: JSON_HEADERS }),
  });
  const { url: path, ...init } = createOrderRequest({ ...ORDER, intent: 'SALE' });
  const response = await fetch(`https://paypal.test/api${path}`, init);
  assert.equal(((await response.json()) as { intent: string }).intent, 'SALE');
  assert.deepEqual(problems, [
    'POST /v2/checkout/orders: request body/intent is "SALE"; expected one of CAPTURE, AUTHORIZE',
    'POST /v2/checkout/orders: 201: response body/intent is "SALE"; expected one of CAPTURE, AUTHORIZE',
  ]);
  assert.deepEqual([...calls], [['POST /v2/checkout/orders 201', 1]]);
});
