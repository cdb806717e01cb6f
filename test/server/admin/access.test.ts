import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveCsrfToken } from '../../../src/server/admin/access/sessions.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { readAdminKey } from '../../../src/server/config/read-secrets.ts';
import { startServer, type TestServer } from '../support.ts';
import { ADMIN_KEY, createDonationInReview, startAdminServer } from './support.ts';

interface RequestOptions {
  readonly key?: string;
  readonly address?: string;
  /** The origin that the request names. */
  readonly origin?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function requestAdminPage(
  { admin }: TestServer,
  path: string,
  {
    key,
    address = '127.0.0.1',
    origin = 'http://127.0.0.1:4103',
    fields,
    headers = {},
  }: RequestOptions = {},
): Promise<Response> {
  return admin(
    new Request(origin + path, {
      headers: { ...headers, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    }),
    { address },
  );
}

const requestApi = async (server: TestServer, key: string, address?: string): Promise<number> =>
  (await requestAdminPage(server, '/api/donations', { key, ...(address && { address }) })).status;
const signIn = (server: TestServer, key: string, address?: string): Promise<Response> =>
  requestAdminPage(server, '/sign-in', {
    ...(address !== undefined && { address }),
    headers: { Cookie: 'admin=token' },
    fields: { csrf: deriveCsrfToken('token'), key, name: 'Ana', returnTo: '/' },
  });

test('limits wrong keys over API and sign-in together, and logs them without key or IP address', async () => {
  let time = Date.now();
  await using server = await startAdminServer({ now: () => time });
  for (const key of ['wrong-1', 'wrong-2', 'wrong-3'])
    assert.equal(await requestApi(server, key), 401, key);
  for (const key of ['wrong-4', 'wrong-5'])
    assert.equal((await signIn(server, key)).status, 401, key);
  time += 30_000;
  const apiResponse = await requestAdminPage(server, '/api/donations/export', { key: 'wrong-6' });
  const pageResponse = await signIn(server, 'wrong-7');
  assert.deepEqual(
    [apiResponse.status, apiResponse.headers.get('Retry-After'), await apiResponse.json()],
    [
      429,
      '570',
      { message: 'Too many attempts with a wrong key. Wait 10 minutes, then try again.' },
    ],
  );
  assert.deepEqual(
    [
      pageResponse.status,
      pageResponse.headers.get('Retry-After'),
      (await pageResponse.text()).includes('Wait 10 minutes'),
    ],
    [429, '570', true],
  );
  assert.deepEqual(
    [
      await requestApi(server, 'wrong-8', '10.0.0.2'),
      (await signIn(server, 'wrong-9', '10.0.0.2')).status,
    ],
    [401, 401],
  );
  const lines = server.logLines
    .filter((line) => line.includes('key'))
    .map((line) => JSON.parse(line) as { route: string; status: number });
  assert.equal(
    lines.map(({ route, status }) => `${route} ${status}`).join(', '),
    '/api/* 401, /api/* 401, /api/* 401, /sign-in 401, /sign-in 401, /api/* 429, /sign-in 429, ' +
      '/api/* 401, /sign-in 401',
  );
  assert.doesNotMatch(server.logLines.join(''), /wrong-\d|canary-admin|127\.0\.0\.1/);
  time += 570_000;
  assert.equal(await requestApi(server, 'wrong-10'), 401);
});

test('accepts the right key from an IP address that sent too many wrong ones', async () => {
  await using server = await startAdminServer();
  for (let attempt = 0; attempt < 10; attempt += 1) await requestApi(server, `old-key-${attempt}`);
  assert.deepEqual(
    [
      await requestApi(server, 'old-key-10'),
      await requestApi(server, ADMIN_KEY),
      (await signIn(server, ADMIN_KEY)).status,
    ],
    [429, 200, 303],
  );
});

test('locks out no other client if a script sends one wrong key repeatedly', async () => {
  await using server = await startAdminServer();
  for (let attempt = 0; attempt < 20; attempt += 1)
    assert.equal(await requestApi(server, 'the-key-of-last-year'), 401);
  assert.equal((await signIn(server, ADMIN_KEY)).status, 303);
});

test('rejects an admin key that is too short', async () => {
  const configuration = {
    ...(await loadConfiguration('demo/donation-form.config.json')),
    admin: { host: '127.0.0.1', port: 4103, key: { env: 'ADMIN_KEY' } },
  };
  assert.throws(
    () => readAdminKey(configuration, { ADMIN_KEY: 'x'.repeat(15) }),
    /admin\.key: found a key of 15 characters; expected at least 16/,
  );
  assert.equal(readAdminKey(configuration, { ADMIN_KEY: 'x'.repeat(16) }), 'x'.repeat(16));
});

test('shows and changes nothing without a session or the key, even at malformed paths', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const fields = { csrf: deriveCsrfToken('undefined'), decision: 'succeeded', event: 'payment' };
  const postPaths = [
    `/donations/${reference}/resolve`,
    `/donations/${reference}%0A/retry`,
    `/donations/${reference}%0A/resolve`,
    `/donations/${reference}/correct-receipt`,
    `/donations/${reference}/void-receipt`,
    '/review/resolve',
    '/organizations/lanternwell/pause',
    '/organizations/lanternwell%0A/pause',
    '/sign-out%0A',
    '/donations/search',
    '/nothing',
  ];
  for (const [options, paths] of [
    [
      {},
      [
        '/',
        '/nothing',
        '/review',
        '/donations',
        '/donations/export',
        '/receipts',
        '/receipts/export?year=2026',
        '/receipts/archive?year=2026',
        '/statements/archive?year=2026',
        `/donations/${reference}/receipts/WEB-2026-000001`,
        `/donations/${reference}/statement?year=2026`,
        `/donations/${reference}`,
        `/donations/${reference}%0A`,
        `/donations/${reference}%E2%80%A8`,
        '/organizations/%0D',
        '/%0A',
        '//',
        '/sign-in%0A',
        '/sign-in/x',
        '/pages/%0A.css',
        '/Events',
      ],
    ],
    [{ fields }, postPaths],
    [
      { fields: { ...fields, csrf: deriveCsrfToken('token') }, headers: { Cookie: 'admin=token' } },
      postPaths,
    ],
  ] as const)
    for (const path of paths) {
      const response = await requestAdminPage(server, path, options);
      const html = await response.text();
      assert.deepEqual(
        [response.status, html.includes('Admin key'), html.includes('Souza')],
        [401, true, false],
        path,
      );
    }
  for (const path of [
    '/api/donations%0A',
    `/api/donations/${reference}%0A`,
    '/api/webhooks/inbound',
    '/api/%0A',
    '/api',
    '/api/nothing',
  ])
    assert.equal((await requestAdminPage(server, path)).status, 401, path);
  assert.equal((await requestAdminPage(server, '/api/nothing', { key: ADMIN_KEY })).status, 404);
  assert.equal((await server.repository.findByReference(reference))?.status, 'needs_review');
  assert.deepEqual(await server.repository.pauses.listActive(), []);
});

test('requires the key for every path by a public host name, as in DNS rebinding', async () => {
  await using server = await startAdminServer();
  for (const path of ['/metrics', '/readyz', '/settings-report', '/api/review-queue']) {
    const getStatus = async (options: RequestOptions): Promise<number> =>
      (await requestAdminPage(server, path, options)).status;
    for (const origin of [
      'http://evil.example:4103',
      'https://give.example.org',
      'http://127.0.0.1.nip.io:4103',
      'http://local.example',
      'http://evil.example.:4103',
    ]) {
      const headers = { 'X-Forwarded-Host': 'localhost', 'X-Forwarded-Proto': 'https' };
      assert.deepEqual(
        [await getStatus({ origin, headers }), await getStatus({ origin, key: ADMIN_KEY })],
        [401, 200],
        origin + path,
      );
    }
    for (const origin of [
      'http://127.0.0.1:4103',
      'http://10.1.2.3',
      'http://[::1]:4103',
      'http://[::ffff:10.0.0.1]:4103',
      'http://localhost:4103',
      'http://give:4103',
      'http://give.charity.svc.cluster.local:4103',
      'http://give.internal',
    ])
      assert.equal(await getStatus({ origin }), path.startsWith('/api') ? 401 : 200, origin + path);
  }
  await using keyless = await startServer();
  assert.deepEqual(
    [
      (await requestAdminPage(keyless, '/metrics', { origin: 'http://evil.example:4103' })).status,
      (await requestAdminPage(keyless, '/metrics')).status,
    ],
    [403, 200],
  );
});
