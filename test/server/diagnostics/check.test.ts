import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { describeConnectionError } from '../../../src/server/database/postgres-url.ts';
import { checkPostgres } from '../../../src/server/diagnostics/postgres.ts';
import { runChecks } from '../../../src/server/diagnostics/run-checks.ts';
import { listen } from '../../../src/server/http/listen.ts';
import type { CheckResult } from '../../../src/server/lib/check-result.ts';
import { checkClockSkew } from '../../../src/server/lib/clock-skew.ts';
import { STRIPE_WEBHOOK_EVENTS } from '../../../src/server/payments/stripe/webhook.ts';
import { serve } from '../../../src/server/serve.ts';
import { startFakeStripe } from '../../fake-stripe.ts';
import { findPostgresBinaries, runStatements, startPostgres } from '../../postgres.ts';
import { findFreePort, LOOPBACK } from '../loopback.ts';
import { createFolder } from '../temporary-folder.ts';

const form = {
  id: 'main',
  currencies: [{ code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] }],
  frequencies: ['once'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
const KEYS = {
  PLATFORM: 'canary-platform',
  ADMIN: 'canary-admin-key-long',
  STRIPE: 'sk_test_canary',
  WEBHOOK: 'whsec_canary',
};

interface CheckFixture extends AsyncDisposable {
  readonly folder: string;
  readonly organization: Record<string, unknown> & {
    platform: Record<string, unknown>;
    payments: Record<string, unknown>[];
  };
  configure(change: object): void;
  runChecks(environment?: Record<string, string | undefined>): Promise<CheckResult[]>;
  /** Runs the checks and returns one of the results. */
  check(name: string, environment?: Record<string, string | undefined>): Promise<CheckResult>;
  write(): Promise<string>;
}

/** A configuration with a sandbox on a real socket. Tests can change it before the check. */
async function createFixture(): Promise<CheckFixture> {
  const folder = createFolder();
  const emulated = createSandbox({
    platformKey: KEYS.PLATFORM,
    stripe: { secretKey: KEYS.STRIPE },
  });
  const sandbox = await listen(emulated.fetch, LOOPBACK);
  const page = await listen(() => new Response('a page'), LOOPBACK);
  const organization: CheckFixture['organization'] = {
    id: 'lanternwell',
    name: 'Lanternwell',
    contact: 'o@example.org',
    origins: [page.url],
    forms: [form],
    payments: [
      {
        provider: 'stripe',
        apiUrl: `${sandbox.url}/stripe`,
        publicKey: 'pk_test_1',
        secretKey: { env: 'STRIPE' },
      },
    ],
    platform: { adapter: 'sandbox', baseUrl: sandbox.url, apiKey: { env: 'PLATFORM' } },
  };
  const configuration = {
    listen: { host: '127.0.0.1', port: 1 },
    database: 'donations.sqlite',
    organizations: [organization],
  };
  const write = async (): Promise<string> => {
    const file = join(folder, 'c.json');
    await writeFile(file, JSON.stringify(configuration));
    return file;
  };
  const runAllChecks: CheckFixture['runChecks'] = async (environment = {}) => {
    const results = await runChecks({
      configuration: await loadConfiguration(await write()),
      environment: { ...KEYS, ...environment },
    });
    assert.doesNotMatch(JSON.stringify(results), /canary/);
    return results;
  };
  return {
    folder,
    organization,
    configure: (change) => void Object.assign(configuration, change),
    write,
    runChecks: runAllChecks,
    check: async (name, environment) =>
      (await runAllChecks(environment)).find((result) => result.name.startsWith(name))!,
    async [Symbol.asyncDispose]() {
      await Promise.all([sandbox.close(), page.close()]);
      emulated.close();
    },
  };
}

const listFailures = (results: readonly CheckResult[]): string[] =>
  results
    .filter(({ status }) => status === 'fail')
    .map(({ name, message }) => `${name}: ${message}`);
const findStatus = (results: readonly CheckResult[], name: string): string | undefined =>
  results.find((result) => result.name === name)?.status;

test('runs all checks and changes nothing', async () => {
  await using environment = await createFixture();
  const results = await environment.runChecks();
  assert.deepEqual(listFailures(results), []);
  assert.deepEqual(
    results
      .filter(({ status }) => status === 'pass')
      .map(({ name }) => name.replace(/http\S+/, '…')),
    [
      'configuration',
      'database',
      'disk',
      'secrets for lanternwell',
      'platform key for lanternwell',
      'clock',
      'platform for lanternwell',
      'stripe for lanternwell',
      'clock for lanternwell',
      'stripe minimums for lanternwell',
      'stripe currencies for lanternwell',
      'stripe methods for lanternwell',
      'stripe domains for lanternwell',
      'origin … for lanternwell',
      'no-JavaScript page for lanternwell',
    ],
  );
  assert.match(
    results.find(({ name }) => name.startsWith('platform key'))!.message,
    /accepts the key\. 1499 of 1500 calls remain this hour\./,
  );
  assert.deepEqual(await readdir(environment.folder), ['c.json']);
});

test('reports a wrong key, URL, or secret, and how to fix it', async () => {
  for (const [change, keys, problem] of [
    [
      {},
      { PLATFORM: 'another' },
      /^platform key for lanternwell: The platform rejected the key with status 401\. Create a new key/,
    ],
    [
      {},
      { STRIPE: 'sk_test_other' },
      /^stripe for lanternwell: Stripe rejected the secret key\. Copy the key again/,
    ],
    [
      {},
      { PLATFORM: undefined },
      new RegExp(
        '^organization lanternwell: .*c\\.json: organizations\\.0\\.platform\\.apiKey: ' +
          'the PLATFORM environment variable is not set',
      ),
    ],
    [
      {},
      { LOG_LEVEL: 'loud' },
      /^log: The LOG_LEVEL environment variable is "loud"; expected one of/,
    ],
    [
      { platform: { baseUrl: 'http://127.0.0.1:1' } },
      {},
      new RegExp(
        '^platform key for lanternwell: http://127\\.0\\.0\\.1:1 does not return a valid ' +
          'response .*\\. Check platform\\.baseUrl',
      ),
    ],
    [
      { payment: { apiUrl: 'http://127.0.0.1:1' } },
      {},
      /^stripe for lanternwell: The payment provider does not respond .*\. Check the provider's key and URL/,
    ],
    [
      { organization: { origins: ['http://lanternwell.example'] } },
      {},
      /^origin http:\/\/lanternwell\.example for lanternwell: The form does not accept donations on a page without/,
    ],
    [
      {
        platform: {
          adapter: 'http',
          record: { path: '/gift', body: {}, idPath: 'id' },
          find: { path: '/nothing/{reference}', idPath: 'id' },
        },
      },
      {},
      /^platform for lanternwell: The gift lookup failed .*\. Check platform\.find/,
    ],
  ] as readonly (readonly [Record<string, object>, Record<string, string | undefined>, RegExp])[]) {
    await using environment = await createFixture();
    const { organization } = environment;
    Object.assign(organization, change.organization);
    Object.assign(organization.platform, change.platform);
    Object.assign(organization.payments[0]!, change.payment);
    const problems = listFailures(await environment.runChecks(keys));
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0]!, problem);
  }
});

