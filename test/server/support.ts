import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { pino } from 'pino';
import Stripe from 'stripe';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { outcome, type DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { ProblemDetails } from '../../src/core/schemas/problem.ts';
import type { Language } from '../../src/core/i18n/languages.ts';
import { createSandbox, STRIPE_SECRET_KEY } from '../../src/sandbox/index.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';
import {
  assembleServer,
  type ServerComponents,
  type ServerEffects,
} from '../../src/server/assemble-server.ts';
import {
  createOrganizations,
  loadConfiguration,
} from '../../src/server/config/load-configuration.ts';
import type { Database } from '../../src/server/database/database.ts';
import type { DonationRepository } from '../../src/server/donations/donation-repository.ts';
import type { Endpoint, EndpointOptions } from '../../src/server/endpoint.ts';
import type { FraudProtectionOptions } from '../../src/server/fraud-protection/fraud-protection.ts';
import type { Handler } from '../../src/server/http/create-app.ts';
import { buildInEachLanguage } from '../../src/server/organizations/form-definitions.ts';
import { localizeInEachLanguage } from '../../src/server/organizations/localize.ts';
import type {
  LocalizedForm,
  Organization,
  PaymentOption,
} from '../../src/server/organizations/organization.ts';
import type { PaymentGateway } from '../../src/server/payments/payment-gateway.ts';
import { createOfflineGateway } from '../../src/server/payments/offline.ts';
import { createStripeGateway } from '../../src/server/payments/stripe/stripe-gateway.ts';
import type { PlatformAdapter } from '../../src/server/platform/platform-adapter.ts';
import { createCheckedFetch } from '../contract/stripe/checked-fetch.ts';
import { exampleForm } from '../example-form.ts';
import { createConfirmationToken, formatCall } from './sandbox-stripe.ts';
import { openTestDatabase } from './test-database.ts';

export { CARDS };

export const ORIGIN = 'https://lanternwell.example';
export const PLATFORM_KEY = 'canary-platform-key';
export const WEBHOOK_SECRET = 'canary-webhook-secret';
const SANDBOX_URL = 'https://sandbox.test';

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
type Sandbox = ReturnType<typeof createSandbox>;

/** Replaces the server's connections to the outside. */
interface TestEffects {
  readonly now?: () => number;
  /** SQLite file to share with an earlier server. */
  readonly database?: string;
  /** Wraps the server's database. */
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

/** Replaces parts of the only organization. */
interface TestOrganization extends Partial<
  Pick<Organization, 'timeZone' | 'donorDataDays' | 'goals' | 'webhookSources' | 'webhookEndpoints'>
> {
  readonly form?: FormDefinition | ((language: Language) => FormDefinition);
  /** Payment options in addition to the sandbox's emulation of Stripe, or instead of it. */
  readonly payments?: Readonly<Record<string, PaymentOption>>;
  readonly changePlatform?: (platform: PlatformAdapter) => PlatformAdapter;
}

/** Replaces values of the configuration. */
interface TestSettings
  extends
    Partial<Pick<FraudProtectionOptions, 'trustedProxies' | 'maxConcurrentCharges'>>,
    Pick<FraudProtectionOptions, 'challengeCost' | 'databaseTimeout'> {
  readonly adminKey?: string;
  /** If false, only `runJobs` runs background jobs. */
  readonly hasBackgroundJobs?: boolean;
  /** Time limit of the hooks, in milliseconds. */
  readonly hookTimeout?: number;
}

export interface TestServerOptions extends TestEffects, TestOrganization, TestSettings {}

/** Requests that a page or its script sends. */
interface DonorClient {
  readonly etag: string;
  /** Creates a confirmation token as Stripe.js does. */
  createToken(card?: string, options?: { readonly isRecurring?: boolean }): Promise<string>;
  createRequest(
    changes?: {
      gift?: Partial<DonationRequest['gift']>;
      donor?: Partial<DonationRequest['donor']>;
      card?: string;
    } & Record<string, unknown>,
  ): Promise<DonationRequest>;
  postDonation(
    body: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Response>;
  fetchOutcome(key: string): Promise<Response>;
}

/** What the sandbox, which emulates the platform and Stripe, has received. */
interface SandboxRecords {
  /** Calls that reached the sandbox, such as `POST /sandbox/gifts`. */
  readonly calls: string[];
  /** Bodies of the calls that created gifts. */
  readonly sentGifts: string[];
  /** Lists Stripe's successful charges for a donation, without renewals. */
  listCharges(reference: string): Promise<Stripe.Charge[]>;
  listActivities(): Promise<{ displayText: string }[]>;
  /** Gifts on the platform, found by the references that were sent. */
  listGifts(): Promise<
    {
      id: number;
      reference: string;
      status: number;
      parent?: string;
      recurringStatus?: number;
      refunded?: string;
    }[]
  >;
  /** Calls the platform directly, with the keys of its donation API. */
  fetchFromPlatform(path: string): Promise<Response>;
}

/** A server with one organization and a real sandbox, connected without sockets. */
export interface TestServer extends ServerComponents, DonorClient, SandboxRecords, AsyncDisposable {
  readonly handler: Pick<Endpoint, 'fetch' | 'runJobs'> & {
    readonly start: () => void;
    readonly stop: () => Promise<void>;
  };
  /** Handler of the admin listener. */
  readonly admin: Handler;
  readonly logLines: string[];
}

export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');
export const readProblem = async (response: Response): Promise<ProblemDetails> =>
  (await response.json()) as ProblemDetails;
/** @throws {Error} if the response is a problem. Its message contains the problem. */
export async function readOutcome(response: Response): Promise<DonationOutcome> {
  const text = await response.text();
  const { data, error } = outcome.safeParse(JSON.parse(text));
  if (error) throw new Error(`${response.status} ${text}`, { cause: error });
  return data;
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
  return {
    ...components,
    ...createDonorClient(endpoint, localizedForm.en.etag, sandbox),
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
  hasBackgroundJobs = true,
  trustedProxies = configuration.listen.trustedProxies,
  maxConcurrentCharges = configuration.listen.maxConcurrentCharges,
}: TestSettings): Pick<EndpointOptions, 'configuration' | 'environment'> {
  return {
    configuration: {
      ...configuration,
      ...(adminKey !== undefined && {
        admin: { ...configuration.admin!, key: { env: 'ADMIN_KEY' } },
      }),
      ...(!hasBackgroundJobs && { backgroundJobs: false }),
      listen: { ...configuration.listen, trustedProxies, maxConcurrentCharges },
    },
    environment: {
      ADMIN_KEY: adminKey,
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
  const { webhookSources = [], webhookEndpoints = [] } = options;
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
      }));
    },
    loadAssets: async () =>
      new Map(scripts.map((name) => [name, { text: 'export {};', etag: '"s"' }])),
    fraudProtection: { challengeCost, databaseTimeout },
    inboundWebhooks: hookTimeout === undefined ? {} : { hookTimeout },
  };
}

