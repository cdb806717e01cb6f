import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { createLogger } from '../../src/server/lib/logger.ts';
import { createConfirmationToken } from './sandbox-stripe.ts';
import { createIdempotencyKey } from './support.ts';
import { buildDonationRequest, createTestEnvironment, KEYS, ORIGIN } from './test-environment.ts';

/** Like the keys, must not appear where it does not belong. */
const DONOR = { firstName: 'Canaria', lastName: 'Canarissima', email: 'canary@example.org' };
const CANARY = /canar(y|i)/i;

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('never leaks keys or donor data in logs, in responses to others, or in admin responses without a key', async () => {
  let trouble: 'none' | 'quotes' | 'down' = 'none';
  const environment = await createTestEnvironment({
    intercept: async (request, next) => {
      const { pathname } = new URL(request.url);
      if (trouble === 'none' || pathname.endsWith('/confirmation_tokens')) return next(request);
      if (trouble === 'down') return new Response('canary-upstream', { status: 503 });
      // A processor or platform that repeats the request, including keys.
      const message = `canary ${request.headers.get('Authorization')} ${await request.text()}`;
      return Response.json({ message, error: KEYS.PAYMENT_SECRET_KEY }, { status: 400 });
    },
  });
  await environment.writeConfiguration({ admin: { port: 1, key: { env: 'ADMIN_KEY' } } });
  const logged: string[] = [];
  const endpoint = await environment.createEndpoint({
    log: createLogger('trace', { write: (line) => logged.push(line) }),
  });
  endpoint.start();
  const sendRequest = (path: string, init: RequestInit = {}): Promise<Response> =>
    Promise.resolve(
      endpoint.fetch(
        new Request(`https://give.example${path}`, {
          ...init,
          headers: { Origin: ORIGIN, ...(init.headers as Record<string, string>) },
        }),
      ),
    );
  const form = await sendRequest('/form');
  const definition = (await form.json()) as FormDefinition;
  const tokens: string[] = [];
  const postDonation = async (
    number: string,
    key: string,
    page = `${ORIGIN}/?email=${DONOR.email}`,
  ): Promise<Response> => {
    const token = await createConfirmationToken(environment.sandbox.url, { card: number });
    tokens.push(token);
    const request = buildDonationRequest(definition, form.headers.get('ETag')!, token);
    return sendRequest('/donations', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ ...request, donor: DONOR, form: { ...request.form, page } }),
    });
  };
  const keys = Array.from({ length: 6 }, createIdempotencyKey);
  const responses: string[] = [];
  const recordResponse = async (response: Response): Promise<void> => {
    responses.push([...response.headers].join('\n') + (await response.text()));
  };
  await recordResponse(await postDonation('4242424242424242', keys[0]!, `${ORIGIN}/give`));
  await recordResponse(await postDonation('4000000000000002', keys[1]!, `${ORIGIN}/give`));
  await recordResponse(await postDonation('4242424242424242', keys[2]!));
  for (const [index, kind] of (['quotes', 'down'] as const).entries()) {
    trouble = kind;
    await recordResponse(
      await postDonation('4242424242424242', keys[3 + index]!, `${ORIGIN}/give`),
    );
    await recordResponse(await sendRequest('/manage'));
    await recordResponse(
      await sendRequest('/webhooks/stripe/lanternwell', {
        method: 'POST',
        body: JSON.stringify(DONOR),
        headers: { 'Stripe-Signature': `t=1,v1=${'0'.repeat(64)}` },
      }),
    );
  }
  // A key and an email in a request from another origin must not be returned or logged.
  for (const path of [
    `/form?id=${DONOR.email}&key=canary-platform-key`,
    `/donations?email=${DONOR.email}`,
  ])
    await (
      await sendRequest(path, {
        headers: {
          Authorization: 'Bearer canary-platform-key',
          Cookie: 'session=canary',
          Referer: `${ORIGIN}/?email=${DONOR.email}`,
          'User-Agent': 'canary',
        },
      })
    ).text();
  trouble = 'none';
  for (const path of [
    '/form',
    '/links',
    '/links/preview/main',
    '/countries',
    '/embed.json',
    '/donation-form.js',
    '/attribution.js',
    '/pages/campaign-links.js',
    '/healthz',
    '/nothing',
    '/donations',
    '/donations/confirm',
    '/manage',
  ])
    await recordResponse(
      await sendRequest(path, { headers: { 'Idempotency-Key': createIdempotencyKey() } }),
    );
  for (const path of [
    '/',
    '/api/review-queue',
    '/settings-report',
    '/metrics',
    '/readyz',
    '/gifts',
    '/nothing',
  ])
    await recordResponse(await endpoint.admin(new Request(`http://127.0.0.1${path}`)));
  await endpoint.close();
  await environment[Symbol.asyncDispose]();
  assert.ok(
    responses.some((text) => text.includes('"succeeded"')) &&
      responses.some((text) => text.includes('"failed"')),
  );
  for (const text of responses) assert.doesNotMatch(text, CANARY);
  const log = logged.join('');
  assert.ok(logged.length > 20);
  assert.doesNotMatch(log, CANARY);
  for (const secret of [...keys, ...tokens])
    assert.ok(!log.includes(secret), 'the log contains an idempotency key or a token');
});

test('builds scripts without keys, donor data, or source maps', () => {
  const built = listFiles('dist').filter((file) => /\.(js|css|map)$/.test(file));
  assert.ok(built.length > 50);
  for (const file of built) {
    // zod, which the server's chunks include, has a function and a variable of these names.
    const text = readFileSync(file, 'utf8').replaceAll(
      /handleCanaryResult|\bcanary\b(?![-@])/g,
      '',
    );
    assert.ok(!file.endsWith('.map') && !/[#@] sourceMappingURL=/.test(text), file);
    assert.doesNotMatch(text, CANARY, file);
    assert.doesNotMatch(text, /\b(sk|rk)_(test|live)_\w{8}|whsec_\w{8}/, file);
  }
});

test('escapes control characters in log lines without changing their meaning', () => {
  const lines: string[] = [];
  const log = createLogger(undefined, { write: (line) => lines.push(line) });
  const all = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('');
  log.info({ reference: `${all}\ufeff\u{e0041}` }, 'a\u001b[2J\u202eb\u0085c\u2028d');
  assert.doesNotMatch(lines.join('').replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.equal(lines[0]!.split('\n').length, 2);
  const read = JSON.parse(lines[0]!) as { reference: string; msg: string };
  assert.deepEqual(
    [read.reference, read.msg],
    [`${all}\ufeff\u{e0041}`, 'a\u001b[2J\u202eb\u0085c\u2028d'],
  );
});
