import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSandbox } from '../../src/sandbox/index.ts';
import { checkAll } from '../../src/server/diagnostics/run-checks.ts';
import { compareClocks } from '../../src/server/lib/clock-skew.ts';
import type { Finding } from '../../src/server/lib/finding.ts';
import { checkDatabase } from '../../src/server/diagnostics/store-database.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { EVENTS } from '../../src/server/payments/stripe/webhook.ts';
import { listen } from '../../src/server/http/listen.ts';
import { serve } from '../../src/server/serve.ts';
import { startFakeStripe } from '../fake-stripe/index.ts';
import { inPostgres, postgresFolder, startPostgres } from '../postgres.ts';

const form = {
  id: 'main',
  currencies: [{ code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] }],
  frequencies: ['once'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
const KEYS = {
  PLATFORM: 'canary-platform',
  PROCESSOR: 'canary-processor',
  OPERATOR: 'canary-operator-key-long',
  STRIPE: 'sk_test_canary',
  WEBHOOK: 'whsec_canary',
};

interface Bench extends AsyncDisposable {
  readonly folder: string;
  readonly configuration: {
    organizations: [
      Record<string, unknown> & {
        recorder: Record<string, unknown>;
        payments: Record<string, unknown>[];
      },
    ];
  } & Record<string, unknown>;
  check(environment?: Record<string, string | undefined>): Promise<Finding[]>;
  write(): Promise<string>;
}

/**
 * A configuration in front of a sandbox on a real socket; it may be changed before it is checked.
 */
async function openBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const emulated = createSandbox({ platformKey: KEYS.PLATFORM, secretKey: KEYS.PROCESSOR });
  const sandbox = await listen(emulated.fetch, { host: '127.0.0.1', port: 0 });
  const page = await listen(() => new Response('a page'), { host: '127.0.0.1', port: 0 });
  const configuration: Bench['configuration'] = {
    listen: { host: '127.0.0.1', port: 1 },
    store: 'donations.sqlite',
    organizations: [
      {
        id: 'lanternwell',
        name: 'Lanternwell',
        contact: 'o@example.org',
        origins: [page.address],
        forms: [form],
        payments: [
          {
            provider: 'sandbox',
            baseUrl: `${sandbox.address}/processor`,
            publicKey: 'p',
            secretKey: { env: 'PROCESSOR' },
          },
        ],
        recorder: { kind: 'sandbox', baseUrl: sandbox.address, apiKey: { env: 'PLATFORM' } },
      },
    ],
  };
  const write = async (): Promise<string> => {
    const file = join(folder, 'c.json');
    await writeFile(file, JSON.stringify(configuration));
    return file;
  };
  return {
    folder,
    configuration,
    write,
    async check(environment = {}) {
      const findings = await checkAll({
        configuration: await loadConfiguration(await write()),
        environment: { ...KEYS, ...environment },
      });
      assert.doesNotMatch(JSON.stringify(findings), /canary/);
      return findings;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([sandbox.close(), page.close()]);
      emulated.close();
      await rm(folder, { recursive: true });
    },
  };
}

const wrongOf = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ state }) => state === 'wrong')
    .map(({ about, detail }) => `${about}: ${detail}`);
const stateOf = (findings: readonly Finding[], about: string): string | undefined =>
  findings.find((finding) => finding.about === about)?.state;

test('where everything works, everything was tried, and nothing is changed', async () => {
  await using bench = await openBench();
  const findings = await bench.check();
  assert.deepEqual(wrongOf(findings), []);
  assert.deepEqual(
    findings
      .filter(({ state }) => state === 'ok')
      .map(({ about }) => about.replace(/http\S+/, '…')),
    [
      'configuration',
      'store',
      'disk',
      'secrets of lanternwell',
      'platform key of lanternwell',
      'clock',
      'recorder of lanternwell',
      'sandbox of lanternwell',
      'origin … of lanternwell',
    ],
  );
  assert.match(
    findings.find(({ about }) => about.startsWith('platform key'))!.detail,
    /takes it; 1499 of 1500 calls are left in this hour/,
  );
  assert.deepEqual(await readdir(bench.folder), ['c.json']);
});

