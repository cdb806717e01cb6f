import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { ProblemCode } from '../../../src/core/schemas/problem.ts';
import { MAX_DONATION_BYTES } from '../../../src/server/http/context.ts';
import { problemDetails } from '../../response-schemas.ts';
import type { PostOptions } from '../donor-client.ts';
import { createIdempotencyKey, startServer } from '../support.ts';

type BuildBody = (request: DonationRequest) => unknown;

const changeGift =
  (change: object): BuildBody =>
  ({ gift, ...request }) => ({ ...request, gift: { ...gift, ...change } });
const changeAmount = (amount: number): BuildBody =>
  changeGift({
    amount,
    coverCosts: false,
    coveredFees: 0,
    total: amount,
    projects: [{ id: '2', amount }],
  });
const changeDonor =
  (change: object): BuildBody =>
  ({ donor, ...request }) => ({ ...request, donor: { ...donor, ...change } });
const changeForm =
  (change: object): BuildBody =>
  ({ form, ...request }) => ({ ...request, form: { ...form, ...change } });
const changePayment =
  (change: object): BuildBody =>
  ({ payment, ...request }) => ({ ...request, payment: { ...payment, ...change } });
const change =
  (changes: object): BuildBody =>
  (request) => ({ ...request, ...changes });

/** Bodies that are rejected before any charge, by the status and code of the problem. */
const INVALID_BODIES: Readonly<Record<string, Readonly<Record<string, BuildBody>>>> = {
  '400 unknown-field': {
    'an unknown field': change({ note: 'x' }),
    'an unknown field inside the gift': changeGift({ tip: 100 }),
    '__proto__ as a field': (request) =>
      JSON.stringify(request).replace('{', '{"__proto__": {"total": 1},'),
    'an unknown tracking field': change({ tracking: { utmsource: 'mail' } }),
  },
  '400 invalid-field': {
    'an amount that is a string': changeGift({ amount: '5000' }),
    'an amount with a fraction': changeGift({ amount: 50.5 }),
    'a negative amount': changeGift({ amount: -5_000 }),
    'a donor that is a list': change({ donor: [] }),
    'an invalid email': changeDonor({ email: 'ana' }),
    'a name with a control character': changeDonor({ firstName: 'A\u202ena' }),
    'a page that is not an HTTP or HTTPS URL': changeForm({ page: 'javascript:alert(1)' }),
    'an unknown request version': change({ version: 2 }),
    'a tracking value that is too long': change({ tracking: { utmSource: 'x'.repeat(101) } }),
  },
  '400 malformed-json': {
    'invalid JSON': () => '{"version": 1,',
    'an empty body': () => '',
  },
  '422 total-mismatch': {
    "a total that differs from the server's": changeGift({ total: 5_180 }),
    "covered fees that differ from the server's": changeGift({ coveredFees: 0, total: 5_000 }),
    'covered fees without coverCosts': changeGift({ coverCosts: false }),
    'projects that do not add up to the amount': changeGift({
      projects: [{ id: '2', amount: 4_999 }],
    }),
  },
  '422 currency-not-allowed': {
    'a currency that the form does not accept': changeGift({ currency: 'EUR' }),
  },
  '422 frequency-not-allowed': {
    'a frequency that the form does not offer': changeGift({ frequency: 'weekly' }),
  },
  '422 project-not-allowed': {
    'a project that the form does not offer': changeGift({
      projects: [{ id: '9', amount: 5_000 }],
    }),
  },
  '422 fee-cover-not-allowed': {
    'covered fees in a currency without fee cover': changeGift({ currency: 'JPY' }),
  },
  '422 amount-too-small': { 'an amount below the minimum': changeAmount(499) },
  '422 amount-too-large': { 'an amount above the maximum': changeAmount(1_000_001) },
  '422 payment-method-not-available': {
    'an unknown payment provider': changePayment({ provider: 'other' }),
    'a payment method that the form does not accept': changePayment({ method: 1 }),
  },
  '422 donor-field-not-allowed': {
    'a donor field that the form does not have': changeDonor({ city: 'Porto' }),
  },
  '422 donor-field-required': {
    'a missing required donor field': changeDonor({ email: undefined }),
  },
  '422 custom-field-not-allowed': {
    'a custom field that the form does not have': change({
      customFields: [{ id: '99', value: 'x' }],
    }),
    'a duplicate custom field': change({
      customFields: ['Event', 'Newsletter'].map((value) => ({ id: '12', value })),
    }),
  },
  '422 custom-field-invalid': {
    'an option that a custom field does not have': change({
      customFields: [{ id: '12', value: 'event' }],
    }),
  },
  '404 form-not-found': { 'a form that does not exist': changeForm({ id: 'other' }) },
  '409 form-outdated': { 'an outdated form definition': change({ definition: '"old"' }) },
  '413 payload-too-large': {
    'a body larger than 256 KiB': (request) =>
      JSON.stringify(request).padEnd(MAX_DONATION_BYTES + 1),
  },
};

/** Idempotency keys and headers that are rejected before any charge. */
const INVALID_HEADERS: Readonly<Record<string, Readonly<Record<string, PostOptions>>>> = {
  '400 idempotency-key-missing': { 'a missing idempotency key': { key: null } },
  '400 idempotency-key-invalid': {
    'a short idempotency key': { key: 'gift-1' },
    'an idempotency key of one character': { key: 'a'.repeat(40) },
    'a long idempotency key': { key: createIdempotencyKey().repeat(9) },
    'an idempotency key with a space': {
      key: `${createIdempotencyKey()} ${createIdempotencyKey()}`,
    },
  },
  '415 content-type-unsupported': {
    'an HTML form': { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    'plain text': { headers: { 'Content-Type': 'text/plain' } },
  },
  '403 origin-not-allowed': {
    'an origin that is not allowed': {
      headers: { Origin: 'https://lanternwell.example.evil.example' },
    },
  },
};

async function assertRejected(
  expected: string,
  buildBody: BuildBody,
  options: PostOptions = {},
): Promise<void> {
  await using server = await startServer();
  const response = await server.postDonation(buildBody(await server.createRequest()), options);
  const text = await response.text();
  assert.equal(response.headers.get('Content-Type'), 'application/problem+json');
  const problem = problemDetails.parse(JSON.parse(text));
  assert.equal(`${response.status} ${problem.code}`, expected, text);
  assert.ok(problem.detail.length > 20 && problem.requestId.length > 20);
  assert.deepEqual(server.calls, []);
  const rows = await server.database.db.selectFrom('donations').selectAll().execute();
  assert.deepEqual(rows, []);
  assert.doesNotMatch(text + server.logLines.join(''), /canary|Souza|at .*\.ts/);
}

for (const [expected, bodies] of Object.entries(INVALID_BODIES))
  for (const [name, buildBody] of Object.entries(bodies))
    test(`rejects ${name} before any charge: ${expected}`, () =>
      assertRejected(expected, buildBody));

for (const [expected, requests] of Object.entries(INVALID_HEADERS))
  for (const [name, options] of Object.entries(requests))
    test(`rejects ${name} before any charge: ${expected}`, () =>
      assertRejected(expected, (request) => request, options));

test('accepts a valid donation', async () => {
  await using server = await startServer();
  assert.equal((await server.postDonation(await server.createRequest())).status, 200);
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
  ] as const satisfies [string, string, ProblemCode][]) {
    const response = await server.fetch(path, { method });
    assert.equal(problemDetails.parse(await response.json()).code, code);
  }
});