test("looks up one of the server's gifts from the list, unless the gift is new, and compares the IDs", async (t) => {
  let lookup: object[] = [];
  const platform = await listen((request) => {
    const { pathname, searchParams } = new URL(request.url);
    const to = Date.parse(searchParams.get('to') ?? '');
    const gifts = [
      { key: 'entered-by-staff', reference: 'Check 1042' },
      { key: 'new', reference: '2K4M9-QXD2P', addedAt: Date.now() - 15_000 },
      { key: '0065g00000ABC100', reference: '7K4M9-QXD2P', addedAt: Date.now() - 60_000 },
    ];
    if (pathname === '/list')
      return Response.json({ items: gifts.filter(({ addedAt = 0 }) => addedAt < to) });
    return Response.json({
      items: searchParams.get('reference') === '7K4M9-QXD2P' ? lookup : [],
    });
  }, LOOPBACK);
  t.after(() => platform.close());
  await using environment = await createFixture();
  environment.organization.platform = {
    adapter: 'http',
    baseUrl: platform.url,
    apiKey: { env: 'PLATFORM' },
    record: { path: '/gift', body: {}, idPath: 'key' },
    find: { path: '/find?reference={reference}', idPath: 'items.0.key' },
    list: {
      path: '/list?to={to}&skip={skip}&take={take}',
      itemsPath: 'items',
      referencePath: 'reference',
      idPath: 'key',
    },
  };
  for (const [items, status, message] of [
    [[{ key: '0065g00000ABC100' }], 'pass', /and gift 0065g00000ABC100 for 7K4M9-QXD2P\./],
    [
      [{ key: '88' }],
      'fail',
      /has gift 0065g00000ABC100 for 7K4M9-QXD2P, but the lookup finds 88, so/,
    ],
    [[], 'fail', /finds no gift, so .*increase platform\.findDelaySeconds/],
  ] as const) {
    lookup = [...items];
    const result = await environment.check('platform for lanternwell');
    assert.equal(result.status, status, result.message);
    assert.match(result.message, message);
  }
});

