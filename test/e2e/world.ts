import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect, type Frame, type Page } from 'playwright/test';
import { demoPage } from '../../demo/page.ts';
import { importBuilt } from './built.ts';

export { expect };

export const PLATFORM_KEY = 'canary-platform-key';
export const SECRET_KEY = 'canary-secret-key';
const WEBHOOK_SECRET = 'canary-webhook-secret';
export const OPERATOR_KEY = 'canary-operator-key';
const ORGANIZATION_KEY = 'organization-key';
const READ_KEY = 'read-key';
const HOST = '127.0.0.1';
/** File system in memory on Linux: on a busy disk, each commit would stop this process. */
const MEMORY = '/dev/shm';

export interface WorldOptions {
  /** Keys of the endpoint beside the demo's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files beside the configuration, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Origins, beside the demo page's, that may show the form. */
  readonly origins?: readonly string[];
  /** Whether the endpoint is the command `donation-form serve` in a process of its own. */
  readonly spawnsEndpoint?: boolean;
}

/** A server that can be stopped. */
interface RunningServer {
  stop(): Promise<void>;
}

/** Ports of this machine. */
interface Ports {
  readonly site: number;
  readonly endpoint: number;
  readonly sandbox: number;
  readonly operator: number;
}

/**
 * The demo's page, the built endpoint, and the built sandbox, each a server on its own origin. They
 * run in this process, which starts them in milliseconds; tests that kill the endpoint, or that run
 * the command as a user does, replace a server with a process of its own.
 */
