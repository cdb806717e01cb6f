import { spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, type Frame, type Locator, type Page, test as base } from 'playwright/test';
import type { Stripe } from 'stripe';
import { createDemoSite } from '../../demo/demo-site.ts';
import { signIn } from '../../demo/sign-in.ts';
import type { Role } from '../../src/server/database/schema.ts';
import { openSqlite } from '../../src/server/database/sqlite-database.ts';
import { importBuilt } from './import-built.ts';

export { expect };

export const PLATFORM_KEY = 'canary-platform-key';
export const SECRET_KEY = 'sk_test_canary';
const WEBHOOK_SECRET = 'whsec_canary';
export const ADMIN_KEY = 'canary-admin-key';
const ORGANIZATION_KEY = 'organization-key';
const READ_KEY = 'read-key';
const HOST = '127.0.0.1';
/** People who sign in, by role. */
const STAFF_NAMES: Readonly<Record<Role, string>> = {
  administrator: 'Miriam Okafor',
  finance: 'Jonas Weber',
  fundraiser: 'Sofia Lind',
  campaigner: 'Amir Haddad',
};
/** In-memory file system on Linux. On a busy disk, each commit would block this process. */
const MEMORY_FOLDER = '/dev/shm';

export interface WorldOptions {
  /** Secrets of the endpoint in addition to the demo's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Additional files next to the configuration, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Origins that may show the form, in addition to the demo page's. */
  readonly origins?: readonly string[];
  /** If true, the endpoint's own origin may show the form too. */
  readonly allowsOwnOrigin?: boolean;
  /** Values to merge into the first form's configuration. */
  readonly form?: object;
  /** Values to merge into the organization's configuration. */
  readonly organization?: object;
  /** Returns the platform's configuration, if it is not the sandbox's own calls. */
  readonly createPlatform?: (sandbox: string) => object;
  /** Runs the endpoint as the command `donation-form serve` in its own process. */
  readonly spawnsEndpoint?: boolean;
}

/** A server that can be stopped. */
interface RunningServer {
  stop(): Promise<void>;
}

/** Ports on this machine. */
interface Ports {
  readonly site: number;
  readonly endpoint: number;
  readonly sandbox: number;
  readonly admin: number;
}

/**
 * Runs the demo page, the built endpoint, and the built sandbox, each on its own origin. They run
 * in this process, which starts them in milliseconds; tests that kill the endpoint or run the
 * command replace a server with its own process.
 */
export class World {
  readonly page: string;
  readonly endpoint: string;
  readonly sandbox: string;
  readonly admin: string;
  /** The admin pages at the URL for which passkeys work. */
  readonly adminUrl: string;
  /** Additional pages and scripts of the site, by path. */
  readonly pages: Map<string, string>;
  /** Number of calls that the frozen sandbox has received. */
  pendingCalls = 0;
  readonly #folder: string;
  readonly #site: Server;
  readonly #ports: Ports;
  readonly #environment: Readonly<Record<string, string>>;
  #endpointServer: RunningServer | undefined;
  #sandboxServer: RunningServer | undefined;
  /** Settles when the sandbox is thawed. */
  #thawed: Promise<void> | undefined;
  #thaw = (): void => undefined;

  private constructor({
    folder,
    site,
    pages,
    ports,
    environment,
  }: {
    readonly folder: string;
    readonly site: Server;
    readonly pages: Map<string, string>;
    readonly ports: Ports;
    readonly environment: Readonly<Record<string, string>>;
  }) {
    this.#folder = folder;
    this.#site = site;
    this.#ports = ports;
    this.#environment = environment;
    this.pages = pages;
    this.page = toUrl(ports.site);
    this.endpoint = toUrl(ports.endpoint);
    this.sandbox = toUrl(ports.sandbox);
    this.admin = toUrl(ports.admin);
    this.adminUrl = toAdminUrl(ports.admin);
  }

  /**
   * Starts all servers. @param createPayments creates payment providers to replace the demo's, from the
   * sandbox's URL.
   */
  static async open(
    createPayments?: (sandbox: string) => readonly object[],
    {
      environment = {},
      files = {},
      origins = [],
      allowsOwnOrigin = false,
      form,
      organization,
      createPlatform,
      spawnsEndpoint = false,
    }: WorldOptions = {},
  ): Promise<World> {
    const folder = await mkdtemp(
      join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'donation-form-'),
    );
    const endpoint = await findFreePort();
    const sandbox = await findFreePort();
    const admin = await findFreePort();
    const pages = new Map<string, string>();
    const site = createSite({ pages, endpoint: toUrl(endpoint), sandbox: toUrl(sandbox) });
    const ports: Ports = { site: await listen(site), endpoint, sandbox, admin };
    const world = new World({
      folder,
      site,
      pages,
      ports,
      environment: {
        FUNDRAISING_API_KEY: PLATFORM_KEY,
        PAYMENT_SECRET_KEY: SECRET_KEY,
        PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
        ADMIN_KEY,
        ...environment,
      },
    });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(
      world.#configurationFile,
      await createConfiguration(ports, allowsOwnOrigin ? [...origins, world.endpoint] : origins, {
        payments: createPayments?.(world.sandbox),
        platform: createPlatform?.(world.sandbox),
        form,
        organization,
      }),
    );
    await world.#startSandbox();
    await (spawnsEndpoint ? world.spawnEndpoint() : world.#startEndpoint());
    return world;
  }

