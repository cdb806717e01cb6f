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
import { serve } from '../../../src/server/serve.ts';
import { createCertificate } from '../certificate.ts';
import { findFreePort, LOOPBACK } from '../loopback.ts';
import { KEYS, LOG } from '../test-environment.ts';
import type { FixtureFile, PageFixture } from './page-fixtures.ts';

const HOST = '127.0.0.1';
/** Host of pages without HTTPS. Chromium trusts `localhost` and its subdomains. */
const INSECURE_HOST = 'charity.test';

/** Maps the host of insecure pages to this machine. */
export const RESOLVER_ARGUMENT = `--host-resolver-rules=MAP ${INSECURE_HOST} ${HOST}`;

/** Serves fixtures, and runs an endpoint with a sandbox of the payment provider. */
export interface PageEnvironment extends AsyncDisposable {
  readonly endpoint: string;
  getUrl(fixture: PageFixture): Promise<string>;
}

export async function openPageEnvironment(
  fixtures: readonly PageFixture[],
): Promise<PageEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  let values: Readonly<Record<string, string>> = {};
  /** Replaces the placeholders in a text. `here` is the URL of the fixture, without a slash. */
  const fill = (text: string, here: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
      name === 'here' ? here : (values[name] ?? placeholder),
    );

  async function loadFile(url: string): Promise<Omit<FixtureFile, 'copy'>> {
    const [, kind, name, ...path] = new URL(url, values.site).pathname.split('/');
    const fixture = fixtures.find((other) => other.kind === kind && other.name === name);
    const file = path.join('/') === '' ? fixture : fixture?.files?.[`/${path.join('/')}`];
    if (!file) return { status: 404, body: '<!doctype html><title>Not found</title>' };
    const here = `${values.site!}/${kind}/${name}`;
    const { status = 200, headers = {}, body = '', copy } = file;
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header, fill(value, here)]),
      ),
      body: copy === undefined ? fill(body, here) : await (await fetch(fill(copy, here))).text(),
    };
  }

  const sendPage: RequestListener = ({ url = '/' }, response) => {
    void loadFile(url).then(
      ({ status = 200, headers = {}, body }) => {
        response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
        response.end(body);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  };
  const pem = createCertificate('site');
  const site = createServer(sendPage);
  const secureSite = createSecureServer({ key: pem, cert: pem }, sendPage);
  const sitePort = await listenOn(site);
  const site127 = `http://${HOST}:${sitePort}`;
  const secure = `https://${HOST}:${await listenOn(secureSite)}`;
  const insecure = `http://${INSECURE_HOST}:${sitePort}`;
  const sandbox = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    stripe: {
      secretKey: KEYS.PAYMENT_SECRET_KEY,
      webhook: { url: `${site127}/webhook`, secret: KEYS.PAYMENT_WEBHOOK_SECRET },
    },
  });
  const provider = await listen((request) => sandbox.fetch(request), LOOPBACK);
  const configurationFile = join(folder, 'donation-form.config.json');
  const ports = { endpoint: await findFreePort(), admin: await findFreePort() };
  await writeFile(
    configurationFile,
    await createConfiguration(provider.url, ports, [site127, secure, insecure]),
  );
  const endpoint = await serve({
    configuration: await loadConfiguration(configurationFile),
    environment: KEYS,
    log: LOG,
  });
  await fetch(`http://${HOST}:${ports.admin}/api/organizations/paused/pause`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEYS.ADMIN_KEY}` },
    body: JSON.stringify({ by: 'Ana' }),
  });
  values = {
    endpoint: endpoint.url,
    provider: provider.url,
    site: site127,
    secure,
    localhost: `http://localhost:${sitePort}`,
    insecure,
    insecureEndpoint: `http://${INSECURE_HOST}:${ports.endpoint}`,
    closed: `http://${HOST}:${await findFreePort()}`,
    nowhere: 'https://give.nowhere.test',
    scriptCode: await (await fetch(`${endpoint.url}/donation-form.js`)).text(),
  };
  return {
    endpoint: endpoint.url,
    async getUrl({ kind, name, open = '{{site}}', body }) {
      if (open !== 'file') return `${fill(open, '')}/${kind}/${name}/`;
      const file = join(folder, `${name}.html`);
      await writeFile(file, fill(body, ''));
      return pathToFileURL(file).href;
    },
    async [Symbol.asyncDispose]() {
      for (const server of [site, secureSite]) {
        server.closeAllConnections();
        server.close();
      }
      await endpoint.close();
      await provider.close();
      sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

function listenOn(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, HOST, () => resolve((server.address() as AddressInfo).port));
  });
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
