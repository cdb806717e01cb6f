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
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import type { Endpoint } from '../../../src/server/endpoint.ts';
import { listen, type HttpListener } from '../../../src/server/http/listen.ts';
import { waitUntil } from '../../wait-until.ts';
import { createConfirmationToken, createStripePayment, STRIPE_KEYS } from '../sandbox-stripe.ts';
import { createIdempotencyKey, readOutcome } from '../support.ts';

const ORIGIN = 'http://127.0.0.1:4100';

interface TestOrganization {
  readonly id: string;
  readonly sandbox: HttpListener;
  /** Runs before its platform responds. */
  intercept: (request: Request) => Promise<Response | undefined>;
  /** API keys of the calls that its platform received. */
  readonly keys: Set<string>;
  countRecordedGifts(): Promise<number>;
}

interface OrganizationsFixture extends AsyncDisposable {
  readonly organizations: readonly TestOrganization[];
  readonly endpoint: Endpoint;
  readonly folder: string;
  readonly config: string;
  readonly logLines: readonly string[];
  /** Stops the server, and starts it with the current configuration. */
  restart(): Promise<void>;
  donate(
    organization: TestOrganization,
  ): Promise<{ readonly status: string; readonly milliseconds: number }>;
}

/** One server for several charities, each with its own platform and processor on real sockets. */
async function startOrganizations(ids: readonly string[]): Promise<OrganizationsFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
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
        keys,
        intercept: async () => undefined,
        sandbox: await listen(
          async (request) => {
            if (request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
              keys.add(request.headers.get('Authorization') ?? '');
            return (
              (request.url.includes('/sandbox/gifts')
                ? await organization.intercept(request)
                : undefined) ?? sandbox.fetch(request)
            );
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
  const {
    organizations: [example],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ platform: object; forms: [object] }];
  };
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0 },
      database: 'donations.sqlite',
      organizations: organizations.map(({ id, sandbox }) => ({
        ...example,
        id,
        name: id,
        goals: [],
        forms: [{ ...example.forms[0], id }],
        payments: [createStripePayment(sandbox.url)],
        platform: {
          ...example.platform,
          baseUrl: sandbox.url,
          apiKey: { file: join(folder, `${id}.key`) },
        },
      })),
    }),
  );
  const openEndpoint = async (): Promise<Endpoint> =>
    createEndpoint({
      configuration: await loadConfiguration(config),
      environment: { ...STRIPE_KEYS, DATABASE_URL: undefined },
      log: pino(
        {},
        {
          write: (line: string) => {
            logLines.push(line);
          },
        },
      ),
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
    async restart() {
      await endpoint.close();
      endpoint = await openEndpoint();
    },
    async donate({ id, sandbox }) {
      const response = await endpoint.fetch(new Request(`https://give.example/form?id=${id}`));
      const form = (await response.json()) as FormDefinition;
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
          provider: 'stripe',
          method: 0,
          token: await createConfirmationToken(sandbox.url),
        },
        form: { id, page: `${ORIGIN}/`, language: 'en' },
      };
      const startedAt = performance.now();
      const { status } = await readOutcome(
        await endpoint.fetch(
          new Request('https://give.example/donations', {
            method: 'POST',
            headers: {
              'Content-Type': 'application/json',
              'Idempotency-Key': createIdempotencyKey(),
              Origin: ORIGIN,
            },
            body: JSON.stringify(request),
          }),
        ),
      );
      return { status, milliseconds: performance.now() - startedAt };
    },
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      for (const { sandbox } of organizations) await sandbox.close();
      await rm(folder, { recursive: true });
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
    const stuck = await Promise.all(Array.from({ length: 5 }, () => fixture.donate(lantern!)));
    assert.deepEqual(new Set(stuck.map(({ status: state }) => state)), new Set(['succeeded']));
    for (const other of others) {
      const options = await Promise.all(Array.from({ length: 5 }, () => fixture.donate(other)));
      assert.ok(
        options.every(
          ({ status: state, milliseconds }) => state === 'succeeded' && milliseconds < 5_000,
        ),
        JSON.stringify(options),
      );
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
  const configuration = JSON.parse(await readFile(fixture.config, 'utf8')) as {
    organizations: { id: string; forms: object[] }[];
  };
  const [, second] = configuration.organizations;
  await writeFile(
    fixture.config,
    JSON.stringify({
      ...configuration,
      organizations: [
        ...configuration.organizations,
        { ...second, id: 'orchard', forms: [{ ...second!.forms[0], id: 'orchard' }] },
      ],
    }),
  );
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
  const configuration = JSON.parse(await readFile(fixture.config, 'utf8')) as {
    organizations: { id: string }[];
  };
  lantern!.intercept = async () => new Response('{}', { status: 503 });
  await fixture.donate(lantern!);
  const findWarnings = (lines: readonly string[]) =>
    lines
      .filter((line) => line.includes('not in the configuration'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ organization, donations, events }) => ({ organization, donations, events }));
  assert.deepEqual(findWarnings(fixture.logLines), []);
  await writeFile(
    fixture.config,
    JSON.stringify({
      ...configuration,
      organizations: configuration.organizations.filter(({ id }) => id !== 'lantern'),
    }),
  );
  await fixture.endpoint.reconfigure(await loadConfiguration(fixture.config));
  const left = [{ organization: 'lantern', donations: 0, events: 1 }];
  assert.deepEqual(findWarnings(fixture.logLines), left);
  await fixture.restart();
  assert.deepEqual(findWarnings(fixture.logLines), [...left, ...left]);
});