test("a false platform key, processor's key, address or secret is told, each with what to do", async () => {
  for (const [change, environment, problem] of [
    [
      () => undefined,
      { PLATFORM: 'another' },
      /^platform key of lanternwell: the platform refuses it with status 401; make a new one in its settings/,
    ],
    [
      () => undefined,
      { PROCESSOR: 'another' },
      /^sandbox of lanternwell: refuses the key; put the secret key/,
    ],
    [
      () => undefined,
      { PLATFORM: undefined },
      new RegExp(
        '^organisation lanternwell: .*c\\.json: organizations\\.0\\.recorder\\.apiKey: ' +
          'the environment variable PLATFORM is not set',
      ),
    ],
    [() => undefined, { LOG_LEVEL: 'loud' }, /^LOG_LEVEL: .*found "loud", expected one of/],
    [
      ({ recorder }: Bench['configuration']['organizations'][0]) => {
        recorder.baseUrl = 'http://127.0.0.1:1';
      },
      {},
      new RegExp(
        '^platform key of lanternwell: http://127\\.0\\.0\\.1:1 does not answer ' +
          'as the platform does .*; check recorder\\.baseUrl',
      ),
    ],
    [
      ({ payments: [payment] }: Bench['configuration']['organizations'][0]) => {
        payment!.baseUrl = 'http://127.0.0.1:1';
      },
      {},
      /^sandbox of lanternwell: it does not answer .*; check its key, its baseUrl/,
    ],
    [
      (organization: Bench['configuration']['organizations'][0]) => {
        organization.origins = ['http://127.0.0.1:1'];
      },
      {},
      /^origin http:\/\/127\.0\.0\.1:1 of lanternwell: this is the endpoint's own address/,
    ],
    [
      (organization: Bench['configuration']['organizations'][0]) => {
        organization.origins = ['http://lanternwell.example'];
      },
      {},
      /^origin http:\/\/lanternwell\.example of lanternwell: the form takes no gift on a page without https/,
    ],
    [
      ({ recorder }: Bench['configuration']['organizations'][0]) => {
        Object.assign(recorder, {
          kind: 'http',
          record: { path: '/gift', body: {}, idPath: 'id' },
          find: { path: '/nothing/{reference}', idPath: 'id' },
        });
      },
      {},
      /^recorder of lanternwell: the look-up of a gift fails .*; check recorder\.find/,
    ],
  ] as const) {
    await using bench = await openBench();
    change(bench.configuration.organizations[0]);
    const problems = wrongOf(await bench.check(environment));
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0]!, problem);
  }
});

test("one organisation's trouble hides nothing of another's", async () => {
  await using bench = await openBench();
  const [first] = bench.configuration.organizations;
  Object.assign(bench.configuration, {
    organizations: [
      { ...first, recorder: { ...first.recorder, apiKey: { env: 'ABSENT' } } },
      { ...first, id: 'second', forms: [{ ...form, id: 'second' }] },
    ],
  });
  const findings = await bench.check();
  assert.deepEqual(
    [
      wrongOf(findings).length,
      stateOf(findings, 'platform key of second'),
      stateOf(findings, 'sandbox of second'),
    ],
    [1, 'ok', 'ok'],
  );
});

test('a form that cannot be offered is one mistake, told once, and not of other organisations', async () => {
  await using bench = await openBench();
  const [organization] = bench.configuration.organizations;
  const dear = { ...form, currencies: [{ ...form.currencies[0], maximum: '9999999999' }] };
  Object.assign(bench.configuration, {
    organizations: [
      { ...organization, forms: [dear] },
      { ...organization, id: 'other', forms: [{ ...form, id: 'other' }] },
    ],
  });
  const findings = await bench.check();
  assert.deepEqual(
    [
      wrongOf(findings).length,
      stateOf(findings, 'configuration'),
      stateOf(findings, 'organisation other'),
    ],
    [1, 'wrong', 'untried'],
  );
});

