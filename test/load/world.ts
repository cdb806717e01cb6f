/**
 * Runs the built command and a sandbox in separate processes, with SQLite or PostgreSQL.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { PAYPAL_CLIENT_ID } from '../../src/sandbox/index.ts';
import { runStatements } from '../postgres.ts';
import { createStripePayment } from '../server/sandbox-stripe.ts';
import { type ManagedProcess, startProcess } from './process.ts';
import { KEYS, type SandboxOptions, type SandboxProcess, startSandbox } from './sandbox.ts';

export const ORIGIN = 'http://127.0.0.1:4100';
const COMMAND = fileURLToPath(
  new URL('../../dist/donation-form-server/lib/cli.js', import.meta.url),
);
const EXAMPLE = fileURLToPath(new URL('../../demo/donation-form.config.json', import.meta.url));
const CLOCK = new URL('scaled-clock.ts', import.meta.url).href;

export interface WorldOptions {
  readonly sandbox?: SandboxOptions;
  /** Without it, the database is an SQLite file. */
  readonly postgres?: { readonly url: string } | undefined;
  /** Provider of the online payments. Default: `stripe`. */
  readonly provider?: 'stripe' | 'paypal' | 'raise' | undefined;
  /** Number of organizations. Donations go to the form of the first one. Default: 1. */
  readonly organizations?: number;
  /** Endpoint of the first organization's outbound webhooks. */
  readonly webhookUrl?: string;
  /** Folder of the SQLite file, if it is not the world's folder. */
  readonly databaseFolder?: string;
  /** Runs the server's command, such as `strace` and its options. */
  readonly commandPrefix?: readonly string[];
}

export interface ServerProcess extends ManagedProcess {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
}

export interface World extends AsyncDisposable {
  readonly folder: string;
  readonly sandbox: SandboxProcess;
  /** Creates an online payment, as a donor's browser does. */
  readonly createPayment: () => Promise<DonationRequest['payment']>;
  /** Path of the SQLite file, or URL of the PostgreSQL database. */
  readonly database: { readonly file: string } | { readonly url: string };
  /**
   * Starts a server and waits until it listens.
   * @param port a free one by default.
   * @param clock see scaled-clock.ts; the sandbox's by default.
   */
  readonly startServer: (port?: number, clock?: string) => Promise<ServerProcess>;
}

/** A form's definition and the ETag that donation requests refer to. */
export interface FetchedForm {
  readonly etag: string;
  readonly definition: FormDefinition;
}

const LISTENING = /"msg":"started".*"listeners":\["([^"]+)"/;

/** Returns a donor's IP address for the X-Forwarded-For header. */
export const getDonorIp = (donor: number): string =>
  `10.${(donor >> 16) & 255}.${(donor >> 8) & 255}.${donor & 255}`;

let databaseCount = 0;