export class World {
  readonly page: string;
  readonly endpoint: string;
  readonly sandbox: string;
  readonly operator: string;
  /** Pages and scripts of a test's own on the charity's site, by path. */
  readonly pages: Map<string, string>;
  /** Number of calls that the frozen sandbox has received. */
  heldCalls = 0;
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
    this.page = urlOf(ports.site);
    this.endpoint = urlOf(ports.endpoint);
    this.sandbox = urlOf(ports.sandbox);
    this.operator = urlOf(ports.operator);
  }

  /** @param paymentsAt other ways to pay than the demo's, by the sandbox's address. */
  static async open(
    paymentsAt?: (sandbox: string) => readonly object[],
    { environment = {}, files = {}, origins = [], spawnsEndpoint = false }: WorldOptions = {},
  ): Promise<World> {
    const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'donation-form-'));
    const endpoint = await freePort();
    const sandbox = await freePort();
    const operator = await freePort();
    const pages = new Map<string, string>();
    const site = createSite({ pages, endpoint: urlOf(endpoint), sandbox: urlOf(sandbox) });
    const ports: Ports = { site: await listenOn(site), endpoint, sandbox, operator };
    const world = new World({
      folder,
      site,
      pages,
      ports,
      environment: {
        FUNDRAISING_API_KEY: PLATFORM_KEY,
        PAYMENT_SECRET_KEY: SECRET_KEY,
        PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
        OPERATOR_KEY,
        ...environment,
      },
    });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(
      world.#configurationFile,
      await demoConfiguration(ports, origins, paymentsAt?.(world.sandbox)),
    );
    await world.#startSandboxHere();
    await (spawnsEndpoint ? world.spawnEndpoint() : world.#startEndpointHere());
    return world;
  }

  get #configurationFile(): string {
    return join(this.#folder, 'donation-form.config.json');
  }

  async #startEndpointHere(): Promise<void> {
    const { createLog, loadConfiguration, serve } = await importBuilt('server');
    const endpoint = await serve({
      configuration: await loadConfiguration(this.#configurationFile),
      environment: this.#environment,
      log: createLog('silent'),
    });
    this.#endpointServer = { stop: endpoint.close };
  }

  async #startSandboxHere(): Promise<void> {
    const { listen } = await importBuilt('server');
    const { createSandbox } = await importBuilt('sandbox');
    const sandbox = createSandbox({
      platformKey: PLATFORM_KEY,
      secretKey: SECRET_KEY,
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
      processorWebhook: { url: this.#processorWebhook, secret: WEBHOOK_SECRET },
    });
    const answer = async (request: Request): Promise<Response> => {
      if (this.#thawed) {
        this.heldCalls += 1;
        await this.#thawed;
      }
      return sandbox.fetch(request);
    };
    const listening = await listen(answer, { host: HOST, port: this.#ports.sandbox });
    this.#sandboxServer = {
      stop: async () => {
        await listening.close();
        sandbox.close();
      },
    };
  }

  get #processorWebhook(): string {
    return `${this.endpoint}/webhooks/sandbox/lanternwell`;
  }

  /**
   * Replaces the endpoint with the command `donation-form serve` in a process of its own.
   * @param configuration the text of another configuration file.
   */
  async spawnEndpoint(configuration?: string): Promise<void> {
    await this.#endpointServer?.stop();
    if (configuration !== undefined) await writeFile(this.#configurationFile, configuration);
    this.#endpointServer = await spawnCommand(['serve', '--config', this.#configurationFile], {
      address: this.endpoint,
      environment: this.#environment,
    });
  }

  /** Replaces the sandbox with the command `donation-form sandbox` in a process of its own. */
  async spawnSandbox(): Promise<void> {
    await this.#sandboxServer?.stop();
    this.#sandboxServer = await spawnCommand(
      [
        'sandbox',
        '--empty',
        '--port',
        String(this.#ports.sandbox),
        '--processor-webhook',
        this.#processorWebhook,
      ],
      {
        address: this.sandbox,
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

  /** Ends the spawned endpoint as a power cut would. */
  async killEndpoint(): Promise<void> {
    await this.#endpointServer?.stop();
    this.#endpointServer = undefined;
  }

  /** Lets the sandbox receive calls and answer none until it is thawed. */
  freezeSandbox(): void {
    this.heldCalls = 0;
    this.#thawed = new Promise((resolve) => {
      this.#thaw = resolve;
    });
  }

  thawSandbox(): void {
    this.#thaw();
    this.#thawed = undefined;
  }

  /** What the platform lists as activities, the newest first. */
  async activities(): Promise<string[]> {
    const response = await fetch(`${this.sandbox}/api/activity/list`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
      body: JSON.stringify({ skip: 0, take: 100 }),
    });
    return ((await response.json()) as { items: { displayText: string }[] }).items.map(
      ({ displayText }) => displayText,
    );
  }

  /** Whom the platform knows as donors. */
  async donors(): Promise<unknown> {
    const headers = {
      'X-OrganizationKey': ORGANIZATION_KEY,
      Authorization: `Basic ${READ_KEY}`,
      'Content-Type': 'application/json',
    };
    return (await fetch(`${this.sandbox}/v1/donors`, { headers })).json();
  }

  async charges(reference: string): Promise<{ id: string; state: string; amount: number }[]> {
    const response = await fetch(`${this.sandbox}/processor/payments?reference=${reference}`, {
      headers: { Authorization: `Bearer ${SECRET_KEY}` },
    });
    return (
      (await response.json()) as { payments: { id: string; state: string; amount: number }[] }
    ).payments;
  }

  /** What the platform says a gift or a renewal is: GiftStatus. */
  async statusOf(reference: string): Promise<number | undefined> {
    const response = await this.#steer(`/sandbox/gifts?reference=${reference}`);
    return ((await response.json()) as { items: { status: number }[] }).items[0]?.status;
  }

  /** Lets the sandbox's clock go on. */
  async passDays(days: number): Promise<void> {
    await this.#steer('/sandbox/clock', { advanceSeconds: days * 86_400 });
  }

  /** Pays back all of a payment, as somebody at the processor would. */
  async refund(payment: string): Promise<void> {
    await this.#steer(`/sandbox/payments/${payment}/refund`, {});
  }

  #steer(path: string, body?: object): Promise<Response> {
    return fetch(this.sandbox + path, {
      headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
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
 * A test with a world of its own, which fails on any script error and any breach of the page's
 * Content-Security-Policy.
 */
export const test = base.extend<{ world: World; breaches: string[] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open();
    await use(world);
  },
  breaches: [
    async ({ context }, use) => {
      const breaches: string[] = [];
      await context.exposeFunction('noteBreach', (breach: string) => {
        breaches.push(breach);
      });
      await context.addInitScript(() => {
        document.addEventListener(
          'securitypolicyviolation',
          ({ violatedDirective, blockedURI, sourceFile }) => {
            (window as unknown as { noteBreach: (breach: string) => void }).noteBreach(
              `${violatedDirective} ${blockedURI} ${sourceFile}`,
            );
          },
        );
      });
      // Firefox raises an error of its own where another origin cannot be reached, whatever the
      // script makes of that.
      context.on('weberror', (error) => {
        if (!String(error.error()).includes('(Reason: CORS request did not succeed)'))
          breaches.push(String(error.error()));
      });
      context.on('console', (message) => {
        if (/content security policy|trusted ?types/i.test(message.text()))
          breaches.push(message.text());
      });
      await use(breaches);
      expect(breaches).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * The address of a page that holds nothing but a form with these attributes.
 * @param before what stands before its script.
 */
export function pageWith(
  world: World,
  attributes: Readonly<Record<string, string>>,
  before = '',
): string {
  const path = `/page-${world.pages.size}`;
  const written = Object.entries({ endpoint: world.endpoint, ...attributes })
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
  world.pages.set(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Give</title>${before}<script type="module" src="${world.endpoint}/donation-form.js"></script><body><donation-form${written}></donation-form><p>What stands below.</p>`,
  );
  return world.page + path;
}

export const form = (page: Page) => page.locator('donation-form');
export const card = (page: Page | Frame) => page.frameLocator('donation-form iframe');
export const giveButton = (page: Page) => form(page).locator('button[type=submit]');

export async function fillDonor(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ana');
  await page.getByLabel('Last name').fill('Souza');
  await page.getByLabel('E-mail').fill('ana@example.org');
}

export async function fillCard(page: Page | Frame, number = '4242 4242 4242 4242'): Promise<void> {
  await card(page).getByLabel('Card number').fill(number);
  await card(page).getByLabel('Expires').fill('12 / 30');
  await card(page).getByLabel('Security code').fill('123');
}

/** The gift's reference, from the thank-you. */
export const referenceOf = async (page: Page): Promise<string> =>
  (await form(page).locator('.reference strong').textContent()) ?? '';

/** Each worker has ports of its own, below those that the system gives away itself. */
let lastPort =
  Number(process.env.FIRST_PORT ?? 20_000) + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * 1_000;

export async function freePort(): Promise<number> {
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

function listenOn(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

function urlOf(port: number): string {
  return `http://${HOST}:${port}`;
}

/** The charity's site: a test's own pages, and the demo's files under the demo's policy. */
function createSite({
  pages,
  endpoint,
  sandbox,
}: {
  readonly pages: ReadonlyMap<string, string>;
  readonly endpoint: string;
  readonly sandbox: string;
}): Server {
  const demo = demoPage({ folder: 'demo/site', sandbox });
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

/** The text of the demo's configuration file for these ports. */
async function demoConfiguration(
  { site, endpoint, sandbox, operator }: Ports,
  origins: readonly string[],
  payments?: readonly object[],
): Promise<string> {
  const text = (await readFile('demo/donation-form.config.json', 'utf8'))
    .replaceAll(/http:\/\/127\.0\.0\.1:4100\b/g, urlOf(site))
    .replaceAll(/http:\/\/127\.0\.0\.1:4102\b/g, urlOf(sandbox))
    .replace('"port": 4101', `"port": ${endpoint}`)
    .replace('"port": 4103', `"port": ${operator}`);
  const configuration = JSON.parse(text) as {
    operator: object;
    organizations: [{ origins: string[]; payments: readonly object[] }];
  };
  const [organization] = configuration.organizations;
  configuration.operator = { ...configuration.operator, key: { env: 'OPERATOR_KEY' } };
  organization.origins.push(...origins);
  if (payments) organization.payments = payments;
  return JSON.stringify(configuration);
}

/** Starts the built command and waits until it prints the address at which it listens. */
async function spawnCommand(
  words: readonly string[],
  {
    address,
    environment,
  }: { readonly address: string; readonly environment: Readonly<Record<string, string>> },
): Promise<RunningServer> {
  const child = spawn(process.execPath, ['dist/donation-form-server/lib/cli.js', ...words], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const listening = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(address)) resolve();
    });
  });
  await Promise.race([
    listening,
    exited.then(() => {
      throw new Error(`donation-form ${words.join(' ')} ended before it listened`);
    }),
  ]);
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
