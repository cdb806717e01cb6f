import assert from 'node:assert/strict';
import { checkTokenResponse } from '../../../../test/contract/paypal/token-call.ts';
import { Faults } from '../../lib/faults.ts';
import { createActiveSubscription, createOrderBody } from './payments-support.ts';
import { CREDENTIALS, fetchToken, type PayPalFixture, startPayPal, test } from './support.ts';

const ORDER = createOrderBody();

const requestToken = async (
  { url }: PayPalFixture,
  credentials: string,
  grantType = 'client_credentials',
): Promise<{ status: number; errors: string[] }> => {
  const response = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(credentials)}` },
    body: new URLSearchParams({ grant_type: grantType }),
  });
  const { status, headers } = response;
  return { status, errors: checkTokenResponse({ status, headers, body: await response.text() }) };
};

test('exchanges client credentials for a token', async (fixture) => {
  const credentials = `${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`;
  assert.deepEqual(await requestToken(fixture, credentials), { status: 200, errors: [] });
  assert.deepEqual(await requestToken(fixture, 'a:b'), { status: 401, errors: [] });
  assert.deepEqual(await requestToken(fixture, credentials, 'password'), {
    status: 400,
    errors: [],
  });
});

test('rejects calls without a token, and with one that has expired', async () => {
  let time = Date.now();
  await using fixture = await startPayPal({ now: () => new Date(time) });
  const { call } = fixture;
  const path = '/v2/checkout/orders';
  const missing = await call('POST', path, {
    body: ORDER,
    headers: { Authorization: '' },
    isWrong: true,
  });
  assert.equal(missing.status, 401);
  assert.equal((await call('POST', path, { body: ORDER })).status, 201);
  time += 32_400_000;
  assert.equal((await call('POST', path, { body: ORDER })).status, 401);
  const headers = { Authorization: `Bearer ${await fetchToken(fixture.url)}` };
  assert.equal((await call('POST', path, { body: ORDER, headers })).status, 201);
  fixture.paypal.revokeTokens();
  assert.equal((await call('POST', path, { body: ORDER, headers })).status, 401);
});

test('fails calls if a test requests it', async ({ paypal, call }) => {
  for (const [status, name] of [
    [429, 'RATE_LIMIT_REACHED'],
    [500, 'INTERNAL_SERVER_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const) {
    paypal.failCalls(status, 1, /orders/);
    const failed = await call('POST', '/v2/checkout/orders', { body: ORDER });
    assert.deepEqual([failed.status, failed.body.name], [status, name]);
  }
  assert.equal((await call('POST', '/v2/checkout/orders', { body: ORDER })).status, 201);
});

test('processes a call whose response is lost', async ({ paypal, call }) => {
  const options = { body: ORDER, requestId: 'lost' };
  paypal.dropResponses(1, /orders/);
  await assert.rejects(call('POST', '/v2/checkout/orders', options));
  assert.equal((await call('POST', '/v2/checkout/orders', options)).status, 200);
});

test('processes a call whose response without a body is lost', async (fixture) => {
  const { paypal, call } = fixture;
  const id = await createActiveSubscription(fixture);
  const path = `/v1/billing/subscriptions/${id}`;
  paypal.dropResponses(1, /cancel$/);
  await assert.rejects(call('POST', `${path}/cancel`, { body: { reason: 'Test' } }), TypeError);
  assert.equal((await call('GET', path)).body.status, 'CANCELLED');
});

test('injects the faults of the sandbox', async () => {
  const faults = new Faults();
  await using fixture = await startPayPal({ faults });
  const { call } = fixture;
  const createOrder = async (): Promise<number> =>
    (await call('POST', '/v2/checkout/orders', { body: ORDER })).status;
  assert.equal(await createOrder(), 201);
  faults.enableFault({ kind: 'server-error', times: 1, on: 'paypal', status: 500 });
  assert.equal(await createOrder(), 500);
  faults.enableFault({ kind: 'too-many', times: 1, on: 'paypal' });
  assert.equal(await createOrder(), 429);
  faults.enableFault({ kind: 'lost-reply', times: 1, on: 'paypal' });
  await assert.rejects(createOrder());
  faults.enableFault({ kind: 'server-error', times: 1, on: 'platform' });
  assert.equal(await createOrder(), 201);
});
