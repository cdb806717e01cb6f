import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DonationPlatformClient } from '../../../src/platform-clients/donation-v1/index.ts';
import { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { createPaymentRequest } from '../payments/test-provider.ts';

const INVALID_URLS = [
  'http://platform.example',
  'http://10.0.0.1',
  'http://169.254.169.254',
  'http://0.0.0.0',
  'http://[::]',
  'http://127.0.0.1.evil.example',
  'http://localhost.evil.example',
  'http://evil.example/127.0.0.1',
  'https://user:pw@platform.example',
  'https://user@platform.example',
  'https://:pw@platform.example',
  'http://127.0.0.1@evil.example',
  'ftp://platform.example',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'ws://platform.example',
  'platform.example',
  '//platform.example',
  '',
  'https://',
  'https://platform.example?x=1',
  'https://platform.example#x',
];

test('refuses to start with an API URL that is neither HTTPS nor loopback, or contains credentials', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
  const file = join(folder.path, 'donation-form.config.json');
  const example = await readFile('demo/donation-form.config.json', 'utf8');
  const loadConfigurationWithUrl = async (
    place: 'payments.0.apiUrl' | 'platform.baseUrl',
    url: string,
  ): Promise<string> => {
    const configuration = JSON.parse(example) as {
      organizations: [{ payments: [{ apiUrl: string }]; platform: { baseUrl: string } }];
    };
    const [{ payments, platform }] = configuration.organizations;
    if (place === 'platform.baseUrl') platform.baseUrl = url;
    else payments[0].apiUrl = url;
    await writeFile(file, JSON.stringify(configuration));
    return loadConfiguration(file).then(
      () => 'started',
      (error: unknown) => (error as Error).message,
    );
  };
  for (const place of ['payments.0.apiUrl', 'platform.baseUrl'] as const) {
    for (const url of [
      'https://platform.example',
      'https://platform.example:8443/api',
      'http://127.0.0.1:4102',
      'http://localhost:1',
      'http://[::1]:1',
    ])
      assert.equal(await loadConfigurationWithUrl(place, url), 'started', url);
    for (const url of INVALID_URLS) {
      const message = await loadConfigurationWithUrl(place, url);
      assert.ok(
        message.includes(place) && message.includes('expected'),
        `${place} ${url}: ${message}`,
      );
      assert.doesNotMatch(message, /:pw@/);
    }
  }
});

test('follows no redirects of processors and platforms, so keys and personal data reach no other host', async () => {
  const leaked: string[] = [];
  await using otherServer = await startUpstream((request) => {
    leaked.push(`${request.method} ${request.url} ${request.headers.get('Authorization')}`);
    return Response.json({ id: 1, items: [] });
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const requests: string[] = [];
    await using upstream = await startUpstream((request) => {
      requests.push(request.url);
      return new Response(null, { status, headers: { Location: `${otherServer.url}/elsewhere` } });
    });
    const client = new FundraisingClient({ baseUrl: upstream.url, apiKey: 'canary-key' });
    const v1 = new DonationPlatformClient({
      baseUrl: upstream.url,
      organizationKey: 'canary-key',
      licenseKey: 'canary-key',
    });
    const paypal = createPayPalGateway({
      clientId: 'canary-id',
      clientSecret: 'canary-secret',
      environment: 'sandbox',
      apiUrl: upstream.url,
    });
    const stripe = createStripeGateway({
      secretKey: 'sk_test_canary',
      methods: ['card'],
      apiUrl: upstream.url,
    });
    for (const [name, call] of Object.entries({
      'the platform, reading': () => client.call('GET', '/api/campaign/list'),
      'the platform, recording': () => client.call('POST', '/gifts', { gift: 'canary' }),
      'the platform, v1': () => v1.call('GET', '/v1/gifts'),
      'paypal, beginning': () => paypal.createPayment(createPaymentRequest()),
      'paypal, reading': () => paypal.retrievePayment({ paymentId: 'capture_1' }),
      'stripe, beginning': () => stripe.createPayment(createPaymentRequest({ token: 'tok_1' })),
      'stripe, reading': () => stripe.retrievePayment({ paymentId: 'pi_1' }),
    })) {
      const before = requests.length;
      await assert.rejects(async () => call(), name);
      assert.ok(requests.length > before, `${name} sent no request`);
    }
  }
  assert.deepEqual(leaked, []);
});

async function startUpstream(
  handler: (request: Request) => Response,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { url, close } = await listen(handler, { host: '127.0.0.1', port: 0 });
  return { url, [Symbol.asyncDispose]: close };
}
