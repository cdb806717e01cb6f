/**
 * A server with SQLite, the sandbox's emulation of Stripe, and the sandbox's platform, in one
 * process and on one clock, which the simulation moves. Calls and webhooks fail at random.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Stripe } from 'stripe';
import { createRandomGenerator } from '../../src/sandbox/data/random.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createStripeEmulator, type StripeEmulator } from '../../src/sandbox/stripe/emulator.ts';
import { createStripeGateway } from '../../src/server/payments/stripe/stripe-gateway.ts';
import { formWithPayments } from '../server/payments/support.ts';
import { PLATFORM_KEY, startServer, type TestServer } from '../server/support.ts';
import { WebhookChannel } from './webhook-channel.ts';

export const ORGANIZATION = 'lanternwell';
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const START = Date.UTC(2027, 0, 1);
/** Share of calls that are rejected, and share whose response is lost. */
const FAULT_RATE = 0.01;
const MAX_JOB_RUNS = 20;

export interface MonthlyWorld extends AsyncDisposable {
  readonly stripe: StripeEmulator;
  readonly webhooks: WebhookChannel;
  readonly database: { readonly file: string };
  /** The current server. */
  readonly server: () => TestServer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Moves the clock. Stripe charges what is due, and its webhooks become due. */
  readonly advance: (milliseconds: number) => void;
  /** Makes the platform fail or work again. */
  readonly setPlatformDown: (isDown: boolean) => void;
  /** Makes all calls and webhooks work from now on. */
  readonly endFaults: () => void;
  /** Delivers due webhooks. */
  readonly deliverWebhooks: () => Promise<void>;
  /** Runs due jobs until none is left or the platform is down. */
  readonly runJobs: () => Promise<void>;
  /** Replaces the server by a new one with the same database. */
  readonly restartServer: () => Promise<void>;
  /** Calls the platform without faults. */
  readonly fetchFromPlatform: (path: string) => Promise<unknown>;
}

/** @param seed decides which calls and webhooks fail. */
export async function openMonthlyWorld(seed: number): Promise<MonthlyWorld> {
  const random = createRandomGenerator(seed);
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-monthly-'));
  const database = { file: join(folder, 'donations.sqlite') };
  let time = START;
  let faultRate = FAULT_RATE;
  let isPlatformDown = false;
  const now = (): number => time;
  const webhooks = new WebhookChannel({ random: createRandomGenerator(seed + 1_000), now });
  const stripe = createStripeEmulator({
    now,
    onEvent: (event: Stripe.Event) => webhooks.add(event),
  });
  /** Rejects the call, or loses the response, at random. */
  const fetchWithFaults = async (send: () => Response | Promise<Response>): Promise<Response> => {
    if (random() < faultRate) return new Response(null, { status: 503 });
    const response = await send();
    if (random() < faultRate) throw new TypeError('The response was lost.');
    return response;
  };
  const fetchFromStripe: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input as string);
    return fetchWithFaults(() =>
      stripe.fetch(new Request(`http://127.0.0.1${pathname}${search}`, init)),
    );
  };
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY, now: () => new Date(time) });
  const gateway = createStripeGateway({
    secretKey: stripe.secretKey,
    webhookSecret: stripe.webhookSecret,
    methods: ['card'],
    httpClient: Stripe.createFetchHttpClient(fetchFromStripe),
    retryDelay: 1,
  });
  const openServer = async (): Promise<TestServer> => {
    const opened = await startServer({
      now,
      sandbox,
      database: database.file,
      form: formWithPayments,
      payments: { stripe: { gateway, providerType: 2 } },
      trustedProxies: 1,
      hasBackgroundJobs: false,
      intercept: async (request, next) =>
        isPlatformDown ? new Response(null, { status: 503 }) : fetchWithFaults(() => next(request)),
    });
    // The simulation does not test the disk: bar 3 does.
    await sql`PRAGMA synchronous = OFF`.execute(opened.database.db);
    return opened;
  };
  let server = await openServer();
  return {
    stripe,
    webhooks,
    database,
    server: () => server,
    now,
    advance(milliseconds) {
      time += milliseconds;
      stripe.runScheduledTasks();
    },
    setPlatformDown(isDown) {
      isPlatformDown = isDown;
    },
    endFaults() {
      faultRate = 0;
      isPlatformDown = false;
      webhooks.endFaults();
    },
    deliverWebhooks: () =>
      webhooks.deliver(stripe.webhookSecret, async (request) =>
        server.handler.fetch(
          new Request(`https://give.example/webhooks/stripe/${ORGANIZATION}`, {
            method: 'POST',
            ...request,
          }),
        ),
      ),
    async runJobs() {
      for (let run = 0; run < MAX_JOB_RUNS; run += 1) {
        const { pendingUpdates, paymentsInProgress, nextRunAt } = await server.handler.runJobs();
        if (pendingUpdates + paymentsInProgress === 0 || isPlatformDown) return;
        time = Math.max(time + 1_000, Math.min(nextRunAt?.getTime() ?? time, time + HOUR));
      }
    },
    async restartServer() {
      await server[Symbol.asyncDispose]();
      server = await openServer();
    },
    async fetchFromPlatform(path) {
      const response = await sandbox.fetch(
        new Request(`http://127.0.0.1${path}`, {
          headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
        }),
      );
      if (!response.ok) throw new Error(`${path} returned ${response.status}`);
      return (await response.json()) as unknown;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}
