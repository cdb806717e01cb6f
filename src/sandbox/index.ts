import { Hono } from 'hono';
import { createConsole } from './console/console.ts';
import { createControlApi } from './control/control-api.ts';
import { Database } from './data/database.ts';
import { Mailbox } from './data/mailbox.ts';
import { seedHistory } from './data/seed-history.ts';
import { SandboxStore } from './data/store.ts';
import { V1Access, type V1Application } from './donation-v1/access.ts';
import { createDonationV1Api } from './donation-v1/donation-v1-api.ts';
import { V1RateLimits } from './donation-v1/rate-limits.ts';
import { createFundraisingApi } from './fundraising/fundraising-api.ts';
import { HourlyRateLimit } from './fundraising/rate-limit.ts';
import { Clock } from './lib/clock.ts';
import { type Fault, Faults } from './lib/faults.ts';
import {
  listenForMail,
  type MailListener,
  type MailListenerOptions,
} from './mail/mail-listener.ts';
import { createPayPal } from './paypal/paypal.ts';
import { createStripeService } from './stripe/service.ts';
import { GiftTransactions } from './virtuous-crm/transactions.ts';
import { createVirtuousCrmApi } from './virtuous-crm/virtuous-crm-api.ts';
import { PAYMENT_FIELD } from './virtuous-raise/payment-field.ts';
import { assertWebhookUrl, WebhookSubscriptions } from './webhooks/subscriptions.ts';

export { parseFault, type Fault } from './lib/faults.ts';
export type { MailListener, MailListenerOptions } from './mail/mail-listener.ts';
export type { V1Application, V1Key } from './donation-v1/access.ts';

/** Options for `createSandbox`. */
export interface SandboxOptions {
  /** Bearer key for the fundraising platform API, the emulated CRM, and the control API. */
  readonly platformKey: string;
  /**
   * Credentials for the basic-key interface. If undefined, only the interface's public endpoints
   * work.
   */
  readonly v1?: {
    readonly organizationKey: string;
    readonly applications: readonly V1Application[];
  };
  /** Path of an SQLite file. If undefined, the sandbox stores its data in memory. */
  readonly databaseFile?: string;
  /**
   * If true, fills a new database with two years of a fictional organization's donors, gifts, and
   * activities.
   */
  readonly seed?: boolean;
  /** Number of requests that the fundraising platform allows per hour. Default: 1,500. */
  readonly hourlyLimit?: number;
  readonly faults?: readonly Fault[];
  /**
   * If true, the platforms behave like the live platforms: they also accept the undocumented
   * requests that public clients send, and omit the same headers, such as rate-limit headers.
   */
  readonly liveClients?: boolean;
  /** API keys of the emulated Stripe account, and the URL that receives its events. */
  readonly stripe?: {
    /** Default: {@link STRIPE_SECRET_KEY}. */
    readonly secretKey?: string;
    /** Default: {@link STRIPE_PUBLISHABLE_KEY}. */
    readonly publishableKey?: string;
    readonly webhook?: { readonly url: string; readonly secret: string };
  };
  /**
   * Credentials of the emulated PayPal app, and the webhook that receives its events. The webhook
   * ID may contain only letters and digits.
   */
  readonly paypal?: {
    /** Default: {@link PAYPAL_CLIENT_ID}. */
    readonly clientId?: string;
    /** Default: {@link PAYPAL_CLIENT_SECRET}. */
    readonly clientSecret?: string;
    readonly webhook?: { readonly id: string; readonly url: string };
  };
  /** If true, webhook URLs can be on other machines. */
  readonly allowRemoteWebhooks?: boolean;
  /** Delays before each webhook retry, in milliseconds. */
  readonly webhookRetryDelays?: readonly number[];
  readonly now?: () => Date;
}

/** Emulation of two fundraising platforms and two payment providers. */
export interface Sandbox {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Opens an SMTP server whose mail the console shows. It accepts every sender and recipient. */
  readonly listenForMail: (options: MailListenerOptions) => Promise<MailListener>;
  readonly close: () => void;
}

/** Default secret key of the emulated Stripe account. */
export const STRIPE_SECRET_KEY = 'sk_test_sandbox';

/** Default publishable key of the emulated Stripe account. */
export const STRIPE_PUBLISHABLE_KEY = 'pk_test_sandbox';

/** Default client ID of the emulated PayPal app. */
export const PAYPAL_CLIENT_ID = 'sandbox-client';

/** Default secret of the emulated PayPal app. */
export const PAYPAL_CLIENT_SECRET = 'sandbox-secret';

