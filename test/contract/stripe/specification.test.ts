import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stripe } from 'stripe';
import { createStripeEmulator } from '../../../src/sandbox/stripe/emulator.ts';
import { createCheckedFetch, loadSpecification } from './checked-fetch.ts';
import type { ApiRequest } from './specification.ts';
import { loadTypeTable } from './type-table.ts';

const specification = await loadSpecification();
const HEADERS = { 'Stripe-Version': Stripe.API_VERSION, 'Idempotency-Key': 'ABCDE-FGHJK' };

function createRequest(
  call: string,
  params = '',
  headers: Readonly<Record<string, string>> = HEADERS,
): ApiRequest {
  const [method = '', url = ''] = call.split(' ');
  return method === 'GET'
    ? { method, url: `${url}?${params}`, headers: new Headers(headers), body: '' }
    : { method, url, headers: new Headers(headers), body: params };
}

test('reads every call of the package', async () => {
  const { operations, events } = await loadTypeTable();
  assert.ok(operations.length > 500, `${operations.length} operations`);
  assert.ok(Object.keys(events).length > 200, `${Object.keys(events).length} events`);
  assert.equal(
    specification.findOperation('POST', '/v1/payment_intents/pi_1/confirm'),
    'POST /v1/payment_intents/{}/confirm',
  );
  assert.equal(
    specification.findOperation('GET', 'http://127.0.0.1/v1/payment_intents/search?query=a'),
    'GET /v1/payment_intents/search',
  );
});

const PAYMENT = 'amount=5000&currency=usd';
/** Wrong requests with the errors that name each wrong part. */
const WRONG_REQUESTS: readonly (readonly [request: ApiRequest, errors: readonly string[]])[] = [
  [createRequest('POST /v1/payment_intents', PAYMENT), []],
  [createRequest('POST /v1/charge'), ['is not an operation of the stripe package']],
  [createRequest('PUT /v1/payment_intents'), ['is not an operation of the stripe package']],
  [
    createRequest('POST /v1/payment_intents', `${PAYMENT}&payment_method_types[0]=card`),
    ['payment_method_types is unknown'],
  ],
  [
    createRequest('POST /v1/payment_intents', `${PAYMENT}&allowed_payment_method_types[0]=cowries`),
    [
      'allowed_payment_method_types.0 is "cowries", expected one of "acss_debit", "affirm", ' +
        '"afterpay_clearpay", "alipay", "alma", "amazon_pay", "au_becs_debit", "bacs_debit", …',
    ],
  ],
  [createRequest('POST /v1/payment_intents', 'amount=5000'), ['currency is missing']],
  [
    createRequest('POST /v1/payment_intents', 'amount=50,00&currency='),
    ['amount is "50,00", expected number', 'currency is "", expected string'],
  ],
  [
    createRequest('POST /v1/payment_intents', `${PAYMENT}&confirm=yes&metadata=ABCDE`),
    ['confirm is "yes", expected one of false, true', 'metadata is "ABCDE", expected an object'],
  ],
  [createRequest('POST /v1/customers', 'name=&address='), ['name is "", expected string']],
  [
    createRequest(
      'POST /v1/subscriptions',
      'customer=cus_1&items[0][price_data][recurring][interval]=fortnight',
    ),
    [
      'items.0.price_data.currency is missing',
      'items.0.price_data.product is missing',
      'items.0.price_data.recurring.interval is "fortnight", expected one of "day", "month", "week", "year"',
    ],
  ],
  [
    createRequest('POST /v1/customers', '', { 'Stripe-Version': '2024-06-20' }),
    [`Stripe-Version is 2024-06-20, expected ${Stripe.API_VERSION}`, 'Idempotency-Key is missing'],
  ],
  [createRequest('GET /v1/balance', 'page=2'), ['page is unknown']],
  [createRequest('GET /v1/disputes', 'limit=ten'), ['limit is "ten", expected number']],
  [createRequest('DELETE /v1/subscriptions/sub_1', 'refund=true'), ['refund is unknown']],
];

for (const [request, errors] of WRONG_REQUESTS)
  test(`names ${errors.join(' and ') || 'nothing wrong'} in ${request.method} ${request.url} ${request.body}`, () => {
    assert.deepEqual(specification.checkRequest(request), errors);
  });

const PRODUCT = {
  id: 'prod_1',
  object: 'product',
  active: true,
  created: 1,
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name: 'Donation',
  package_dimensions: null,
  shippable: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  updated: 1,
  url: null,
};