test("an operator's key that is not the running server's is told, and whatever else answers on that port is no server", async () => {
  await using bench = await openBench();
  let isOther = false;
  const operator = await listen(
    (request) => {
      if (isOther) return Response.json({ hello: 1 });
      if (new URL(request.url).pathname === '/readyz')
        return Response.json({
          ready: true,
          checks: { store: { state: 'ok', milliseconds: 1, most: 2_000 } },
        });
      const isKey = request.headers.get('Authorization') === `Bearer ${'k'.repeat(20)}`;
      return new Response(null, { status: isKey ? 200 : 401 });
    },
    { host: '127.0.0.1', port: 0 },
  );
  Object.assign(bench.configuration, {
    operator: { port: Number(new URL(operator.address).port), key: { env: 'OPERATOR' } },
  });
  assert.deepEqual(wrongOf(await bench.check({ OPERATOR: 'k'.repeat(20) })), []);
  assert.match(
    wrongOf(await bench.check({ OPERATOR: 'j'.repeat(20) })).join('\n'),
    /^operator's key: the running server has another one, that of its start; start it again$/,
  );
  isOther = true;
  assert.equal(
    stateOf(await bench.check({ OPERATOR: 'k'.repeat(20) }), 'running server'),
    'untried',
  );
  await operator.close();
});

test('a store that a running server has is asked of that server; one that is damaged is told', async () => {
  await using bench = await openBench();
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  const port = Number(new URL(free.address).port);
  await free.close();
  Object.assign(bench.configuration, {
    listen: { host: '127.0.0.1', port: 0 },
    operator: { port, key: { env: 'OPERATOR' } },
  });
  const server = await serve({
    configuration: await loadConfiguration(await bench.write()),
    environment: { ...KEYS, LOG_LEVEL: 'silent' },
  });
  try {
    const findings = await bench.check();
    assert.deepEqual(
      [stateOf(findings, 'running server'), stateOf(findings, "operator's key")],
      ['ok', 'ok'],
    );
    assert.match(
      findings.find(({ about }) => about === 'store')!.detail,
      /donations\.sqlite is used by a running server, which wrote to it in \d+ ms/,
    );
    Object.assign(bench.configuration, { operator: undefined });
    assert.equal(stateOf(await bench.check(), 'store'), 'untried');
  } finally {
    await server.close();
  }
  assert.match(
    (await bench.check()).find(({ about }) => about === 'store')!.detail,
    /opens and can be written$/,
  );
  Object.assign(bench.configuration, {
    operator: { port, host: '0.0.0.0', key: { env: 'OPERATOR' } },
  });
  assert.match(
    wrongOf(await bench.check({ OPERATOR: 'short' })).join(),
    /operator\.key: found a key of 5 characters, which can be guessed, expected 16 or more/,
  );
  await writeFile(join(bench.folder, 'donations.sqlite'), Buffer.alloc(8_192, 7));
  assert.match(
    wrongOf(await bench.check()).join(),
    /store: .*donations\.sqlite cannot be opened \(file is not a database\); name another file/,
  );
});

