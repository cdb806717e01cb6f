import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { ApiQuota } from '../../../src/server/platform/api-quota.ts';
import { createOrganizations } from '../../../src/server/config/create-organizations.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import type { Environment } from '../../../src/server/config/read-secrets.ts';
import { listen, type HttpListener } from '../../../src/server/http/listen.ts';
import { serve } from '../../../src/server/serve.ts';
import { waitUntil } from '../../wait-until.ts';
import { createStripePayment, STRIPE_KEYS } from '../sandbox-stripe.ts';
import { runCommand, type CommandResult } from '../cli/support.ts';
import { createDatabaseUrl, openTestDatabase } from '../test-database.ts';

const SECRET = 'canary-71a84e563f9d0c2b-platform';
const environment = {
  PLATFORM_KEY: 'platform',
  ...STRIPE_KEYS,
  ADMIN_KEY: 'canary-admin-key',
  WEBHOOK_SECRET: SECRET,
};

/** Hook that writes each event to a file, and fails for the first event of each kind. */
const HOOK = `import { appendFileSync } from 'node:fs';
const seen = new Set();
export async function onPlatformEvent({ id, kind, source, organization, payload, body }) {
  if (!seen.has(kind)) {
    seen.add(kind);
    throw new Error('failed for the first ' + kind);
  }
  appendFileSync(new URL('events.txt', import.meta.url), [source, organization, kind, payload.gift.reference, body.length > 0, id.length].join(' ') + '\\n');
}
`;

interface ServerFolder extends AsyncDisposable {
  readonly folder: string;
  readonly config: string;
}

async function findFreePort(): Promise<number> {
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  await free.close();
  return Number(new URL(free.url).port);
}

