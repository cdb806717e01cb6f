import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import type { Endpoint } from '../../../src/server/endpoint.ts';
import { type HttpListener, listen } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { createDonorClient, ORIGIN, readOutcome } from '../donor-client.ts';
import { createStripePayment, STRIPE_KEYS } from '../sandbox-stripe.ts';

interface TestOrganization {
  readonly id: string;
  readonly sandbox: ReturnType<typeof createSandbox>;
  readonly listener: HttpListener;
  /** Runs before its platform responds. */
  intercept: (request: Request) => Promise<Response | undefined>;
  /** API keys of the calls that its platform received. */
  readonly keys: Set<string>;
  countRecordedGifts(): Promise<number>;
}

interface Configured {
  readonly id: string;
  readonly forms: readonly object[];
}

interface OrganizationsFixture extends AsyncDisposable {
  readonly organizations: readonly TestOrganization[];
  readonly endpoint: Endpoint;
  readonly folder: string;
  readonly config: string;
  readonly logLines: readonly string[];
  /** Changes the configuration file. */
  changeOrganizations(
    change: (organizations: readonly Configured[]) => readonly Configured[],
  ): Promise<void>;
  /** Stops the server, and starts it with the current configuration. */
  restart(): Promise<void>;
  donate(
    organization: TestOrganization,
  ): Promise<{ readonly status: string; readonly milliseconds: number }>;
}

/** One server for several charities, each with its own platform and processor on real sockets. */
async function startOrganizations(ids: readonly string[]): Promise<OrganizationsFixture> {
  const temporary = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
  const folder = temporary.path;
  const config = join(folder, 'donation-form.config.json');
  const logLines: string[] = [];
  const organizations = await Promise.all(
    ids.map(async (id): Promise<TestOrganization> => {
      const sandbox = createSandbox({
        platformKey: `platform-${id}`,
        hourlyLimit: 10_000,
        stripe: { secretKey: STRIPE_KEYS.PAYMENT_SECRET_KEY },
      });
      const keys = new Set<string>();
      const organization: TestOrganization = {
        id,
        sandbox,
        keys,
        intercept: async () => undefined,
        listener: await listen(
          async (request) => {
            if (!request.url.includes('/sandbox/gifts')) return sandbox.fetch(request);
            if (request.method === 'POST') keys.add(request.headers.get('Authorization') ?? '');
            return (await organization.intercept(request)) ?? sandbox.fetch(request);
          },
          { host: '127.0.0.1', port: 0 },
        ),
        async countRecordedGifts() {
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
      return organization;
    }),
  );
  const demo = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ platform: object; forms: [object] }];
  };
  const [example] = demo.organizations;
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0 },
      database: 'donations.sqlite',
      organizations: organizations.map(({ id, listener: { url } }) => ({
        ...example,
        id,
        name: id,
        origins: [ORIGIN],
        goals: [],
        forms: [{ ...example.forms[0], id }],
        payments: [createStripePayment(url)],
        platform: {
          ...example.platform,
          baseUrl: url,
          apiKey: { file: join(folder, `${id}.key`) },
        },
      })),
    }),
  );
  const openEndpoint = async (): Promise<Endpoint> =>
    createEndpoint({
      configuration: await loadConfiguration(config),
      environment: { ...STRIPE_KEYS, DATABASE_URL: undefined },
      log: pino({}, { write: (line: string) => void logLines.push(line) }),
    });
  let endpoint = await openEndpoint();
  endpoint.start();
  return {
    organizations,
    folder,
    config,
    logLines,
    get endpoint() {
      return endpoint;
    },
    async changeOrganizations(change) {
      const configuration = JSON.parse(await readFile(config, 'utf8')) as {
        organizations: readonly Configured[];
      };
      const changed = { ...configuration, organizations: change(configuration.organizations) };
      await writeFile(config, JSON.stringify(changed));
    },
    async restart() {
      await endpoint.close();
      endpoint = await openEndpoint();
    },
    async donate({ id, sandbox }) {
      const response = await endpoint.fetch(new Request(`https://give.example/form?id=${id}`));
      const { projects } = (await response.json()) as FormDefinition;
      const client = createDonorClient(endpoint, response.headers.get('ETag')!, sandbox);
      const request = await client.createRequest({
        gift: {
          coverCosts: false,
          coveredFees: 0,
          total: 5_000,
          projects: [{ id: projects[0].id, amount: 5_000 }],
        },
        form: { id, page: `${ORIGIN}/`, language: 'en' },
      });
      const startedAt = performance.now();
      const { status } = await readOutcome(await client.postDonation(request));
      return { status, milliseconds: performance.now() - startedAt };
    },
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      for (const { listener } of organizations) await listener.close();
      await temporary.remove();
    },
  };
}

