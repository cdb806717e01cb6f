import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import Stripe from 'stripe';
import type { Language } from '../../src/core/i18n/languages.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { ProblemDetails } from '../../src/core/schemas/problem.ts';
import { createSandbox, STRIPE_SECRET_KEY } from '../../src/sandbox/index.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';
import {
  assembleServer,
  type ServerComponents,
  type ServerEffects,
} from '../../src/server/assemble-server.ts';
import { createOrganizations } from '../../src/server/config/create-organizations.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import type { Database } from '../../src/server/database/database.ts';
import type { Endpoint, EndpointOptions } from '../../src/server/endpoint.ts';
import type { FraudProtectionOptions } from '../../src/server/fraud-protection/fraud-protection.ts';
import type { Handler } from '../../src/server/http/create-app.ts';
import { localizeInEachLanguage } from '../../src/server/lib/localize.ts';
import { buildInEachLanguage } from '../../src/server/organizations/form-definitions.ts';
import type { LocalizedForm, Organization } from '../../src/server/organizations/organization.ts';
import { createOfflineGateway } from '../../src/server/payments/offline-payment.ts';
import type { PaymentGateway } from '../../src/server/payments/payment-gateway.ts';
import type { PaymentOption } from '../../src/server/payments/payment-provider.ts';
import { createStripeGateway } from '../../src/server/payments/stripe/stripe-gateway.ts';
import type { PlatformAdapter } from '../../src/server/platform/platform-adapter.ts';
import { createCheckedFetch } from '../contract/stripe/checked-fetch.ts';
import { exampleForm } from '../example-form.ts';
import { waitUntil } from '../wait-until.ts';
import {
  createDonorClient,
  createIdempotencyKey,
  type DonorClient,
  ORIGIN,
  readOutcome,
} from './donor-client.ts';
import {
  createSandboxRecords,
  PLATFORM_KEY,
  type Sandbox,
  SANDBOX_URL,
  type SandboxRecords,
} from './sandbox-records.ts';
import { formatCall } from './sandbox-stripe.ts';
import { openTestDatabase } from './test-database.ts';

export { CARDS, createIdempotencyKey, ORIGIN, PLATFORM_KEY, readOutcome };

/** This server at the identity provider. */
export const OPENID_CLIENT = { id: 'donations', secret: 'canary-client-secret' };
export const WEBHOOK_SECRET = 'canary-webhook-secret';

/** The demo's configuration, which each test server changes. */
export const configuration = await loadConfiguration('demo/donation-form.config.json');

/** A payment method without a processor. */
const offlinePayment: PaymentOption = {
  gateway: createOfflineGateway(),
  isPledge: true,
  providerType: 0,
  instructions: localizeInEachLanguage('Send {total} to account 1 and write {reference}.'),
};

type Fetch = typeof globalThis.fetch;

