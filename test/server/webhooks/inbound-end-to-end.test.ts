import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import { type RunningServer, serve } from '../../../src/server/serve.ts';
import { waitUntil } from '../../wait-until.ts';
import { type CommandResult, getCommandThread } from '../cli/support.ts';
import { findFreePort } from '../loopback.ts';
import { createDatabaseUrl } from '../test-database.ts';
import { createTestEnvironment, KEYS as ENVIRONMENT_KEYS } from '../test-environment.ts';

const SECRET = 'canary-71a84e563f9d0c2b-platform';
const KEYS = { ...ENVIRONMENT_KEYS, WEBHOOK_SECRET: SECRET };

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

test(
  'calls the hook once for each event that the sandbox sent twice, in JSON and XML, before and after the server started',
  { timeout: 60_000 },
  async () => {
    const [port, adminPort] = [await findFreePort(), await findFreePort()];
    await using environment = await createTestEnvironment({
      sandbox: {
        webhookRetryDelays: Array.from({ length: 2_000 }, () => 50),
        faults: [{ kind: 'duplicate-webhooks', times: null }],
      },
      organization: {
        inboundWebhooks: [
          {
            source: 'fundraising',
            secret: { env: 'WEBHOOK_SECRET' },
            kindPath: 'eventName',
            idPath: 'eventId',
            hook: './hook.js',
          },
        ],
      },
    });
    const { folder, config } = environment;
    await writeFile(join(folder, 'hook.js'), HOOK);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await environment.writeConfiguration({
      listen: { host: '127.0.0.1', port },
      admin: { port: adminPort, key: { env: 'ADMIN_KEY' } },
    });
    const thread = getCommandThread(KEYS);
    const runCli = (...args: string[]): Promise<CommandResult> =>
      thread.run(...args, '--config', config);
    const callPlatform = async (method: string, path: string, body: object): Promise<void> => {
      const response = await fetch(environment.sandbox.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}`,
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
    let server: RunningServer | undefined;
    const logged: string[] = [];
    try {
      server = await serve({
        configuration: await loadConfiguration(config),
        environment: { ...KEYS, ...(await createDatabaseUrl()) },
        log: createLogger('info', { write: (line) => logged.push(line) }),
      });
      await callPlatform('PATCH', '/sandbox/gifts/1', { status: 4 });
      const listHandledEvents = async (): Promise<string[]> =>
        (await readFile(join(folder, 'events.txt'), 'utf8').catch(() => ''))
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
      const { stdout } = await runCli('webhooks', 'inbound', 'list');
      const [header, ...rows] = stdout.trimEnd().split('\n');
      assert.match(header!, /^time \(UTC\) +organization +platform +event +status +id +reason$/);
      assert.deepEqual(rows.map((row) => row.split(/ {2,}/).slice(1, 5).join(' ')).sort(), [
        'lanternwell fundraising Gift_Added handled',
        'lanternwell fundraising Gift_Added handled',
        'lanternwell fundraising Gift_Modified handled',
      ]);
      const shown = await runCli('webhooks', 'inbound', 'show', rows[0]!.split(/ {2,}/)[5]!);
      assert.match(shown.stdout, /"reference":"R\d"|<reference>R\d</);
      const url = `http://127.0.0.1:${adminPort}/api/webhooks/inbound`;
      const responses = await Promise.all([
        fetch(url),
        fetch(`${url}/x`, { headers: { Authorization: 'Bearer guess' } }),
        fetch(`${url}/x`, { headers: { Authorization: `Bearer ${KEYS.ADMIN_KEY}` } }),
      ]);
      assert.deepEqual(
        responses.map(({ status }) => status),
        [401, 401, 404],
      );
      assert.ok(!logged.join('').includes('canary') && !stdout.includes('canary'));
    } finally {
      await server?.close();
    }
  },
);
