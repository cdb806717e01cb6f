import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import { readPackageVersion } from '../../../src/server/lib/package-file.ts';
import { createLogger, LOGGED_FIELDS } from '../../../src/server/lib/logger.ts';
import { CARDS, createIdempotencyKey, startServer, type TestServer } from '../support.ts';

/** Fields that pino adds. */
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
  for (const request of [
    await server.createRequest(),
    await server.createRequest({ card: CARDS.declined }),
    await server.createRequest({ card: CARDS.lostResponse }),
    await server.createRequest({ donor: { firstName: HOSTILE_TEXT } }),
    await server.createRequest({ gift: { comment: HOSTILE_TEXT, segment: HOSTILE_TEXT } }),
    await server.createRequest({ [HOSTILE_TEXT]: HOSTILE_TEXT }),
    await server.createRequest({
      form: { id: HOSTILE_TEXT, page: HOSTILE_TEXT, language: HOSTILE_TEXT },
    }),
    HOSTILE_TEXT,
    `{"${HOSTILE_TEXT}":1}`,
  ])
    await server.postDonation(request, { key: createIdempotencyKey() });
  await server.postDonation(await server.createRequest(), { key });
  await server.postDonation(await server.createRequest({ donor: { firstName: 'Canary' } }), {
    key,
  });
  await server.postDonation(await server.createRequest(), { key: 'canary' });
  await server.postDonation(await server.createRequest(), {
    headers: {
      Origin: 'https://canary.example',
      'User-Agent': 'canary',
      Referer: 'https://canary.example/?email=canary',
      'X-Request-Id': 'canary',
    },
  });
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
      await server.handler.fetch(
        new Request(`https://give.example${path}`, {
          method,
          ...(method === 'POST' && { body: HOSTILE_TEXT }),
        }),
      );
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
  server.repository.findByKeyHash = function findByKey() {
    throw Object.assign(new TypeError('canary\n    at canary (canary.ts:1:1)'), {
      code: 'words of a canary',
      requestId: 'canary one',
      errcode: 1,
    });
  };
  const response = await server.postDonation(await server.createRequest());
  const { requestId } = (await response.json()) as { requestId: string };
  assertNothingLeaked(server.logLines);
  const [failed, answered] = server.logLines.map(
    (line) => JSON.parse(line) as Record<string, string | number>,
  );
  assert.deepEqual(
    [
      response.status,
      failed?.request,
      failed?.error,
      failed?.level,
      answered?.request,
      answered?.problem,
    ],
    [500, requestId, 'TypeError', 50, requestId, 'internal-error'],
  );
  assert.match(
    String(failed?.at),
    /^at .*findByKey.*logs\.test\.ts:\d+:\d+\)\nat .*donation-submitter\.ts[^\n]*\nat .*routes\/donations\.ts/,
  );
});

test('omits fields that are not listed, and respects LOG_LEVEL', () => {
  const lines: string[] = [];
  const destination = {
    write: (line: string) => {
      lines.push(line);
    },
  };
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
    /environment variable LOG_LEVEL is "loud"; expected one of fatal, error, warn, info, debug, trace, silent/,
  );
});

test('logs when the server starts and stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  try {
    const lines: string[] = [];
    const configuration = await loadConfiguration('demo/donation-form.config.json');
    const database = join(folder, 'donations.sqlite');
    const endpoint = await createEndpoint({
      configuration: { ...configuration, admin: undefined, backgroundJobs: false, database },
      environment: {
        FUNDRAISING_API_KEY: 'p',
        PAYMENT_SECRET_KEY: 'sk_test_1',
        PAYMENT_WEBHOOK_SECRET: 'whsec_1',
      },
      log: createLogger('info', { write: (line) => lines.push(line) }),
    });
    endpoint.start();
    await endpoint.close();
    assert.deepEqual(
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .map(({ msg, version, database: location, organizations }) => [
          msg,
          version,
          location,
          organizations,
        ]),
      [
        ['started', readPackageVersion(), database, ['lanternwell']],
        ['stopped', undefined, undefined, undefined],
      ],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('docs/monitoring.md lists every logged field', () => {
  const [, logs = ''] = readFileSync('docs/monitoring.md', 'utf8').split('\n## Logs\n');
  const listed = logs
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  assert.deepEqual([...new Set(listed)].sort(), [...new Set<string>(LOGGED_FIELDS)].sort());
});
