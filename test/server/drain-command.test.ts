import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { test } from 'node:test';
import { loadConfiguration } from '../../src/server/configuration.ts';
import { openEndpoint, type Endpoint } from '../../src/server/endpoint.ts';
import { inPostgres } from '../postgres.ts';
import { runCommand, type Clock, type Ended } from './command-support.ts';
import { isShared } from './store.ts';
import { KEYS, LOG, openSite, type Site } from './site.ts';

/** Where the run has no PostgreSQL, a drain beside other servers is refused. */
const overPostgres: (name: string, work: () => Promise<void>) => void = isShared
  ? (name, work) => {
      void test(name, { timeout: 60_000 }, work);
    }
  : () => undefined;

/** What is about the default store is tried once. */
const onFile: (name: string, work: () => Promise<void>) => void = isShared
  ? () => undefined
  : (name, work) => {
      void test(name, { timeout: 60_000 }, work);
    };

async function newDatabase(): Promise<string> {
  const cluster = process.env.TEST_DATABASE_URL!;
  const name = `drain_${crypto.randomUUID().replaceAll('-', '')}`;
  const url = new URL(cluster);
  await inPostgres(cluster, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  return url.href;
}

/** The built command. */
function drain(
  { config }: Site,
  {
    words = [],
    environment = {},
    ...options
  }: {
    readonly words?: readonly string[];
    readonly environment?: NodeJS.ProcessEnv;
    readonly clock?: Clock;
    readonly onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<Ended> {
  return runCommand(['drain', '--config', config, ...words], {
    env: { ...KEYS, ...environment },
    ...options,
  });
}

/** An endpoint in a place where no process stays alive. */
async function frozen(site: Site, url: string): Promise<Endpoint> {
  await site.configure({ process: 'ends', drain: 'scheduled' });
  return openEndpoint({
    configuration: await loadConfiguration(site.config),
    environment: { ...KEYS, DATABASE_URL: url },
    log: LOG,
  });
}

const throughEndpoint =
  (endpoint: Endpoint): typeof fetch =>
  async (input, init) =>
    endpoint.fetch(new Request(input, init));
const ADDRESS = 'https://give.example';
const isRecording = ({ method, url }: Request): boolean =>
  method === 'POST' && url.endsWith('/sandbox/gifts');

onFile(
  'drain tells the platform what a server on an SQLite file left, and says what it did',
  async () => {
    let isDown = true;
    await using site = await openSite({
      between: async (request, next) =>
        isDown && isRecording(request)
          ? new Response(null, {
              status: 429,
              headers: { 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + 1_800) },
            })
          : next(request),
    });
    const endpoint = await openEndpoint({
      configuration: await loadConfiguration(site.config),
      environment: KEYS,
      log: LOG,
    });
    const { reference } = await site.give(ADDRESS, { by: throughEndpoint(endpoint) });
    const beside = await drain(site);
    assert.deepEqual(
      [
        beside.status,
        beside.stderr.includes(
          `${site.folder}/donations.sqlite: another server uses this store, and works off what is due by itself; end it first, or name another file.`,
        ),
      ],
      [1, true],
      beside.stderr,
    );
    await endpoint.close();
    const down = await drain(site);
    assert.deepEqual(
      [
        down.status,
        new RegExp(
          'The platform was told 0 things, and the processor was asked of 0 payments\\. ' +
            'Left: 1 to tell, 0 payments under way; the next is due at [-\\d]+ [\\d:]+ UTC\\.\n$',
        ).test(down.stdout),
      ],
      [0, true],
      down.stdout + down.stderr,
    );
    isDown = false;
    // The platform is left alone until its hour is over.
    const up = await drain(site, { clock: { ahead: 3_600_000 } });
    assert.deepEqual(
      [
        up.status,
        up.stderr,
        up.stdout.endsWith(
          'The platform was told 1 thing, and the processor was asked of 0 payments. Nothing is left.\n',
        ),
      ],
      [0, '', true],
      up.stdout,
    );
    assert.deepEqual(await site.recorded(), [reference]);
    assert.deepEqual(await drain(site, { words: ['--seconds', 'soon'] }), {
      status: 1,
      stdout: '',
      stderr: "--seconds is 'soon'; expected a number from 1 to 9999.\n",
    });
  },
);

overPostgres(
  'two drains at once beside endpoints that others froze: each gift is recorded once',
  async () => {
    await using site = await openSite();
    const url = await newDatabase();
    const endpoint = await frozen(site, url);
    const given = await Promise.all(
      Array.from({ length: 12 }, () => site.give(ADDRESS, { by: throughEndpoint(endpoint) })),
    );
    assert.deepEqual(
      [
        given.filter(({ state }) => state === 'succeeded').length,
        site.calls.filter((call) => call === 'POST /sandbox/gifts').length,
      ],
      [12, 0],
    );
    const ended = await Promise.all(
      [1, 2].map(() => drain(site, { environment: { DATABASE_URL: url } })),
    );
    await endpoint.close();
    assert.deepEqual(
      ended.map(({ status }) => status),
      [0, 0],
      ended.map(({ stderr }) => stderr).join(''),
    );
    assert.deepEqual(
      (await site.recorded()).sort(),
      given.map(({ reference }) => reference).sort(),
    );
    assert.equal(site.calls.filter((call) => call === 'POST /sandbox/gifts').length, 12);
  },
);

overPostgres('SIGTERM lets a drain end what it began, and it exits with 0', async () => {
  let child: ChildProcess | undefined;
  await using site = await openSite({
    between: async (request, next) => {
      if (isRecording(request)) child?.kill('SIGTERM');
      return next(request);
    },
  });
  const url = await newDatabase();
  const endpoint = await frozen(site, url);
  for (let gift = 0; gift < 4; gift += 1)
    await site.give(ADDRESS, { by: throughEndpoint(endpoint) });
  await endpoint.close();
  const { status, stdout } = await drain(site, {
    environment: { DATABASE_URL: url },
    onStart: (started) => {
      child = started;
    },
  });
  const told = (await site.recorded()).length;
  assert.ok(
    status === 0 && told > 0 && told < 4 && stdout.includes(`told ${told} thing`),
    `${status} ${told} ${stdout}`,
  );
});
