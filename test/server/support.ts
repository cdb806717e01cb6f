import { createServerInfo } from '../../src/server/database/server-info.ts';
import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import { pino } from 'pino';
import Stripe from 'stripe';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { outcome, type DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { ProblemDetails } from '../../src/core/schemas/problem.ts';
import type { Language } from '../../src/core/i18n/languages.ts';
import { FundraisingClient } from '../../src/platform-clients/fundraising/index.ts';
import { createSandbox, STRIPE_SECRET_KEY } from '../../src/sandbox/index.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';
import { buildInEachLanguage } from '../../src/server/organizations/form-definitions.ts';
import { localizeInEachLanguage } from '../../src/server/organizations/localize.ts';
import { ApiQuota, type CallPurpose } from '../../src/server/platform/api-quota.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { Organizations } from '../../src/server/organizations/organizations.ts';
import {
  BackgroundJobs,
  type JobRunSummary,
  type RunDueJobsOptions,
} from '../../src/server/background-jobs.ts';
import { GoalTotalsCache } from '../../src/server/reporting/goal-totals.ts';
import type { Goal } from '../../src/server/organizations/goal.ts';
import type { ChallengeCost } from '../../src/server/fraud-protection/thresholds.ts';
import { FraudProtection } from '../../src/server/fraud-protection/fraud-protection.ts';
import { createApp, type Handler } from '../../src/server/http/create-app.ts';
import { DonationServices } from '../../src/server/donations/donation-services.ts';
import { DonationRepository } from '../../src/server/donations/donation-repository.ts';
import { createAdminApp } from '../../src/server/admin/create-admin-app.ts';
import type { StaffActionsOptions } from '../../src/server/admin/actions/staff-action.ts';
import type { Organization, PaymentOption } from '../../src/server/organizations/organization.ts';
import { WebhookReceiver } from '../../src/server/webhooks/inbound/receiver.ts';
import type { WebhookSource } from '../../src/server/organizations/webhook-source.ts';
import type { WebhookEndpoint } from '../../src/server/organizations/outbound-webhook-endpoint.ts';
import { WebhookDispatcher } from '../../src/server/webhooks/outbound/dispatcher.ts';
import type { HealthOptions } from '../../src/server/admin/health.ts';
import type { Database } from '../../src/server/database/database.ts';
import { createOfflineGateway } from '../../src/server/payments/offline.ts';
import { createStripeGateway } from '../../src/server/payments/stripe/stripe-gateway.ts';
import { createSandboxAdapter } from '../../src/server/platform/sandbox.ts';
import type { PlatformAdapter } from '../../src/server/platform/platform-adapter.ts';
import { AssetArchive } from '../../src/server/http/asset-archive.ts';
import { IgnoredSettingStats } from '../../src/server/reporting/ignored-setting-stats.ts';
import { Metrics } from '../../src/server/observability/metrics.ts';
import { ReadinessCheck } from '../../src/server/observability/readiness.ts';
import { createMetricsScraper } from '../../src/server/observability/metrics-endpoint.ts';
import { createCheckedFetch } from '../contract/stripe/checked-fetch.ts';
import { exampleForm } from '../example-form.ts';
import { createConfirmationToken, formatCall } from './sandbox-stripe.ts';
import { openTestDatabase } from './test-database.ts';

export { CARDS };

export const ORIGIN = 'https://lanternwell.example';
export const PLATFORM_KEY = 'canary-platform-key';
export const WEBHOOK_SECRET = 'canary-webhook-secret';
const SANDBOX_URL = 'https://sandbox.test';

/** The file that the admin form builder opens with. */
export const configuration = await loadConfiguration('demo/donation-form.config.json');

/** A payment method without a processor. */
const offlinePayment: PaymentOption = {
  gateway: createOfflineGateway(),
  isPledge: true,
  providerType: 0,
  instructions: localizeInEachLanguage('Send {total} to account 1 and write {reference}.'),
};

type Fetch = typeof globalThis.fetch;

export interface TestServerOptions {
  readonly now?: () => number;
  /** Intercepts calls to the sandbox: it can drop responses, fail calls, or wait. */
  readonly intercept?: (
    request: Request,
    next: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
  readonly canFindGifts?: boolean;
  readonly hourlyLimit?: number;
  readonly form?: FormDefinition | ((language: Language) => FormDefinition);
  /** SQLite file to share with an earlier server. */
  readonly database?: string;
  /** Wraps the server's database. */
  readonly changeDatabase?: (database: Database) => Database;
  readonly sandbox?: ReturnType<typeof createSandbox>;
  /** The admin key. */
  readonly adminKey?: string;
  /** Payment options in addition to the sandbox's emulation of Stripe, or instead of it. */
  readonly payments?: Readonly<Record<string, PaymentOption>>;
  readonly changePlatform?: (platform: PlatformAdapter) => PlatformAdapter;
  readonly webhookSources?: readonly WebhookSource[];
  /** Time limit of the hooks, in milliseconds. */
  readonly hookTimeout?: number;
  /** Endpoints that receive outbound webhooks. */
  readonly webhookEndpoints?: readonly WebhookEndpoint[];
  readonly trustedProxies?: number;
  readonly maxConcurrentCharges?: number;
  /** Difficulty of challenges; very low by default. */
  readonly challengeCost?: ChallengeCost;
  /** Database timeout of the fraud protection, in milliseconds. */
  readonly databaseTimeout?: number;
  /** If false, only `runJobs` runs background jobs. */
  readonly hasBackgroundJobs?: boolean;
  readonly timeZone?: string;
  readonly donorDataDays?: number;
  readonly goals?: readonly Goal[];
}

/** A server with one organization and a real sandbox, connected without sockets. */
export interface TestServer extends AsyncDisposable {
  readonly handler: {
    readonly fetch: Handler;
    readonly start: () => void;
    readonly runJobs: (options?: RunDueJobsOptions) => Promise<JobRunSummary>;
    readonly stop: () => Promise<void>;
  };
  /** Handler of the admin listener. */
  readonly admin: Handler;
  readonly repository: DonationRepository;
  readonly ignoredSettingStats: IgnoredSettingStats;
  readonly inboundWebhooks: WebhookReceiver;
  readonly outboundWebhooks: WebhookDispatcher;
  /** Context of reports and exports. */
  readonly reporting: Pick<
    StaffActionsOptions,
    'database' | 'repository' | 'organizations' | 'donationServices' | 'log' | 'now'
  >;
  replaceOrganizations(organizations: readonly Organization[]): void;
  readonly etag: string;
  /** Calls that reached the sandbox, such as `POST /sandbox/gifts`. */
  readonly calls: string[];
  readonly logLines: string[];
  readonly database: Database;
  readonly scrape: HealthOptions['scrape'];
  readonly readiness: ReadinessCheck;
  /** Creates a confirmation token as Stripe.js does. */
  createToken(card?: string, options?: { readonly isRecurring?: boolean }): Promise<string>;
  createRequest(
    changePlatform?: {
      gift?: Partial<DonationRequest['gift']>;
      donor?: Partial<DonationRequest['donor']>;
      card?: string;
    } & Record<string, unknown>,
  ): Promise<DonationRequest>;
  postDonation(
    body: unknown,
    existingSandbox?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Response>;
  fetchOutcome(key: string): Promise<Response>;
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
  /** Bodies of the calls that created gifts. */
  readonly sentGifts: string[];
  /**
   * Calls the platform directly, with the keys of its donation API.
   */
  fetchFromPlatform(path: string): Promise<Response>;
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

export async function startServer({
  now: fakeClock,
  intercept = (request, next) => next(request),
  canFindGifts = true,
  hourlyLimit,
  database: databaseFile,
  changeDatabase = (database) => database,
  sandbox: existingSandbox,
  form = exampleForm,
  adminKey,
  payments = {},
  changePlatform = (platform) => platform,
  webhookSources = [],
  hookTimeout,
  webhookEndpoints = [],
  trustedProxies = 0,
  maxConcurrentCharges = 256,
  challengeCost = { rounds: 2, minTries: 1, maxTries: 3 },
  databaseTimeout,
  hasBackgroundJobs = true,
  timeZone = 'UTC',
  donorDataDays,
  goals = [],
}: TestServerOptions = {}): Promise<TestServer> {
  const sandbox =
    existingSandbox ??
    createSandbox({
      platformKey: PLATFORM_KEY,
      now: () => new Date((fakeClock ?? Date.now)()),
      ...(hourlyLimit !== undefined && { hourlyLimit }),
    });
  const checkedSandbox = createCheckedFetch({
    fetch: sandbox.fetch,
    basePath: '/stripe',
    listEvents: () => [],
  });
  const calls: string[] = [];
  const sentGifts: string[] = [];
  const fetchThroughIntercept: Fetch = (input, init) =>
    intercept(new Request(input, init), async (request) => {
      if (request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
        sentGifts.push(await request.clone().text());
      calls.push(formatCall(request));
      return checkedSandbox.fetch(request);
    });
  /** Handles calls of Stripe's library, whose URLs have Stripe's path. */
  const fetchFromStripe: Fetch = (input, init) => {
    const { pathname, search } = new URL(input as string);
    return fetchThroughIntercept(`${SANDBOX_URL}/stripe${pathname}${search}`, init);
  };
  const fetchSandbox = async (path: string, init?: RequestInit): Promise<Response> =>
    sandbox.fetch(new Request(new URL(path, SANDBOX_URL), init));
  const logLines: string[] = [];
  const metrics = new Metrics('1.2.3');
  const database = metrics.instrumentDatabase(
    changeDatabase(await openTestDatabase(databaseFile, fakeClock)),
  );
  const { now } = database.clock;
  const log = pino(
    {},
    {
      write: (line: string) => {
        logLines.push(line);
      },
    },
  );
  const outboundWebhooks = new WebhookDispatcher({ database, hasBackgroundJobs, log, now });
  const repository = new DonationRepository(database, {
    onTransition: metrics.recordDonation,
    outboundWebhooks,
  });
  const ignoredSettingStats = new IgnoredSettingStats({
    database,
    log,
    now,
    writesImmediately: !hasBackgroundJobs,
  });
  const fraudProtection = new FraudProtection({
    database,
    trustedProxies,
    maxConcurrentCharges,
    challengeCost,
    databaseTimeout,
    log,
    now,
  });
  const localizedForm = buildInEachLanguage(typeof form === 'function' ? form : () => form);
  const { etag } = localizedForm.en;
  const quota = new ApiQuota({ database, organization: 'lanternwell', now });
  const createAdapter = (purpose: CallPurpose): PlatformAdapter => {
    const platform = createSandboxAdapter(
      new FundraisingClient({
        baseUrl: SANDBOX_URL,
        apiKey: PLATFORM_KEY,
        fetch: quota.createCountingFetch(purpose, fetchThroughIntercept),
      }),
    );
    return changePlatform(
      canFindGifts ? platform : { createGift: (gift) => platform.createGift(gift) },
    );
  };
  const organizations = new Organizations([]);
  const donationServices = new DonationServices({ repository, hasBackgroundJobs, log, now });
  const configured: Organization[] = [
    {
      id: 'lanternwell',
      timeZone,
      donorDataDays,
      origins: new Set([ORIGIN]),
      forms: [localizedForm],
      goals,
      payments: new Map([
        [
          'stripe',
          {
            gateway: createStripeGateway({
              secretKey: STRIPE_SECRET_KEY,
              webhookSecret: WEBHOOK_SECRET,
              methods: ['card', 'us_bank_account'],
              httpClient: Stripe.createFetchHttpClient(fetchFromStripe),
              retryDelay: 1,
            }),
          },
        ],
        ['offline', offlinePayment],
        ...Object.entries(payments),
      ]),
      quota,
      platform: createAdapter('gifts'),
      reader: createAdapter('reading'),
      webhookSources,
      webhookEndpoints,
    },
  ];
  const scrape = createMetricsScraper({
    metrics,
    database,
    organizations,
    donationServices,
    now,
  });
  const readiness = new ReadinessCheck({ database, organizations, now });
  const inboundWebhooks = new WebhookReceiver({
    database,
    organizations,
    hasBackgroundJobs,
    log,
    now,
    ...(hookTimeout !== undefined && { hookTimeout }),
  });
  const loadAssets = async () =>
    new Map(
      ['donation-form.js', 'analytics.js'].map((name) => [
        name,
        { text: 'export {};', etag: '"s"' },
      ]),
    );
  const backgroundJobs = new BackgroundJobs({
    organizations,
    donationServices,
    inboundWebhooks,
    outboundWebhooks,
    database,
  });
  const replaceOrganizations = (replacement: readonly Organization[]): void => {
    organizations.replace(replacement);
    donationServices.replaceOrganizations(replacement);
    outboundWebhooks.replaceEndpoints(replacement);
    backgroundJobs.wakeStartedWorkers();
  };
  replaceOrganizations(configured);
  const handler = {
    fetch: createApp({
      organizations,
      donationServices,
      repository,
      ignoredSettingStats,
      fraudProtection,
      goalTotals: new GoalTotalsCache({ database, log, now }),
      serverInfo: createServerInfo(database),
      inboundWebhooks,
      metrics,
      now,
      log,
      loadAssets,
      assetArchive: new AssetArchive({ database, loadAssets, log, now }),
    }),
    start: () => {
      backgroundJobs.startWorkers();
    },
    runJobs: (options?: RunDueJobsOptions) => backgroundJobs.runDueJobs(options),
    stop: () => backgroundJobs.stopWorkers(),
  };

  async function createToken(
    card: string = CARDS.good,
    { isRecurring = false } = {},
  ): Promise<string> {
    return createConfirmationToken(SANDBOX_URL, { card, isRecurring, fetch: sandbox.fetch });
  }

  return {
    handler,
    admin: createAdminApp({
      organizations,
      donationServices,
      repository,
      ignoredSettingStats,
      inboundWebhooks,
      outboundWebhooks,
      runJobs: handler.runJobs,
      database,
      scripts: loadAssets,
      scrape,
      readiness,
      key: adminKey,
      configuration: () => configuration,
      log,
      now,
    }),
    repository,
    ignoredSettingStats,
    inboundWebhooks,
    outboundWebhooks,
    reporting: { database, repository, organizations, donationServices, log, now },
    replaceOrganizations,
    etag,
    calls,
    sentGifts,
    logLines,
    createToken,
    database,
    scrape,
    readiness,
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
      return handler.fetch(
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
      return handler.fetch(
        new Request('https://give.example/donations', {
          headers: { Origin: ORIGIN, 'Idempotency-Key': key },
        }),
      );
    },
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
            (await response.json()) as { items: Awaited<ReturnType<TestServer['listGifts']>> }
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
    async [Symbol.asyncDispose]() {
      await handler.stop();
      fraudProtection.stopCleanup();
      await ignoredSettingStats.writePendingCounts();
      await database.close();
      assert.deepEqual(await checkedSandbox.listProblems(), []);
    },
  };
}