/** Creates the gateway to the sandbox's emulation of Stripe. */
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

function createDonorClient(
  { fetch: handle }: Pick<Endpoint, 'fetch'>,
  etag: string,
  sandbox: Sandbox,
): DonorClient {
  const createToken: DonorClient['createToken'] = async (
    card = CARDS.good,
    { isRecurring = false } = {},
  ) => createConfirmationToken(SANDBOX_URL, { card, isRecurring, fetch: sandbox.fetch });
  return {
    etag,
    createToken,
    async createRequest({ gift, donor, card, ...rest } = {}) {
      const { payment } = rest as { payment?: { provider: string } };
      const isOffline = payment?.provider === 'offline';
      return {
        version: 1,
        definition: etag,
        gift: {
          amount: 5_000,
          currency: 'USD',
          frequency: 'once',
          coverCosts: !isOffline,
          coveredFees: isOffline ? 0 : 181,
          total: isOffline ? 5_000 : 5_181,
          segment: 'MAIL26',
          projects: [{ id: '2', amount: 5_000 }],
          ...gift,
        },
        donor: { firstName: 'Ana', lastName: 'Souza', email: 'canary@example.org', ...donor },
        payment: {
          provider: 'stripe',
          method: 0,
          token: await createToken(card, {
            isRecurring: (gift?.frequency ?? 'once') !== 'once',
          }),
        },
        form: { id: 'main', page: `${ORIGIN}/give`, language: 'en' },
        ...rest,
      };
    },
    async postDonation(body, { key = createIdempotencyKey(), headers = {} } = {}) {
      return handle(
        new Request('https://give.example/donations', {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: {
            'Content-Type': 'application/json',
            Origin: ORIGIN,
            ...(key !== null && { 'Idempotency-Key': key }),
            ...headers,
          },
        }),
      );
    },
    async fetchOutcome(key) {
      return handle(
        new Request('https://give.example/donations', {
          headers: { Origin: ORIGIN, 'Idempotency-Key': key },
        }),
      );
    },
  };
}

function createSandboxRecords(
  sandbox: Sandbox,
  repository: DonationRepository,
  sentGifts: readonly string[],
): Omit<SandboxRecords, 'calls' | 'sentGifts'> {
  const fetchSandbox = async (path: string, init?: RequestInit): Promise<Response> =>
    sandbox.fetch(new Request(new URL(path, SANDBOX_URL), init));
  return {
    async listCharges(reference) {
      const response = await fetchSandbox('/stripe/v1/charges?limit=100', {
        headers: { Authorization: `Bearer ${STRIPE_SECRET_KEY}` },
      });
      const { data } = (await response.json()) as Stripe.ApiList<Stripe.Charge>;
      const donation = await repository.findByReference(reference);
      return data.filter(
        ({ metadata, payment_intent: intent, status }) =>
          (metadata.donation_form_reference === reference || intent === donation?.paymentId) &&
          status === 'succeeded',
      );
    },
    async listActivities() {
      const response = await fetchSandbox('/api/activity/list', {
        method: 'POST',
        headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
        body: JSON.stringify({ skip: 0, take: 1_000 }),
      });
      return ((await response.json()) as { items: { displayText: string }[] }).items;
    },
    async listGifts() {
      const references = new Set(
        sentGifts.map((body) => (JSON.parse(body) as { reference: string }).reference),
      );
      const pages = await Promise.all(
        [...references].map(async (reference) => {
          const response = await fetchSandbox(`/sandbox/gifts?reference=${reference}`, {
            headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
          });
          return (
            (await response.json()) as { items: Awaited<ReturnType<SandboxRecords['listGifts']>> }
          ).items;
        }),
      );
      return pages.flat();
    },
    fetchFromPlatform: (path) =>
      fetchSandbox(path, {
        headers: {
          'Content-Type': 'application/json',
          'X-OrganizationKey': 'organization',
          Authorization: 'Basic read-key',
        },
      }),
  };
}
