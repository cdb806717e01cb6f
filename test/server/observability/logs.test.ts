import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import { createLogger, LOGGED_FIELDS } from '../../../src/server/lib/logger.ts';
import { readPackageVersion } from '../../../src/server/lib/package-file.ts';
import { LifecycleLog } from '../../../src/server/observability/lifecycle-log.ts';
import type { PostOptions } from '../donor-client.ts';
import {
  CARDS,
  configuration,
  createIdempotencyKey,
  startServer,
  type TestServer,
} from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { KEYS } from '../test-environment.ts';

const PINO_FIELDS = ['level', 'time', 'pid', 'hostname', 'msg'];

/** Text from a donor, a page, a processor, or a platform, which must never be logged. */
const HOSTILE_TEXT = 'canary\n{"level":60}\u001b[31m\u202e\u0000   at canary';

function assertNothingLeaked(lines: readonly string[]): void {
  const allowed: readonly string[] = [...PINO_FIELDS, ...LOGGED_FIELDS];
  for (const line of lines) {
    const fields = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual(
      Object.keys(fields).filter((name) => !allowed.includes(name)),
      [],
      line,
    );
    assert.doesNotMatch(line, /canary|Souza/, line);
    assert.doesNotMatch(
      line.trimEnd(),
      // oxlint-disable-next-line no-control-regex -- the test looks for these
      /[\u0000-\u001f\u007f\u2028-\u202e\u2066-\u2069]|\\u00|31m/,
      line,
    );
  }
}

async function sendRequests(server: TestServer): Promise<void> {
  const key = createIdempotencyKey();
  for (const [request, options] of [
    [await server.createRequest({ card: CARDS.declined })],
    [await server.createRequest({ card: CARDS.lostResponse })],
    [await server.createRequest({ donor: { firstName: HOSTILE_TEXT } })],
    [await server.createRequest({ gift: { comment: HOSTILE_TEXT, segment: HOSTILE_TEXT } })],
    [await server.createRequest({ [HOSTILE_TEXT]: HOSTILE_TEXT })],
    [
      await server.createRequest({
        form: { id: HOSTILE_TEXT, page: HOSTILE_TEXT, language: HOSTILE_TEXT },
      }),
    ],
    [HOSTILE_TEXT],
    [`{"${HOSTILE_TEXT}":1}`],
    [await server.createRequest(), { key }],
    [await server.createRequest({ donor: { firstName: 'Canary' } }), { key }],
    [await server.createRequest(), { key: 'canary' }],
    [
      await server.createRequest(),
      {
        headers: {
          Origin: 'https://canary.example',
          'User-Agent': 'canary',
          Referer: 'https://canary.example/?email=canary',
          'X-Request-Id': 'canary',
        },
      },
    ],
  ] as [body: unknown, options?: PostOptions][])
    await server.postDonation(request, options);
  await server.fetchOutcome(createIdempotencyKey());
  for (const path of [
    `/${encodeURIComponent(HOSTILE_TEXT)}`,
    '/form?id=canary',
    '/webhooks/canary/canary',
    '/countries/canary',
    '/donations/canary/%E2%80%AE',
    '//canary',
    '/manage?id=canary',
  ]) {
    for (const method of ['GET', 'POST', 'DELETE'])
      await server.fetch(path, {
        method,
        ...(method === 'POST' && { body: HOSTILE_TEXT }),
      });
  }
}

test('log lines contain only listed fields and nothing from a request', async () => {
  await using server = await startServer();
  await sendRequests(server);
  assertNothingLeaked(server.logLines);
  assert.ok(server.logLines.length > 30);
});

test('log lines contain nothing from the error responses of a platform or processor', async () => {
  for (const [status, at] of [
    [500, '/sandbox/gifts'],
    [400, '/sandbox/gifts'],
    [429, '/sandbox/gifts'],
    [500, '/stripe'],
    [400, '/stripe'],
    [200, '/stripe'],
  ] as const) {
    await using server = await startServer({
      intercept: async (request, next) =>
        new URL(request.url).pathname.startsWith(at)
          ? Response.json(
              {
                message: HOSTILE_TEXT,
                error: { message: HOSTILE_TEXT, code: HOSTILE_TEXT },
                [HOSTILE_TEXT]: HOSTILE_TEXT,
              },
              { status },
            )
          : next(request),
    });
    await server.postDonation(await server.createRequest());
    assertNothingLeaked(server.logLines);
    assert.ok(
      server.logLines.some((line) => (JSON.parse(line) as { level: number }).level >= 40),
      server.logLines.join(''),
    );
  }
});