test('Stripe says whether it knows the key and tells everything that is needed to the right address', async () => {
  await using bench = await openBench();
  const fake = await startFakeStripe({ secretKey: KEYS.STRIPE });
  bench.configuration.organizations[0].payments = [
    {
      provider: 'stripe',
      publicKey: 'pk_test_1',
      secretKey: { env: 'STRIPE' },
      webhookSecret: { env: 'WEBHOOK' },
      baseUrl: fake.address,
    },
  ];
  const stripe = async (environment = {}): Promise<string> =>
    (await bench.check(environment))
      .filter(({ about }) => about.includes('stripe'))
      .map(({ state, detail }) => `${state}: ${detail}`)
      .join('\n');
  assert.match(
    await stripe(),
    new RegExp(
      '^ok: takes the key, in test mode\n' +
        'wrong: there is no endpoint whose address ends in /webhooks/stripe/lanternwell in test mode; add one',
    ),
  );
  fake.addWebhookEndpoint('https://give.example/webhooks/stripe/lanternwell', EVENTS.slice(1));
  assert.match(
    await stripe(),
    new RegExp(
      '\nwrong: https://give\\.example/webhooks/stripe/lanternwell is not told of ' +
        'payment_intent\\.succeeded; add these events',
    ),
  );
  fake.addWebhookEndpoint('https://give.example/webhooks/stripe/another', ['*'], 'disabled');
  assert.match(
    await stripe({ STRIPE: 'sk_test_other' }),
    /^wrong: refuses the key; take the secret key anew/,
  );
  await fake.close();
  assert.match(await stripe(), /^wrong: it does not answer \(ECONNREFUSED\)/);
  const second = await startFakeStripe({ secretKey: KEYS.STRIPE });
  bench.configuration.organizations[0].payments[0]!.baseUrl = second.address;
  second.addWebhookEndpoint('https://give.example/webhooks/stripe/lanternwell', EVENTS);
  bench.configuration.organizations[0].origins = ['https://give.example'];
  assert.match(
    await stripe(),
    new RegExp(
      '^ok: takes the key, in test mode\n' +
        'ok: https://give\\.example/webhooks/stripe/lanternwell is told of everything',
    ),
  );
  assert.match(
    wrongOf(await bench.check()).join(),
    /origin https:\/\/give\.example of lanternwell: this is the endpoint's own address/,
  );
  await second.close();
});

test('clocks that are apart are told with how far', () => {
  assert.equal(compareClocks('X', 100_000, 0, 129_000).state, 'ok');
  assert.match(
    compareClocks('X', 100_000, 2_000, 141_000).detail,
    /40 seconds ahead of X; switch on its time synchronisation/,
  );
  assert.match(compareClocks('X', 200_000, 0, 100_000).detail, /100 seconds behind X/);
});

test('PostgreSQL says its version, whether its commits last, and whether it can be written', async () => {
  assert.ok(postgresFolder(), 'PostgreSQL is installed');
  const postgres = await startPostgres();
  try {
    assert.deepEqual(
      (await checkDatabase(postgres.url)).map(({ about, state }) => [about, state]),
      [
        ['store', 'ok'],
        ['durability', 'ok'],
        ['clock', 'ok'],
      ],
    );
    assert.match(
      (await checkDatabase(postgres.url))[0]!.detail,
      /answers, PostgreSQL \d+.*; the next start brings its tables up to date/,
    );
    await inPostgres(
      postgres.url,
      'ALTER DATABASE postgres SET synchronous_commit = off',
      'ALTER DATABASE postgres SET default_transaction_read_only = on',
    );
    assert.deepEqual(
      wrongOf(await checkDatabase(postgres.url)).map((words) =>
        words.replace(/postgres:\/\/\S+/, '…'),
      ),
      [
        'store: … takes no writes: it is a replica, or set so; name the primary in DATABASE_URL',
        'durability: synchronous_commit is off, so gifts that were taken could be lost; set it to on',
      ],
    );
  } finally {
    postgres.stop();
  }
  const [unreached] = await checkDatabase(postgres.url.replace('postgres@', 'postgres:canary@'));
  const [odd] = await checkDatabase('mysql://canary');
  assert.match(
    unreached!.detail,
    /^postgres:\/\/127\.0\.0\.1:\d+\/postgres does not answer \(ECONNREFUSED\); check DATABASE_URL/,
  );
  assert.match(odd!.detail, /^DATABASE_URL is no address of PostgreSQL/);
});
