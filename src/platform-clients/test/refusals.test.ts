import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DonationPlatformClient, DonationPlatformError } from '../donation-v1/index.ts';
import { FundraisingClient, FundraisingError, parseRateLimit } from '../fundraising/index.ts';

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

const CALLS = {
  fundraising: (fetch: typeof globalThis.fetch) =>
    new FundraisingClient({ baseUrl: 'https://platform.test', apiKey: 'key', fetch }).call(
      'GET',
      '/api/campaign/list',
    ),
  v1: (fetch: typeof globalThis.fetch, organizationKey = 'organization') =>
    new DonationPlatformClient({
      baseUrl: 'https://platform.test',
      organizationKey,
      licenseKey: 'key',
      fetch,
    }).listDonors(),
};

for (const [name, ErrorClass] of [
  ['fundraising', FundraisingError],
  ['v1', DonationPlatformError],
] as const)
  test(`an error of the ${name} client has the status, the body, and the platform\u2019s message`, async () => {
    for (const [body, message] of BODIES)
      await assert.rejects(
        CALLS[name](async () => new Response(body, { status: 400 })),
        (error: FundraisingError | DonationPlatformError) => {
          assert.match(
            error.message,
            typeof message === 'string' ? new RegExp(`^${message}$`) : message,
          );
          assert.deepEqual([error.status, error.body], [400, body]);
          assert.ok(error instanceof ErrorClass);
          assert.ok(!Object.keys(error).includes('body'));
          return true;
        },
      );
  });

test('errors of reached limits have the status and the body, too', async () => {
  const body = '{"Message":"slow down"}';
  const fetchRefusal = async (): Promise<Response> => new Response(body, { status: 429 });
  await assert.rejects(CALLS.fundraising(fetchRefusal), {
    name: 'RateLimitedError',
    message: 'slow down',
    body,
  });
  const listDonors = () => CALLS.v1(fetchRefusal, 'throttled-organization');
  await assert.rejects(listDonors(), { name: 'ThrottledError', status: 429, body });
  await assert.rejects(listDonors(), { wasSent: false, status: undefined, body: '' });
});

test('reads a reset time in seconds, milliseconds, or with a fraction', () => {
  const readReset = (text: string): string | undefined =>
    parseRateLimit(new Headers({ 'X-RateLimit-Reset': text })).resetsAt?.toISOString();
  for (const text of ['1790000000', '1790000000000', '1790000000.25', ' 1790000000 '])
    assert.equal(readReset(text), '2026-09-21T14:13:20.000Z', text);
  for (const text of ['soon', '-1', '1e9', '']) assert.equal(readReset(text), undefined, text);
});
