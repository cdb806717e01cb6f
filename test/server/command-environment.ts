import { readFile, writeFile } from 'node:fs/promises';
import type { Stripe } from 'stripe';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { type Clock, startCommand, type StartedCommand } from './cli/support.ts';
import { findFreePort } from './loopback.ts';
import { listStripeCharges } from './sandbox-stripe.ts';
import { createIdempotencyKey } from './support.ts';
import { createDatabaseUrl } from './test-database.ts';
import { createTestEnvironment, KEYS, ORIGIN, type TestEnvironment } from './test-environment.ts';

export { KEYS, ORIGIN };

export interface CommandEnvironmentOptions {
  readonly platform?: object;
  /** If true, the server has an admin listener, with the key `ADMIN_KEY`. */
  readonly hasAdmin?: boolean;
}

interface WrittenConfiguration {
  readonly database: string;
  readonly admin?: object;
  readonly organizations: readonly [{ readonly platform: object }];
}

/** The built command, connected to a sandbox on a real socket, with a database on disk. */
export interface CommandEnvironment
  extends
    AsyncDisposable,
    Pick<TestEnvironment, 'folder' | 'config' | 'sandbox' | 'listActivities'> {
  changeConfiguration(
    change: (configuration: WrittenConfiguration) => WrittenConfiguration,
  ): Promise<void>;
  /** URL of the server, also while it is stopped. */
  readonly url: string;
  /** Starts the built server and waits until it listens. */
  startServer(options?: { readonly clock?: Clock | undefined }): Promise<StartedCommand>;
  createRequest(): Promise<DonationRequest>;
  /** Makes a donation. Each key stands for a different donor with a different IP address. */
  donate(key?: string, request?: DonationRequest): Promise<DonationOutcome>;
  listCharges(reference: string): Promise<Stripe.Charge[]>;
  countCharges(): number;
  /** Delays all charges until the returned function is called. */
  holdCharges(): () => void;
}

export async function createCommandEnvironment({
  platform,
  hasAdmin = false,
}: CommandEnvironmentOptions = {}): Promise<CommandEnvironment> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let charges = 0;
  let held = Promise.resolve();
  const environment = await createTestEnvironment({
    webhookUrl: `${url}/webhooks/stripe/lanternwell`,
    ...(platform && { organization: { platform } }),
    intercept: async (request, next) => {
      if (request.method === 'POST' && request.url.endsWith('/confirm')) {
        charges += 1;
        await held;
      }
      return next(request);
    },
  });
  const { folder, config, sandbox, listActivities } = environment;
  await environment.writeConfiguration({
    listen: { host: '127.0.0.1', port, trustedProxies: 1 },
    ...(hasAdmin && { admin: { port: await findFreePort(), key: { env: 'ADMIN_KEY' } } }),
  });
  const database = await createDatabaseUrl();
  const running: StartedCommand[] = [];
  const createRequest = (): Promise<DonationRequest> => environment.createRequest(url);
  return {
    folder,
    config,
    sandbox,
    url,
    listActivities,
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
    async donate(key = createIdempotencyKey(), request) {
      const donor = Buffer.from(key).toString('hex').slice(-8);
      const body = request ?? (await createRequest());
      return environment.donate(url, {
        key,
        headers: { 'X-Forwarded-For': `2001:db8:${donor.slice(0, 4)}:${donor.slice(4)}::1` },
        request: { ...body, donor: { ...body.donor, email: `${donor}@example.org` } },
      });
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
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((server) => server.stop('SIGKILL')));
      await environment[Symbol.asyncDispose]();
    },
  };
}
