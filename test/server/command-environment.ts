import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stripe } from 'stripe';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { listen, type HttpListener } from '../../src/server/http/listen.ts';
import { startCommand, type Clock, type StartedCommand } from './cli/support.ts';
import { createDatabaseUrl } from './test-database.ts';
import {
  createConfirmationToken,
  createStripePayment,
  listStripeCharges,
  STRIPE_KEYS,
} from './sandbox-stripe.ts';
import { createIdempotencyKey } from './support.ts';

/** Environment variables of the example configuration. */
export const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  ...STRIPE_KEYS,
  ADMIN_KEY: 'canary-admin-key',
};
export const ORIGIN = 'http://127.0.0.1:4100';

export interface CommandEnvironmentOptions {
  /** Replaces the sandbox's platform. */
  readonly platform?: object;
  /** If true, the server has an admin listener, with the key `ADMIN_KEY`. */
  readonly hasAdmin?: boolean;
}

/** Content of the configuration file. */
interface WrittenConfiguration {
  readonly database: string;
  readonly admin?: object;
  readonly organizations: readonly [{ readonly platform: object }];
}

/** The built command, connected to a sandbox on a real socket, with a database on disk. */
export interface CommandEnvironment extends AsyncDisposable {
  readonly folder: string;
  /** The configuration file. */
  readonly config: string;
  /** Changes the configuration file. */
  changeConfiguration(
    change: (configuration: WrittenConfiguration) => WrittenConfiguration,
  ): Promise<void>;
  readonly sandbox: HttpListener;
  /** URL of the server, also while it is stopped. */
  readonly url: string;
  /** Starts the built server and waits until it listens. */
  startServer(options?: { readonly clock?: Clock | undefined }): Promise<StartedCommand>;
  createRequest(): Promise<DonationRequest>;
  /** Makes a donation. Each key stands for a different donor with a different IP address. */
  donate(key?: string, createRequest?: DonationRequest): Promise<DonationOutcome>;
  /** Lists Stripe's successful charges for a single donation. */
  listCharges(reference: string): Promise<Stripe.Charge[]>;
  /** Counts the charge requests that reached Stripe. */
  countCharges(): number;
  /** Delays all charges until the returned function is called. */
  holdCharges(): () => void;
  /** Lists the texts of the platform's gift activities. */
  listActivities(): Promise<string[]>;
}

/** Finds the URL of a free port. */
async function findFreeAddress(): Promise<string> {
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  await free.close();
  return free.url;
}

const getPort = (url: string): number => Number(new URL(url).port);

export async function createCommandEnvironment({
  platform,
  hasAdmin = false,
}: CommandEnvironmentOptions = {}): Promise<CommandEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const url = await findFreeAddress();
  const fakeServices = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    hourlyLimit: 10_000,
    stripe: {
      secretKey: KEYS.PAYMENT_SECRET_KEY,
      webhook: {
        url: `${url}/webhooks/stripe/lanternwell`,
        secret: KEYS.PAYMENT_WEBHOOK_SECRET,
      },
    },
  });
  let charges = 0;
  let held = Promise.resolve();
  const sandbox = await listen(
    async (createRequest) => {
      if (createRequest.method === 'POST' && createRequest.url.endsWith('/confirm')) {
        charges += 1;
        await held;
      }
      return fakeServices.fetch(createRequest);
    },
    { host: '127.0.0.1', port: 0 },
  );
  const {
    organizations: [organization],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ platform: object }];
  };
  const config = join(folder, 'donation-form.config.json');
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: getPort(url), trustedProxies: 1 },
      ...(hasAdmin && {
        admin: { port: getPort(await findFreeAddress()), key: { env: 'ADMIN_KEY' } },
      }),
      database: 'donations.sqlite',
      organizations: [
        {
          ...organization,
          payments: [createStripePayment(sandbox.url)],
          platform: platform ?? { ...organization.platform, baseUrl: sandbox.url },
        },
      ],
    }),
  );
  const database = await createDatabaseUrl();
  const running: StartedCommand[] = [];
  let definition: { form: FormDefinition; etag: string } | undefined;

  async function createRequest(): Promise<DonationRequest> {
    if (!definition) {
      const response = await fetch(`${url}/form`);
      definition = {
        etag: response.headers.get('ETag')!,
        form: (await response.json()) as FormDefinition,
      };
    }
    const token = await createConfirmationToken(sandbox.url);
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
      payment: { provider: 'stripe', method: 0, token },
      form: { id: definition.form.id, page: `${ORIGIN}/`, language: 'en' },
    };
  }

  return {
    folder,
    config,
    sandbox,
    url,
    async changeConfiguration(change) {
      const written = JSON.parse(await readFile(config, 'utf8')) as WrittenConfiguration;
      await writeFile(config, JSON.stringify(change(written)));
    },
    createRequest,
    async startServer(options = {}) {
      const server = await startCommand(['serve', '--config', config], {
        env: { ...KEYS, ...database },
        until: /"msg":"started"/,
        ...options,
      });
      running.push(server);
      return server;
    },
    async donate(key = createIdempotencyKey(), options) {
      const donor = Buffer.from(key).toString('hex').slice(-8);
      const body = options ?? (await createRequest());
      const response = await fetch(`${url}/donations`, {
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
    listCharges: (reference) => listStripeCharges(sandbox.url, reference),
    countCharges: () => charges,
    holdCharges() {
      let releaseCharges = (): void => undefined;
      held = new Promise((resolve) => {
        releaseCharges = resolve;
      });
      return () => releaseCharges();
    },
    async listActivities() {
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
      await Promise.all(running.map((server) => server.stop('SIGKILL')));
      await sandbox.close();
      fakeServices.close();
      await rm(folder, { recursive: true });
    },
  };
}
