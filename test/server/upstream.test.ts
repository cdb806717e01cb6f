import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FundraisingClient } from '../../src/platform-clients/fundraising/index.ts';
import { DonationPlatformClient } from '../../src/platform-clients/donation-v1/index.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import type { PaymentRequest } from '../../src/server/payments/payment-gateway.ts';
import { sandboxGateway } from '../../src/server/payments/sandbox.ts';
import { stripeGateway } from '../../src/server/payments/stripe/stripe-gateway.ts';
import { listen } from '../../src/server/http/listen.ts';

const REFUSED = [
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

test('a base address that is not HTTPS, or not one of this machine, or holds a name, is refused at the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'donation-form.config.json');
  const example = await readFile('demo/donation-form.config.json', 'utf8');
  const written = async (
    place: 'payments.0.baseUrl' | 'recorder.baseUrl',
    address: string,
  ): Promise<string> => {
    const configuration = JSON.parse(example) as {
      organizations: [{ payments: [{ baseUrl: string }]; recorder: { baseUrl: string } }];
    };
    (place === 'recorder.baseUrl'
      ? configuration.organizations[0].recorder
      : configuration.organizations[0].payments[0]
    ).baseUrl = address;
    await writeFile(file, JSON.stringify(configuration));
    return loadConfiguration(file).then(
      () => 'started',
      (error: unknown) => (error as Error).message,
    );
  };
  for (const place of ['payments.0.baseUrl', 'recorder.baseUrl'] as const) {
    for (const address of [
      'https://platform.example',
      'https://platform.example:8443/api',
      'http://127.0.0.1:4102',
      'http://localhost:1',
      'http://[::1]:1',
    ])
      assert.equal(await written(place, address), 'started', address);
    for (const address of REFUSED) {
      const told = await written(place, address);
      assert.ok(told.includes(place) && told.includes('expected'), `${place} ${address}: ${told}`);
      assert.doesNotMatch(told, /:pw@/);
    }
  }
  await rm(folder, { recursive: true });
});

const gift = {
  reference: '7K4M9-QXD2P',
  total: 5_000,
  currency: 'USD',
  frequency: 'once',
  donor: { email: 'canary@example.org' },
  description: 'Gift',
  wantsReceipt: false,
  token: 'tok_1',
} as unknown as PaymentRequest;

test('no redirect of a processor or a platform is followed: keys and donors go nowhere else', async () => {
  const stolen: string[] = [];
  await using thief = await serving((request) => {
    stolen.push(`${request.method} ${request.url} ${request.headers.get('Authorization')}`);
    return Response.json({ id: 1, items: [] });
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const asked: string[] = [];
    await using upstream = await serving((request) => {
      asked.push(request.url);
      return new Response(null, { status, headers: { Location: `${thief.address}/elsewhere` } });
    });
    const client = new FundraisingClient({ baseUrl: upstream.address, apiKey: 'canary-key' });
    const v1 = new DonationPlatformClient({
      baseUrl: upstream.address,
      organizationKey: 'canary-key',
      licenseKey: 'canary-key',
    });
    const sandbox = sandboxGateway({ baseUrl: upstream.address, secretKey: 'canary-key' });
    const stripe = stripeGateway({
      secretKey: 'sk_test_canary',
      methods: ['card'],
      baseUrl: upstream.address,
    });
    for (const [name, call] of Object.entries({
      'the platform, reading': () => client.call('GET', '/api/campaign/list'),
      'the platform, recording': () => client.call('POST', '/gifts', gift),
      'the platform, v1': () => v1.call('GET', '/v1/gifts'),
      'the sandbox, beginning': () => sandbox.create(gift),
      'the sandbox, reading': () => sandbox.retrieve({ paymentId: 'pay_1' }),
      'stripe, beginning': () => stripe.create(gift),
      'stripe, reading': () => stripe.retrieve({ paymentId: 'pi_1' }),
    })) {
      const before = asked.length;
      await assert.rejects(async () => call(), name);
      assert.ok(asked.length > before, `${name} asked nobody`);
    }
  }
  assert.deepEqual(stolen, []);
});

async function serving(
  handler: (request: Request) => Response,
): Promise<AsyncDisposable & { readonly address: string }> {
  const { address, close } = await listen(handler, { host: '127.0.0.1', port: 0 });
  return { address, [Symbol.asyncDispose]: close };
}