test('checks all organizations even if one of them is wrong', async () => {
  await using environment = await createFixture();
  const { organization: first } = environment;
  environment.configure({
    organizations: [
      { ...first, platform: { ...first.platform, apiKey: { env: 'ABSENT' } } },
      { ...first, id: 'second', forms: [{ ...form, id: 'second' }] },
    ],
  });
  const results = await environment.runChecks();
  assert.deepEqual(
    [
      listFailures(results).length,
      findStatus(results, 'platform key for second'),
      findStatus(results, 'stripe for second'),
    ],
    [1, 'pass', 'pass'],
  );
});

test('reports an invalid form once', async () => {
  await using environment = await createFixture();
  const { organization } = environment;
  const dear = { ...form, currencies: [{ ...form.currencies[0], maximum: '9999999999' }] };
  environment.configure({
    organizations: [
      { ...organization, forms: [dear] },
      { ...organization, id: 'other', forms: [{ ...form, id: 'other' }] },
    ],
  });
  const results = await environment.runChecks();
  assert.deepEqual(
    [
      listFailures(results).length,
      findStatus(results, 'configuration'),
      findStatus(results, 'organization other'),
    ],
    [1, 'fail', 'skipped'],
  );
});

test("reports an admin key other than the running server's, and ignores other programs on its port", async () => {
  await using environment = await createFixture();
  let isOther = false;
  const admin = await listen((request) => {
    if (isOther) return Response.json({ hello: 1 });
    if (new URL(request.url).pathname === '/readyz')
      return Response.json({
        ready: true,
        checks: { database: { state: 'ok', milliseconds: 1, most: 2_000 } },
      });
    const isKey = request.headers.get('Authorization') === `Bearer ${'k'.repeat(20)}`;
    return new Response(null, { status: isKey ? 200 : 401 });
  }, LOOPBACK);
  environment.configure({
    admin: { port: Number(new URL(admin.url).port), key: { env: 'ADMIN' } },
  });
  assert.deepEqual(listFailures(await environment.runChecks({ ADMIN: 'k'.repeat(20) })), []);
  assert.match(
    listFailures(await environment.runChecks({ ADMIN: 'j'.repeat(20) })).join('\n'),
    new RegExp(
      '^admin key: The running server rejected the key, because the key has changed since the ' +
        'server started\\. Restart the server\\.$',
    ),
  );
  isOther = true;
  assert.equal(
    findStatus(await environment.runChecks({ ADMIN: 'k'.repeat(20) }), 'running server'),
    'skipped',
  );
  await admin.close();
});