test('names each wrong part of a response', () => {
  const deleted = { id: 'cus_1', object: 'customer', deleted: true };
  const list = { object: 'list', url: '/v1/products', has_more: false };
  const product = 'GET /v1/products/prod_1';
  const customer = 'GET /v1/customers/cus_1';
  for (const [call, status, value, ...errors] of [
    [product, 200, PRODUCT],
    [product, 200, { ...PRODUCT, name: null }, 'name is null, expected string'],
    [
      product,
      200,
      { ...PRODUCT, tax_code: 7 },
      'tax_code is 7, expected one of an object, null, string',
    ],
    [product, 200, { ...PRODUCT, expand: ['tax_code'] }, 'expand is unknown'],
    [product, 200, { ...PRODUCT, active: undefined }, 'active is missing'],
    [product, 200, [PRODUCT], 'value is a list, expected an object'],
    [
      'GET /v1/products',
      200,
      { ...list, data: [{ ...PRODUCT, images: [1] }] },
      'data.0.images.0 is 1, expected string',
    ],
    [customer, 200, deleted],
    [customer, 200, { ...deleted, deleted: 'yes' }, 'deleted is "yes", expected true'],
    [product, 402, { error: { type: 'card_error', code: 'card_declined' } }],
    [
      product,
      500,
      { error: { type: 'api_mistake' } },
      'error.type is "api_mistake", expected one of "api_error", "card_error", ' +
        '"idempotency_error", "invalid_request_error"',
    ],
    [product, 404, {}, 'error is undefined, expected an object'],
  ] as const)
    assert.deepEqual(
      specification.checkResponse(createRequest(call), { status, body: JSON.stringify(value) }),
      errors,
    );
});

test('names each wrong part of an event', () => {
  const event = {
    id: 'evt_1',
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: 1,
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type: 'product.created',
    data: { object: PRODUCT },
  };
  assert.deepEqual(specification.checkEvent(event), []);
  assert.deepEqual(
    specification.checkEvent({ ...event, data: { object: { ...PRODUCT, id: 1 } } }),
    ['data.object.id is 1, expected string'],
  );
  assert.deepEqual(specification.checkEvent({ ...event, type: 'product.sold' }), [
    'type is "product.sold", which is no event of the stripe package',
  ]);
});

test('records the errors of calls to an emulation, and of its responses and events', async () => {
  const emulator = createStripeEmulator();
  const createPaymentIntent = async (
    checked: ReturnType<typeof createCheckedFetch>,
    body: string,
    key = emulator.secretKey,
  ): Promise<number> => {
    const { status } = await checked.fetch(
      new Request('http://127.0.0.1/v1/payment_intents', {
        method: 'POST',
        body,
        headers: { ...HEADERS, 'Idempotency-Key': body, Authorization: `Bearer ${key}` },
      }),
    );
    return status;
  };
  const strict = createCheckedFetch({ fetch: emulator.fetch, listEvents: () => emulator.events });
  assert.equal(await createPaymentIntent(strict, PAYMENT), 200);
  assert.deepEqual(await strict.listProblems(), []);
  assert.equal(await createPaymentIntent(strict, `${PAYMENT}&donor=Ana`), 400);
  assert.equal(
    await createPaymentIntent(strict, `${PAYMENT}&donor=Ana`, emulator.publishableKey),
    401,
  );
  assert.deepEqual(await strict.listProblems(), [
    'POST /v1/payment_intents: request: donor is unknown',
  ]);
  assert.deepEqual([...strict.calls], [['POST /v1/payment_intents', 2]]);

  const lenient = createCheckedFetch({
    fetch: async (request) => {
      const response = await emulator.fetch(request);
      const fields = (await response.json()) as object;
      return Response.json({ ...fields, donor: 'Ana' }, { status: response.status });
    },
    listEvents: () => [{ type: 'donation.made' }],
    allowsRejectedRequests: true,
  });
  assert.equal(await createPaymentIntent(lenient, `${PAYMENT}&name=Ana`), 400);
  assert.equal(await createPaymentIntent(lenient, `${PAYMENT}&description=Ana`), 200);
  assert.deepEqual(await lenient.listProblems(), [
    'POST /v1/payment_intents: response 200: donor is unknown',
    'event donation.made: type is "donation.made", which is no event of the stripe package',
  ]);
});
