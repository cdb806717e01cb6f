import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { configuration as schema } from '../../src/core/schemas/configuration.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createEndpoint } from '../../src/server/create-endpoint.ts';
import { createLogger } from '../../src/server/lib/logger.ts';
import { listen } from '../../src/server/http/listen.ts';
import { createConfirmationToken, createStripePayment, STRIPE_KEYS } from './sandbox-stripe.ts';
import { createIdempotencyKey } from './support.ts';

/** Secrets and donor data that must not appear where they do not belong. */
const KEYS = {
  FUNDRAISING_API_KEY: 'canary-platform-key',
  ...STRIPE_KEYS,
  ADMIN_KEY: 'canary-admin-key',
};
const DONOR = { firstName: 'Canaria', lastName: 'Canarissima', email: 'canary@example.org' };
const CANARY = /canar(y|i)/i;
const ORIGIN = 'http://127.0.0.1:4100';

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('never leaks keys or donor data in logs, in responses to others, or in admin responses without a key', async () => {
  const emulated = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    stripe: { secretKey: KEYS.PAYMENT_SECRET_KEY },
  });
  let trouble: 'none' | 'quotes' | 'down' = 'none';
  const sandbox = await listen(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (trouble === 'none' || pathname.endsWith('/confirmation_tokens'))
        return emulated.fetch(request);
      // A processor or platform that repeats the request, including keys.
      return trouble === 'down'
        ? new Response('canary-upstream', { status: 503 })
        : Response.json(
            {
              message: `canary ${request.headers.get('Authorization')} ${await request.text()}`,
              error: KEYS.PAYMENT_SECRET_KEY,
            },
            { status: 400 },
          );
    },
    { host: '127.0.0.1', port: 0 },
  );
  const example = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ platform: object }];
  };
  const [organization] = example.organizations;
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const configuration = schema.parse({
    listen: { host: '127.0.0.1', port: 0 },
    admin: { port: 1, key: { env: 'ADMIN_KEY' } },
    database: join(folder, 'donations.sqlite'),
    organizations: [
      {
        ...organization,
        payments: [createStripePayment(sandbox.url)],
        platform: { ...organization.platform, baseUrl: sandbox.url },
      },
    ],
  });
  const logged: string[] = [];
  const endpoint = await createEndpoint({
    configuration,
    environment: KEYS,
    log: createLogger('trace', {
      write: (line: string) => {
        logged.push(line);
      },
    }),
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
  const definition = (await form.json()) as { projects: [{ id: string }]; id: string };
  const tokens: string[] = [];
  const postDonation = async (
    number: string,
    key: string,
    page = `${ORIGIN}/?email=${DONOR.email}`,
  ): Promise<Response> => {
    const token = await createConfirmationToken(sandbox.url, { card: number });
    tokens.push(token);
    const request: DonationRequest = {
      version: 1,
      definition: form.headers.get('ETag')!,
      gift: {
        amount: 5_000,
        currency: 'USD',
        frequency: 'once',
        coverCosts: false,
        coveredFees: 0,
        total: 5_000,
        projects: [{ id: definition.projects[0].id, amount: 5_000 }],
      },
      donor: DONOR,
      payment: { provider: 'stripe', method: 0, token },
      form: { id: definition.id, page, language: 'en' },
    };
    return sendRequest('/donations', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(request),
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
  await rm(folder, { recursive: true });
  await sandbox.close();
  emulated.close();
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
  const log = createLogger(undefined, {
    write: (line: string) => {
      lines.push(line);
    },
  });
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
