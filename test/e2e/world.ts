import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { test as base, expect, type Frame, type Page } from 'playwright/test';
import { demoPage } from '../../demo/page.ts';

export { expect };

export const PLATFORM_KEY = 'canary-platform-key';
export const SECRET_KEY = 'canary-secret-key';
const WEBHOOK_SECRET = 'canary-webhook-secret';
export const OPERATOR_KEY = 'canary-operator-key';
const ORGANIZATION_KEY = 'organization-key';
const READ_KEY = 'read-key';
const COMMAND = 'dist/cli/index.js';
const RUNTIME = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

export interface WorldOptions {
  /** Keys of the endpoint beside the demo's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Files beside the configuration, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Origins, beside the demo page's, that may show the form. */
  readonly origins?: readonly string[];
}

/**
 * The demo's page, the built endpoint and the built sandbox, each a server of its own on its own
 * origin.
 */
export class World {
  readonly page: string;
  readonly endpoint: string;
  readonly sandbox: string;
  readonly operator: string;
  readonly #folder: string;
  readonly #site: Server;
  readonly #environment: Readonly<Record<string, string>>;
  /** Pages and scripts of a test's own on the charity's site, by path. */
  readonly pages: Map<string, string>;
  #endpointProcess: ChildProcess | undefined;
  #sandboxProcess: ChildProcess | undefined;

  private constructor(
    folder: string,
    site: Server,
    pages: Map<string, string>,
    environment: Readonly<Record<string, string>>,
    [page, endpoint, sandbox, operator]: readonly [string, string, string, string],
  ) {
    this.#folder = folder;
    this.#site = site;
    this.#environment = environment;
    this.pages = pages;
    this.page = page;
    this.endpoint = endpoint;
    this.sandbox = sandbox;
    this.operator = operator;
  }

  /** @param paymentsAt other ways to pay than the demo's, by the sandbox's address. */
  static async open(
    paymentsAt?: (sandbox: string) => readonly object[],
    { environment = {}, files = {}, origins = [] }: WorldOptions = {},
  ): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
    const [endpointPort, sandboxPort, operatorPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const endpoint = `http://127.0.0.1:${endpointPort}`;
    const sandbox = `http://127.0.0.1:${sandboxPort}`;
    const demo = demoPage({ folder: 'demo/site', sandbox });
    demo.setEndpoint(endpoint);
    const pages = new Map<string, string>();
    const site = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const own = pages.get(pathname);
      if (own !== undefined)
        response
          .writeHead(200, {
            'Content-Type': extname(pathname) === '.js' ? 'text/javascript' : 'text/html',
          })
          .end(own);
      else
        void demo
          .fetch(new Request(`http://127.0.0.1${request.url ?? '/'}`))
          .then(async (answer) => {
            response
              .writeHead(answer.status, Object.fromEntries(answer.headers))
              .end(await answer.text());
          });
    });
    const page = `http://127.0.0.1:${await listenOn(site)}`;
    const configuration = (await readFile('demo/donation-form.config.json', 'utf8'))
      .replaceAll('http://127.0.0.1:4100', page)
      .replaceAll('http://127.0.0.1:4102', sandbox)
      .replace('"port": 4101', `"port": ${endpointPort}`)
      .replace('"port": 4103', `"port": ${operatorPort}`);
    const parsed = JSON.parse(configuration) as {
      operator: object;
      organizations: [{ origins: string[]; payments: readonly object[] }];
    };
    parsed.operator = { ...parsed.operator, key: { env: 'OPERATOR_KEY' } };
    parsed.organizations[0].origins.push(...origins);
    if (paymentsAt) parsed.organizations[0].payments = paymentsAt(sandbox);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await writeFile(join(folder, 'donation-form.config.json'), JSON.stringify(parsed));
    const world = new World(folder, site, pages, environment, [
      page,
      endpoint,
      sandbox,
      `http://127.0.0.1:${operatorPort}`,
    ]);
    await Promise.all([world.startSandbox(sandboxPort), world.startEndpoint()]);
    return world;
  }

  async startEndpoint(): Promise<void> {
    this.#endpointProcess = spawn(
      'node',
      [COMMAND, 'serve', '--config', join(this.#folder, 'donation-form.config.json')],
      {
        env: {
          ...RUNTIME,
          FUNDRAISING_API_KEY: PLATFORM_KEY,
          PAYMENT_SECRET_KEY: SECRET_KEY,
          PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
          OPERATOR_KEY,
          ...this.#environment,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    await answers(`${this.endpoint}/healthz`);
  }

  /** Starts the endpoint anew with another configuration. */
  async restartWith(configuration: string): Promise<void> {
    await this.killEndpoint();
    await writeFile(join(this.#folder, 'donation-form.config.json'), configuration);
    await this.startEndpoint();
  }

  async startSandbox(port: number): Promise<void> {
    this.#sandboxProcess = spawn(
      'node',
      [
        COMMAND,
        'sandbox',
        '--empty',
        '--port',
        String(port),
        '--processor-webhook',
        `${this.endpoint}/webhooks/sandbox/lanternwell`,
      ],
      {
        env: {
          ...RUNTIME,
          SANDBOX_PLATFORM_KEY: PLATFORM_KEY,
          SANDBOX_SECRET_KEY: SECRET_KEY,
          SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
          SANDBOX_ORGANIZATION_KEY: ORGANIZATION_KEY,
          SANDBOX_READ_KEY: READ_KEY,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    await answers(this.sandbox);
  }

  /** Ends the endpoint as a power cut would. */
  async killEndpoint(): Promise<void> {
    const ended = new Promise((resolve) => this.#endpointProcess?.once('exit', resolve));
    this.#endpointProcess?.kill('SIGKILL');
    await ended;
  }

  /** Lets the sandbox take calls and answer none, until it is thawed. */
  freezeSandbox(): void {
    this.#sandboxProcess?.kill('SIGSTOP');
  }

  thawSandbox(): void {
    this.#sandboxProcess?.kill('SIGCONT');
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
    this.#endpointProcess?.kill('SIGKILL');
    this.#sandboxProcess?.kill('SIGKILL');
    this.#site.closeAllConnections();
    this.#site.close();
    await rm(this.#folder, { recursive: true });
  }
}

/**
 * A test with a world of its own, which fails on any script error and any breach of the page's
 * Content-Security-Policy.
 */
export const test = base.extend<{ world: World; breaches: string[] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    const world = await World.open();
    await use(world);
    await world.close();
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
 * The same in a world that other tests of the worker use too: for those that leave its servers as
 * they are, and ask nothing about all of its gifts.
 */
export const testInOneWorld = test.extend<object, { shared: World }>({
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      const world = await World.open();
      await use(world);
      await world.close();
    },
    { scope: 'worker' },
  ],
  world: async ({ shared }, use) => {
    await use(shared);
  },
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
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function answers(address: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (
      await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await setTimeout(25);
  }
  throw new Error(`${address} does not answer`);
}
