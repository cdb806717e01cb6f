import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { problemDetails, type ProblemCode } from '../../src/core/schemas/problem.ts';
import { LARGEST_BODY } from '../../src/server/http/body-limits.ts';
import { newKey, openDesk, type Desk } from './support.ts';

type Send = (desk: Desk, request: DonationRequest) => Promise<Response>;

/**
 * Each thing that is refused before any charge: what is sent, with which status and code it comes
 * back.
 */
const refusals: readonly (readonly [
  name: string,
  code: ProblemCode,
  status: number,
  send: Send,
])[] = [
  [
    'an unknown field',
    'unknown-field',
    400,
    (desk, request) => desk.post({ ...request, note: 'x' }),
  ],
  [
    'an unknown field inside the gift',
    'unknown-field',
    400,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, tip: 100 } }),
  ],
  [
    '__proto__ as a field',
    'unknown-field',
    400,
    (desk, request) =>
      desk.post(JSON.stringify(request).replace('{', '{"__proto__": {"total": 1},')),
  ],
  [
    'an amount that is a string',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, amount: '5000' } }),
  ],
  [
    'an amount with a fraction',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, amount: 50.5 } }),
  ],
  [
    'a negative amount',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, amount: -5_000 } }),
  ],
  [
    'a donor that is a list',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, donor: [] }),
  ],
  [
    'an e-mail address that is none',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, donor: { ...request.donor, email: 'ana' } }),
  ],
  [
    'a name with a control character',
    'invalid-field',
    400,
    (desk, request) =>
      desk.post({ ...request, donor: { ...request.donor, firstName: 'A\u202ena' } }),
  ],
  [
    'a page that is no web address',
    'invalid-field',
    400,
    (desk, request) =>
      desk.post({ ...request, form: { ...request.form, page: 'javascript:alert(1)' } }),
  ],
  [
    'another version of the request',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, version: 2 }),
  ],
  ['no JSON', 'malformed-json', 400, (desk) => desk.post('{"version": 1,')],
  ['an empty body', 'malformed-json', 400, (desk) => desk.post('')],
  [
    'a total that the server does not compute itself',
    'total-mismatch',
    422,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, total: 5_180 } }),
  ],
  [
    'costs that the server does not compute itself',
    'total-mismatch',
    422,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, costs: 0, total: 5_000 } }),
  ],
  [
    'costs without the tick',
    'total-mismatch',
    422,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, coverCosts: false } }),
  ],
  [
    'projects that do not sum to the gift',
    'total-mismatch',
    422,
    (desk, request) =>
      desk.post({ ...request, gift: { ...request.gift, projects: [{ id: '2', amount: 4_999 }] } }),
  ],
  [
    'a currency that the form does not take',
    'currency-not-allowed',
    422,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, currency: 'EUR' } }),
  ],
  [
    'a frequency that the form does not offer',
    'frequency-not-allowed',
    422,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, frequency: 'weekly' } }),
  ],
  [
    'a project that the form does not offer',
    'project-not-allowed',
    422,
    (desk, request) =>
      desk.post({ ...request, gift: { ...request.gift, projects: [{ id: '9', amount: 5_000 }] } }),
  ],
  [
    'costs in a currency for which they are not offered',
    'fee-cover-not-allowed',
    422,
    (desk, request) => desk.post({ ...request, gift: { ...request.gift, currency: 'JPY' } }),
  ],
  [
    'an amount under the minimum',
    'amount-too-small',
    422,
    (desk, request) =>
      desk.post({
        ...request,
        gift: {
          ...request.gift,
          amount: 499,
          coverCosts: false,
          costs: 0,
          total: 499,
          projects: [{ id: '2', amount: 499 }],
        },
      }),
  ],
  [
    'an amount over the maximum',
    'amount-too-large',
    422,
    (desk, request) =>
      desk.post({
        ...request,
        gift: {
          ...request.gift,
          amount: 1_000_001,
          coverCosts: false,
          costs: 0,
          total: 1_000_001,
          projects: [{ id: '2', amount: 1_000_001 }],
        },
      }),
  ],
  [
    'another payment provider',
    'payment-method-not-available',
    422,
    (desk, request) =>
      desk.post({ ...request, payment: { ...request.payment, provider: 'other' } }),
  ],
  [
    'a payment method that the form does not take',
    'payment-method-not-available',
    422,
    (desk, request) => desk.post({ ...request, payment: { ...request.payment, method: 1 } }),
  ],
  [
    'a donor field that the form does not ask for',
    'donor-field-not-allowed',
    422,
    (desk, request) => desk.post({ ...request, donor: { ...request.donor, city: 'Porto' } }),
  ],
  [
    'a custom field that the form does not take',
    'custom-field-not-allowed',
    422,
    (desk, request) => desk.post({ ...request, customFields: [{ id: '99', value: 'x' }] }),
  ],
  [
    'a custom field that is there twice',
    'custom-field-not-allowed',
    422,
    (desk, request) =>
      desk.post({
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
    (desk, request) => desk.post({ ...request, customFields: [{ id: '12', value: 'event' }] }),
  ],
  [
    'tracking that is no part of it',
    'unknown-field',
    400,
    (desk, request) => desk.post({ ...request, tracking: { utmsource: 'mail' } }),
  ],
  [
    'tracking that is too long',
    'invalid-field',
    400,
    (desk, request) => desk.post({ ...request, tracking: { utmSource: 'x'.repeat(101) } }),
  ],
  [
    'a required donor field that is missing',
    'donor-field-required',
    422,
    (desk, request) => desk.post({ ...request, donor: { firstName: 'Ana', lastName: 'Souza' } }),
  ],
  [
    'a form that does not exist',
    'form-not-found',
    404,
    (desk, request) => desk.post({ ...request, form: { ...request.form, id: 'other' } }),
  ],
  [
    'a definition that is no longer offered',
    'form-outdated',
    409,
    (desk, request) => desk.post({ ...request, definition: '"old"' }),
  ],
  [
    'no idempotency key',
    'idempotency-key-missing',
    400,
    (desk, request) => desk.post(request, { key: null }),
  ],
  [
    'a short idempotency key',
    'idempotency-key-invalid',
    400,
    (desk, request) => desk.post(request, { key: 'gift-1' }),
  ],
  [
    'an idempotency key of one character',
    'idempotency-key-invalid',
    400,
    (desk, request) => desk.post(request, { key: 'a'.repeat(40) }),
  ],
  [
    'a long idempotency key',
    'idempotency-key-invalid',
    400,
    (desk, request) => desk.post(request, { key: newKey().repeat(9) }),
  ],
  [
    'an odd idempotency key',
    'idempotency-key-invalid',
    400,
    (desk, request) => desk.post(request, { key: `${newKey()} ${newKey()}` }),
  ],
  [
    'a body over 256 KiB',
    'payload-too-large',
    413,
    (desk, request) => desk.post(JSON.stringify(request).padEnd(LARGEST_BODY + 1)),
  ],
  [
    'a form post',
    'content-type-unsupported',
    415,
    (desk, request) =>
      desk.post(request, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
  ],
  [
    'plain text',
    'content-type-unsupported',
    415,
    (desk, request) => desk.post(request, { headers: { 'Content-Type': 'text/plain' } }),
  ],
  [
    'an origin that is not allowed',
    'origin-not-allowed',
    403,
    (desk, request) =>
      desk.post(request, { headers: { Origin: 'https://lanternwell.example.evil.example' } }),
  ],
  [
    'the origin null',
    'origin-not-allowed',
    403,
    (desk, request) => desk.post(request, { headers: { Origin: 'null' } }),
  ],
];

for (const [name, code, status, send] of refusals) {
  test(`${name} is refused before any charge: ${status} ${code}`, async () => {
    await using desk = await openDesk();
    const response = await send(desk, await desk.request());
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.equal(response.headers.get('Content-Type'), 'application/problem+json');
    const problem = problemDetails.parse(JSON.parse(text));
    assert.equal(problem.code, code, text);
    assert.ok(problem.detail.length > 20 && problem.requestId.length > 20);
    assert.deepEqual(desk.calls, []);
    assert.equal(
      await desk.repository.findNextDueTime('lanternwell', [
        'charging',
        'action',
        'pending',
        'charged',
        'declined',
        'held',
      ]),
      undefined,
    );
    assert.doesNotMatch(text + desk.logged.join(''), /canary|Souza|at .*\.ts/);
  });
}

test('a good gift passes where each of these is refused', async () => {
  await using desk = await openDesk();
  assert.equal((await desk.post(await desk.request())).status, 200);
});

test('only pages on the list may read answers', async () => {
  await using desk = await openDesk();
  const allowedFor = async (origin: string): Promise<string | null> =>
    (
      await desk.handler.fetch(
        new Request('https://give.example/form', { headers: { Origin: origin } }),
      )
    ).headers.get('Access-Control-Allow-Origin');
  assert.equal(await allowedFor('https://lanternwell.example'), 'https://lanternwell.example');
  for (const other of [
    'null',
    'http://lanternwell.example',
    'https://lanternwell.example:444',
    'https://evil.example',
    'https://a.lanternwell.example',
    'https://LANTERNWELL.example.evil',
    '*',
  ]) {
    assert.equal(await allowedFor(other), null, other);
  }
});

test('a page on the list can read why it was refused', async () => {
  await using desk = await openDesk();
  const response = await desk.post('{');
  assert.equal(response.headers.get('Access-Control-Allow-Origin'), 'https://lanternwell.example');
});

test('an unknown address and an unknown method are refused as problems', async () => {
  await using desk = await openDesk();
  for (const [method, path, code] of [
    ['GET', '/nothing', 'not-found'],
    ['DELETE', '/donations', 'method-not-allowed'],
    ['GET', '/donation-form.0000.js', 'not-found'],
    ['GET', '/form?id=none', 'form-not-found'],
  ] as const) {
    const response = await desk.handler.fetch(
      new Request(`https://give.example${path}`, { method }),
    );
    assert.equal(problemDetails.parse(await response.json()).code, code);
  }
});
