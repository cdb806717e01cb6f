import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { rethrowDatabaseError } from '../../../src/server/database/database-error.ts';
import type { DonationPayload } from '../../../src/server/database/schema.ts';
import type { Readiness } from '../../../src/server/observability/readiness.ts';
import { createNoPlatformAdapter } from '../../../src/server/platform/platforms.ts';
import { serve } from '../../../src/server/serve.ts';
import { waitUntil } from '../../wait-until.ts';
import { findFreePort, LOOPBACK } from '../loopback.ts';
import {
  CARDS,
  configuration,
  createIdempotencyKey,
  readOutcome,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { KEYS } from '../test-environment.ts';

const fetchReadiness = async (server: TestServer): Promise<{ status: number } & Readiness> => {
  const response = await server.fetchAdmin('/readyz');
  return { status: response.status, ...((await response.json()) as Readiness) };
};
/** Finds the samples of a metric, such as `{status="succeeded"} 1`. */
const findSamples = (text: string, name: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => line.slice(name.length));
const fetchMetrics = async (server: TestServer): Promise<string> =>
  (await server.fetchAdmin('/metrics')).text();
const fetchSamples = async (server: TestServer, name: string): Promise<string[]> =>
  findSamples(await fetchMetrics(server), name);
/** Makes calls that record a gift fail. */
const rejectGifts: TestServerOptions['intercept'] = async (request, next) =>
  request.url.includes('/sandbox/gifts') ? new Response('{}', { status: 503 }) : next(request);

/** A donation that is saved without a request. */
const createDonation = (
  reference: string,
  organization = 'lanternwell',
): Parameters<TestServer['repository']['insertPledge']>[0] => ({
  reference,
  idempotencyKeyHash: reference,
  fingerprint: 'f',
  organization,
  payload: { donor: {}, gift: {}, payment: { provider: 'stripe' } } as DonationPayload,
});
const insertDonation = ({ repository }: TestServer, ...names: [string, string?]) =>
  repository.insertDonation({ ...createDonation(...names), dueAt: Date.now() + 60_000 });
const markNeedsReview = async ({ repository }: TestServer, reference: string) =>
  repository.applyTrigger(
    (await repository.findByReference(reference))!,
    { type: 'contradicted' },
    { columns: { paymentId: 'p', lastError: 'other amount' } },
  );

test('counts requests by route pattern, and never by client input', async () => {
  await using server = await startServer();
  for (const path of [
    '/canary-1',
    '/canary-2?email=canary@example.org',
    '/donations/canary',
    '/countries/canary',
    '/links/preview/canary',
    '/donation-form.canary.js',
    '/form',
    '/form?id=canary',
  ])
    await server.fetch(path);
  for (const method of ['DELETE', 'PROPFIND']) await server.fetch('/form', { method });
  const text = await fetchMetrics(server);
  const counts = findSamples(text, 'donation_form_http_request_duration_seconds_count');
  assert.deepEqual(counts.sort(), [
    '{method="GET",route="/:name",status="404"} 1',
    '{method="GET",route="/countries/:code",status="404"} 1',
    '{method="GET",route="/form",status="200"} 1',
    '{method="GET",route="/form",status="404"} 1',
    '{method="GET",route="/links/preview/:form",status="404"} 1',
    '{method="GET",route="unknown",status="404"} 3',
    '{method="other",route="/form",status="405"} 2',
  ]);
  assert.ok(!text.includes('canary'));
});

test('counts donations by organization, provider, and status, starting at zero', async () => {
  await using server = await startServer();
  const findDonationSamples = async (): Promise<string[]> =>
    (await fetchSamples(server, 'donation_form_donations_total')).filter(
      (line) => !line.endsWith(' 0') && line.includes('stripe'),
    );
  assert.deepEqual(
    [
      await findDonationSamples(),
      (await fetchSamples(server, 'donation_form_donations_total')).length,
    ],
    [[], 14],
  );
  const key = createIdempotencyKey();
  const request = await server.createRequest();
  await server.postDonation(request, { key });
  await server.postDonation(request, { key });
  await server.postDonation(await server.createRequest({ card: CARDS.declined }));
  assert.deepEqual(await findDonationSamples(), [
    '{organization="lanternwell",provider="stripe",status="accepted"} 2',
    '{organization="lanternwell",provider="stripe",status="succeeded"} 1',
    '{organization="lanternwell",provider="stripe",status="failed"} 1',
  ]);
});

test('reports the number and age of undelivered outbox events, and the end of the backoff', async () => {
  let now = Date.now();
  await using server = await startServer({
    now: () => now,
    intercept: rejectGifts,
  });
  await server.postDonation(await server.createRequest());
  now += 1_000;
  const text = await fetchMetrics(server);
  const [backoffUntil] = findSamples(
    text,
    'donation_form_platform_backoff_until_timestamp_seconds',
  );
  assert.deepEqual(
    [
      findSamples(text, 'donation_form_outbox_events'),
      findSamples(text, 'donation_form_outbox_oldest_seconds'),
      findSamples(text, 'donation_form_database_up'),
    ],
    [
      [
        '{organization="lanternwell",status="pending"} 1',
        '{organization="lanternwell",status="needs_review"} 0',
        '{organization="lanternwell",status="manual"} 0',
      ],
      ['{organization="lanternwell"} 1'],
      [' 1'],
    ],
  );
  assert.equal(backoffUntil, `{organization="lanternwell"} ${(now + 1_000) / 1_000}`);
  assert.deepEqual(
    [(await fetchReadiness(server)).status, (await fetchReadiness(server)).checks.quota?.state],
    [200, 'warning'],
  );
  now += 900_000;
  // A result is reused for a second.
  await waitUntil(
    async () =>
      (await fetchReadiness(server)).checks.outbox?.organizations.lanternwell?.oldestSeconds ===
      901,
  );
  const {
    status,
    ready,
    checks: { outbox, database },
  } = await fetchReadiness(server);
  assert.deepEqual(
    [status, ready, database.state, outbox],
    [
      200,
      true,
      'ok',
      {
        state: 'warning',
        most: 900,
        organizations: { lanternwell: { waiting: 1, oldestSeconds: 901 } },
      },
    ],
  );
});

test('omits the quota reset before the first call, and the quota without a platform', async () => {
  await using server = await startServer();
  await using repository = await startServer({ changePlatform: () => createNoPlatformAdapter() });
  const before = (await fetchReadiness(server)).checks.quota!.organizations;
  assert.deepEqual(before, { lanternwell: { limit: 1_500, used: 0 } });
  assert.deepEqual((await fetchReadiness(repository)).checks.quota!.organizations, {});
  assert.deepEqual(await fetchSamples(repository, 'donation_form_api_quota_limit_calls'), []);
  await server.postDonation(await server.createRequest());
  await server.handler.runJobs();
  assert.deepEqual(await fetchSamples(server, 'donation_form_api_quota_used_calls'), [
    '{organization="lanternwell"} 1',
  ]);
  assert.equal(
    (await fetchSamples(server, 'donation_form_api_quota_resets_timestamp_seconds')).length,
    1,
  );
});

test('does not count an invalid decision as a failed database write', async () => {
  await using server = await startServer();
  await assert.rejects(
    server.repository.reviewDecisions.applyAndSaveDecision({
      reference: 'NONE',
      decision: 'succeeded',
      by: 'Ana',
      note: '',
    }),
    { name: 'InvalidDecisionError' },
  );
  assert.deepEqual(
    (await fetchSamples(server, 'donation_form_database_write_duration_seconds_count')).filter(
      (line) => line.includes('failed'),
    ),
    ['{result="failed"} 0'],
  );
});

test('counts donations that need review', async () => {
  await using server = await startServer({
    changePlatform: (platform) => ({ createGift: (gift) => platform.createGift(gift) }),
    intercept: async (request, next) => {
      const response = await next(request);
      if (request.url.endsWith('/sandbox/gifts')) throw new TypeError('lost');
      return response;
    },
  });
  await server.postDonation(await server.createRequest());
  await insertDonation(server, 'HELD');
  await markNeedsReview(server, 'HELD');
  const text = await fetchMetrics(server);
  assert.ok(
    findSamples(text, 'donation_form_donations_in_progress').includes(
      '{organization="lanternwell",status="needs_review"} 1',
    ),
    text,
  );
  assert.match(
    text,
    /donation_form_donations_total\{organization="lanternwell",provider="stripe",status="needs_review"\} 1/,
  );
});

test('counts the status that a review decision gives a donation', async () => {
  await using server = await startServer();
  const reference = 'charged-after-all';
  await insertDonation(server, reference);
  await markNeedsReview(server, reference);
  await server.repository.reviewDecisions.applyAndSaveDecision({
    reference,
    decision: 'failed',
    by: 'Ana',
    note: '',
  });
  assert.deepEqual(
    (await fetchSamples(server, 'donation_form_donations_total')).filter(
      (line) => line.includes('"stripe"') && !line.endsWith(' 0'),
    ),
    ['accepted', 'needs_review', 'payment-failed'].map(
      (status) => `{organization="lanternwell",provider="stripe",status="${status}"} 1`,
    ),
  );
});

test('counts unfinished work of organizations that are not configured, without pledges', async () => {
  await using server = await startServer({
    intercept: rejectGifts,
  });
  const findOrphanSamples = async (): Promise<string[][]> => {
    const text = await fetchMetrics(server);
    return ['donation_form_orphaned_donations', 'donation_form_orphaned_events'].map((name) =>
      findSamples(text, name),
    );
  };
  await server.postDonation(await server.createRequest());
  await server.repository.insertPledge(createDonation('PROMISED'));
  await insertDonation(server, 'CHARGING');
  assert.deepEqual(await findOrphanSamples(), [[], []]);
  for (const table of ['donations', 'outbox'] as const)
    await server.database.db.updateTable(table).set({ organization: 'renamed' }).execute();
  await insertDonation(server, 'DECLINED', 'removed');
  await server.database.db
    .updateTable('donations')
    .set({ status: 'failed' })
    .where('reference', '=', 'DECLINED')
    .execute();
  assert.deepEqual(await findOrphanSamples(), [
    ['{organization="renamed"} 1'],
    ['{organization="renamed"} 2'],
  ]);
});

test('measures database writes, and counts failed ones separately', async () => {
  await using server = await startServer();
  await server.postDonation(await server.createRequest());
  await assert.rejects(server.database.writer.write(() => Promise.reject(new Error('no'))));
  const refusal = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  await assert.rejects(
    server.database.writer.write(() => Promise.reject(refusal).catch(rethrowDatabaseError)),
  );
  const counts = (
    await fetchSamples(server, 'donation_form_database_write_duration_seconds_count')
  ).map((line) => line.split(' '));
  assert.deepEqual(
    [counts.map(([labels]) => labels), Number(counts[0]?.[1]) >= 3, counts[1]?.[1], counts[2]?.[1]],
    [['{result="done"}', '{result="failed"}', '{result="unreachable"}'], true, '1', '1'],
  );
});

test('reports not ready and the database as down if it cannot be written', async () => {
  const server = await startServer();
  await server.handler.stop();
  await server.database.close();
  const { status, ready, checks } = await fetchReadiness(server);
  const text = await fetchMetrics(server);
  assert.deepEqual(
    [
      status,
      ready,
      checks.database.state,
      checks.outbox,
      findSamples(text, 'donation_form_database_up'),
      findSamples(text, 'donation_form_outbox_events'),
    ],
    [503, false, 'failing', undefined, [' 0'], []],
  );
  assert.match(text, /process_cpu_seconds_total/);
});

test('reports not ready while stopping', async () => {
  await using server = await startServer();
  assert.equal((await fetchReadiness(server)).ready, true);
  server.readiness.markNotReady();
  const {
    status,
    checks: { running, database },
  } = await fetchReadiness(server);
  assert.deepEqual([status, running.state, database.state], [503, 'failing', 'ok']);
});

test('logs one line per request with its ID, route, organization, and donation or problem', async () => {
  await using server = await startServer();
  const response = await server.postDonation(await server.createRequest());
  const { reference } = await readOutcome(response.clone());
  const line = JSON.parse(server.logLines.find((one) => one.includes('"/donations"'))!) as object;
  assert.partialDeepStrictEqual(line, {
    request: response.headers.get('X-Request-Id'),
    method: 'POST',
    route: '/donations',
    status: 200,
    organization: 'lanternwell',
    reference,
  });
  assert.match(JSON.stringify(line), /"milliseconds":\d/);
  const refused = await server.postDonation('{');
  assert.deepEqual(
    [refused.status, (JSON.parse(server.logLines.at(-1)!) as Record<string, unknown>).problem],
    [400, 'malformed-json'],
  );
});

test('reports not ready if the database can be read but not written, such as on a full disk', async () => {
  await using server = await startServer();
  await sql
    .raw(server.database.isShared ? 'DROP TABLE health_probes' : 'PRAGMA query_only = ON')
    .execute(server.database.db);
  const {
    status,
    checks: { database },
  } = await fetchReadiness(server);
  assert.deepEqual(
    [status, database.state, await fetchSamples(server, 'donation_form_database_up')],
    [503, 'failing', [' 1']],
  );
});

test('reports a broken database even if the clock was set back', async () => {
  let ahead = 3 * 3_600_000;
  await using server = await startServer({ now: () => Date.now() + ahead });
  assert.equal((await fetchReadiness(server)).status, 200);
  ahead = 0;
  await sql`DROP TABLE health_probes`.execute(server.database.db);
  await waitUntil(async () => (await fetchReadiness(server)).status === 503);
});

test('reports not ready until the last request is finished during shutdown', async () => {
  const port = await findFreePort();
  const server = await serve({
    configuration: {
      ...configuration,
      listen: { ...configuration.listen, ...LOOPBACK },
      admin: { host: '127.0.0.1', port },
      database: join(createFolder(), 's.sqlite'),
    },
    environment: { ...KEYS, LOG_LEVEL: 'silent' },
  });
  const getReadinessStatus = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  assert.equal(await getReadinessStatus(), 200);
  const late = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(late, 'connect');
  late.write(
    'POST /settings-report HTTP/1.1\r\nHost: x\r\nOrigin: http://127.0.0.1:4100\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  // A response to a later request proves that the server has read the beginning of this one.
  await (await fetch(`${server.url}/healthz`)).text();
  const ended = server.close();
  assert.equal(await getReadinessStatus(), 503);
  late.write('}');
  const [answer] = (await once(late, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 400 /);
  late.destroy();
  await ended;
  await assert.rejects(getReadinessStatus());
});