test("logs the class and stack of an internal error with the donor's request ID, but not its message", async () => {
  await using server = await startServer();
  function findByKey(): never {
    throw Object.assign(new TypeError('canary\n    at canary (canary.ts:1:1)'), {
      code: 'words of a canary',
      requestId: 'canary one',
      errcode: 1,
    });
  }
  // A mock would add a line to the stack.
  Object.assign(server.repository, { findByKeyHash: findByKey });
  const response = await server.postDonation(await server.createRequest());
  const { requestId } = (await response.json()) as { requestId: string };
  assertNothingLeaked(server.logLines);
  const lines = server.logLines.map((line) => JSON.parse(line) as Record<string, string | number>);
  assert.equal(response.status, 500);
  assert.partialDeepStrictEqual(lines, [
    { request: requestId, error: 'TypeError', level: 50 },
    { request: requestId, problem: 'internal-error' },
  ]);
  assert.match(
    String(lines[0]!.at),
    /^at .*findByKey.*logs\.test\.ts:\d+:\d+\)\nat .*submit-donation\.ts[^\n]*\nat .*routes\/donations\.ts/,
  );
});

test('omits fields that are not listed, and respects LOG_LEVEL', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  createLogger(undefined, destination).info(
    { email: 'canary@example.org', reference: 'A' },
    'logged',
  );
  createLogger('warn', destination).info('not logged');
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^\{"level":"info","time":.*,"msg":"logged","reference":"A"\}\n$/);
  assert.doesNotMatch(lines[0]!, /email/);
  assert.throws(
    () => createLogger('loud'),
    /LOG_LEVEL environment variable is "loud"; expected one of fatal, error, warn, info, debug, trace, silent/,
  );
});

test('logs when the server starts and stops', async () => {
  const lines: Record<string, unknown>[] = [];
  const database = join(createFolder(), 'donations.sqlite');
  const endpoint = await createEndpoint({
    configuration: { ...configuration, admin: undefined, backgroundJobs: false, database },
    environment: KEYS,
    log: createLogger('info', { write: (line) => lines.push(JSON.parse(line) as never) }),
  });
  endpoint.start(['http://127.0.0.1:4101']);
  const request = endpoint.fetch(new Request('http://127.0.0.1:4101/healthz'));
  endpoint.markNotReady('SIGTERM');
  await request;
  await endpoint.close();
  assert.partialDeepStrictEqual(lines, [
    {
      msg: 'started',
      version: readPackageVersion(),
      database,
      organizations: ['lanternwell'],
      listeners: ['http://127.0.0.1:4101'],
    },
    { route: '/healthz' },
    { msg: 'stopped', reason: 'SIGTERM', requests: 1 },
  ]);
  assert.equal(lines.length, 3);
  const { milliseconds, uptimeSeconds } = lines[2]!;
  assert.ok(Number(milliseconds) >= 0 && Number.isInteger(uptimeSeconds));
  assert.ok(Number(uptimeSeconds) < 60);
});

test('logs an exit before the server has stopped, with what it interrupted', () => {
  const lines: Record<string, unknown>[] = [];
  const lifecycle = new LifecycleLog(
    createLogger('info', { write: (line) => lines.push(JSON.parse(line) as never) }),
  );
  const listeners = process.listeners('exit');
  lifecycle.logStart({ version: '1', database: 'x', organizations: [] });
  const [onExit] = process.listeners('exit').filter((one) => !listeners.includes(one));
  void lifecycle.trackRequest(() => new Promise(() => undefined));
  lifecycle.beginStop('SIGTERM');
  void lifecycle.trackPart('background jobs', new Promise(() => undefined));
  onExit!.call(process, 0);
  const [, { msg, reason, requests, waitingFor } = {}] = lines;
  assert.deepEqual(
    [msg, reason, requests, waitingFor],
    ['stopped', 'SIGTERM', 1, ['background jobs', '1 requests']],
  );
  assert.deepEqual(process.listeners('exit'), listeners);
});