/** Replaces the server's connections to the outside. */
interface TestEffects {
  readonly now?: () => number;
  /** SQLite file to share with an earlier server. */
  readonly database?: string;
  readonly changeDatabase?: (database: Database) => Database;
  readonly sandbox?: Sandbox;
  /** The sandbox's limit of platform calls. */
  readonly hourlyLimit?: number;
  /** Intercepts calls to the sandbox: it can drop responses, fail calls, or wait. */
  readonly intercept?: (
    request: Request,
    next: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
}

interface TestOrganization extends Partial<
  Pick<
    Organization,
    | 'timeZone'
    | 'donorDataDays'
    | 'goals'
    | 'webhookSources'
    | 'webhookEndpoints'
    | 'mail'
    | 'receipts'
  >
> {
  readonly form?: FormDefinition | ((language: Language) => FormDefinition);
  /** Payment options in addition to the sandbox's emulation of Stripe, or instead of it. */
  readonly payments?: Readonly<Record<string, PaymentOption>>;
  readonly changePlatform?: (platform: PlatformAdapter) => PlatformAdapter;
}

interface TestSettings
  extends
    Partial<Pick<FraudProtectionOptions, 'trustedProxies' | 'maxConcurrentCharges'>>,
    Pick<FraudProtectionOptions, 'challengeCost' | 'databaseTimeout'> {
  readonly adminKey?: string;
  /** URL at which the staff open the admin pages. */
  readonly adminUrl?: string | undefined;
  /** URL of the identity provider with which the staff can sign in. */
  readonly issuer?: string | undefined;
  /** If false, only `runJobs` runs background jobs. */
  readonly hasBackgroundJobs?: boolean;
  readonly hookTimeout?: number;
}

export interface TestServerOptions extends TestEffects, TestOrganization, TestSettings {}

/** A server with one organization and a real sandbox, connected without sockets. */
export interface TestServer extends ServerComponents, DonorClient, SandboxRecords, AsyncDisposable {
  readonly handler: Pick<Endpoint, 'fetch' | 'runJobs'> & {
    readonly start: () => void;
    readonly stop: () => Promise<void>;
  };
  readonly admin: Handler;
  /** Sends a request to the admin listener. @param address the client's IP address. */
  fetchAdmin(path: string, init?: RequestInit, address?: string): Promise<Response>;
  readonly logLines: string[];
  /** Posts a donation. @throws {Error} if the response is a problem. */
  makeDonation(changes?: Parameters<DonorClient['createRequest']>[0]): Promise<DonationOutcome>;
}

export const readJson = async <Body>(response: Response | Promise<Response>): Promise<Body> =>
  (await (await response).json()) as Body;

export const readProblem = (response: Response): Promise<ProblemDetails> => readJson(response);

/** Runs jobs, each time after a wait, until the donation of a key has a status. */
export function waitForStatus(
  server: TestServer,
  key: string,
  status: DonationOutcome['status'],
  wait: () => unknown = () => undefined,
): Promise<void> {
  return waitUntil(async () => {
    wait();
    server.handler.start();
    return (await server.pollOutcome(key)).status === status;
  });
}

type Gift = Awaited<ReturnType<SandboxRecords['listGifts']>>[number];

/** Waits until the platform has a gift with these values. */
export function waitForGift(
  server: TestServer,
  reference: string,
  expected: Partial<Gift>,
): Promise<void> {
  return waitUntil(async () => {
    const gift = (await server.listGifts()).find((each) => each.reference === reference);
    return gift !== undefined && isDeepStrictEqual({ ...gift, ...expected }, gift);
  });
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { now, hourlyLimit } = options;
  const sandbox =
    options.sandbox ??
    createSandbox({
      platformKey: PLATFORM_KEY,
      now: () => new Date((now ?? Date.now)()),
      ...(hourlyLimit !== undefined && { hourlyLimit }),
    });
  const checkedSandbox = createCheckedFetch({
    fetch: sandbox.fetch,
    basePath: '/stripe',
    listEvents: () => [],
  });
  const calls: string[] = [];
  const sentGifts: string[] = [];
  const { intercept = (request, next) => next(request) } = options;
  const fetchSandbox: Fetch = (input, init) =>
    intercept(new Request(input, init), async (request) => {
      if (request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
        sentGifts.push(await request.clone().text());
      calls.push(formatCall(request));
      return checkedSandbox.fetch(request);
    });
  const localizedForm = createLocalizedForm(options);
  const logLines: string[] = [];
  const log = pino({}, { write: (line: string) => void logLines.push(line) });
  const { endpoint, components } = await assembleServer(
    { ...configureServer(options), log },
    createEffects(options, { fetchSandbox, forms: [localizedForm] }),
  );
  const { backgroundJobs, repository } = components;
  const donorClient = createDonorClient(endpoint, localizedForm.en.etag, sandbox);
  return {
    ...components,
    ...donorClient,
    makeDonation: async (changes) =>
      readOutcome(await donorClient.postDonation(await donorClient.createRequest(changes))),
    ...createSandboxRecords(sandbox, repository, sentGifts),
    calls,
    sentGifts,
    logLines,
    handler: {
      fetch: endpoint.fetch,
      runJobs: endpoint.runJobs,
      start: () => backgroundJobs.startWorkers(),
      stop: () => backgroundJobs.stopWorkers(),
    },
    admin: endpoint.admin,
    fetchAdmin: async (path, init, address) =>
      endpoint.admin(new Request(`http://127.0.0.1:4103${path}`, init), { address }),
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      assert.deepEqual(await checkedSandbox.listProblems(), []);
    },
  };
}

function createLocalizedForm({ form = exampleForm }: TestOrganization): LocalizedForm {
  return buildInEachLanguage(typeof form === 'function' ? form : () => form);
}

function configureServer({
  adminKey,
  adminUrl,
  issuer,
  hasBackgroundJobs = true,
  trustedProxies = configuration.listen.trustedProxies,
  maxConcurrentCharges = configuration.listen.maxConcurrentCharges,
}: TestSettings): Pick<EndpointOptions, 'configuration' | 'environment'> {
  return {
    configuration: {
      ...configuration,
      ...(adminKey !== undefined && {
        admin: {
          ...configuration.admin!,
          key: { env: 'ADMIN_KEY' },
          url: adminUrl,
          ...(issuer !== undefined && {
            openIdConnect: {
              issuer,
              clientId: OPENID_CLIENT.id,
              clientSecret: { env: 'OPENID_CLIENT_SECRET' },
              name: 'Example Login',
            },
          }),
        },
      }),
      ...(!hasBackgroundJobs && { backgroundJobs: false }),
      listen: { ...configuration.listen, trustedProxies, maxConcurrentCharges },
    },
    environment: {
      ADMIN_KEY: adminKey,
      OPENID_CLIENT_SECRET: OPENID_CLIENT.secret,
      FUNDRAISING_API_KEY: PLATFORM_KEY,
      PAYMENT_SECRET_KEY: STRIPE_SECRET_KEY,
      PAYMENT_WEBHOOK_SECRET: 'whsec_canary',
    },
  };
}

function createEffects(
  options: TestServerOptions,
  {
    fetchSandbox,
    forms,
  }: { readonly fetchSandbox: Fetch; readonly forms: readonly LocalizedForm[] },
): ServerEffects {
  const { now, database: file, changeDatabase = (database) => database } = options;
  const { challengeCost = { rounds: 2, minTries: 1, maxTries: 3 } } = options;
  const { databaseTimeout, hookTimeout, changePlatform = (platform) => platform } = options;
  const { timeZone = 'UTC', donorDataDays, goals = [] } = options;
  const { webhookSources = [], webhookEndpoints = [], mail, receipts } = options;
  const payments = new Map(
    Object.entries({
      stripe: { gateway: createSandboxStripeGateway(fetchSandbox) },
      offline: offlinePayment,
      ...options.payments,
    }),
  );
  const scripts = ['donation-form.js', 'analytics.js'];
  return {
    openDatabase: async () => changeDatabase(await openTestDatabase(file, now)),
    createOrganizations: async (source, context) => {
      const organizations = await createOrganizations(source, { ...context, fetch: fetchSandbox });
      return organizations.map((organization) => ({
        ...organization,
        origins: new Set([ORIGIN]),
        forms,
        payments,
        platform: changePlatform(organization.platform),
        reader: changePlatform(organization.reader as PlatformAdapter),
        timeZone,
        donorDataDays,
        goals,
        webhookSources,
        webhookEndpoints,
        mail,
        receipts,
      }));
    },
    loadAssets: async () =>
      new Map(scripts.map((name) => [name, { text: 'export {};', etag: '"s"' }])),
    fraudProtection: { challengeCost, databaseTimeout },
    inboundWebhooks: hookTimeout === undefined ? {} : { hookTimeout },
  };
}

function createSandboxStripeGateway(fetchSandbox: Fetch): PaymentGateway {
  return createStripeGateway({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    methods: ['card', 'us_bank_account'],
    httpClient: Stripe.createFetchHttpClient(((input: string, init: RequestInit) => {
      const { pathname, search } = new URL(input);
      return fetchSandbox(`${SANDBOX_URL}/stripe${pathname}${search}`, init);
    }) as Fetch),
    retryDelay: 1,
  });
}
