import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiQuota, CallDeferredError } from '../../../src/server/platform/api-quota.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  HOUR,
  MINUTE,
  createPlatform,
  SECOND,
  useUpQuota,
  START,
  runJobsUntil,
} from './api-quota-support.ts';
import { formWithPayments } from '../payments/support.ts';
import { openTestDatabase } from '../test-database.ts';
import { startServer } from '../support.ts';

test('shares the hourly quota between two servers, and keeps it across a restart', async () => {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  await using one = await openTestDatabase(file);
  await using other = await openTestDatabase(file);
  let time = START;
  const { fetch, calls } = createPlatform();
  const quotas = [one, other].map(
    (database) => new ApiQuota({ database, organization: 'o', limit: 40, now: () => time }),
  );
  const spent = await Promise.all(
    quotas.map((quota) => useUpQuota(quota.createCountingFetch('gifts', fetch))),
  );
  assert.deepEqual([calls(), spent.every(({ until }) => until === START + HOUR)], [40, true]);
  time = START + HOUR - 1;
  assert.equal(
    (
      await useUpQuota(
        new ApiQuota({
          database: one,
          organization: 'o',
          limit: 40,
          now: () => time,
        }).createCountingFetch('gifts', fetch),
      )
    ).callCount,
    0,
  );
  time = START + HOUR;
  assert.equal((await useUpQuota(quotas[1]!.createCountingFetch('gifts', fetch))).callCount, 40);
});

test('waits on one server while the other probes whether the platform has recovered', async () => {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  await using one = await openTestDatabase(file);
  await using other = await openTestDatabase(file);
  let time = START;
  let calls = 0;
  let sendResponse: (response: Response) => void = () => undefined;
  const answered = new Promise<Response>((resolve) => {
    sendResponse = resolve;
  });
  const [trying, waiting] = [one, other].map((database) =>
    new ApiQuota({ database, organization: 'o', now: () => time }).createCountingFetch(
      'gifts',
      () => {
        calls += 1;
        return answered;
      },
    ),
  ) as [typeof fetch, typeof fetch];
  await new ApiQuota({ database: one, organization: 'o', now: () => time }).extendBackoff({
    isLimited: false,
  });
  time += MINUTE;
  const attempts = [trying, trying, waiting, waiting].map((call) =>
    call('https://platform.example'),
  );
  let refused = 0;
  for (const attempt of attempts)
    attempt.catch((error: unknown) => {
      if (error instanceof CallDeferredError) refused += 1;
    });
  await waitUntil(() => refused === 3);
  sendResponse(new Response());
  const statuses = (await Promise.allSettled(attempts)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), ['fulfilled', 'rejected', 'rejected', 'rejected']);
  assert.equal((await waiting('https://platform.example')).status, 200);
  assert.equal(calls, 2);
});

test('obeys the longest wait that the platform requests of two servers', async () => {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  await using one = await openTestDatabase(file);
  await using other = await openTestDatabase(file);
  let time = START;
  const [first, second] = [one, other].map(
    (database) => new ApiQuota({ database, organization: 'o', now: () => time }),
  ) as [ApiQuota, ApiQuota];
  const end = START + 30 * MINUTE;
  await first.extendBackoff({ retryAt: new Date(end), isLimited: true });
  assert.equal(await second.extendBackoff({ isLimited: false }), end);
  assert.equal((await second.getQuotaState()).backoffUntil?.getTime(), end);
  time -= 24 * HOUR;
  const restarted = await second.extendBackoff({ isLimited: false });
  assert.ok(restarted <= time + MINUTE, 'a backoff from before the clock was set back');
});

test('keeps the backoff that one server starts during a successful call by the other', async () => {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  await using one = await openTestDatabase(file);
  await using other = await openTestDatabase(file);
  let time = START;
  const [failing, succeeding] = [one, other].map(
    (database) => new ApiQuota({ database, organization: 'o', now: () => time }),
  ) as [ApiQuota, ApiQuota];
  await failing.extendBackoff({ isLimited: false });
  time += MINUTE;
  const end = time + 30 * MINUTE;
  await succeeding.createCountingFetch('gifts', async () => {
    await failing.extendBackoff({ retryAt: new Date(end), isLimited: true });
    return new Response();
  })('https://platform.example');
  await succeeding.endBackoff();
  assert.equal((await failing.getQuotaState()).backoffUntil?.getTime(), end);
});

test('applies the limit and usage that the platform reports, including calls made elsewhere with the same key', async () => {
  await using database = await openTestDatabase();
  const reset = String((START + 10 * MINUTE) / 1_000);
  const { fetch } = createPlatform(() => ({
    'X-RateLimit-Limit': '200',
    'X-RateLimit-Remaining': '3',
    'X-RateLimit-Reset': reset,
  }));
  const quota = new ApiQuota({ database, organization: 'o', now: () => START });
  const { callCount: made, until } = await useUpQuota(quota.createCountingFetch('gifts', fetch));
  assert.deepEqual([made, until], [4, START + 10 * MINUTE]);
  assert.deepEqual(await quota.getQuotaState(), {
    limit: 200,
    used: 200,
    resetsAt: new Date(START + 10 * MINUTE),
    backoffUntil: undefined,
  });
});

test('sends later gifts if only the lookup of one gift fails', async () => {
  let time = START;
  let lost: string | undefined;
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    hourlyLimit: 10_000,
    intercept: async (request, next) => {
      if (
        lost === undefined &&
        request.method === 'POST' &&
        request.url.endsWith('/sandbox/gifts')
      ) {
        lost = ((await request.clone().json()) as { reference: string }).reference;
        throw new TypeError('the answer is lost');
      }
      return request.method === 'GET' &&
        lost !== undefined &&
        request.url.endsWith(`reference=${lost}`)
        ? new Response('oops', { status: 500 })
        : next(request);
    },
  });
  for (let gift = 0; gift < 4; gift += 1) {
    time += 10;
    await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } }));
  }
  await runJobsUntil(
    server,
    async () => (await server.listActivities()).length === 3,
    () => {
      time += SECOND;
    },
  );
  assert.equal((await server.listActivities()).length, 3);
});