test('counts repeats of a warning for a minute, and all lines about a request', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: [msg: unknown, repeated: unknown][] = [];
  const log = createLogger('info', {
    write: (line) => {
      const { msg, repeated } = JSON.parse(line) as Record<string, unknown>;
      lines.push([msg, repeated]);
    },
  });
  for (const reference of ['A', 'B', 'C'])
    log.warn({ reference, code: 'ECONNREFUSED', retryAt: `${reference}1` }, 'cannot send');
  log.warn({ reference: 'D', code: 'ECONNRESET' }, 'cannot send');
  for (const reference of ['A', 'A', 'B']) log.error({ reference }, 'needs review');
  for (const request of ['1', '1']) log.error({ request }, 'request failed');
  assert.deepEqual(lines.splice(0), [
    ['cannot send', undefined],
    ['cannot send', undefined],
    ['needs review', undefined],
    ['needs review', undefined],
    ['request failed', undefined],
    ['request failed', undefined],
  ]);
  t.mock.timers.tick(60_000);
  assert.deepEqual(lines.splice(0), [
    ['cannot send', 2],
    ['needs review', 1],
  ]);
  log.warn({ reference: 'E', code: 'ECONNREFUSED' }, 'cannot send');
  assert.deepEqual(lines, [], 'one line a minute while it lasts');
  t.mock.timers.tick(60_000);
  assert.deepEqual(lines.splice(0), [['cannot send', 1]]);
  t.mock.timers.tick(60_000);
  log.warn({ reference: 'F', code: 'ECONNREFUSED' }, 'cannot send');
  assert.deepEqual(lines, [['cannot send', undefined]]);
});

test('writes counted repeats when the process exits', async () => {
  const script = `
    import { createLogger } from './src/server/lib/logger.ts';
    const log = createLogger();
    for (let count = 0; count < 5; count += 1) log.error({ job: 'retention' }, 'a job failed');
    throw new Error('crash');`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script]);
  assert.deepEqual(
    readLines(stdout).map(({ repeated }) => repeated ?? 0),
    [0, 4],
  );
});

test('writes all lines before a crash and those of exit listeners', () => {
  const script = `
    import { createLogger } from './src/server/lib/logger.ts';
    const log = createLogger();
    process.on('exit', () => log.info({ job: 'late' }, 'exiting'));
    log.info({ job: 'first' }, 'starting');
    log.error({ job: 'second' }, 'failing');
    if (process.env.CRASH) process.abort();`;
  const listJobs = (env: NodeJS.ProcessEnv): unknown[] =>
    readLines(
      spawnSync(process.execPath, ['--input-type=module', '--eval', script], { env }).stdout,
    ).map(({ job }) => job);
  assert.deepEqual(listJobs({}), ['first', 'second', 'late']);
  assert.deepEqual(listJobs({ CRASH: 'true' }), ['first', 'second']);
});

function readLines(output: Buffer): { readonly repeated?: number; readonly job?: string }[] {
  return String(output)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { repeated?: number; job?: string });
}

test('LOG_FORMAT=pretty writes lines for people, without control characters', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) }, 'pretty');
  log.info({ method: 'POST', route: '/donations', status: 200, milliseconds: 33, request: 'r' });
  log.error(
    { error: 'TypeError', reason: HOSTILE_TEXT, at: 'at a (a.ts:1:1)\nat b (b.ts:2:2)' },
    'request failed',
  );
  const [request, failure] = lines.map((line) => stripVTControlCharacters(line));
  assert.match(request!, /^\d\d:\d\d:\d\d {2}info {3}POST \/donations 200 33ms {2}request=r\n$/);
  assert.match(failure!, /^\S+ {2}error {2}request failed {2}error=TypeError {2}reason="canary\\n/);
  assert.match(failure!, /"\n {4}at a \(a\.ts:1:1\)\n {4}at b \(b\.ts:2:2\)\n$/);
  assert.ok(!/\u202e/.test(failure!) && failure!.includes('\\u001b'));
  assert.throws(
    () => createLogger('info', undefined, 'xml'),
    /LOG_FORMAT environment variable is "xml"; expected one of json, pretty/,
  );
});

test('docs/reference/metrics.md lists every logged field', () => {
  const [, logs = ''] = readFileSync('docs/reference/metrics.md', 'utf8').split(
    '\n## Log fields\n',
  );
  const listed = logs
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  assert.deepEqual([...new Set(listed)].sort(), [...new Set<string>(LOGGED_FIELDS)].sort());
});