test('asks the running server about a database in use, and reports a damaged one', async () => {
  await using environment = await createFixture();
  const port = await findFreePort();
  environment.configure({ listen: LOOPBACK, admin: { port, key: { env: 'ADMIN' } } });
  const server = await serve({
    configuration: await loadConfiguration(await environment.write()),
    environment: { ...KEYS, LOG_LEVEL: 'silent' },
  });
  try {
    const results = await environment.runChecks();
    assert.deepEqual(
      [findStatus(results, 'running server'), findStatus(results, 'admin key')],
      ['pass', 'pass'],
    );
    assert.match(
      results.find(({ name }) => name === 'database')!.message,
      /running server uses .*donations\.sqlite and wrote to it in \d+ ms\.$/,
    );
    assert.equal(findStatus(results, 'payment webhooks'), undefined);
    const { status } = await fetch(`${server.url}/webhooks/stripe/lanternwell`, {
      method: 'POST',
      headers: { 'Stripe-Signature': 't=1,v1=00' },
      body: '{}',
    });
    assert.equal(status, 400);
    const warning = await environment.check('payment webhooks');
    assert.equal(warning.status, 'warning');
    assert.match(
      warning.message,
      /has rejected 1 payment webhook since it started and accepted none/,
    );
    environment.configure({ admin: undefined });
    assert.equal(findStatus(await environment.runChecks(), 'database'), 'skipped');
  } finally {
    await server.close();
  }
  assert.match(
    (await environment.check('database')).message,
    /the server uses .*donations\.sqlite\. The file is readable and writable\.$/,
  );
  environment.configure({ admin: { port, host: '0.0.0.0', key: { env: 'ADMIN' } } });
  assert.match(
    listFailures(await environment.runChecks({ ADMIN: 'short' })).join(),
    /admin\.key: found a key of 5 characters; expected at least 16/,
  );
  await writeFile(join(environment.folder, 'donations.sqlite'), Buffer.alloc(8_192, 7));
  assert.match(
    listFailures(await environment.runChecks()).join(),
    /database: Cannot open .*donations\.sqlite \(file is not a database\)\. Configure another file/,
  );
});

