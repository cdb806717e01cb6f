import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { packageFile } from './lib/package-file.ts';
import { Clock } from './lib/clock.ts';
import { control } from './control/control-api.ts';
import { Database } from './data/database.ts';
import { donationV1 } from './donation-v1/donation-v1-api.ts';
import { Faults, type Fault } from './lib/faults.ts';
import { fillHistory } from './data/seed-history.ts';
import { HourlyLimit } from './fundraising/rate-limit.ts';
import { page } from './console/console.ts';
import { platform } from './fundraising/fundraising-api.ts';
import { processor } from './processor/processor.ts';
import { openTill } from './processor/till.ts';
import { SandboxStore } from './data/store.ts';
import { V1Access, type V1Application } from './donation-v1/access.ts';
import { V1Windows } from './donation-v1/windows.ts';
import { checkReach, Webhooks } from './webhooks/subscriptions.ts';

export { parseFault, type Fault } from './lib/faults.ts';
export type { V1Application, V1Key } from './donation-v1/access.ts';

/** The keys that a sandbox takes, its clock, what it holds, and what goes wrong in it. */
export interface SandboxOptions {
  /** The bearer key that the platform accepts. */
  readonly platformKey: string;
  /** The key that the card processor accepts from a server. */
  readonly secretKey: string;
  /** The key that the card frame is opened with. */
  readonly publicKey?: string;
  /**
   * What the basic-key interface accepts; without it, that interface lets nobody in but to its
   * public endpoints.
   */
  readonly v1?: {
    readonly organizationKey: string;
    readonly applications: readonly V1Application[];
  };
  /** An SQLite file; without one, all is kept in memory. */
  readonly file?: string;
  /**
   * Fills a store that was never filled with two years of an invented organisation's donors, gifts
   * and activities.
   */
  readonly seed?: boolean;
  /** The platform's calls an hour. */
  readonly hourlyLimit?: number;
  readonly faults?: readonly Fault[];
  /** Where the card processor tells of what happens, and the secret that it signs with. */
  readonly processorWebhook?: { readonly url: string; readonly secret: string };
  /** Lets webhooks reach other machines than this one. */
  readonly webhooksAnywhere?: boolean;
  /** How long an undelivered webhook waits before each further try, in milliseconds. */
  readonly webhookWaits?: readonly number[];
  /** How long the slow test card takes, in milliseconds: 10,000 unless given. */
  readonly slowCardTime?: number;
  readonly now?: () => Date;
}

/** Both platforms and a card processor, emulated from the specifications. */
export interface Sandbox {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly close: () => void;
}

/** The key for browsers of the sandbox's card processor. */
export const SANDBOX_PUBLIC_KEY = 'pk_sandbox';

/**
 * Two fundraising platforms' interfaces to one invented organisation, and a card processor, to try
 * things against: no network, no account, no money.
 */
export function createSandbox({
  platformKey,
  secretKey,
  publicKey = SANDBOX_PUBLIC_KEY,
  v1,
  file,
  seed = false,
  hourlyLimit = 1_500,
  faults: given = [],
  webhooksAnywhere = false,
  webhookWaits,
  processorWebhook,
  slowCardTime = 10_000,
  now: base = () => new Date(),
}: SandboxOptions): Sandbox {
  const clock = new Clock(base);
  const { now } = clock;
  if (processorWebhook) checkReach(processorWebhook.url, webhooksAnywhere);
  const database = new Database(file);
  const store = new SandboxStore(database);
  if (seed) store.once('history', () => fillHistory(store, now()));
  const faults = new Faults();
  const limit = new HourlyLimit(hourlyLimit, now);
  const windows = new V1Windows(now);
  for (const fault of given) faults.switchOn(fault);
  const webhooks = new Webhooks({
    store,
    faults,
    now,
    anywhere: webhooksAnywhere,
    waits: webhookWaits,
  });
  const till = openTill({ database, faults, clock, webhook: processorWebhook, webhookWaits });
  const access = new V1Access(v1?.organizationKey, v1?.applications ?? []);
  const app = new Hono()
    .route('/', page({ store, webhooks, faults, clock, limit, windows, till }))
    .route(
      '/processor',
      processor({ till, faults, publicKey, secretKey, frameScript, slowCardTime }),
    )
    .route('/', control({ faults, clock, access, till, apiKey: platformKey }))
    .route('/', donationV1({ store, webhooks, faults, access, windows, now }))
    .route('/', platform({ store, webhooks, faults, apiKey: platformKey, limit, now }));
  return {
    fetch: app.fetch,
    close: () => {
      till.close();
      webhooks.close();
      database.close();
    },
  };
}

function frameScript(): Promise<string> {
  return readFile(packageFile('assets/card-frame.js'), 'utf8');
}
