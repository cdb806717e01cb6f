import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createEndpoint, type Endpoint } from '../../../src/server/create-endpoint.ts';
import { listen, type HttpListener } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { newKey, outcomeOf } from '../support.ts';

const ORIGIN = 'http://127.0.0.1:4100';

interface Charity {
  readonly id: string;
  readonly sandbox: HttpListener;
  /** What its platform does before it answers. */
  trouble: (request: Request) => Promise<Response | undefined>;
  /** The keys that its platform was called with. */
  readonly keys: Set<string>;
  recorded(): Promise<number>;
}

interface Town extends AsyncDisposable {
  readonly charities: readonly Charity[];
  readonly endpoint: Endpoint;
  readonly folder: string;
  readonly config: string;
  readonly logged: readonly string[];
  /** Ends the server, and starts it with the configuration as it is now. */
  restart(): Promise<void>;
  give(charity: Charity): Promise<{ readonly status: string; readonly milliseconds: number }>;
}

/**
 * One server for several charities, each with a platform and a processor of its own behind real
 * sockets.
 */
async function openTown(ids: readonly string[]): Promise<Town> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const config = join(folder, 'donation-form.config.json');
  const logged: string[] = [];
  const charities = await Promise.all(
    ids.map(async (id): Promise<Charity> => {
      const sandbox = createSandbox({
        platformKey: `platform-${id}`,
        secretKey: 'secret',
        hourlyLimit: 10_000,
      });
      const keys = new Set<string>();
      const charity: Charity = {
        id,
        keys,
        trouble: async () => undefined,
        sandbox: await listen(
          async (request) => {
            if (request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
              keys.add(request.headers.get('Authorization') ?? '');
            return (
              (request.url.includes('/sandbox/gifts')
                ? await charity.trouble(request)
                : undefined) ?? sandbox.fetch(request)
            );
          },
          { host: '127.0.0.1', port: 0 },
        ),
        async recorded() {
          const response = await sandbox.fetch(
            new Request('https://sandbox.test/api/activity/list', {
              method: 'POST',
              headers: { Authorization: `Bearer platform-${id}` },
              body: JSON.stringify({ skip: 0, take: 1_000 }),
            }),
          );
          return ((await response.json()) as { items: unknown[] }).items.length;
        },
      };
      await writeFile(join(folder, `${id}.key`), `platform-${id}\n`);
      return charity;
    }),
  );
  const {
    organizations: [example],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ payments: [object]; platform: object; forms: [object] }];
  };
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0 },
      database: 'donations.sqlite',
      organizations: charities.map(({ id, sandbox }) => ({
        ...example,
        id,
        name: id,
        goals: [],
        forms: [{ ...example.forms[0], id }],
        payments: [
          {
            ...example.payments[0],
            baseUrl: `${sandbox.url}/processor`,
            webhookSecret: undefined,
          },
        ],
        platform: {
          ...example.platform,
          baseUrl: sandbox.url,
          apiKey: { file: join(folder, `${id}.key`) },
        },
      })),
    }),
  );
  const open = async (): Promise<Endpoint> =>
    createEndpoint({
      configuration: await loadConfiguration(config),
      environment: { PAYMENT_SECRET_KEY: 'secret', DATABASE_URL: undefined },
      log: pino(
        {},
        {
          write: (line: string) => {
            logged.push(line);
          },
        },
      ),
    });
  let endpoint = await open();
  endpoint.start();
  return {
    charities,
    folder,
    config,
    logged,
    get endpoint() {
      return endpoint;
    },
    async restart() {
      await endpoint.close();
      endpoint = await open();
    },
    async give({ id, sandbox }) {
      const response = await endpoint.fetch(new Request(`https://give.example/form?id=${id}`));
      const form = (await response.json()) as FormDefinition;
      const tokens = await fetch(`${sandbox.url}/processor/tokens`, {
        method: 'POST',
        body: JSON.stringify({
          publicKey: 'pk_sandbox',
          number: '4242424242424242',
          expiry: '1230',
          cvc: '123',
        }),
      });
      const request: DonationRequest = {
        version: 1,
        definition: response.headers.get('ETag')!,
        donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
        gift: {
          amount: 5_000,
          currency: 'USD',
          frequency: 'once',
          coverCosts: false,
          coveredFees: 0,
          total: 5_000,
          projects: [{ id: form.projects[0].id, amount: 5_000 }],
        },
        payment: {
          provider: 'sandbox',
          method: 0,
          token: ((await tokens.json()) as { token: string }).token,
        },
        form: { id, page: `${ORIGIN}/`, language: 'en' },
      };
      const began = performance.now();
      const { status } = await outcomeOf(
        await endpoint.fetch(
          new Request('https://give.example/donations', {
            method: 'POST',
            headers: {
              'Content-Type': 'application/json',
              'Idempotency-Key': newKey(),
              Origin: ORIGIN,
            },
            body: JSON.stringify(request),
          }),
        ),
      );
      return { status: status, milliseconds: performance.now() - began };
    },
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      for (const { sandbox } of charities) await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

test(
  'the platform of one charity hangs, and gifts to the others are answered and recorded at once',
  { timeout: 30_000 },
  async () => {
    await using town = await openTown(['lantern', 'harbour', 'orchard']);
    const [lantern, ...others] = town.charities;
    const release = new AbortController();
    lantern!.trouble = async () => {
      await setTimeout(20_000, undefined, { signal: release.signal }).catch(() => undefined);
      return new Response(null, { status: 503 });
    };
    const stuck = await Promise.all(Array.from({ length: 5 }, () => town.give(lantern!)));
    assert.deepEqual(new Set(stuck.map(({ status: state }) => state)), new Set(['succeeded']));
    for (const other of others) {
      const given = await Promise.all(Array.from({ length: 5 }, () => town.give(other)));
      assert.ok(
        given.every(
          ({ status: state, milliseconds }) => state === 'succeeded' && milliseconds < 5_000,
        ),
        JSON.stringify(given),
      );
      await waitUntil(async () => (await other.recorded()) >= 5);
      assert.equal(await other.recorded(), 5);
    }
    assert.equal(await lantern!.recorded(), 0);
    release.abort();
  },
);

test('a new key of the platform and a new charity are taken over without a restart; a wrong configuration is refused, and the one before goes on', async () => {
  await using town = await openTown(['lantern', 'harbour']);
  const [lantern, harbour] = town.charities;
  const read = async (): Promise<void> =>
    town.endpoint.reconfigure(await loadConfiguration(town.config));
  await town.give(lantern!);
  await writeFile(join(town.folder, 'lantern.key'), 'platform-lantern-2\n');
  lantern!.trouble = async (request) =>
    request.headers.get('Authorization') === 'Bearer platform-lantern-2'
      ? Response.json({ id: 77 })
      : Response.json({ message: 'unknown key' }, { status: 401 });
  await read();
  assert.equal((await town.give(lantern!)).status, 'succeeded');
  assert.deepEqual([...lantern!.keys], ['Bearer platform-lantern', 'Bearer platform-lantern-2']);
  const configuration = JSON.parse(await readFile(town.config, 'utf8')) as {
    organizations: { id: string; forms: object[] }[];
  };
  const [, second] = configuration.organizations;
  await writeFile(
    town.config,
    JSON.stringify({
      ...configuration,
      organizations: [
        ...configuration.organizations,
        { ...second, id: 'orchard', forms: [{ ...second!.forms[0], id: 'orchard' }] },
      ],
    }),
  );
  await read();
  assert.equal((await town.give({ ...harbour!, id: 'orchard' })).status, 'succeeded');
  await writeFile(join(town.folder, 'harbour.key'), '');
  await assert.rejects(read(), /organizations\.1\.platform\.apiKey: .*harbour\.key is empty/);
  assert.equal((await town.give(harbour!)).status, 'succeeded');
  assert.equal(await harbour!.recorded(), 2);
});

test('logs unfinished work of an organization that was removed from the configuration', async () => {
  await using town = await openTown(['lantern', 'harbour']);
  const [lantern] = town.charities;
  const configuration = JSON.parse(await readFile(town.config, 'utf8')) as {
    organizations: { id: string }[];
  };
  lantern!.trouble = async () => new Response('{}', { status: 503 });
  await town.give(lantern!);
  const warnings = (lines: readonly string[]) =>
    lines
      .filter((line) => line.includes('not in the configuration'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ organization, donations, events }) => ({ organization, donations, events }));
  assert.deepEqual(warnings(town.logged), []);
  await writeFile(
    town.config,
    JSON.stringify({
      ...configuration,
      organizations: configuration.organizations.filter(({ id }) => id !== 'lantern'),
    }),
  );
  await town.endpoint.reconfigure(await loadConfiguration(town.config));
  const left = [{ organization: 'lantern', donations: 0, events: 1 }];
  assert.deepEqual(warnings(town.logged), left);
  await town.restart();
  assert.deepEqual(warnings(town.logged), [...left, ...left]);
});
