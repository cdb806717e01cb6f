import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import type { Handler } from '../../../src/server/http/create-app.ts';
import { createIdempotencyKey, ORIGIN, startServer } from '../support.ts';

/** Finds all paths in the code of handlers, and fills in their parameters. */
function findPaths(...places: string[]): string[] {
  const files = places.flatMap((place) =>
    place.endsWith('.ts')
      ? [place]
      : readdirSync(place)
          .filter((name) => name.endsWith('.ts'))
          .map((name) => join(place, name)),
  );
  const patterns = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(\/[^' ]*)'/g)].map(([, path]) => path!),
  );
  const paths = patterns.map((pattern) =>
    pattern
      .replace(/:name\{.*\}$/, 'page.css')
      .replace('/*', '')
      .replace(':code', 'DE')
      .replace(':form', 'main')
      .replace(':provider', 'stripe')
      .replace(':organization', 'lanternwell')
      .replace(/:\w+/g, 'x'),
  );
  return [...new Set(paths)];
}

const REQUIRED_HEADERS = [
  'Content-Security-Policy',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'Cross-Origin-Resource-Policy',
  'Permissions-Policy',
];

/** Checks a response's security headers, and returns its status. */
async function checkHeaders(
  name: string,
  response: Response,
  { isAdminListener = false } = {},
): Promise<number> {
  const getHeader = (one: string): string => response.headers.get(one) ?? '';
  assert.deepEqual(
    REQUIRED_HEADERS.filter((one) => getHeader(one) === ''),
    [],
    name,
  );
  assert.equal(getHeader('X-Content-Type-Options'), 'nosniff', name);
  // The page without JavaScript finds its own URL in the Referer header of its submissions, and
  // browsers send the admin pages' origin with theirs.
  const isOwnReferrer =
    (isAdminListener || /^(GET|HEAD|POST) \/donate$/.test(name)) &&
    getHeader('Content-Type').startsWith('text/html');
  assert.equal(getHeader('Referrer-Policy'), isOwnReferrer ? 'same-origin' : 'no-referrer', name);
  const policy = getHeader('Content-Security-Policy');
  assert.match(policy, /^default-src 'none'; /, name);
  assert.match(policy, /frame-ancestors '(none|self)'/, name);
  // Stripe's documentation asks for these wildcards (https://docs.stripe.com/security/guide).
  const withoutStripe = policy.replaceAll(/https:\/\/\*\.(?:js\.stripe|stripe|link)\.com/g, '');
  assert.doesNotMatch(withoutStripe, /unsafe|\*|http:\/\/(?!127)/, name);
  if (!getHeader('Content-Type').startsWith('text/html'))
    assert.equal(policy, "default-src 'none'; frame-ancestors 'none'", name);
  assert.deepEqual(
    [
      'Server',
      'X-Powered-By',
      'Access-Control-Allow-Credentials',
      'Strict-Transport-Security',
    ].filter((one) => response.headers.has(one)),
    [],
    name,
  );
  for (const cookie of response.headers.getSetCookie())
    assert.match(cookie, /HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/, name);
  const isCrossOrigin =
    /\.js$|embed\.json$/.test(name.split(' ')[1]!) &&
    response.status < 400 &&
    !name.includes('/pages/');
  assert.equal(
    getHeader('Cross-Origin-Resource-Policy'),
    isCrossOrigin ? 'cross-origin' : 'same-origin',
    name,
  );
  const isEmbeddingProblem = response.status === 403 && /^(GET|HEAD) \/(form|goal)\b/.test(name);
  assert.equal(
    getHeader('Access-Control-Allow-Origin') === '*',
    isCrossOrigin || isEmbeddingProblem,
    name,
  );
  return response.status;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'];

async function requestAll(
  handler: Handler,
  paths: readonly string[],
  headers: Record<string, string>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) {
    for (const method of METHODS) {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{}' : null;
      const request = new Request(`http://give.example${path}`, { method, headers, body });
      statuses.push(await checkHeaders(`${method} ${path}`, await handler(request)));
    }
  }
  return statuses;
}