export async function openWorld({
  sandbox: sandboxOptions = {},
  postgres,
  provider = 'stripe',
  organizations = 1,
  webhookUrl,
  databaseFolder,
  commandPrefix = [],
}: WorldOptions = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-load-'));
  const sandbox = await startSandbox(sandboxOptions);
  const file = join(databaseFolder ?? folder, 'donations.sqlite');
  const config = join(folder, 'donation-form.config.json');
  const {
    organizations: [organization],
  } = JSON.parse(await readFile(EXAMPLE, 'utf8')) as {
    organizations: [
      {
        payments: [stripe: object, bankTransfer: object];
        platform: object;
        forms: { id: string }[];
      },
    ];
  };
  const [, bankTransfer] = organization.payments;
  const onlinePayments =
    provider === 'stripe' ? createStripePayment(sandbox.url) : createPayPalPayment(sandbox.url);
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0, trustedProxies: 1 },
      database: file,
      organizations: [
        {
          ...organization,
          ...(provider === 'raise'
            ? createRaiseOrganization(sandbox.url)
            : {
                payments: [onlinePayments, bankTransfer],
                platform: { ...organization.platform, baseUrl: sandbox.url },
              }),
          ...(webhookUrl !== undefined && {
            webhooks: [{ url: webhookUrl, secret: { env: 'SITE_WEBHOOK_SECRET' } }],
          }),
        },
        ...Array.from({ length: organizations - 1 }, (_one, index) => ({
          ...organization,
          id: `organization-${index + 2}`,
          payments: [bankTransfer],
          platform: { ...organization.platform, baseUrl: sandbox.url },
          goals: [],
          forms: organization.forms.map((form) => ({ ...form, id: `${form.id}-${index + 2}` })),
        })),
      ],
    }),
  );
  const database = postgres
    ? { url: await createDatabase(postgres.url, sandboxOptions.clock) }
    : { file };
  const env = {
    ...KEYS,
    PATH: process.env.PATH,
    // The folder of the compile cache, as for a service that has a home.
    HOME: process.env.HOME,
    ...('url' in database && { DATABASE_URL: database.url }),
  };
  const servers: ManagedProcess[] = [];
  return {
    folder,
    sandbox,
    async createPayment() {
      if (provider === 'raise') return { provider, method: 0, token: `good-${randomUUID()}` };
      const card =
        provider === 'stripe' && ({ method: 0, token: await sandbox.createToken() } as const);
      return { provider, ...card, returnUrl: `${ORIGIN}/` };
    },
    database,
    async startServer(port = 0, clock = sandboxOptions.clock) {
      const args = [
        ...commandPrefix,
        process.execPath,
        ...(clock === undefined ? [] : ['--import', CLOCK]),
        COMMAND,
        'serve',
        '--config',
        config,
        '--port',
        String(port),
      ] as unknown as [string, ...string[]];
      const server = await startProcess(args, {
        env: { ...env, ...(clock !== undefined && { LOAD_CLOCK: clock }) },
        folder,
        readyPattern: LISTENING,
      });
      servers.push(server);
      return { ...server, url: LISTENING.exec(server.readOutput())![1]! };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.kill()));
      sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the configuration of an organization whose platform charges and records in one call. */
const createRaiseOrganization = (sandboxUrl: string) => ({
  payments: [{ provider: 'platform', name: 'raise', isTest: true }],
  platform: {
    adapter: 'virtuous-raise',
    baseUrl: sandboxUrl,
    apiKey: { env: 'FUNDRAISING_API_KEY' },
    currency: 'USD',
    body: { donor: { email: '{donor.email}' }, comment: '{reference}' },
    referencePath: 'comment',
  },
  goals: [],
  forms: [
    {
      id: 'main',
      currencies: [{ code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '50' }] }],
      frequencies: ['once'],
      projects: [{ id: '1', code: 'WELLS', name: 'Wells' }],
      donorFields: { firstName: 'required', lastName: 'required', email: 'required' },
    },
  ],
});

/** Creates the configuration of payments by the sandbox's emulation of PayPal. */
const createPayPalPayment = (sandboxUrl: string) => ({
  provider: 'paypal',
  environment: 'sandbox',
  clientId: PAYPAL_CLIENT_ID,
  clientSecret: { env: 'PAYPAL_CLIENT_SECRET' },
  webhookId: 'SANDBOXWEBHOOK',
  apiUrl: `${sandboxUrl}/paypal`,
});

/** Finds a port that is currently free. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

export async function fetchForm(url: string): Promise<FetchedForm> {
  const response = await fetch(`${url}/form`);
  return {
    etag: response.headers.get('ETag')!,
    definition: (await response.json()) as FormDefinition,
  };
}

/** @param clock see scaled-clock.ts. */
async function createDatabase(url: string, clock?: string): Promise<string> {
  databaseCount += 1;
  const name = `load_${process.pid}_${databaseCount}`;
  const databaseUrl = new URL(url);
  await runStatements(url, `CREATE DATABASE ${name}`);
  databaseUrl.pathname = `/${name}`;
  if (clock !== undefined) await scaleDatabaseClock(databaseUrl.href, name, clock);
  return databaseUrl.href;
}

/** Replaces `clock_timestamp()` in a database, because servers claim rows by the database's clock. */
async function scaleDatabaseClock(url: string, name: string, clock: string): Promise<void> {
  const [start, displayed, speed] = clock.split(',').map(Number);
  await runStatements(
    url,
    `CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
      SELECT to_timestamp((${displayed} + (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000
        - ${start}) * ${speed}) / 1000) $$`,
    `ALTER DATABASE ${name} SET search_path = public, pg_catalog`,
  );
}
