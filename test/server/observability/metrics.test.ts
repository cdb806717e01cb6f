import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createNoPlatform } from '../../../src/server/platform/no-platform.ts';
import { serve } from '../../../src/server/serve.ts';
import type { Readiness } from '../../../src/server/observability/readiness.ts';
import { waitUntil } from '../../wait-until.ts';
import { CARDS, newKey, openDesk, ORIGIN, outcomeOf, type Desk } from '../support.ts';
import type { DonationPayload } from '../../../src/server/database/schema.ts';

const ask = async ({ admin }: Desk, path: string): Promise<Response> =>
  admin(new Request(`http://127.0.0.1${path}`));
const readiness = async (desk: Desk): Promise<{ status: number } & Readiness> => {
  const response = await ask(desk, '/readyz');
  return { status: response.status, ...((await response.json()) as Readiness) };
};
/** The samples of a metric, such as `{status="succeeded"} 1`, without the labels that are named. */
const samples = (text: string, name: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => line.slice(name.length));
const metrics = async (desk: Desk): Promise<string> => (await ask(desk, '/metrics')).text();

test('every request is counted by the pattern of its path, and by nothing that somebody wrote', async () => {
  await using desk = await openDesk();
  const get = async (path: string, method = 'GET'): Promise<Response> =>
    desk.handler.fetch(new Request(`https://give.example${path}`, { method }));
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
    await get(path);
  await get('/form', 'DELETE');
  await get('/form', 'PROPFIND');
  const text = await metrics(desk);
  const counted = samples(text, 'donation_form_http_request_duration_seconds_count');
  assert.deepEqual(counted.sort(), [
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

test('gifts are counted by organisation, provider and what they came to, from nothing on', async () => {
  await using desk = await openDesk();
  const gifts = async (): Promise<string[]> =>
    samples(await metrics(desk), 'donation_form_donations_total').filter(
      (line) => !line.endsWith(' 0') && line.includes('sandbox'),
    );
  assert.deepEqual(
    [await gifts(), samples(await metrics(desk), 'donation_form_donations_total').length],
    [[], 14],
  );
  const key = newKey();
  const request = await desk.request();
  await desk.post(request, { key });
  await desk.post(request, { key });
  await desk.post(await desk.request({ card: CARDS.declined }));
  assert.deepEqual(await gifts(), [
    '{organization="lanternwell",provider="sandbox",status="accepted"} 2',
    '{organization="lanternwell",provider="sandbox",status="succeeded"} 1',
    '{organization="lanternwell",provider="sandbox",status="failed"} 1',
  ]);
});

test('what the platform has not been told is counted, with its age, and so is until when it is left alone', async () => {
  let now = Date.now();
  await using desk = await openDesk({
    now: () => now,
    between: async (request, next) =>
      request.url.includes('/sandbox/gifts') ? new Response('{}', { status: 503 }) : next(request),
  });
  await desk.post(await desk.request());
  now += 1_000;
  const text = await metrics(desk);
  const [backoffUntil] = samples(text, 'donation_form_platform_backoff_until_timestamp_seconds');
  assert.deepEqual(
    [
      samples(text, 'donation_form_outbox_events'),
      samples(text, 'donation_form_outbox_oldest_seconds'),
      samples(text, 'donation_form_database_up'),
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
    [(await readiness(desk)).status, (await readiness(desk)).checks.quota?.state],
    [200, 'warning'],
  );
  now += 900_000;
  // A result is reused for a second.
  await waitUntil(
    async () =>
      (await readiness(desk)).checks.outbox?.organizations.lanternwell?.oldestSeconds === 901,
  );
  const {
    status,
    ready,
    checks: { outbox, database },
  } = await readiness(desk);
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

test('an hour that has not begun has no end, and who has no platform has no hour', async () => {
  await using desk = await openDesk();
  await using repository = await openDesk({ platform: () => createNoPlatform() });
  const before = (await readiness(desk)).checks.quota!.organizations;
  assert.deepEqual(before, { lanternwell: { limit: 1_500, used: 0 } });
  assert.deepEqual((await readiness(repository)).checks.quota!.organizations, {});
  assert.deepEqual(samples(await metrics(repository), 'donation_form_api_quota_limit_calls'), []);
  await desk.post(await desk.request());
  await desk.handler.runJobs();
  assert.deepEqual(samples(await metrics(desk), 'donation_form_api_quota_used_calls'), [
    '{organization="lanternwell"} 1',
  ]);
  assert.equal(
    samples(await metrics(desk), 'donation_form_api_quota_resets_timestamp_seconds').length,
    1,
  );
});

test('what a person may not decide is no failed write of the database', async () => {
  await using desk = await openDesk();
  await assert.rejects(
    desk.repository.reviewDecisions.decide({
      reference: 'NONE',
      decision: 'succeeded',
      by: 'Ana',
      note: '',
    }),
    { name: 'InvalidDecisionError' },
  );
  assert.deepEqual(
    samples(await metrics(desk), 'donation_form_database_write_duration_seconds_count').filter(
      (line) => line.includes('failed'),
    ),
    ['{result="failed"} 0'],
  );
});

test('gifts that wait for a person are counted', async () => {
  await using desk = await openDesk({
    canFind: false,
    between: async (request, next) => {
      const response = await next(request);
      if (request.url.endsWith('/sandbox/gifts')) throw new TypeError('lost');
      return response;
    },
  });
  await desk.post(await desk.request());
  await desk.repository.insert({
    reference: 'HELD',
    idempotency_key_hash: 'h',
    fingerprint: 'f',
    organization: 'lanternwell',
    payload: { payment: { provider: 'sandbox' } } as DonationPayload,
    dueAt: Date.now() + 60_000,
  });
  await desk.repository.markNeedsReview(
    (await desk.repository.findByReference('HELD'))!,
    { payment_id: 'p', subscription_id: null, payment_method: null },
    'other amount',
  );
  const text = await metrics(desk);
  assert.ok(
    samples(text, 'donation_form_donations_in_progress').includes(
      '{organization="lanternwell",status="needs_review"} 1',
    ),
    text,
  );
  assert.match(
    text,
    /donation_form_donations_total\{organization="lanternwell",provider="sandbox",status="needs_review"\} 1/,
  );
});

test('what waits of an organisation that the configuration does not have is counted, promises and what is finished left out', async () => {
  await using desk = await openDesk({
    between: async (request, next) =>
      request.url.includes('/sandbox/gifts') ? new Response('{}', { status: 503 }) : next(request),
  });
  const orphaned = async (): Promise<string[][]> => {
    const text = await metrics(desk);
    return ['donation_form_orphaned_donations', 'donation_form_orphaned_events'].map((name) =>
      samples(text, name),
    );
  };
  const gift = (
    reference: string,
    organization: string,
  ): Parameters<Desk['repository']['insertPledge']>[0] => ({
    reference,
    idempotency_key_hash: reference,
    fingerprint: 'f',
    organization,
    payload: { payment: { provider: 'sandbox' } } as DonationPayload,
  });
  const accept = (reference: string, organization: string): Promise<unknown> =>
    desk.repository.insert({ ...gift(reference, organization), dueAt: Date.now() + 60_000 });
  await desk.post(await desk.request());
  await desk.repository.insertPledge(gift('PROMISED', 'lanternwell'));
  await accept('CHARGING', 'lanternwell');
  assert.deepEqual(await orphaned(), [[], []]);
  for (const table of ['donations', 'outbox'] as const)
    await desk.database.db.updateTable(table).set({ organization: 'renamed' }).execute();
  await accept('DECLINED', 'removed');
  await desk.database.db
    .updateTable('donations')
    .set({ status: 'failed' })
    .where('reference', '=', 'DECLINED')
    .execute();
  assert.deepEqual(await orphaned(), [
    ['{organization="renamed"} 1'],
    ['{organization="renamed"} 2'],
  ]);
});

test('writes of the database are measured, those that fail apart', async () => {
  await using desk = await openDesk();
  await desk.post(await desk.request());
  await assert.rejects(desk.database.writer.write(() => Promise.reject(new Error('no'))));
  const counts = samples(
    await metrics(desk),
    'donation_form_database_write_duration_seconds_count',
  ).map((line) => line.split(' '));
  assert.deepEqual(
    [counts.map(([labels]) => labels), Number(counts[0]?.[1]) >= 3, counts[1]?.[1]],
    [['{result="done"}', '{result="failed"}'], true, '1'],
  );
});

test('a server whose database keeps nothing is not ready, and metrics say that the database is down', async () => {
  const desk = await openDesk();
  await desk.handler.stop();
  await desk.database.close();
  const { status, ready, checks } = await readiness(desk);
  const text = await metrics(desk);
  assert.deepEqual(
    [
      status,
      ready,
      checks.database.state,
      checks.outbox,
      samples(text, 'donation_form_database_up'),
      samples(text, 'donation_form_outbox_events'),
    ],
    [503, false, 'failing', undefined, [' 0'], []],
  );
  assert.match(text, /process_cpu_seconds_total/);
});

test('a server that is about to end is not ready', async () => {
  await using desk = await openDesk();
  assert.equal((await readiness(desk)).ready, true);
  desk.readiness.markNotReady();
  const {
    status,
    checks: { running, database },
  } = await readiness(desk);
  assert.deepEqual([status, running.state, database.state], [503, 'failing', 'ok']);
});

test('one log line a request names its id, what was asked, the organisation, and the gift or why it was refused', async () => {
  await using desk = await openDesk();
  const response = await desk.post(await desk.request());
  const { reference } = await outcomeOf(response.clone());
  const line = JSON.parse(desk.logged.find((one) => one.includes('"/donations"'))!) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    [
      line.request,
      line.method,
      line.route,
      line.status,
      line.organization,
      line.reference,
      typeof line.milliseconds,
    ],
    [
      response.headers.get('X-Request-Id'),
      'POST',
      '/donations',
      200,
      'lanternwell',
      reference,
      'number',
    ],
  );
  const refused = await desk.post('{', { headers: { Origin: ORIGIN } });
  assert.deepEqual(
    [refused.status, (JSON.parse(desk.logged.at(-1)!) as Record<string, unknown>).problem],
    [400, 'malformed-json'],
  );
});

test('a server whose database can be read and not written, such as on a full disk, is not ready', async () => {
  await using desk = await openDesk();
  await sql
    .raw(desk.database.isShared ? 'DROP TABLE health_probes' : 'PRAGMA query_only = ON')
    .execute(desk.database.db);
  const {
    status,
    checks: { database },
  } = await readiness(desk);
  assert.deepEqual(
    [status, database.state, samples(await metrics(desk), 'donation_form_database_up')],
    [503, 'failing', [' 1']],
  );
});

test('reports a broken database although the clock was put back', async () => {
  let ahead = 3 * 3_600_000;
  await using desk = await openDesk({ now: () => Date.now() + ahead });
  assert.equal((await readiness(desk)).status, 200);
  ahead = 0;
  await sql`DROP TABLE health_probes`.execute(desk.database.db);
  await waitUntil(async () => (await readiness(desk)).status === 503);
});

test('while a server ends, it says that it is not ready until its last request is answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const free = await listen(() => new Response(), { host: '127.0.0.1', port: 0 });
  const port = Number(new URL(free.url).port);
  await free.close();
  const { organizations } = await loadConfiguration('demo/donation-form.config.json');
  const environment = {
    FUNDRAISING_API_KEY: 'a',
    PAYMENT_SECRET_KEY: 'b',
    PAYMENT_WEBHOOK_SECRET: 'c',
    LOG_LEVEL: 'silent',
  };
  const server = await serve({
    configuration: {
      listen: { host: '127.0.0.1', port: 0, trustedProxies: 0 },
      admin: { host: '127.0.0.1', port },
      database: join(folder, 's.sqlite'),
      organizations,
    },
    environment,
  });
  const state = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  assert.equal(await state(), 200);
  const late = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(late, 'connect');
  late.write(
    'POST /settings-report HTTP/1.1\r\nHost: x\r\nOrigin: http://127.0.0.1:4100\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  );
  // Once it answers a later request, it has read the beginning of this one.
  await (await fetch(`${server.url}/healthz`)).text();
  const ended = server.close();
  assert.equal(await state(), 503);
  late.write('}');
  const [answer] = (await once(late, 'data')) as [Buffer];
  assert.match(String(answer), /^HTTP\/1\.1 400 /);
  late.destroy();
  await ended;
  await assert.rejects(state());
  await rm(folder, { recursive: true });
});