  get #configurationFile(): string {
    return join(this.#folder, 'donation-form.config.json');
  }

  async #startEndpoint(): Promise<void> {
    const { createLogger, loadConfiguration, serve } = await importBuilt('server');
    const endpoint = await serve({
      configuration: await loadConfiguration(this.#configurationFile),
      environment: this.#environment,
      log: createLogger('silent'),
    });
    this.#endpointServer = { stop: endpoint.close };
  }

  async #startSandbox(): Promise<void> {
    const { listen } = await importBuilt('server');
    const { createSandbox } = await importBuilt('sandbox');
    const sandbox = createSandbox({
      platformKey: PLATFORM_KEY,
      v1: {
        organizationKey: ORGANIZATION_KEY,
        applications: [
          {
            name: 'sandbox',
            active: true,
            keys: [{ name: 'read', key: READ_KEY, access: 'read-only' }],
          },
        ],
      },
      stripe: {
        secretKey: SECRET_KEY,
        webhook: { url: this.#paymentWebhook, secret: WEBHOOK_SECRET },
      },
    });
    const handleRequest = async (request: Request): Promise<Response> => {
      if (this.#thawed) {
        this.pendingCalls += 1;
        await this.#thawed;
      }
      return sandbox.fetch(request);
    };
    const listening = await listen(handleRequest, { host: HOST, port: this.#ports.sandbox });
    this.#sandboxServer = {
      stop: async () => {
        await listening.close();
        sandbox.close();
      },
    };
  }

  get #paymentWebhook(): string {
    return `${this.endpoint}/webhooks/stripe/lanternwell`;
  }