/** Writes a configuration and the hook to a new folder. */
async function writeConfiguration({
  port = 0,
  adminPort = 1,
  platform = 'http://127.0.0.1:1',
  webhooks,
  hook = HOOK,
}: {
  readonly port?: number;
  readonly adminPort?: number;
  readonly platform?: string;
  readonly webhooks: readonly object[];
  readonly hook?: string;
}): Promise<ServerFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const config = join(folder, 'donation-form.config.json');
  await writeFile(join(folder, 'hook.js'), hook);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port },
      admin: { port: adminPort, key: { env: 'ADMIN_KEY' } },
      database: 'donations.sqlite',
      organizations: [
        {
          id: 'lanternwell',
          name: 'Lanternwell',
          contact: 'give@lanternwell.example',
          origins: ['https://lanternwell.example'],
          payments: [createStripePayment(platform)],
          platform: { adapter: 'sandbox', baseUrl: platform, apiKey: { env: 'PLATFORM_KEY' } },
          inboundWebhooks: webhooks,
          forms: [
            {
              id: 'main',
              currencies: [{ code: 'USD', minimum: '5', maximum: '25000', giftArray: [] }],
              frequencies: ['once'],
              projects: [{ id: '1', name: 'Wells' }],
              donorFields: { email: 'required' },
            },
          ],
        },
      ],
    }),
  );
  return { folder, config, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** Runs the built command. */
const runCli = (...args: string[]): Promise<CommandResult> =>
  runCommand(args, { env: environment });

test(
  'calls the hook once for each event that the sandbox sent twice, in JSON and XML, before and after the server started',
  { timeout: 60_000 },
  async () => {
    const sandbox = createSandbox({
      platformKey: environment.PLATFORM_KEY,
      webhookRetryDelays: Array.from({ length: 2_000 }, () => 50),
      faults: [{ kind: 'duplicate-webhooks', times: null }],
    });
    const platform = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    await using files = await writeConfiguration({
      port,
      adminPort,
      platform: platform.url,
      webhooks: [
        {
          source: 'fundraising',
          secret: { env: 'WEBHOOK_SECRET' },
          kindPath: 'eventName',
          idPath: 'eventId',
          hook: './hook.js',
        },
      ],
    });
    const callPlatform = async (method: string, path: string, body: object): Promise<void> => {
      const response = await fetch(platform.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${environment.PLATFORM_KEY}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      assert.equal(response.status, 200, await response.text());
    };
    const webhookUrl = `http://127.0.0.1:${port}/platform-webhooks/lanternwell/${SECRET}`;
    for (const format of ['JSON', 'XML'])
      await callPlatform('POST', '/sandbox/webhooks', { url: webhookUrl, format });
    const recordGift = (reference: string) =>
      callPlatform('POST', '/sandbox/gifts', {
        reference,
        summary: 'Ana gave',
        total: '51.81',
        donor: { email: 'ana@example.org' },
      });
    await recordGift('R1');
    await recordGift('R2');
    await setTimeout(200);
    let server: HttpListener | undefined;
    const logged: string[] = [];
    try {
      server = await serve({
        configuration: await loadConfiguration(files.config),
        environment: { ...environment, ...(await createDatabaseUrl()) },
        log: pino(
          {},
          {
            write: (line: string) => {
              logged.push(line);
            },
          },
        ),
      });
      await callPlatform('PATCH', '/sandbox/gifts/1', { status: 4 });
      const listHandledEvents = async (): Promise<string[]> =>
        (await readFile(join(files.folder, 'events.txt'), 'utf8').catch(() => ''))
          .split('\n')
          .filter(Boolean)
          .sort();
      await waitUntil(async () => (await listHandledEvents()).length >= 3);
      await waitUntil(
        async () => logged.filter((line) => line.includes('"status":204')).length === 12,
      );
      await setTimeout(100);
      assert.deepEqual(await listHandledEvents(), [
        'fundraising lanternwell Gift_Added R1 true 32',
        'fundraising lanternwell Gift_Added R2 true 32',
        'fundraising lanternwell Gift_Modified R1 true 32',
      ]);
      const { stdout } = await runCli('webhooks', 'inbound', 'list', '--config', files.config);
      const [header, ...rows] = stdout.trimEnd().split('\n');
      assert.deepEqual(header?.split(/ {2,}/), [
        'time (UTC)',
        'organization',
        'platform',
        'event',
        'status',
        'id',
        'reason',
      ]);
      assert.deepEqual(rows.map((row) => row.split(/ {2,}/).slice(1, 5).join(' ')).sort(), [
        'lanternwell fundraising Gift_Added handled',
        'lanternwell fundraising Gift_Added handled',
        'lanternwell fundraising Gift_Modified handled',
      ]);
      const shown = await runCli(
        'webhooks',
        'inbound',
        'show',
        rows[0]!.split(/ {2,}/)[5]!,
        '--config',
        files.config,
      );
      assert.match(shown.stdout, /"reference":"R\d"|<reference>R\d</);
      const withoutKey = await fetch(`http://127.0.0.1:${adminPort}/api/webhooks/inbound`);
      const withWrongKey = await fetch(`http://127.0.0.1:${adminPort}/api/webhooks/inbound/x`, {
        headers: { Authorization: 'Bearer guess' },
      });
      const unknownId = await fetch(`http://127.0.0.1:${adminPort}/api/webhooks/inbound/x`, {
        headers: { Authorization: `Bearer ${environment.ADMIN_KEY}` },
      });
      assert.deepEqual([withoutKey.status, withWrongKey.status, unknownId.status], [401, 401, 404]);
      assert.ok(!logged.join('').includes('canary') && !stdout.includes('canary'));
    } finally {
      await server?.close();
      await platform.close();
      sandbox.close();
    }
  },
);

/** Creates the organizations of a configuration, like a server does when it starts. */
async function loadOrganizations(config: string, variables: Environment): Promise<unknown> {
  await using database = await openTestDatabase();
  const configuration = await loadConfiguration(config);
  return await createOrganizations(configuration, {
    forms: buildForms(configuration),
    environment: variables,
    createQuota: ({ id }) => new ApiQuota({ database, organization: id, now: Date.now }),
  });
}

for (const [name, secret, isValid] of [
  ['digits only', '1'.repeat(64), false],
  ['21 characters', 'aB3_dE6-hI9lM2oP5rS8u', false],
  ['22 characters of all kinds', 'aB3_dE6-hI9lM2oP5rS8uV', true],
  ['31 hexadecimal digits', 'c0ffee0123456789abcdef012345678', false],
  ['32 hexadecimal digits', 'c0ffee0123456789abcdef0123456789', true],
  ['a slash', 'aB3/dE6-hI9lM2oP5rS8uVxyz', false],
  ['few characters, repeated', 'canary'.repeat(10), false],
  ['201 characters', 'aB3_dE6-h'.repeat(30).slice(0, 201), false],
] as const) {
  test(`${isValid ? 'accepts' : 'rejects, without quoting it,'} a webhook secret with ${name}`, async () => {
    await using files = await writeConfiguration({
      webhooks: [{ source: 'fundraising', secret: { env: 'WEBHOOK_SECRET' } }],
    });
    const loaded = loadOrganizations(files.config, { ...environment, WEBHOOK_SECRET: secret });
    if (isValid) await loaded;
    else
      await assert.rejects(
        loaded,
        (error: Error) =>
          (/organizations\.0\.inboundWebhooks\.0\.secret: .*(at least 128 random bits|a space, a line break)/.test(
            error.message,
          ) &&
            !error.message.includes(secret)) ||
          assert.fail(error.message),
      );
  });
}

for (const [name, webhooks, hook, problem] of [
  [
    'a hook file without the function',
    [{ source: 'fundraising', secret: { env: 'WEBHOOK_SECRET' }, hook: 'hook.js' }],
    'export const onEvent = () => 1;',
    /inboundWebhooks\.0\.hook: .*hook\.js does not export a function named onPlatformEvent/,
  ],
  [
    'a hook file that cannot be loaded',
    [{ source: 'fundraising', secret: { env: 'WEBHOOK_SECRET' }, hook: 'hooks.js' }],
    '',
    /inboundWebhooks\.0\.hook: cannot load .*hooks\.js/,
  ],
  [
    'the same secret for two platforms',
    [
      { source: 'fundraising', secret: { env: 'WEBHOOK_SECRET' } },
      { source: 'donation-v1', secret: { env: 'WEBHOOK_SECRET' } },
    ],
    HOOK,
    /inboundWebhooks: found the same secret for two platforms/,
  ],
  [
    'the same platform twice',
    [
      { source: 'donation-v1', secret: { env: 'WEBHOOK_SECRET' } },
      { source: 'donation-v1', secret: { env: 'WEBHOOK_SECRET' } },
    ],
    HOOK,
    /inboundWebhooks: found .*; expected each source only once/,
  ],
  [
    'an invalid path',
    [{ source: 'fundraising', secret: { env: 'WEBHOOK_SECRET' }, idPath: 'event..id' }],
    HOOK,
    /inboundWebhooks\.0\.idPath: found .*; expected a dot-separated path/,
  ],
] as const) {
  test(`rejects ${name} with its path in the configuration`, async () => {
    await using files = await writeConfiguration({ webhooks, hook });
    await assert.rejects((async () => loadOrganizations(files.config, environment))(), problem);
  });
}
