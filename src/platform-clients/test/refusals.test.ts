import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FundraisingClient,
  FundraisingError,
  RateLimitedError,
  parseRateLimit,
} from '../fundraising/index.ts';
import {
  DonationPlatformClient,
  DonationPlatformError,
  ThrottledError,
} from '../donation-v1/index.ts';

const BODIES: readonly (readonly [body: string, message: string | RegExp])[] = [
  ['{"message":"why"}', 'why'],
  ['{"Message":"why"}', 'why'],
  ['{"error":"why"}', 'why'],
  ['{"error":{"code":7,"message":"why"}}', 'why'],
  ['{"errors":[{"detail":"why"}]}', 'why'],
  ['{"errors":{"amount":["why"]}}', 'why'],
  ['{"type":"about:blank","title":"Bad Request","detail":"why"}', 'why'],
  ['"why"', 'why'],
  ['why\n  not', 'why not'],
  ['<html><head><title>400</title></head><body><h1>why</h1></body></html>', 'why'],
  ['{"code":7}', /responded with status 400/],
  ['', /responded with status 400/],
];

test('an error of the fundraising client has the status, the body, and the platform\u2019s message', async () => {
  for (const [body, message] of BODIES) {
    const client = new FundraisingClient({
      baseUrl: 'https://platform.test',
      apiKey: 'key',
      fetch: async () => new Response(body, { status: 400 }),
    });
    await assert.rejects(client.call('GET', '/api/campaign/list'), (error: FundraisingError) => {
      assert.match(
        error.message,
        typeof message === 'string' ? new RegExp(`^${message}$`) : message,
      );
      assert.deepEqual([error.status, error.body], [400, body]);
      assert.ok(error instanceof FundraisingError);
      assert.ok(!Object.keys(error).includes('body'));
      return true;
    });
  }
});

test('an error of the v1 client has the status, the body, and the platform\u2019s message', async () => {
  for (const [index, [body, message]] of BODIES.entries()) {
    const client = new DonationPlatformClient({
      baseUrl: 'https://platform.test',
      organizationKey: `organization-${index}`,
      licenseKey: 'key',
      fetch: async () => new Response(body, { status: 400 }),
    });
    await assert.rejects(client.listDonors(), (error: DonationPlatformError) => {
      assert.match(
        error.message,
        typeof message === 'string' ? new RegExp(`^${message}$`) : message,
      );
      assert.deepEqual([error.status, error.body], [400, body]);
      assert.ok(error instanceof DonationPlatformError);
      return true;
    });
  }
});

test('errors of reached limits have the status and the body, too', async () => {
  const body = '{"Message":"slow down"}';
  const fetchRefusal = async (): Promise<Response> => new Response(body, { status: 429 });
  const baseUrl = 'https://platform.test';
  await assert.rejects(
    new FundraisingClient({ baseUrl, apiKey: 'key', fetch: fetchRefusal }).call(
      'GET',
      '/api/campaign/list',
    ),
    (error: RateLimitedError) => {
      assert.deepEqual(
        [error.name, error.message, error.body],
        ['RateLimitedError', 'slow down', body],
      );
      return true;
    },
  );
  const client = new DonationPlatformClient({
    baseUrl,
    organizationKey: 'throttled-organization',
    licenseKey: 'key',
    fetch: fetchRefusal,
  });
  await assert.rejects(client.listDonors(), (error: ThrottledError) => {
    assert.deepEqual([error.status, error.body], [429, body]);
    return true;
  });
  await assert.rejects(client.listDonors(), (error: ThrottledError) => {
    assert.deepEqual([error.wasSent, error.status, error.body], [false, undefined, '']);
    return true;
  });
});

test('reads a reset time in seconds, milliseconds, or with a fraction', () => {
  const readReset = (text: string): string | undefined =>
    parseRateLimit(new Headers({ 'X-RateLimit-Reset': text })).resetsAt?.toISOString();
  for (const text of ['1790000000', '1790000000000', '1790000000.25', ' 1790000000 '])
    assert.equal(readReset(text), '2026-09-21T14:13:20.000Z', text);
  for (const text of ['soon', '-1', '1e9', '']) assert.equal(readReset(text), undefined, text);
});