test('checks the Stripe key and webhook endpoints', async () => {
  await using environment = await createFixture();
  const fakeStripe = await startFakeStripe({ secretKey: KEYS.STRIPE });
  const payment = {
    provider: 'stripe',
    publicKey: 'pk_test_1',
    secretKey: { env: 'STRIPE' },
    webhookSecret: { env: 'WEBHOOK' },
    apiUrl: fakeStripe.url,
  };
  environment.organization.payments = [payment];
  const listStripeResults = async (keys = {}): Promise<string> =>
    (await environment.runChecks(keys))
      .filter(({ name }) => name.includes('stripe'))
      .map(({ status, message }) => `${status}: ${message}`)
      .join('\n');
  assert.match(
    await listStripeResults(),
    new RegExp(
      '^pass: Stripe accepts the key in test mode\\.\n' +
        "pass: No form's minimum amount is below Stripe's minimum charge\\.\n" +
        'pass: Each configured payment method supports a currency that a form offers\\.\n' +
        'pass: All configured payment methods are activated\\.\n' +
        'pass: All domains are registered for wallets\\.\n' +
        'fail: In test mode, Stripe has no webhook endpoint whose URL ends in /webhooks/stripe/lanternwell\\. Add one',
    ),
  );
  fakeStripe.addWebhookEndpoint(
    'https://give.example/webhooks/stripe/lanternwell',
    STRIPE_WEBHOOK_EVENTS.slice(1),
  );
  assert.match(
    await listStripeResults(),
    new RegExp(
      '\nfail: https://give\\.example/webhooks/stripe/lanternwell does not receive ' +
        'these events: payment_intent\\.succeeded\\. Add them',
    ),
  );
  fakeStripe.addWebhookEndpoint('https://give.example/webhooks/stripe/another', ['*'], 'disabled');
  fakeStripe.addWebhookEndpoint('https://give.example/webhooks/stripe/lanternwell', ['*']);
  assert.match(
    await listStripeResults(),
    /\nfail: Stripe has two webhook endpoints with the URL https:\/\/give\.example\/webhooks\/stripe\/lanternwell, and/,
  );
  assert.match(
    await listStripeResults({ STRIPE: 'sk_test_other' }),
    /^fail: Stripe rejected the secret key\. Copy the key again/,
  );
  await fakeStripe.close();
  assert.match(
    await listStripeResults(),
    /^fail: The payment provider does not respond \(ECONNREFUSED\)/,
  );
  const second = await startFakeStripe({ secretKey: KEYS.STRIPE });
  payment.apiUrl = second.url;
  second.addWebhookEndpoint(
    'https://give.example/webhooks/stripe/lanternwell',
    STRIPE_WEBHOOK_EVENTS,
  );
  const findNoScriptMessage = async (): Promise<string | undefined> =>
    (await environment.check('no-JavaScript page for lanternwell')).message;
  assert.equal(
    await findNoScriptMessage(),
    'The page at https://give.example/donate accepts no donations. If https://give.example is ' +
      'the server\'s public origin, add it to "origins" to turn the page on.',
  );
  (environment.organization.origins as string[]).push('https://give.example');
  assert.equal(
    await findNoScriptMessage(),
    'The page at https://give.example/donate accepts donations.',
  );
  environment.organization.origins = ['https://give.example'];
  assert.match(
    await listStripeResults(),
    new RegExp(
      '^pass: Stripe accepts the key in test mode\\.\n(.*\n)*' +
        'pass: https://give\\.example/webhooks/stripe/lanternwell receives all required events',
    ),
  );
  const ownOrigin = await environment.check('origin https://give.example for lanternwell');
  assert.equal(ownOrigin.status, 'warning');
  assert.match(ownOrigin.message, /^This is the server's own origin\. If the page with the form/);
  await second.close();
});

test('checks that the sandbox serves the script that takes the place of Stripe.js', async () => {
  await using environment = await createFixture();
  await using fakeStripe = await startFakeStripe({ secretKey: KEYS.STRIPE });
  const site = await listen(
    (request) =>
      request.url.endsWith('/stripe.js')
        ? new Response('', { headers: { 'Content-Type': 'text/javascript' } })
        : new Response('', { status: 404 }),
    LOOPBACK,
  );
  const checkScript = async (scriptUrl: string): Promise<string> => {
    Object.assign(environment.organization.payments[0]!, { apiUrl: fakeStripe.url, scriptUrl });
    const { status, message } = await environment.check('stripe script');
    return `${status}: ${message}`;
  };
  assert.equal(
    await checkScript(`${site.url}/stripe.js`),
    `pass: The sandbox serves its replacement for Stripe.js at ${site.url}/stripe.js.`,
  );
  assert.match(
    await checkScript(`${site.url}/v3`),
    /^fail: .*\/v3 responded with status 404 and text\/plain.*; expected a JavaScript file\./,
  );
  await site.close();
  assert.match(
    await checkScript(`${site.url}/stripe.js`),
    /^fail: .*\/stripe\.js does not respond \(ECONNREFUSED\)\. Correct scriptUrl, or start/,
  );
});

test('reports a wrong database password', () => {
  const error = Object.assign(new Error('password authentication failed for user "give"'), {
    code: '28P01',
  });
  assert.equal(
    describeConnectionError(error),
    'rejected the connection (password authentication failed for user "give"). Correct the ' +
      'username or password in DATABASE_URL.',
  );
});

test('names the database, and warns if the running server uses another', async () => {
  await using environment = await createFixture();
  const admin = await listen(
    () =>
      Response.json({
        ready: true,
        checks: { database: { state: 'ok', location: 'postgres://db:5432/give' } },
      }),
    LOOPBACK,
  );
  try {
    const configuration = { port: Number(new URL(admin.url).port), key: { env: 'ADMIN' } };
    environment.configure({ admin: configuration });
    const results = await environment.runChecks();
    assert.match(
      results.find(({ name }) => name === 'database')!.message,
      /DATABASE_URL is not set, so the server will create .*donations\.sqlite/,
    );
    const { status, message } = results.find(({ name }) => name === 'database in use')!;
    assert.equal(status, 'warning');
    assert.match(
      message,
      new RegExp(
        '^The running server uses postgres://db:5432/give, but .*donations\\.sqlite\\. ' +
          "Run the command with the service's DATABASE_URL",
      ),
    );
    const same = await environment.runChecks({ DATABASE_URL: 'postgres://u:canary@db:5432/give' });
    assert.equal(findStatus(same, 'database in use'), undefined);
  } finally {
    await admin.close();
  }
});

test('fails without DATABASE_URL if the configured file cannot exist', async () => {
  await using environment = await createFixture();
  environment.configure({ database: '/dev/null/donations.sqlite' });
  assert.match(
    listFailures(await environment.runChecks()).join('\n'),
    /^database: DATABASE_URL is not set, and the server cannot create .* Set DATABASE_URL to/m,
  );
});

test('warns about an origin that only browsers may be able to reach', async () => {
  await using environment = await createFixture();
  environment.organization.origins = ['http://localhost:1'];
  const results = await environment.runChecks();
  assert.match(
    JSON.stringify(results.filter(({ status }) => status === 'warning')),
    /^\[\{"name":"origin http:\/\/localhost:1 for lanternwell".*This machine cannot reach the website/,
  );
});

test('reports the difference between the clocks', () => {
  assert.equal(checkClockSkew('X', 100_000, 0, 129_000).status, 'pass');
  assert.match(
    checkClockSkew('X', 100_000, 2_000, 141_000).message,
    /40 seconds ahead of X\. Turn on time synchronization/,
  );
  assert.match(checkClockSkew('X', 200_000, 0, 100_000).message, /100 seconds behind X/);
});

test('checks the version, durability, and write access of PostgreSQL', async () => {
  assert.ok(findPostgresBinaries(), 'PostgreSQL is installed');
  const postgres = await startPostgres();
  try {
    assert.deepEqual(
      (await checkPostgres(postgres.url)).map(({ name, status }) => [name, status]),
      [
        ['database', 'pass'],
        ['durability', 'pass'],
        ['clock', 'pass'],
      ],
    );
    assert.match(
      (await checkPostgres(postgres.url))[0]!.message,
      /from DATABASE_URL, responds: PostgreSQL \d+.*\. The server will run \d+ migrations? when it starts\.$/,
    );
    const wrongUrl = new URL(postgres.url);
    wrongUrl.pathname = '/absent';
    assert.match(
      (await checkPostgres(wrongUrl.href))[0]!.message,
      /\/absent rejected the connection \(database "absent" does not exist\)\. Create the database/,
    );
    await assert.rejects(openPostgres(wrongUrl.href), /\/absent rejected the connection \(/);
    await runStatements(
      postgres.url,
      'ALTER DATABASE postgres SET synchronous_commit = off',
      'ALTER DATABASE postgres SET default_transaction_read_only = on',
    );
    assert.deepEqual(
      listFailures(await checkPostgres(postgres.url)).map((words) =>
        words.replace(/postgres:\/\/\S+/, '…'),
      ),
      [
        'database: … is read-only, for example because it is a replica. Set DATABASE_URL to the URL of the primary.',
        'durability: Accepted donations could be lost because of synchronous_commit=off. Set synchronous_commit to on.',
      ],
    );
  } finally {
    postgres.stop();
  }
  const [unreached] = await checkPostgres(postgres.url.replace('postgres@', 'postgres:canary@'));
  const [odd] = await checkPostgres('mysql://canary');
  assert.match(
    unreached!.message,
    new RegExp(
      '^postgres://127\\.0\\.0\\.1:\\d+/postgres does not respond \\(ECONNREFUSED\\)\\. Make sure ' +
        'that PostgreSQL is running, and check DATABASE_URL',
    ),
  );
  assert.match(odd!.message, /^DATABASE_URL is not a PostgreSQL URL/);
});

test('checks the key of Virtuous with its own call', async () => {
  await using environment = await createFixture();
  const { organization } = environment;
  const baseUrl = `${String(organization.platform.baseUrl)}/virtuous-crm`;
  Object.assign(organization.platform, { adapter: 'virtuous-crm', baseUrl });
  organization.forms = [{ ...form, projects: [{ id: '1', code: 'WATER', name: 'Wells' }] }];
  const results = await environment.runChecks();
  assert.deepEqual(listFailures(results), []);
  assert.match(
    results.find(({ name }) => name.startsWith('platform key'))!.message,
    /accepts the key\. 4999 of 5000 calls remain this hour\./,
  );
});

test('says that the platform fails, instead of doubting its URL or the key', async () => {
  await using environment = await createFixture();
  const platform = await listen(() => new Response('{}', { status: 503 }), LOOPBACK);
  environment.organization.platform.baseUrl = platform.url;
  const { message } = await environment.check('platform key');
  assert.match(message, /^The platform is failing: GET \S+ responded with status 503\. Check the/);
  await platform.close();
});
