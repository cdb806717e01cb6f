import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../../src/server/database/database.ts';
import { CallDeferredError } from '../../../src/server/platform/api-quota.ts';
import { waitUntil } from '../../wait-until.ts';
import { dropRequest, isGiftCreation, respondWith } from '../donations/faults.ts';
import { openTestDatabase } from '../test-database.ts';
import {
  createPlatform,
  createQuota,
  HOUR,
  MINUTE,
  PLATFORM_URL,
  PLEDGE,
  runJobsUntilRecorded,
  SECOND,
  START,
  startPledgeServer,
  useUpQuota,
} from './api-quota-support.ts';

/** Opens a database for two servers. */
async function openSharedDatabase(): Promise<
  AsyncDisposable & { readonly databases: readonly [Database, Database] }
> {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  const databases = [await openTestDatabase(file), await openTestDatabase(file)] as const;
  return {
    databases,
    async [Symbol.asyncDispose]() {
      for (const database of databases) await database.close();
    },
  };
}

test('shares the hourly quota between two servers, and keeps it across a restart', async () => {
  await using shared = await openSharedDatabase();
  const [one, other] = shared.databases;
  let time = START;
  const { fetch, calls } = createPlatform();
  const createCall = (database: Database) =>
    createQuota(database, { limit: 40, now: () => time }).createCountingFetch('gifts', fetch);
  const calling = createCall(other);
  const spent = await Promise.all([useUpQuota(createCall(one)), useUpQuota(calling)]);
  assert.deepEqual([calls(), spent.every(({ until }) => until === START + HOUR)], [40, true]);
  time = START + HOUR - 1;
  assert.equal((await useUpQuota(createCall(one))).callCount, 0);
  time = START + HOUR;
  assert.equal((await useUpQuota(calling)).callCount, 40);
});

test('waits, on each server, while one call probes whether the platform has recovered', async () => {
  await using shared = await openSharedDatabase();
  let time = START;
  let calls = 0;
  const answered = Promise.withResolvers<Response>();
  const [quota, otherQuota] = shared.databases.map((database) =>
    createQuota(database, { now: () => time }),
  );
  const [trying, waiting] = [quota!, otherQuota!].map((each) =>
    each.createCountingFetch('gifts', () => {
      calls += 1;
      return answered.promise;
    }),
  ) as [typeof fetch, typeof fetch];
  await quota!.extendBackoff({ isLimited: false });
  time += MINUTE;
  const attempts = [trying, trying, waiting, waiting].map((call) => call(PLATFORM_URL));
  let refused = 0;
  for (const attempt of attempts)
    attempt.catch((error: unknown) => {
      if (error instanceof CallDeferredError) refused += 1;
    });
  await waitUntil(() => refused === 3);
  answered.resolve(new Response());
  const statuses = (await Promise.allSettled(attempts)).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), ['fulfilled', 'rejected', 'rejected', 'rejected']);
  assert.equal((await waiting(PLATFORM_URL)).status, 200);
  assert.equal(calls, 2);
});

test('obeys the longest wait that the platform requests of two servers', async () => {
  await using shared = await openSharedDatabase();
  let time = START;
  const [first, second] = shared.databases.map((database) =>
    createQuota(database, { now: () => time }),
  );
  const end = START + 30 * MINUTE;
  await first!.extendBackoff({ retryAt: new Date(end), isLimited: true });
  assert.equal(await second!.extendBackoff({ isLimited: false }), end);
  assert.equal((await second!.getQuotaState()).backoffUntil?.getTime(), end);
  time -= 24 * HOUR;
  const restarted = await second!.extendBackoff({ isLimited: false });
  assert.ok(restarted <= time + MINUTE, 'a backoff from before the clock was set back');
});

test('keeps the backoff that one server starts during a successful call by the other', async () => {
  await using shared = await openSharedDatabase();
  let time = START;
  const [failing, succeeding] = shared.databases.map((database) =>
    createQuota(database, { now: () => time }),
  );
  await failing!.extendBackoff({ isLimited: false });
  time += MINUTE;
  const end = time + 30 * MINUTE;
  await succeeding!.createCountingFetch('gifts', async () => {
    await failing!.extendBackoff({ retryAt: new Date(end), isLimited: true });
    return new Response();
  })(PLATFORM_URL);
  await succeeding!.endBackoff();
  assert.equal((await failing!.getQuotaState()).backoffUntil?.getTime(), end);
});

test('applies the limit and usage that the platform reports, including calls made elsewhere with the same key', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform({
    'X-RateLimit-Limit': '200',
    'X-RateLimit-Remaining': '3',
    'X-RateLimit-Reset': String((START + 10 * MINUTE) / 1_000),
  });
  const quota = createQuota(database);
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
  await using server = await startPledgeServer({
    now: () => time,
    intercept: async (request, next) => {
      if (lost === undefined && isGiftCreation(request)) {
        lost = ((await request.clone().json()) as { reference: string }).reference;
        return dropRequest(request, next);
      }
      const isLookup = request.method === 'GET' && request.url.endsWith(`reference=${lost}`);
      return isLookup ? respondWith(500)(request, next) : next(request);
    },
  });
  for (let gift = 0; gift < 4; gift += 1) {
    time += 10;
    await server.submitDonation(PLEDGE);
  }
  await runJobsUntilRecorded(server, 3, () => (time += SECOND));
});
