import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  InvalidPayloadError,
  InvalidSignatureError,
  PaymentNotFoundError,
  UnverifiedWebhookError,
} from '../../../src/server/payments/payment-gateway.ts';
import {
  createBody,
  createSignedHeaders,
  pay,
  receiveWebhook,
  startPayPalProvider,
} from './paypal-provider.ts';

const SIMPLE_BODY = createBody('CATALOG.PRODUCT.CREATED', { id: 'P' });

test('rejects altered, expired, and foreign webhooks', async () => {
  await using provider = await startPayPalProvider();
  const { gateway, fixture } = provider;
  const paymentId = await pay(provider);
  const body = createBody('PAYMENT.CAPTURE.COMPLETED', { id: paymentId });
  assert.equal((await receiveWebhook(provider, body)).length, 2);
  const { id } = fixture.paypal.addWebhook('http://127.0.0.1:2/other');
  const hoursAgo = (count: number): Date => new Date(Date.now() - count * 3_600_000);
  const sign = (options = {}) => createSignedHeaders(provider, body, options);
  await gateway.verifyAndFetchEvents!(body, sign({ time: hoursAgo(70) }));
  for (const [name, headers, altered = body] of [
    ['altered body', sign(), body.replace(paymentId, 'X')],
    ['added space', sign(), `${body} `],
    ['expired', sign({ time: hoursAgo(75) })],
    ['from the future', sign({ time: hoursAgo(-1) })],
    ['for another webhook', sign({ id })],
    ['without headers', new Headers()],
    ['without a time', replaceHeader(sign(), 'PayPal-Transmission-Time')],
    ['with another id', replaceHeader(sign(), 'PayPal-Transmission-Id', 'x')],
    [
      'with another time',
      replaceHeader(sign(), 'PayPal-Transmission-Time', hoursAgo(1).toISOString()),
    ],
    ['with another algorithm', replaceHeader(sign(), 'PayPal-Auth-Algo', 'NONE')],
  ] as const)
    await assert.rejects(
      gateway.verifyAndFetchEvents!(altered, headers),
      InvalidSignatureError,
      `accepted a webhook: ${name}`,
    );
});

test("loads certificates from PayPal's host only, and once", async () => {
  await using provider = await startPayPalProvider();
  const { fixture } = provider;
  const headers = createSignedHeaders(provider, SIMPLE_BODY);
  const requested: string[] = [];
  const createGateway = (apiUrl?: string) =>
    provider.createGateway({
      apiUrl,
      fetch: (input) => {
        const request = new Request(input);
        requested.push(request.url);
        return fetch(request);
      },
    });
  const path = '/v1/notifications/certs/CERT-1';
  for (const url of [
    `${fixture.url}${path}`,
    `http://api.sandbox.paypal.com${path}`,
    `https://api.sandbox.paypal.com:8443${path}`,
    `https://api.sandbox.paypal.com.example.org${path}`,
    `https://api.sandbox.paypal.com@example.org${path}`,
    `https://user@api.sandbox.paypal.com${path}`,
    `https://:password@api.sandbox.paypal.com${path}`,
    `https://api.sandbox.paypal.com${path}#1`,
    `https://api.sandbox.paypal.com:443${path}`,
    `https://api.sandbox.paypal.com/files${path}`,
    `https:\\\\api.sandbox.paypal.com${path}`,
    `https://API.sandbox.paypal.com${path}`,
    `https://api.paypal.com${path}`,
    `https://example.org/?https://api.sandbox.paypal.com${path}`,
    `https://www.paypal.com${path}`,
    `https://api.sandbox.paypal.com${path}?a=b`,
    'https://api.sandbox.paypal.com/v1/notifications/certs/../../../upload',
    'file:///etc/passwd',
    'not a URL',
    '',
  ])
    await assert.rejects(
      createGateway().verifyAndFetchEvents!(
        SIMPLE_BODY,
        replaceHeader(headers, 'PayPal-Cert-Url', url),
      ),
      InvalidSignatureError,
      url,
    );
  assert.deepEqual(requested, []);
  const gateway = createGateway(fixture.url);
  for (let count = 0; count < 2; count += 1)
    await gateway.verifyAndFetchEvents!(SIMPLE_BODY, createSignedHeaders(provider, SIMPLE_BODY));
  assert.equal(requested.length, 1);
});