test(
  'accepts and records donations to other organizations at once while the platform of one hangs',
  { timeout: 30_000 },
  async () => {
    await using fixture = await startOrganizations(['lantern', 'harbour', 'orchard']);
    const [lantern, ...others] = fixture.organizations;
    const release = new AbortController();
    lantern!.intercept = async () => {
      await setTimeout(20_000, undefined, { signal: release.signal }).catch(() => undefined);
      return new Response(null, { status: 503 });
    };
    const donateOften = (organization: TestOrganization) =>
      Promise.all(Array.from({ length: 5 }, () => fixture.donate(organization)));
    for (const { status } of await donateOften(lantern!)) assert.equal(status, 'succeeded');
    for (const other of others) {
      for (const { status, milliseconds } of await donateOften(other))
        assert.ok(status === 'succeeded' && milliseconds < 5_000, `${status} ${milliseconds}`);
      await waitUntil(async () => (await other.countRecordedGifts()) >= 5);
      assert.equal(await other.countRecordedGifts(), 5);
    }
    assert.equal(await lantern!.countRecordedGifts(), 0);
    release.abort();
  },
);

test('applies a new platform key and a new organization without a restart, and keeps the previous configuration if the new one is invalid', async () => {
  await using fixture = await startOrganizations(['lantern', 'harbour']);
  const [lantern, harbour] = fixture.organizations;
  const reloadConfiguration = async (): Promise<void> =>
    fixture.endpoint.reconfigure(await loadConfiguration(fixture.config));
  await fixture.donate(lantern!);
  await writeFile(join(fixture.folder, 'lantern.key'), 'platform-lantern-2\n');
  lantern!.intercept = async (request) =>
    request.headers.get('Authorization') === 'Bearer platform-lantern-2'
      ? Response.json({ id: 77 })
      : Response.json({ message: 'unknown key' }, { status: 401 });
  await reloadConfiguration();
  assert.equal((await fixture.donate(lantern!)).status, 'succeeded');
  assert.deepEqual([...lantern!.keys], ['Bearer platform-lantern', 'Bearer platform-lantern-2']);
  await fixture.changeOrganizations(([first, second]) => [
    first!,
    second!,
    { ...second!, id: 'orchard', forms: [{ ...second!.forms[0], id: 'orchard' }] },
  ]);
  await reloadConfiguration();
  assert.equal((await fixture.donate({ ...harbour!, id: 'orchard' })).status, 'succeeded');
  await writeFile(join(fixture.folder, 'harbour.key'), '');
  await assert.rejects(
    reloadConfiguration(),
    /organizations\.1\.platform\.apiKey: .*harbour\.key is empty/,
  );
  assert.equal((await fixture.donate(harbour!)).status, 'succeeded');
  assert.equal(await harbour!.countRecordedGifts(), 2);
});

test('logs unfinished work of an organization that was removed from the configuration', async () => {
  await using fixture = await startOrganizations(['lantern', 'harbour']);
  const [lantern] = fixture.organizations;
  lantern!.intercept = async () => new Response('{}', { status: 503 });
  await fixture.donate(lantern!);
  const findWarnings = (lines: readonly string[]) =>
    lines
      .filter((line) => line.includes('not in the configuration'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ organization, donations, events }) => ({ organization, donations, events }));
  assert.deepEqual(findWarnings(fixture.logLines), []);
  await fixture.changeOrganizations((all) => all.filter(({ id }) => id !== 'lantern'));
  await fixture.endpoint.reconfigure(await loadConfiguration(fixture.config));
  const left = [{ organization: 'lantern', donations: 0, events: 1 }];
  assert.deepEqual(findWarnings(fixture.logLines), left);
  await fixture.restart();
  assert.deepEqual(findWarnings(fixture.logLines), [...left, ...left]);
});