  /**
   * Replaces the endpoint with the command `donation-form serve` in its own process.
   * @param configuration text of another configuration file.
   */
  async spawnEndpoint(configuration?: string): Promise<void> {
    await this.#endpointServer?.stop();
    if (configuration !== undefined) await writeFile(this.#configurationFile, configuration);
    this.#endpointServer = await spawnCommand(['serve', '--config', this.#configurationFile], {
      url: this.endpoint,
      environment: this.#environment,
    });
  }

  /** Replaces the sandbox with the command `donation-form sandbox` in its own process. */
  async spawnSandbox(): Promise<void> {
    await this.#sandboxServer?.stop();
    this.#sandboxServer = await spawnCommand(
      [
        'sandbox',
        '--empty',
        '--port',
        String(this.#ports.sandbox),
        '--webhook-url',
        this.#paymentWebhook,
      ],
      {
        url: this.sandbox,
        environment: {
          SANDBOX_PLATFORM_KEY: PLATFORM_KEY,
          SANDBOX_SECRET_KEY: SECRET_KEY,
          SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
          SANDBOX_ORGANIZATION_KEY: ORGANIZATION_KEY,
          SANDBOX_READ_KEY: READ_KEY,
        },
      },
    );
  }

  /** Changes the endpoint's database while the endpoint runs. */
  changeDatabase(statement: string, ...values: readonly (string | number)[]): void {
    const database = new DatabaseSync(join(this.#folder, 'donations.sqlite'));
    try {
      database.prepare(statement).run(...values);
    } finally {
      database.close();
    }
  }

  /** Signs somebody with a role in to the admin pages, and opens one of them. */
  async signIn(page: Page, path = '/', role: Role = 'administrator'): Promise<void> {
    const database = await openSqlite(join(this.#folder, 'donations.sqlite'));
    const member = { name: STAFF_NAMES[role], email: `${role}@lanternwell.example`, role };
    const response = await signIn({ database, origin: this.admin }, member);
    await database.close();
    const [cookie = ''] = response.headers.getSetCookie();
    const [, name = '', value = ''] = /^(\w+)=([\w-]+)/.exec(cookie) ?? [];
    await page.context().addCookies([{ name, value, url: this.admin }]);
    await page.goto(this.admin + path);
  }

  /** Returns the URL of a page on which the first person introduces themselves. */
  createSetupLink(): string {
    const token = randomBytes(32).toString('base64url');
    this.changeDatabase(
      'INSERT INTO one_time_tokens (hash, purpose, expires_at) VALUES (?, ?, ?)',
      hash('sha256', token, 'base64url'),
      'setup',
      Date.now() + 60_000,
    );
    return `${this.adminUrl}/setup/${token}`;
  }

  /** Kills the spawned endpoint, like a power cut. */
  async killEndpoint(): Promise<void> {
    await this.#endpointServer?.stop();
    this.#endpointServer = undefined;
  }

  /** Makes the sandbox accept calls without responding until it is thawed. */
  freezeSandbox(): void {
    this.pendingCalls = 0;
    this.#thawed = new Promise((resolve) => {
      this.#thaw = resolve;
    });
  }

  thawSandbox(): void {
    this.#thaw();
    this.#thawed = undefined;
  }

  /** Lists the platform's activities, newest first. */
  async listActivities(): Promise<string[]> {
    const response = await fetch(`${this.sandbox}/api/activity/list`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
      body: JSON.stringify({ skip: 0, take: 100 }),
    });
    return ((await response.json()) as { items: { displayText: string }[] }).items.map(
      ({ displayText }) => displayText,
    );
  }

  /** Lists the platform's donors. */
  async listDonors(): Promise<unknown> {
    const headers = {
      'X-OrganizationKey': ORGANIZATION_KEY,
      Authorization: `Basic ${READ_KEY}`,
      'Content-Type': 'application/json',
    };
    return (await fetch(`${this.sandbox}/v1/donors`, { headers })).json();
  }

  /** Lists the Stripe account's successful charges, oldest first. */
  async listCharges(): Promise<Stripe.Charge[]> {
    const response = await fetch(`${this.sandbox}/stripe/v1/charges?limit=100`, {
      headers: { Authorization: `Bearer ${SECRET_KEY}` },
    });
    const { data } = (await response.json()) as Stripe.ApiList<Stripe.Charge>;
    return data.filter(({ status }) => status === 'succeeded').toReversed();
  }

  /** Returns the platform's GiftStatus of a donation or a renewal. */
  async getGiftStatus(reference: string): Promise<number | undefined> {
    const response = await this.#callControl(`/sandbox/gifts?reference=${reference}`);
    return ((await response.json()) as { items: { status: number }[] }).items[0]?.status;
  }

  /** Turns on one of the sandbox's faults. */
  async addFault(kind: string): Promise<void> {
    await this.#callControl('/sandbox/faults', { kind });
  }

  async removeFault(kind: string): Promise<void> {
    await this.#callControl(`/sandbox/faults/${kind}`, undefined, 'DELETE');
  }

  #callControl(
    path: string,
    body?: object,
    method: 'GET' | 'POST' | 'DELETE' = body ? 'POST' : 'GET',
  ): Promise<Response> {
    return fetch(this.sandbox + path, {
      method,
      headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async close(): Promise<void> {
    this.thawSandbox();
    await this.#endpointServer?.stop();
    await this.#sandboxServer?.stop();
    this.#site.closeAllConnections();
    this.#site.close();
    await rm(this.#folder, { recursive: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Runs each test with its own servers, and fails on script errors and Content-Security-Policy
 * violations.
 */
export const test = base.extend<{ world: World; violations: string[] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open();
    await use(world);
  },
  violations: [
    async ({ context }, use) => {
      const violations: string[] = [];
      await context.exposeFunction('reportViolation', (violation: string) => {
        violations.push(violation);
      });
      await context.addInitScript(() => {
        document.addEventListener(
          'securitypolicyviolation',
          ({ violatedDirective, blockedURI, sourceFile }) => {
            (window as unknown as { reportViolation: (violation: string) => void }).reportViolation(
              `${violatedDirective} ${blockedURI} ${sourceFile}`,
            );
          },
        );
      });
      // Firefox reports an error if another origin is unreachable, even if the script handles it.
      context.on('weberror', (error) => {
        if (!String(error.error()).includes('(Reason: CORS request did not succeed)'))
          violations.push(String(error.error()));
      });
      context.on('console', (message) => {
        if (/content security policy|trusted ?types/i.test(message.text()))
          violations.push(message.text());
      });
      await use(violations);
      expect(violations).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Adds a page that contains only a form with these attributes, and returns its URL.
 * @param before HTML before the form's script.
 */
export function addFormPage(
  world: World,
  attributes: Readonly<Record<string, string>>,
  before = '',
): string {
  const path = `/page-${world.pages.size}`;
  const markup = Object.entries({ endpoint: world.endpoint, ...attributes })
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
  world.pages.set(
    path,
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ' +
      `content="width=device-width"><title>Give</title>${before}<script type="module" ` +
      `src="${world.endpoint}/donation-form.js"></script><body><donation-form${markup}></donation-form><p>Text ` +
      'below the form.</p>',
  );
  return world.page + path;
}

/** Collects console errors and uncaught exceptions. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => {
    errors.push(String(error));
  });
  return errors;
}

export const findForm = (page: Page) => page.locator('donation-form');
export const findCardFrame = (page: Page | Frame | Locator) =>
  page.frameLocator('[slot=payment] iframe');
export const findSubmitButton = (page: Page) => findForm(page).locator('button[type=submit]');

export async function fillDonor(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ana');
  await page.getByLabel('Last name').fill('Souza');
  await page.getByLabel('Email').fill('ana@example.org');
}

export async function fillCard(page: Page | Frame, number = '4242 4242 4242 4242'): Promise<void> {
  await findCardFrame(page).getByLabel('Card number').fill(number);
  await findCardFrame(page).getByLabel('Expiration date').fill('12 / 30');
  await findCardFrame(page).getByLabel('Security code').fill('123');
}

/** Returns the donation's reference from the thank-you page. */
export const readReference = async (page: Page): Promise<string> =>
  (await findForm(page).locator('.reference strong').textContent()) ?? '';

/** Each worker has its own ports, below the range of ephemeral ports. */
let lastPort =
  Number(process.env.FIRST_PORT ?? 20_000) + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * 1_000;

export async function findFreePort(): Promise<number> {
  for (;;) {
    lastPort += 1;
    const server = createServer();
    const port = lastPort;
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function toUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/** Browsers offer passkeys at no IP address. */
function toAdminUrl(port: number): string {
  return `http://localhost:${port}`;
}

/** Creates the site: pages of the test, and the demo's files with the demo's policy. */
function createSite({
  pages,
  endpoint,
  sandbox,
}: {
  readonly pages: ReadonlyMap<string, string>;
  readonly endpoint: string;
  readonly sandbox: string;
}): Server {
  const demo = createDemoSite({ folder: 'demo/site', sandbox });
  demo.setEndpoint(endpoint);
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${HOST}`);
    const text = pages.get(url.pathname);
    if (text !== undefined) {
      const type = extname(url.pathname) === '.js' ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'Content-Type': type }).end(text);
      return;
    }
    void demo.fetch(new Request(url)).then(async (answer) => {
      response
        .writeHead(answer.status, Object.fromEntries(answer.headers))
        .end(await answer.text());
    });
  });
}

interface DemoForm {
  readonly currencies: readonly [{ giftArrays?: object }];
  monthlyUpsell?: boolean;
}

/** Returns a configuration like the demo's with these ports. */
async function createConfiguration(
  { site, endpoint, sandbox, admin }: Ports,
  origins: readonly string[],
  {
    payments,
    platform,
    form = {},
    organization: changes = {},
  }: {
    readonly payments?: readonly object[] | undefined;
    readonly platform?: object | undefined;
    readonly form?: object | undefined;
    readonly organization?: object | undefined;
  },
): Promise<string> {
  const text = (await readFile('demo/donation-form.config.json', 'utf8'))
    .replaceAll(/http:\/\/127\.0\.0\.1:4100\b/g, toUrl(site))
    .replaceAll(/http:\/\/127\.0\.0\.1:4102\b/g, toUrl(sandbox))
    .replace('"port": 4101', `"port": ${endpoint}`)
    .replace('"port": 4103', `"port": ${admin}`);
  const configuration = JSON.parse(text) as {
    admin: object;
    organizations: [
      { origins: string[]; payments: readonly object[]; platform: object; forms: [DemoForm] },
    ];
  };
  const [organization] = configuration.organizations;
  configuration.admin = {
    ...configuration.admin,
    url: toAdminUrl(admin),
    key: { env: 'ADMIN_KEY' },
  };
  Object.assign(organization, changes);
  organization.origins.push(...origins);
  // One list of amounts, so that a test can choose any frequency and any amount.
  delete organization.forms[0].currencies[0].giftArrays;
  delete organization.forms[0].monthlyUpsell;
  Object.assign(organization.forms[0], form);
  if (payments) organization.payments = payments;
  if (platform) {
    organization.platform = platform;
    // The demo's other form offers what not every platform accepts.
    organization.forms = [organization.forms[0]];
  }
  return JSON.stringify(configuration);
}

/** Starts the built command and waits until it prints its URL. */
async function spawnCommand(
  args: readonly string[],
  {
    url,
    environment,
  }: { readonly url: string; readonly environment: Readonly<Record<string, string>> },
): Promise<RunningServer> {
  const child = spawn(process.execPath, ['dist/donation-form-server/lib/cli.js', ...args], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const listening = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(url)) resolve();
    });
  });
  await Promise.race([
    listening,
    exited.then(() => {
      throw new Error(`donation-form ${args.join(' ')} exited before it listened`);
    }),
  ]);
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