test('accepts genuine webhooks after a start, although others are forged', async (t) => {
  await using provider = await startPayPalProvider();
  const { fixture } = provider;
  const genuineClient = '198.51.100.1';
  const nameNewUrl = (second: number, count: number): string => `FORGED-${second}-${count}`;
  for (const { name, client, nameUrl = nameNewUrl, maxRefused, maxFetches = 5 + 31 + 1 } of [
    { name: 'from another address', client: () => '203.0.113.9', maxRefused: 0 },
    { name: 'from the same address', client: () => genuineClient, maxRefused: 3 },
    {
      name: 'from many addresses',
      client: (count: number) => `203.0.${count}.1`,
      maxRefused: 3,
      maxFetches: 100 + 31,
    },
    {
      name: 'from the same address, each URL three times',
      client: () => genuineClient,
      nameUrl: (second: number, count: number) => nameNewUrl(second, count % 7),
      maxRefused: 5,
    },
    {
      name: 'from the same address, with one URL named often and then no more',
      client: () => genuineClient,
      nameUrl: (second: number, count: number) =>
        second === 5 && count > 0 ? 'FORGED' : nameNewUrl(second, count),
      maxRefused: 5,
    },
  ])
    await t.test(name, async () => {
      let time = Date.now();
      const fetched: string[] = [];
      const values = new Map<string, string>();
      const store = {
        get: async (key: string) => values.get(key),
        set: async (key: string, value: string) => void values.set(key, value),
      };
      const createGateway = () =>
        provider.createGateway({
          now: () => time,
          fetch: (input, init) => {
            fetched.push(new Request(input).url);
            return fetch(input, init);
          },
        });
      const gateway = createGateway();
      const send = (headers: Headers, sender: string, to = gateway) =>
        to.verifyAndFetchEvents!(SIMPLE_BODY, headers, { client: sender, store });
      const sign = () => createSignedHeaders(provider, SIMPLE_BODY, { time: new Date(time) });
      let refused = 0;
      for (let second = 0; second < 31; second += 1) {
        for (let count = 0; count < 20; count += 1) {
          time += 50;
          const forged = replaceHeader(
            sign(),
            'PayPal-Cert-Url',
            `${fixture.url}/v1/notifications/certs/${nameUrl(second, count)}`,
          );
          await assert.rejects(send(forged, client(second * 20 + count)));
        }
        if (second < 6) continue;
        const accepted = await send(sign(), genuineClient).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof UnverifiedWebhookError);
            return false;
          },
        );
        if (!accepted) refused += 1;
      }
      assert.ok(refused <= maxRefused, `refused ${refused} genuine webhooks`);
      assert.ok(fetched.length <= maxFetches, `fetched ${fetched.length} certificates`);
      fetched.length = 0;
      await send(sign(), genuineClient, createGateway());
      assert.deepEqual(fetched, [], 'another server gets the certificate from the database');
    });
});

test('limits only the certificates that PayPal does not have', async () => {
  await using provider = await startPayPalProvider();
  const certificate = createSignedHeaders(provider, SIMPLE_BODY).get('PayPal-Cert-Url')!;
  const folder = certificate.slice(0, certificate.lastIndexOf('/') + 1);
  const startedAt = Date.now();
  let fetchCount = 0;
  const gateway = provider.createGateway({
    now: () => startedAt,
    fetch: (input, init) => {
      fetchCount += 1;
      const url = new Request(input).url;
      return fetch(url.includes('GENUINE') ? certificate : url, init);
    },
  });
  const send = (name: string) =>
    gateway.verifyAndFetchEvents!(
      SIMPLE_BODY,
      replaceHeader(createSignedHeaders(provider, SIMPLE_BODY), 'PayPal-Cert-Url', folder + name),
    );
  for (let count = 0; count < 10; count += 1)
    await assert.rejects(send('FORGED'), InvalidSignatureError);
  assert.equal(fetchCount, 1);
  for (let count = 0; count < 10; count += 1) assert.deepEqual(await send(`GENUINE-${count}`), []);
  for (let count = 1; count < 10; count += 1) await assert.rejects(send(`FORGED-${count}`));
  assert.equal(fetchCount, 1 + 10 + 4 + 1);
});

