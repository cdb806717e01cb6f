import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { createSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../src/server/create-endpoint.ts';
import type { Endpoint, EndpointOptions } from '../../src/server/endpoint.ts';
import { type HttpListener, listen } from '../../src/server/http/listen.ts';
import { LOOPBACK } from './loopback.ts';
import {
  createConfirmationToken,
  createStripePayment,
  formatCall,
  STRIPE_KEYS,
} from './sandbox-stripe.ts';
import { createIdempotencyKey } from './support.ts';

export const LOG = pino({ level: 'silent' });
export const ORIGIN = 'http://127.0.0.1:4100';
/** Environment variables of the example configuration. */
export const KEYS = {
  FUNDRAISING_API_KEY: 'canary-platform-key',
  ...STRIPE_KEYS,
  ADMIN_KEY: 'canary-admin-key',
};

interface TestEnvironmentOptions {
  /** Handles requests before the sandbox: it may delay or reject them. */
  readonly intercept?: (
    request: Request,
    next: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
  readonly sandbox?: Partial<SandboxOptions>;
  /** URL for Stripe's webhooks. */
  readonly webhookUrl?: string;
  /** Replaces settings of the organization. */
  readonly organization?: object;
}

/** URL of an endpoint, without a trailing slash, or an endpoint without a listener. */
type Address = string | Pick<Endpoint, 'fetch'>;

interface DonateOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly request?: DonationRequest;
}

/** A folder with the configuration of an endpoint, and its sandbox on a real socket. */
export interface TestEnvironment extends AsyncDisposable {
  readonly folder: string;
  /** The configuration file. The database is `donations.sqlite` in the same folder. */
  readonly config: string;
  readonly sandbox: HttpListener;
  /** Calls that reached the sandbox, such as `POST /sandbox/gifts`. */
  readonly calls: string[];
  writeConfiguration(change: object): Promise<void>;
  createEndpoint(options?: Partial<EndpointOptions>): Promise<Endpoint>;
  /** Creates a donation request for the default form of an endpoint. */
  createRequest(address: Address): Promise<DonationRequest>;
  donate(address: Address, options?: DonateOptions): Promise<DonationOutcome>;
  /** Lists the texts of the platform's gift activities. */
  readonly listActivities: () => Promise<string[]>;
  /** Lists the references of the platform's gift activities, including duplicates. */
  listRecordedReferences(): Promise<string[]>;
}

export async function createTestEnvironment({
  intercept = (request, next) => next(request),
  sandbox: sandboxOptions = {},
  webhookUrl,
  organization: changes = {},
}: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-site-'));
  const config = join(folder, 'donation-form.config.json');
  const fakeServices = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    hourlyLimit: 10_000,
    stripe: {
      secretKey: KEYS.PAYMENT_SECRET_KEY,
      ...(webhookUrl !== undefined && {
        webhook: { url: webhookUrl, secret: KEYS.PAYMENT_WEBHOOK_SECRET },
      }),
    },
    ...sandboxOptions,
  });
  const calls: string[] = [];
  const sandbox = await listen(
    (request) =>
      intercept(request, async (passed) => {
        calls.push(formatCall(passed));
        return fakeServices.fetch(passed);
      }),
    LOOPBACK,
  );
  const { platform, ...organization } = await readDemoOrganization();
  const writeConfiguration = (change: object): Promise<void> =>
    writeFile(
      config,
      JSON.stringify({
        listen: LOOPBACK,
        database: 'donations.sqlite',
        organizations: [
          {
            ...organization,
            payments: [createStripePayment(sandbox.url)],
            platform: { ...platform, baseUrl: sandbox.url },
            ...changes,
          },
        ],
        ...change,
      }),
    );
  await writeConfiguration({});

  async function createRequest(address: Address): Promise<DonationRequest> {
    const response = await send(address, '/form');
    return buildDonationRequest(
      (await response.json()) as FormDefinition,
      response.headers.get('ETag')!,
      await createConfirmationToken(sandbox.url),
    );
  }

  async function listActivities(): Promise<string[]> {
    const response = await fetch(`${sandbox.url}/api/activity/list`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
      body: JSON.stringify({ skip: 0, take: 10_000 }),
    });
    const { items } = (await response.json()) as { items: { displayText: string }[] };
    return items.map(({ displayText }) => displayText);
  }

  return {
    folder,
    config,
    sandbox,
    calls,
    writeConfiguration,
    createEndpoint: async (options = {}) =>
      createEndpoint({
        configuration: await loadConfiguration(config),
        environment: KEYS,
        log: LOG,
        ...options,
      }),
    createRequest,
    async donate(address, { key = createIdempotencyKey(), ...options } = {}) {
      const response = await send(address, '/donations', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          Origin: ORIGIN,
          ...options.headers,
        },
        body: JSON.stringify(options.request ?? (await createRequest(address))),
      });
      return (await response.json()) as DonationOutcome;
    },
    listActivities,
    listRecordedReferences: async () =>
      (await listActivities()).map((text) => /\((.{11})\)/.exec(text)![1]!),
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      fakeServices.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function send(address: Address, path: string, init?: RequestInit): Promise<Response> {
  return typeof address === 'string'
    ? fetch(address + path, init)
    : address.fetch(new Request(`https://give.example${path}`, init));
}

/** Reads the first organization of the demo's configuration. */
export async function readDemoOrganization(): Promise<{ platform: object; forms: object[] }> {
  const { organizations } = JSON.parse(
    await readFile('demo/donation-form.config.json', 'utf8'),
  ) as { organizations: [{ platform: object; forms: object[] }] };
  return organizations[0];
}

/** Builds a donation of $50 by card to the first project of a form. */
export function buildDonationRequest(
  { id, projects }: Pick<FormDefinition, 'id' | 'projects'>,
  definition: string,
  token: string,
): DonationRequest {
  return {
    version: 1,
    definition,
    gift: {
      amount: 5_000,
      currency: 'USD',
      frequency: 'once',
      coverCosts: false,
      coveredFees: 0,
      total: 5_000,
      projects: [{ id: projects[0].id, amount: 5_000 }],
    },
    donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
    payment: { provider: 'stripe', method: 0, token },
    form: { id, page: `${ORIGIN}/`, language: 'en' },
  };
}
