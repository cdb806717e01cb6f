import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import { serve } from '../../../src/server/serve.ts';
import { KEYS } from '../command-environment.ts';
import type { PageFixture } from './page-fixtures.ts';

const HOST = '127.0.0.1';
/** Host of pages without HTTPS. Chromium trusts `localhost` and its subdomains. */
const INSECURE_HOST = 'charity.test';

/** Maps the host of insecure pages to this machine. */
export const RESOLVER_ARGUMENT = `--host-resolver-rules=MAP ${INSECURE_HOST} ${HOST}`;

/** Serves fixtures, and runs an endpoint with a sandbox of the payment provider. */
export class PageEnvironment {
  readonly #folder: string;
  readonly #values: Readonly<Record<string, string>>;
  readonly #fixtures: readonly PageFixture[];
  readonly #close: () => Promise<void>;

  private constructor(options: {
    readonly folder: string;
    readonly values: Readonly<Record<string, string>>;
    readonly fixtures: readonly PageFixture[];
    readonly close: () => Promise<void>;
  }) {
    this.#folder = options.folder;
    this.#values = options.values;
    this.#fixtures = options.fixtures;
    this.#close = options.close;
  }

  static async open(fixtures: readonly PageFixture[]): Promise<PageEnvironment> {
    const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
    const sendPage: RequestListener = ({ url = '/' }, response) => {
      void environment.#send(url).then(
        ({ status = 200, headers = {}, body }) => {
          response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
          response.end(body);
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    };
    const pem = createCertificate();
    const site = createServer(sendPage);
    const secureSite = createSecureServer({ key: pem, cert: pem }, sendPage);
    const sitePort = await listenOn(site);
    const securePort = await listenOn(secureSite);
    const closedPort = await findFreePort();
    const site127 = `http://${HOST}:${sitePort}`;
    const sandbox = createSandbox({
      platformKey: KEYS.FUNDRAISING_API_KEY,
      stripe: {
        secretKey: KEYS.PAYMENT_SECRET_KEY,
        webhook: { url: `${site127}/webhook`, secret: KEYS.PAYMENT_WEBHOOK_SECRET },
      },
    });
    const provider = await listen((request) => sandbox.fetch(request), { host: HOST, port: 0 });
    const configurationFile = join(folder, 'donation-form.config.json');
    const secure = `https://${HOST}:${securePort}`;
    const ports = { endpoint: await findFreePort(), admin: await findFreePort() };
    await writeFile(
      configurationFile,
      await createConfiguration(provider.url, ports, [
        site127,
        secure,
        `http://${INSECURE_HOST}:${sitePort}`,
      ]),
    );
    const endpoint = await serve({
      configuration: await loadConfiguration(configurationFile),
      environment: KEYS,
      log: createLogger('silent'),
    });
    await fetch(`http://${HOST}:${ports.admin}/api/organizations/paused/pause`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEYS.ADMIN_KEY}` },
      body: JSON.stringify({ by: 'Ana' }),
    });
    const environment = new PageEnvironment({
      folder,
      fixtures,
      values: {
        endpoint: endpoint.url,
        provider: provider.url,
        site: site127,
        secure,
        localhost: `http://localhost:${sitePort}`,
        insecure: `http://${INSECURE_HOST}:${sitePort}`,
        insecureEndpoint: `http://${INSECURE_HOST}:${ports.endpoint}`,
        closed: `http://${HOST}:${closedPort}`,
        nowhere: 'https://give.nowhere.test',
        scriptCode: await (await fetch(`${endpoint.url}/donation-form.js`)).text(),
      },
      close: async () => {
        for (const server of [site, secureSite]) {
          server.closeAllConnections();
          server.close();
        }
        await endpoint.close();
        await provider.close();
        sandbox.close();
        await rm(folder, { recursive: true });
      },
    });
    return environment;
  }

  /** Returns the URL of a fixture. */
  async getUrl({ kind, name, open = '{{site}}', body }: PageFixture): Promise<string> {
    if (open !== 'file') return `${this.#fill(open, '')}/${kind}/${name}/`;
    const file = join(this.#folder, `${name}.html`);
    await writeFile(file, this.#fill(body, ''));
    return pathToFileURL(file).href;
  }

  get endpoint(): string {
    return this.#values.endpoint!;
  }

  async #send(
    url: string,
  ): Promise<{ status?: number; headers?: Record<string, string>; body: string }> {
    const [, kind, name, ...path] = new URL(url, this.#values.site).pathname.split('/');
    const fixture = this.#fixtures.find((other) => other.kind === kind && other.name === name);
    const file = path.join('/') === '' ? fixture : fixture?.files?.[`/${path.join('/')}`];
    if (!file) return { status: 404, body: '<!doctype html><title>Not found</title>' };
    const here = `${this.#values.site!}/${kind}/${name}`;
    const { status = 200, headers = {}, body = '', copy } = file;
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header, this.#fill(value, here)]),
      ),
      body:
        copy === undefined
          ? this.#fill(body, here)
          : await (await fetch(this.#fill(copy, here))).text(),
    };
  }

  /** Replaces the placeholders in a text. @param here URL of the fixture, without a slash. */
  #fill(text: string, here: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
      name === 'here' ? here : (this.#values[name] ?? placeholder),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

function createCertificate(): string {
  return execFileSync(
    'openssl',
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout - -subj /CN=site'.split(
      ' ',
    ),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  ).toString();
}

function listenOn(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function createConfiguration(
  provider: string,
  ports: { readonly endpoint: number; readonly admin: number },
  origins: readonly string[],
): Promise<string> {
  const text = (await readFile('demo/donation-form.config.json', 'utf8')).replaceAll(
    'http://127.0.0.1:4102',
    provider,
  );
  const demo = JSON.parse(text) as {
    organizations: [{ payments: object[]; forms: object[] }];
  };
  const [organization] = demo.organizations;
  const [form] = organization.forms;
  return JSON.stringify({
    ...demo,
    listen: { host: HOST, port: ports.endpoint },
    admin: { port: ports.admin, key: { env: 'ADMIN_KEY' } },
    organizations: [
      { ...organization, origins, forms: [form] },
      {
        ...organization,
        id: 'paused',
        goals: [],
        origins,
        payments: [organization.payments[1]],
        forms: [{ ...form, id: 'paused' }],
      },
    ],
  });
}