test('refuses an expired certificate, and one that is not valid yet', async () => {
  await using provider = await startPayPalProvider();
  for (const [date, isValid] of [
    ['2024-12-31T23:00:00Z', false],
    ['2025-01-01T01:00:00Z', true],
    ['2049-12-31T23:00:00Z', true],
    ['2050-01-01T01:00:00Z', false],
  ] as const) {
    const gateway = provider.createGateway({ now: () => Date.parse(date) });
    const headers = createSignedHeaders(provider, SIMPLE_BODY, { time: new Date(date) });
    const events = gateway.verifyAndFetchEvents!(SIMPLE_BODY, headers);
    if (isValid) assert.deepEqual(await events, [], date);
    else await assert.rejects(events, InvalidSignatureError, date);
  }
});

test('calls PayPal for none of 10,000 forged webhooks, and rejects each quickly', async () => {
  await using provider = await startPayPalProvider();
  const { gateway, fixture } = provider;
  const body = createBody('CHECKOUT.ORDER.APPROVED', { id: 'X' });
  const valid = createSignedHeaders(provider, body);
  await gateway.verifyAndFetchEvents!(body, valid);
  const before = fixture.paypal.calls.length;
  const times: number[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const startedAt = performance.now();
    await assert.rejects(
      gateway.verifyAndFetchEvents!(`${body}${count}`, valid),
      InvalidSignatureError,
    );
    times.push(performance.now() - startedAt);
  }
  assert.equal(fixture.paypal.calls.length, before);
  assert.ok(times.sort((a, b) => a - b)[9_900]! < 50);
});

test('rejects a signed webhook that is unreadable or names an unknown object', async () => {
  await using provider = await startPayPalProvider();
  for (const body of [
    '{',
    'null',
    '[]',
    '{"event_type":1,"resource":{}}',
    '{"event_type":"PAYMENT.CAPTURE.COMPLETED"}',
    createBody('PAYMENT.CAPTURE.COMPLETED', {}),
    createBody('PAYMENT.CAPTURE.COMPLETED', { id: '../orders/1' }),
  ])
    await assert.rejects(receiveWebhook(provider, body), InvalidPayloadError, body);
  for (const [type, resource] of [
    ['PAYMENT.CAPTURE.COMPLETED', { id: 'UNKNOWN' }],
    ['PAYMENT.CAPTURE.REFUNDED', { id: 'UNKNOWN' }],
    ['PAYMENT.SALE.COMPLETED', { id: 'UNKNOWN' }],
    ['BILLING.SUBSCRIPTION.CANCELLED', { id: 'UNKNOWN' }],
    ['CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-R-UNKNOWN' }],
  ] as const)
    await assert.rejects(
      receiveWebhook(provider, createBody(type, resource)),
      PaymentNotFoundError,
      type,
    );
  const unrelated = createBody('INVOICING.INVOICE.PAID', { id: 'INV-1' });
  assert.deepEqual(await receiveWebhook(provider, unrelated), []);
});

test('rejects all webhooks if no webhook ID is configured', async () => {
  await using provider = await startPayPalProvider();
  const gateway = provider.createGateway({ webhookId: undefined });
  await assert.rejects(
    gateway.verifyAndFetchEvents!(SIMPLE_BODY, createSignedHeaders(provider, SIMPLE_BODY)),
    /webhookId is not configured/,
  );
});

/** Replaces a header, or removes it if no value is given. */
function replaceHeader(headers: Headers, name: string, value?: string): Headers {
  const changed = new Headers(headers);
  if (value === undefined) changed.delete(name);
  else changed.set(name, value);
  return changed;
}