/** Interval at which the PayPal emulator runs its due tasks, in milliseconds. */
const PAYPAL_TASK_INTERVAL = 5_000;

/**
 * Creates a sandbox: two fundraising platforms that serve the same fictional organization, and
 * emulations of Stripe and PayPal. The sandbox needs no network or account, and moves no money.
 *
 * @example
 * ```ts
 * import { listen } from 'donation-form-server';
 * import { createSandbox } from 'donation-form-sandbox';
 *
 * const sandbox = createSandbox({ platformKey: 'key', seed: true });
 * const listener = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
 * const response = await fetch(`${listener.url}/api/campaign/list?skip=0&take=1`, {
 *   headers: { Authorization: 'Bearer key' },
 * });
 * console.log(response.status); // 200
 * await listener.close();
 * sandbox.close();
 * ```
 */
export function createSandbox({
  platformKey,
  v1,
  databaseFile,
  seed = false,
  hourlyLimit = 1_500,
  faults: initialFaults = [],
  liveClients = false,
  allowRemoteWebhooks = false,
  webhookRetryDelays,
  stripe = {},
  paypal: paypalOptions = {},
  now: systemNow = () => new Date(),
}: SandboxOptions): Sandbox {
  const clock = new Clock(systemNow);
  const { now } = clock;
  if (stripe.webhook) assertWebhookUrl(stripe.webhook.url, allowRemoteWebhooks);
  const database = new Database(databaseFile);
  const store = new SandboxStore(database);
  if (seed) store.runTaskOnce('history', () => seedHistory(store, now()));
  const faults = new Faults();
  const hourlyRateLimit = new HourlyRateLimit(hourlyLimit, now);
  const v1RateLimits = new V1RateLimits(now);
  for (const fault of initialFaults) faults.enableFault(fault);
  const webhooks = new WebhookSubscriptions({
    store,
    faults,
    now,
    allowRemote: allowRemoteWebhooks,
    retryDelays: webhookRetryDelays,
  });
  const stripeService = createStripeService({
    database,
    faults,
    clock,
    secretKey: stripe.secretKey ?? STRIPE_SECRET_KEY,
    publishableKey: stripe.publishableKey ?? STRIPE_PUBLISHABLE_KEY,
    webhook: stripe.webhook,
    webhookRetryDelays,
  });
  const paypal = createPayPal({
    clientId: PAYPAL_CLIENT_ID,
    clientSecret: PAYPAL_CLIENT_SECRET,
    ...paypalOptions,
    basePath: '/paypal',
    allowRemoteWebhooks,
    webhookRetryDelays,
    faults,
    now,
  });
  clock.addChangeListener(paypal.runDueTasks);
  const paypalTimer = setInterval(paypal.runDueTasks, PAYPAL_TASK_INTERVAL).unref();
  const access = new V1Access(v1?.organizationKey, v1?.applications ?? []);
  const mailbox = new Mailbox(database);
  const app = new Hono();
  app
    .route(
      '/',
      createConsole({
        store,
        webhooks,
        faults,
        clock,
        hourlyRateLimit,
        v1RateLimits,
        stripe: stripeService.emulator,
        mailbox,
      }),
    )
    .route('/', stripeService.app)
    .route('/paypal', paypal.app)
    .get('/virtuous-raise/payment-field.js', (c) =>
      c.body(PAYMENT_FIELD, 200, {
        'Content-Type': 'text/javascript',
        'Access-Control-Allow-Origin': '*',
      }),
    )
    .route(
      '/virtuous-crm',
      createVirtuousCrmApi({
        store,
        transactions: new GiftTransactions(database, now),
        faults,
        apiKey: platformKey,
        now,
      }),
    )
    .route(
      '/',
      createControlApi({
        faults,
        clock,
        access,
        stripe: stripeService.emulator,
        paypal,
        apiKey: platformKey,
      }),
    )
    .route(
      '/',
      createDonationV1Api({
        store,
        webhooks,
        faults,
        access,
        rateLimits: v1RateLimits,
        liveClients,
        now,
      }),
    )
    .route(
      '/',
      createFundraisingApi({
        store,
        webhooks,
        faults,
        apiKey: platformKey,
        rateLimit: hourlyRateLimit,
        liveClients,
        now,
      }),
    );
  return {
    fetch: app.fetch,
    listenForMail: (listener) => listenForMail(mailbox, listener, now),
    close: () => {
      clearInterval(paypalTimer);
      paypal.close();
      stripeService.close();
      webhooks.abortDeliveries();
      database.close();
    },
  };
}
