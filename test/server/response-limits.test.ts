import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { createGzip } from 'node:zlib';
import { DonationPlatformClient } from '../../src/platform-clients/donation-v1/index.ts';
import { FundraisingClient } from '../../src/platform-clients/fundraising/index.ts';
import { verifyPage } from '../../src/server/diagnostics/page/verify-page.ts';
import { PayPalClient } from '../../src/server/payments/paypal/client.ts';
import { createStripeGateway } from '../../src/server/payments/stripe/stripe-gateway.ts';

const MEGABYTE = 1_048_576;
const UNPACKED = 400 * MEGABYTE;
/** Maximum growth of the process while it rejects a response. */
const MAX_GROWTH = 30 * MEGABYTE;
const CHUNK = Buffer.alloc(65_536, '[');

let bomb: Buffer;
let server: Server;
let url: string;

before(async () => {
  bomb = await createCompressedBody(UNPACKED);
  server = createServer((request, response) => {
    request.resume();
    if (request.headers['accept-encoding']?.includes('gzip')) {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(bomb);
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      writeForever(response);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

async function createCompressedBody(bytes: number): Promise<Buffer> {
  const gzip = createGzip({ level: 1 });
  const parts: Buffer[] = [];
  gzip.on('data', (part: Buffer) => parts.push(part));
  for (let written = 0; written < bytes; written += CHUNK.length)
    if (!gzip.write(CHUNK)) await once(gzip, 'drain');
  gzip.end();
  await once(gzip, 'end');
  return Buffer.concat(parts);
}

function writeForever(response: ServerResponse): void {
  while (!response.destroyed && response.write(CHUNK));
  if (!response.destroyed) response.once('drain', () => writeForever(response));
}

const fetchUncompressed: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Accept-Encoding', 'identity');
  return fetch(input, { ...init, headers });
};

/** Rejects a response, and returns the message and the growth of the process in bytes. */
async function measureRejection(
  call: () => Promise<unknown>,
): Promise<{ readonly message: string; readonly growth: number }> {
  const start = process.memoryUsage().rss;
  let peak = start;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const error = await call().then(
    () => assert.fail('The response was accepted.'),
    (reason: unknown) => reason as Error,
  );
  clearInterval(timer);
  return { message: error.message, growth: Math.max(peak, process.memoryUsage().rss) - start };
}

const keys = { organizationKey: 'organization', licenseKey: 'license' };
const paypal = { clientId: 'id', clientSecret: 'secret', environment: 'sandbox' } as const;
const ids = { paymentId: 'pi_1' } as const;

const CALLS: Readonly<Record<string, (fetch: typeof globalThis.fetch) => Promise<unknown>>> = {
  'the Fundraising Platform API': (fetch) =>
    new FundraisingClient({ baseUrl: url, apiKey: 'key', fetch }).call('GET', '/api/x'),
  'the Donation Platform API': (fetch) =>
    new DonationPlatformClient({ baseUrl: url, ...keys, fetch }).call('GET', '/v1/donors'),
  PayPal: (fetch) =>
    new PayPalClient({ ...paypal, apiUrl: url, fetch }).get('/v2/checkout/orders/1'),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`bar 25: rejects a response of ${name} that decompresses to 400 MiB, without decompressing it`, async () => {
    await checkGrowth(call, fetch);
  });

  test(`bar 25: rejects an endless response of ${name}`, async () => {
    await checkGrowth(call, fetchUncompressed);
  });
}

test('bar 25: rejects an endless response of Stripe', { timeout: 60_000 }, async () => {
  const gateway = createStripeGateway({ secretKey: 'sk_test', methods: ['card'], apiUrl: url });
  await checkGrowth(() => gateway.retrievePayment(ids), fetch);
});

test('bar 25: rejects an endless page that it verifies without a browser', async () => {
  const { message, growth } = await measureRejection(() => verifyPage(url, { browser: undefined }));
  assert.match(message, /^Cannot open http.*: the response is larger than 10485760 bytes\./);
  assert.ok(growth < 3 * MAX_GROWTH, `grew by ${Math.round(growth / MEGABYTE)} MiB`);
});

async function checkGrowth(
  call: (fetch: typeof globalThis.fetch) => Promise<unknown>,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const { growth } = await measureRejection(() => call(fetch));
  assert.ok(growth < MAX_GROWTH, `grew by ${Math.round(growth / MEGABYTE)} MiB`);
}