const getPublicPaths = (): string[] => [
  ...findPaths('src/server/http/create-app.ts', 'src/server/http/routes'),
  '/donation-form.js',
  '/attribution.js',
  '/donation-form.abc.js',
  '/v0/donation-form.js',
  '/v9/donation-form.js',
  '/links?id=none',
  '/links/preview/none',
  '/form?id=none',
  '/countries/XX',
  '/manage?provider=none',
  '/nothing',
  '/',
  '//',
  '/..%2f..',
];

test('sends security headers with every response, for every path, method, and origin', async () => {
  await using server = await startServer();
  const paths = getPublicPaths();
  for (const path of [
    '/form',
    '/donations',
    '/donations/confirm',
    '/settings-report',
    '/countries/DE',
    '/links/preview/main',
    '/manage',
    '/embed.json',
    '/healthz',
    '/webhooks/stripe/lanternwell',
  ])
    assert.ok(paths.includes(path), path);
  for (const headers of [
    {},
    {
      Origin: ORIGIN,
      'Content-Type': 'application/json',
      'Idempotency-Key': createIdempotencyKey(),
    },
    { Origin: 'https://evil.example' },
  ] as Record<string, string>[]) {
    const statuses = new Set(await requestAll(server.handler.fetch, paths, headers));
    for (const status of [200, 302, 404, 405]) assert.ok(statuses.has(status), String(status));
    assert.ok(!statuses.has(500));
  }
});

test('sends security headers and no-store with every admin response', async () => {
  await using server = await startServer({ adminKey: 'canary-admin-key' });
  const authorized = { Authorization: 'Bearer canary-admin-key' };
  for (const headers of [{}, authorized] as Record<string, string>[])
    for (const path of [...findPaths('src/server/admin'), '/nothing'])
      for (const method of METHODS) {
        const response = await server.fetchAdmin(path, { method, headers });
        await checkHeaders(`${method} ${path}`, response, { isAdminListener: true });
        assert.equal(response.headers.get('Cache-Control'), 'no-store', path);
      }
});

test('sends security headers with internal errors, and no details of them', async () => {
  await using server = await startServer();
  mock.method(server.repository, 'findByKeyHash', () => Promise.reject(new Error('canary')));
  const response = await server.fetchOutcome(createIdempotencyKey());
  assert.equal(await checkHeaders('GET /donations', response), 500);
  assert.doesNotMatch(await response.text(), /canary| at /);
});

test('responses about a donation are neither cached nor compressed', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const asIs = { 'Accept-Encoding': 'br, gzip' };
  for (const response of [
    await server.postDonation(await server.createRequest(), { key, headers: asIs }),
    await server.fetch('/donations', {
      headers: { ...asIs, Origin: ORIGIN, 'Idempotency-Key': key },
    }),
    await server.postDonation('{', { headers: asIs }),
  ])
    assert.deepEqual(
      ['Cache-Control', 'Content-Encoding', 'ETag'].map((name) => response.headers.get(name)),
      ['no-store', null, null],
    );
});

test('responds to HEAD like to GET, without a body', async () => {
  await using server = await startServer();
  for (const path of [
    '/form',
    '/countries',
    '/countries/DE',
    '/links',
    '/donation-form.js',
    '/embed.json',
    '/healthz',
    '/nothing',
  ]) {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) =>
        server.fetch(path, { method, headers: { 'Accept-Encoding': 'br' } }),
      ),
    );
    assert.deepEqual([head!.status, await head!.text()], [get!.status, ''], path);
    for (const name of ['ETag', 'Content-Type', 'Cache-Control', 'Content-Encoding', 'Vary'])
      assert.equal(head!.headers.get(name), get!.headers.get(name), `${path} ${name}`);
  }
});
