import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { ProblemCode } from '../../../src/core/schemas/problem.ts';
import { problemDetails } from '../../response-schemas.ts';
import { MAX_DONATION_BYTES } from '../../../src/server/http/context.ts';
import { createIdempotencyKey, startServer, type TestServer } from '../support.ts';

type Send = (server: TestServer, request: DonationRequest) => Promise<Response>;

/** Requests that are rejected before any charge, with the status and code of the problem. */
const REJECTIONS: readonly (readonly [
  name: string,
  code: ProblemCode,
  status: number,
  send: Send,
])[] = [
  [
    'an unknown field',
    'unknown-field',
    400,
    (server, request) => server.postDonation({ ...request, note: 'x' }),
  ],
  [
    'an unknown field inside the gift',
    'unknown-field',
    400,
    (server, request) => server.postDonation({ ...request, gift: { ...request.gift, tip: 100 } }),
  ],
  [
    '__proto__ as a field',
    'unknown-field',
    400,
    (server, request) =>
      server.postDonation(JSON.stringify(request).replace('{', '{"__proto__": {"total": 1},')),
  ],
  [
    'an amount that is a string',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, amount: '5000' } }),
  ],
  [
    'an amount with a fraction',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, amount: 50.5 } }),
  ],
  [
    'a negative amount',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, amount: -5_000 } }),
  ],
  [
    'a donor that is a list',
    'invalid-field',
    400,
    (server, request) => server.postDonation({ ...request, donor: [] }),
  ],
  [
    'an invalid email',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, donor: { ...request.donor, email: 'ana' } }),
  ],
  [
    'a name with a control character',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, donor: { ...request.donor, firstName: 'A\u202ena' } }),
  ],
  [
    'a page that is not an HTTP or HTTPS URL',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, form: { ...request.form, page: 'javascript:alert(1)' } }),
  ],
  [
    'an unknown request version',
    'invalid-field',
    400,
    (server, request) => server.postDonation({ ...request, version: 2 }),
  ],
  ['invalid JSON', 'malformed-json', 400, (server) => server.postDonation('{"version": 1,')],
  ['an empty body', 'malformed-json', 400, (server) => server.postDonation('')],
  [
    "a total that differs from the server's",
    'total-mismatch',
    422,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, total: 5_180 } }),
  ],
  [
    "covered fees that differ from the server's",
    'total-mismatch',
    422,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, coveredFees: 0, total: 5_000 } }),
  ],
  [
    'covered fees without coverCosts',
    'total-mismatch',
    422,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, coverCosts: false } }),
  ],
  [
    'projects that do not add up to the amount',
    'total-mismatch',
    422,
    (server, request) =>
      server.postDonation({
        ...request,
        gift: { ...request.gift, projects: [{ id: '2', amount: 4_999 }] },
      }),
  ],
  [
    'a currency that the form does not accept',
    'currency-not-allowed',
    422,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, currency: 'EUR' } }),
  ],
  [
    'a frequency that the form does not offer',
    'frequency-not-allowed',
    422,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, frequency: 'weekly' } }),
  ],
  [
    'a project that the form does not offer',
    'project-not-allowed',
    422,
    (server, request) =>
      server.postDonation({
        ...request,
        gift: { ...request.gift, projects: [{ id: '9', amount: 5_000 }] },
      }),
  ],
  [
    'covered fees in a currency without fee cover',
    'fee-cover-not-allowed',
    422,
    (server, request) =>
      server.postDonation({ ...request, gift: { ...request.gift, currency: 'JPY' } }),
  ],
  [
    'an amount below the minimum',
    'amount-too-small',
    422,
    (server, request) =>
      server.postDonation({
        ...request,
        gift: {
          ...request.gift,
          amount: 499,
          coverCosts: false,
          coveredFees: 0,
          total: 499,
          projects: [{ id: '2', amount: 499 }],
        },
      }),
  ],
  [
    'an amount above the maximum',
    'amount-too-large',
    422,
    (server, request) =>
      server.postDonation({
        ...request,
        gift: {
          ...request.gift,
          amount: 1_000_001,
          coverCosts: false,
          coveredFees: 0,
          total: 1_000_001,
          projects: [{ id: '2', amount: 1_000_001 }],
        },
      }),
  ],
  [
    'an unknown payment provider',
    'payment-method-not-available',
    422,
    (server, request) =>
      server.postDonation({ ...request, payment: { ...request.payment, provider: 'other' } }),
  ],
  [
    'a payment method that the form does not accept',
    'payment-method-not-available',
    422,
    (server, request) =>
      server.postDonation({ ...request, payment: { ...request.payment, method: 1 } }),
  ],
  [
    'a donor field that the form does not have',
    'donor-field-not-allowed',
    422,
    (server, request) =>
      server.postDonation({ ...request, donor: { ...request.donor, city: 'Porto' } }),
  ],
  [
    'a custom field that the form does not have',
    'custom-field-not-allowed',
    422,
    (server, request) =>
      server.postDonation({ ...request, customFields: [{ id: '99', value: 'x' }] }),
  ],
  [
    'a duplicate custom field',
    'custom-field-not-allowed',
    422,
    (server, request) =>
      server.postDonation({
        ...request,
        customFields: [
          { id: '12', value: 'Event' },
          { id: '12', value: 'Newsletter' },
        ],
      }),
  ],
  [
    'an option that a custom field does not have',
    'custom-field-invalid',
    422,
    (server, request) =>
      server.postDonation({ ...request, customFields: [{ id: '12', value: 'event' }] }),
  ],
  [
    'an unknown tracking field',
    'unknown-field',
    400,
    (server, request) => server.postDonation({ ...request, tracking: { utmsource: 'mail' } }),
  ],
  [
    'a tracking value that is too long',
    'invalid-field',
    400,
    (server, request) =>
      server.postDonation({ ...request, tracking: { utmSource: 'x'.repeat(101) } }),
  ],
  [
    'a missing required donor field',
    'donor-field-required',
    422,
    (server, request) =>
      server.postDonation({ ...request, donor: { firstName: 'Ana', lastName: 'Souza' } }),
  ],
  [
    'a form that does not exist',
    'form-not-found',
    404,
    (server, request) =>
      server.postDonation({ ...request, form: { ...request.form, id: 'other' } }),
  ],
  [
    'an outdated form definition',
    'form-outdated',
    409,
    (server, request) => server.postDonation({ ...request, definition: '"old"' }),
  ],
  [
    'a missing idempotency key',
    'idempotency-key-missing',
    400,
    (server, request) => server.postDonation(request, { key: null }),
  ],
  [
    'a short idempotency key',
    'idempotency-key-invalid',
    400,
    (server, request) => server.postDonation(request, { key: 'gift-1' }),
  ],
  [
    'an idempotency key of one character',
    'idempotency-key-invalid',
    400,
    (server, request) => server.postDonation(request, { key: 'a'.repeat(40) }),
  ],
  [
    'a long idempotency key',
    'idempotency-key-invalid',
    400,
    (server, request) => server.postDonation(request, { key: createIdempotencyKey().repeat(9) }),
  ],
  [
    'an idempotency key with a space',
    'idempotency-key-invalid',
    400,
    (server, request) =>
      server.postDonation(request, { key: `${createIdempotencyKey()} ${createIdempotencyKey()}` }),
  ],
  [
    'a body larger than 256 KiB',
    'payload-too-large',
    413,
    (server, request) =>
      server.postDonation(JSON.stringify(request).padEnd(MAX_DONATION_BYTES + 1)),
  ],
  [
    'an HTML form',
    'content-type-unsupported',
    415,
    (server, request) =>
      server.postDonation(request, {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
  ],
  [
    'plain text',
    'content-type-unsupported',
    415,
    (server, request) =>
      server.postDonation(request, { headers: { 'Content-Type': 'text/plain' } }),
  ],
  [
    'an origin that is not allowed',
    'origin-not-allowed',
    403,
    (server, request) =>
      server.postDonation(request, {
        headers: { Origin: 'https://lanternwell.example.evil.example' },
      }),
  ],
  [
    'the origin "null"',
    'origin-not-allowed',
    403,
    (server, request) => server.postDonation(request, { headers: { Origin: 'null' } }),
  ],
];

for (const [name, code, status, send] of REJECTIONS) {
  test(`rejects ${name} before any charge: ${status} ${code}`, async () => {
    await using server = await startServer();
    const response = await send(server, await server.createRequest());
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.equal(response.headers.get('Content-Type'), 'application/problem+json');
    const problem = problemDetails.parse(JSON.parse(text));
    assert.equal(problem.code, code, text);
    assert.ok(problem.detail.length > 20 && problem.requestId.length > 20);
    assert.deepEqual(server.calls, []);
    assert.equal(
      await server.repository.findNextPaymentCheckTime('lanternwell', [
        'unconfirmed',
        'requires_action',
        'processing',
        'succeeded',
        'failed',
        'needs_review',
      ]),
      undefined,
    );
    assert.doesNotMatch(text + server.logLines.join(''), /canary|Souza|at .*\.ts/);
  });
}

test('accepts a valid donation', async () => {
  await using server = await startServer();
  assert.equal((await server.postDonation(await server.createRequest())).status, 200);
});

test('allows only configured origins to read forms', async () => {
  await using server = await startServer();
  const requestFrom = async (origin: string): Promise<[number, string | null]> => {
    const { status, headers } = await server.handler.fetch(
      new Request('https://give.example/form', { headers: { Origin: origin } }),
    );
    return [status, headers.get('Access-Control-Allow-Origin')];
  };
  assert.deepEqual(await requestFrom('https://lanternwell.example'), [
    200,
    'https://lanternwell.example',
  ]);
  for (const other of [
    'null',
    'http://lanternwell.example',
    'https://lanternwell.example:444',
    'https://evil.example',
    'https://a.lanternwell.example',
    'https://LANTERNWELL.example.evil',
    '*',
  ]) {
    // They may read the problem, which explains this.
    assert.deepEqual(await requestFrom(other), [403, '*'], other);
  }
});

test('allows configured origins to read problems', async () => {
  await using server = await startServer();
  const response = await server.postDonation('{');
  assert.equal(response.headers.get('Access-Control-Allow-Origin'), 'https://lanternwell.example');
});

test('rejects unknown paths and methods with a problem', async () => {
  await using server = await startServer();
  for (const [method, path, code] of [
    ['GET', '/nothing', 'not-found'],
    ['DELETE', '/donations', 'method-not-allowed'],
    ['GET', '/donation-form.0000.js', 'not-found'],
    ['GET', '/form?id=none', 'form-not-found'],
  ] as const) {
    const response = await server.handler.fetch(
      new Request(`https://give.example${path}`, { method }),
    );
    assert.equal(problemDetails.parse(await response.json()).code, code);
  }
});
