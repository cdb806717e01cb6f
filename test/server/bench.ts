import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { listen, type HttpListener } from '../../src/server/http/listen.ts';
import { startCommand, type Clock, type StartedCommand } from './cli/support.ts';
import { databaseUrl } from './test-database.ts';
import { newKey } from './support.ts';

/** By the names of the example configuration. */
export const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  PAYMENT_SECRET_KEY: 'secret',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret',
  ADMIN_KEY: 'canary-admin-key',
};
export const ORIGIN = 'http://127.0.0.1:4100';

export interface BenchOptions {
  /** Replaces the sandbox's platform. */
  readonly platform?: object;
  /** Whether the server has an admin listener; its key is in `ADMIN_KEY`. */
  readonly hasAdmin?: boolean;
}

/** What the configuration file holds. */
interface Written {
  readonly database: string;
  readonly admin?: object;
  readonly organizations: readonly [{ readonly platform: object }];
}

/** The built command in front of a sandbox on a real socket, with a database on the disk. */
export interface Bench extends AsyncDisposable {
  readonly folder: string;
  /** The configuration file. */
  readonly config: string;
  /** Writes it anew, changed. */
  configure(change: (configuration: Written) => Written): Promise<void>;
  readonly sandbox: HttpListener;
  /** The server's, whether it runs or not. */
  readonly address: string;
  /** Starts the built server and waits until it listens. */
  serve(options?: { readonly clock?: Clock | undefined }): Promise<StartedCommand>;
  request(): Promise<DonationRequest>;
  /** Gives; each key is another donor, at an IP address of their own. */
  give(key?: string, request?: DonationRequest): Promise<DonationOutcome>;
  /** Payments of the processor under a gift's reference. */
  payments(reference: string): Promise<{ readonly id: string; readonly state: string }[]>;
  /** How often the server asked the processor to charge. */
  charges(): number;
  /** Has the processor do and answer charges only after a call of the returned function. */
  holdCharges(): () => void;
  /** What the platform lists of the gifts that were recorded. */
  activities(): Promise<string[]>;
}

/** Returns a listener that is closed: its port is free. */
async function findFreeAddress(): Promise<string> {
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  await free.close();
  return free.url;
}

const portOf = (address: string): number => Number(new URL(address).port);

export async function openBench({ platform, hasAdmin = false }: BenchOptions = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const address = await findFreeAddress();
  const emulated = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    secretKey: KEYS.PAYMENT_SECRET_KEY,
    hourlyLimit: 10_000,
    processorWebhook: {
      url: `${address}/webhooks/sandbox/lanternwell`,
      secret: KEYS.PAYMENT_WEBHOOK_SECRET,
    },
  });
  let charges = 0;
  let held = Promise.resolve();
  const sandbox = await listen(
    async (request) => {
      if (request.method === 'POST' && request.url.endsWith('/confirm')) {
        charges += 1;
        await held;
      }
      return emulated.fetch(request);
    },
    { host: '127.0.0.1', port: 0 },
  );
  const {
    organizations: [organization],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ payments: [object]; platform: object }];
  };
  const config = join(folder, 'donation-form.config.json');
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: portOf(address), trustedProxies: 1 },
      ...(hasAdmin && {
        admin: { port: portOf(await findFreeAddress()), key: { env: 'ADMIN_KEY' } },
      }),
      database: 'donations.sqlite',
      organizations: [
        {
          ...organization,
          payments: [{ ...organization.payments[0], baseUrl: `${sandbox.url}/processor` }],
          platform: platform ?? { ...organization.platform, baseUrl: sandbox.url },
        },
      ],
    }),
  );
  const database = await databaseUrl();
  const running: StartedCommand[] = [];
  let definition: { form: FormDefinition; etag: string } | undefined;

  async function request(): Promise<DonationRequest> {
    if (!definition) {
      const response = await fetch(`${address}/form`);
      definition = {
        etag: response.headers.get('ETag')!,
        form: (await response.json()) as FormDefinition,
      };
    }
    const tokens = await fetch(`${sandbox.url}/processor/tokens`, {
      method: 'POST',
      body: JSON.stringify({
        publicKey: 'pk_sandbox',
        number: '4242424242424242',
        expiry: '1230',
        cvc: '123',
      }),
    });
    const { token } = (await tokens.json()) as { token: string };
    return {
      version: 1,
      definition: definition.etag,
      gift: {
        amount: 5_000,
        currency: 'USD',
        frequency: 'once',
        coverCosts: false,
        coveredFees: 0,
        total: 5_000,
        projects: [{ id: definition.form.projects[0].id, amount: 5_000 }],
      },
      donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
      payment: { provider: 'sandbox', method: 0, token },
      form: { id: definition.form.id, page: `${ORIGIN}/`, language: 'en' },
    };
  }

  return {
    folder,
    config,
    sandbox,
    address,
    async configure(change) {
      const written = JSON.parse(await readFile(config, 'utf8')) as Written;
      await writeFile(config, JSON.stringify(change(written)));
    },
    request,
    async serve(options = {}) {
      const server = await startCommand(['serve', '--config', config], {
        env: { ...KEYS, ...database },
        until: /^Listening at /m,
        ...options,
      });
      running.push(server);
      return server;
    },
    async give(key = newKey(), given) {
      const donor = Buffer.from(key).toString('hex').slice(-8);
      const body = given ?? (await request());
      const response = await fetch(`${address}/donations`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          Origin: ORIGIN,
          'X-Forwarded-For': `2001:db8:${donor.slice(0, 4)}:${donor.slice(4)}::1`,
        },
        body: JSON.stringify({ ...body, donor: { ...body.donor, email: `${donor}@example.org` } }),
      });
      return (await response.json()) as DonationOutcome;
    },
    async payments(reference) {
      const response = await fetch(`${sandbox.url}/processor/payments?reference=${reference}`, {
        headers: { Authorization: `Bearer ${KEYS.PAYMENT_SECRET_KEY}` },
      });
      return ((await response.json()) as { payments: { id: string; state: string }[] }).payments;
    },
    charges: () => charges,
    holdCharges() {
      let release = (): void => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
    async activities() {
      const response = await fetch(`${sandbox.url}/api/activity/list`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
        body: JSON.stringify({ skip: 0, take: 10_000 }),
      });
      return ((await response.json()) as { items: { displayText: string }[] }).items.map(
        ({ displayText }) => displayText,
      );
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((server) => server.end('SIGKILL')));
      await sandbox.close();
      emulated.close();
      await rm(folder, { recursive: true });
    },
  };
}
