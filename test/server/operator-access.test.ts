import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfiguration, operatorKey } from '../../src/server/config/load-configuration.ts';
import { csrfOf } from '../../src/server/admin/pages/sessions.ts';
import { heldGift, openOperatorDesk, OPERATOR_KEY } from './operator-support.ts';
import { openDesk, type Desk } from './support.ts';

interface Asking {
  readonly key?: string;
  readonly address?: string;
  readonly at?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the operator's listener. @param options.at where it is, as whoever asks calls it. */
async function ask(
  { operator }: Pick<Desk, 'operator'>,
  path: string,
  { key, address = '127.0.0.1', at = 'http://127.0.0.1:4103', fields, headers = {} }: Asking = {},
): Promise<Response> {
  return operator(
    new Request(at + path, {
      headers: { ...headers, ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    }),
    { address },
  );
}

const logIn = (desk: Pick<Desk, 'operator'>, key: string, address?: string): Promise<Response> =>
  ask(desk, '/log-in', {
    ...(address !== undefined && { address }),
    headers: { Cookie: 'operator=token' },
    fields: { csrf: csrfOf('token'), key, name: 'Ana', to: '/' },
  });

test('wrong keys of commands and of the log-in are counted together, and each is logged without the key and the address', async () => {
  let time = Date.now();
  await using desk = await openOperatorDesk({ now: () => time });
  for (const key of ['wrong-1', 'wrong-2', 'wrong-3'])
    assert.equal((await ask(desk, '/api/gifts', { key })).status, 401, key);
  for (const key of ['wrong-4', 'wrong-5']) assert.equal((await logIn(desk, key)).status, 401, key);
  time += 30_000;
  const command = await ask(desk, '/records/gifts', { key: OPERATOR_KEY });
  const page = await logIn(desk, OPERATOR_KEY);
  assert.deepEqual(
    [command.status, command.headers.get('Retry-After'), await command.json()],
    [
      429,
      '570',
      {
        message:
          'Too many wrong keys came from this address. Please wait 10 minutes, then try again.',
      },
    ],
  );
  assert.deepEqual(
    [
      page.status,
      page.headers.get('Retry-After'),
      (await page.text()).includes('Please wait 10 minutes'),
    ],
    [429, '570', true],
  );
  assert.deepEqual(
    [
      (await ask(desk, '/api/gifts', { key: OPERATOR_KEY, address: '10.0.0.2' })).status,
      (await logIn(desk, OPERATOR_KEY, '10.0.0.2')).status,
    ],
    [200, 303],
  );
  const lines = desk.logged
    .filter((line) => line.includes('key'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    lines.map(({ route, status }) => [route, status]),
    [
      ...Array.from({ length: 3 }, () => ['/api/*', 401]),
      ['/log-in', 401],
      ['/log-in', 401],
      ['/records/*', 429],
      ['/log-in', 429],
    ],
  );
  assert.doesNotMatch(desk.logged.join(''), /wrong-\d|canary-operator|127\.0\.0\.1/);
  time += 570_000;
  assert.equal((await ask(desk, '/api/gifts', { key: OPERATOR_KEY })).status, 200);
});

test('a command that tries an old key for ever locks nobody of its machine out', async () => {
  await using desk = await openOperatorDesk();
  for (let times = 0; times < 20; times += 1)
    assert.equal((await ask(desk, '/api/gifts', { key: 'the-key-of-last-year' })).status, 401);
  assert.equal((await logIn(desk, OPERATOR_KEY)).status, 303);
});

test('a key that can be guessed stops the start', async () => {
  const configuration = {
    ...(await loadConfiguration('demo/donation-form.config.json')),
    operator: { host: '127.0.0.1', port: 4103, key: { env: 'OPERATOR_KEY' } },
  };
  assert.throws(
    () => operatorKey(configuration, { OPERATOR_KEY: 'x'.repeat(15) }),
    /operator\.key: found a key of 15 characters, which can be guessed, expected 16 or more/,
  );
  assert.equal(operatorKey(configuration, { OPERATOR_KEY: 'x'.repeat(16) }), 'x'.repeat(16));
});

test('without a session every address but the log-in and the style sheets asks for the key, whatever it is made of', async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const fields = { csrf: csrfOf('undefined'), as: 'charged', about: 'payment' };
  for (const path of [
    '/',
    '/nothing',
    '/find',
    `/gifts/${reference}`,
    `/gifts/${reference}%0A`,
    `/gifts/${reference}%E2%80%A8`,
    '/organizations/%0D',
    '/%0A',
    '//',
    '/log-in%0A',
    '/log-in/x',
    '/pages/%0A.css',
    '/Events',
  ]) {
    const response = await ask(desk, path);
    assert.deepEqual(
      [response.status, (await response.text()).includes('The operator’s key')],
      [401, true],
      path,
    );
  }
  for (const path of [
    `/gifts/${reference}/resolve`,
    `/gifts/${reference}%0A/retry`,
    `/gifts/${reference}%0A/resolve`,
    '/organizations/lanternwell%0A/pause',
    '/log-out%0A',
    '/nothing',
  ]) {
    const response = await ask(desk, path, { fields });
    assert.deepEqual(
      [response.status, (await response.text()).includes('The operator’s key')],
      [401, true],
      path,
    );
  }
  for (const path of [
    '/api/gifts%0A',
    `/api/gifts/${reference}%0A`,
    '/events/by-hand',
    '/events/%0A',
    '/platform-webhooks',
    '/records/%0A',
    '/api',
    '/api/nothing',
  ])
    assert.equal((await ask(desk, path)).status, 401, path);
  assert.equal((await ask(desk, '/api/nothing', { key: OPERATOR_KEY })).status, 404);
  assert.equal((await desk.repository.findByReference(reference))?.state, 'held');
});

test('by a public name, as a page reaches the listener by DNS rebinding, nothing is told without the key', async () => {
  await using desk = await openOperatorDesk();
  for (const path of ['/metrics', '/readyz', '/ignored-settings', '/events/by-hand']) {
    for (const at of [
      'http://evil.example:4103',
      'https://give.example.org',
      'http://127.0.0.1.nip.io:4103',
      'http://local.example',
      'http://evil.example.:4103',
    ]) {
      assert.equal(
        (
          await ask(desk, path, {
            at,
            headers: { 'X-Forwarded-Host': 'localhost', 'X-Forwarded-Proto': 'https' },
          })
        ).status,
        401,
        at + path,
      );
      assert.equal((await ask(desk, path, { at, key: OPERATOR_KEY })).status, 200, at + path);
    }
    const own = path === '/events/by-hand' ? 401 : 200;
    for (const at of [
      'http://127.0.0.1:4103',
      'http://10.1.2.3',
      'http://[::1]:4103',
      'http://[::ffff:10.0.0.1]:4103',
      'http://localhost:4103',
      'http://give:4103',
      'http://give.charity.svc.cluster.local:4103',
      'http://give.internal',
    ])
      assert.equal((await ask(desk, path, { at })).status, own, at + path);
  }
  await using keyless = await openDesk();
  assert.deepEqual(
    [
      (await ask(keyless, '/metrics', { at: 'http://evil.example:4103' })).status,
      (await ask(keyless, '/metrics')).status,
    ],
    [403, 200],
  );
});
