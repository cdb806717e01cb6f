import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiQuota, CallDeferredError } from '../../../src/server/platform/api-quota.ts';
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
import { waitUntil } from '../../wait-until.ts';
import { testPlatformOutage } from './outage.ts';
import { startServer, readOutcome } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';

test('reserves a fifth of the quota for gifts, and counts each organization separately', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const createQuota = (organization: string): ApiQuota =>
    new ApiQuota({ database, organization, limit: 10, now: () => START });
  assert.equal(
    (await useUpQuota(createQuota('o').createCountingFetch('reading', fetch))).callCount,
    8,
  );
  assert.equal(
    (await useUpQuota(createQuota('o').createCountingFetch('gifts', fetch))).callCount,
    2,
  );
  assert.equal(
    (await useUpQuota(createQuota('p').createCountingFetch('gifts', fetch))).callCount,
    10,
  );
});

test('counts each of the calls that start at the same time, and defers those that exceed the quota', async () => {
  let time = START;
  await using database = await openTestDatabase();
  const { fetch, calls } = createPlatform();
  const quota = new ApiQuota({ database, organization: 'o', limit: 50, now: () => time });
  const call = quota.createCountingFetch('gifts', fetch);
  const countStarted = async (count: number): Promise<number> => {
    const results = await Promise.allSettled(
      Array.from({ length: count }, () => call('https://platform.example')),
    );
    return results.filter(({ status }) => status === 'fulfilled').length;
  };
  for (const [count, started, used] of [
    [20, 20, 20],
    [20, 20, 40],
    [20, 10, 50],
  ] as const)
    assert.deepEqual(
      [await countStarted(count), (await quota.getQuotaState()).used],
      [started, used],
    );
  time += HOUR;
  assert.deepEqual([await countStarted(60), (await quota.getQuotaState()).used], [50, 50]);
  assert.equal(calls(), 100);
});

test("leaves other organizations' quotas unchanged", async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const quotas = ['o', 'p'].map(
    (organization) => new ApiQuota({ database, organization, limit: 10, now: () => START }),
  );
  for (const [index, quota] of [...quotas, ...quotas].entries())
    await useUpQuota(quota.createCountingFetch('gifts', fetch), index + 1);
  assert.deepEqual(
    await Promise.all(quotas.map(async (quota) => (await quota.getQuotaState()).used)),
    [4, 6],
  );
});

test('backs off for a minute and then twice as long each time if the quota is exhausted, and for seconds after other failures', async () => {
  for (const [isLimited, seconds] of [
    [true, [60, 120, 240, 480, 960, 1_920, 3_600]],
    [false, [2, 4, 8, 16, 32, 60, 60]],
  ] as const) {
    let time = START;
    await using database = await openTestDatabase();
    const quota = new ApiQuota({ database, organization: 'o', now: () => time });
    const delays: number[] = [];
    for (let failures = 0; failures < 7; failures += 1) {
      const end = await quota.extendBackoff({ isLimited });
      delays.push((end - time) / SECOND);
      time = end;
    }
    assert.deepEqual(delays, seconds);
  }
});

test('counts charges, and defers none of them', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const quota = new ApiQuota({ database, organization: 'o', limit: 2, now: () => START });
  const backoffUntil = new Date(await quota.extendBackoff({ isLimited: false }));
  assert.equal((await useUpQuota(quota.createCountingFetch('charges', fetch), 3)).callCount, 3);
  const { used, backoffUntil: end } = await quota.getQuotaState();
  assert.deepEqual([used, end], [3, backoffUntil], 'charges do not end a backoff');
  await assert.rejects(
    quota.createCountingFetch('gifts', fetch)('https://platform.example'),
    CallDeferredError,
  );
});

test('ignores rate-limit headers that are missing, negative, not numbers, in the past, or too far in the future', async () => {
  for (const [limit, remaining, reset] of [
    ['', '', ''],
    ['-1', '-5', '-1'],
    ['NaN', 'NaN', 'NaN'],
    ['1e9', '0x1', 'Infinity'],
    ['1500', '1499', '99999999999'],
    ['1500', '1499', '1'],
    ['1500', '1499', String(START)],
  ] as const) {
    await using database = await openTestDatabase();
    const { fetch } = createPlatform(() => ({
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-RateLimit-Reset': reset,
    }));
    const quota = new ApiQuota({ database, organization: 'o', now: () => START });
    await quota.createCountingFetch('gifts', fetch)('https://platform.example');
    assert.deepEqual(
      await quota.getQuotaState(),
      { limit: 1_500, used: 1, resetsAt: new Date(START + HOUR), backoffUntil: undefined },
      `${limit} ${remaining} ${reset}`,
    );
  }
});

test('backs off for at least 1 s and at most an hour, whatever the platform requests', async () => {
  for (const [retryAt, expected] of [
    [undefined, 2_000],
    [new Date(START - 5), 2_000],
    [new Date(START + 1), 1_000],
    [new Date(NaN), 2_000],
    [new Date(START + 30 * MINUTE), 30 * MINUTE],
    [new Date(START + 1_000 * HOUR), HOUR],
  ] as const) {
    await using database = await openTestDatabase();
    assert.equal(
      (await new ApiQuota({ database, organization: 'o', now: () => START }).extendBackoff({
        retryAt,
        isLimited: false,
      })) - START,
      expected,
    );
  }
});

test('calls a failing platform at most ten times in the first minutes, and again within 60 s of its recovery', async () => {
  await using database = await openTestDatabase();
  let time = START;
  let isDown = true;
  let calls = 0;
  const quota = new ApiQuota({ database, organization: 'o', now: () => time });
  const call = quota.createCountingFetch('gifts', async () => {
    calls += 1;
    return isDown ? Promise.reject(new TypeError('down')) : new Response();
  });
  const attemptCall = async (): Promise<boolean> => {
    try {
      await call('https://platform.example');
      await quota.endBackoff();
      return true;
    } catch (error) {
      if (!(error instanceof CallDeferredError)) await quota.extendBackoff({ isLimited: false });
      return false;
    }
  };
  for (let gift = 0; gift < 100; gift += 1, time += 2_000) await attemptCall();
  assert.ok(calls <= 10, `${calls} calls in 200 s`);
  isDown = false;
  const back = time;
  while (!(await attemptCall())) time += 1_000;
  assert.ok(time - back <= MINUTE, `${time - back} ms`);
  assert.equal((await quota.getQuotaState()).backoffUntil, undefined);
});

test('holds all other calls while one probes whether the platform has recovered', async () => {
  await using database = await openTestDatabase();
  let time = START;
  let calls = 0;
  const quota = new ApiQuota({ database, organization: 'o', now: () => time });
  await quota.extendBackoff({ isLimited: false });
  time += MINUTE;
  let sendResponse = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    sendResponse = resolve;
  });
  const call = quota.createCountingFetch('gifts', async () => {
    calls += 1;
    await answered;
    return new Response();
  });
  let refusals = 0;
  const attempts = Array.from({ length: 3 }, () =>
    call('https://platform.example').catch((error: unknown) => {
      assert.ok(error instanceof CallDeferredError);
      refusals += 1;
    }),
  );
  await waitUntil(() => refusals === 2);
  sendResponse();
  await Promise.all(attempts);
  assert.deepEqual([calls, refusals], [1, 2]);
  await call('https://platform.example');
  assert.equal(calls, 2);
});

test('makes a call at once if another call ends the backoff meanwhile', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const options = { organization: 'o', now: () => START };
  const other = new ApiQuota({ database, ...options });
  await other.createCountingFetch('gifts', fetch)('https://platform.example');
  await other.extendBackoff({ isLimited: false });
  const changed = {
    ...database,
    writer: {
      ...database.writer,
      write: async (work: never) => {
        const result = await database.writer.write(work);
        if (result === undefined) await other.endBackoff();
        return result;
      },
    },
  } as typeof database;
  const quota = new ApiQuota({ database: changed, ...options });
  assert.equal((await useUpQuota(quota.createCountingFetch('gifts', fetch), 2)).callCount, 2);
});

test('accepts 100 donations while the platform is down, and records them in order when it is back', () =>
  testPlatformOutage(100));

test('sends later gifts even if three changes always receive a 500', async () => {
  let time = START;
  let patched = 0;
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    hourlyLimit: 10_000,
    intercept: async (request, next) => {
      if (request.method !== 'PATCH') return next(request);
      patched += 1;
      return new Response('oops', { status: 500 });
    },
  });
  let options = 0;
  const donateAndGetReference = async (): Promise<string> =>
    (
      await readOutcome(
        await server.postDonation(
          await server.createRequest({
            payment: { provider: 'offline' },
            donor: { email: `${(options += 1)}@example.org` },
          }),
        ),
      )
    ).reference;
  const references = [
    await donateAndGetReference(),
    await donateAndGetReference(),
    await donateAndGetReference(),
  ];
  await runJobsUntil(
    server,
    async () => (await server.listGifts()).length === 3,
    () => {
      time += SECOND;
    },
  );
  for (const reference of references)
    await server.repository.outbox.insertEntries('lanternwell', [
      {
        id: `refund ${reference}`,
        kind: 'refund',
        reference,
        payload: { at: time, amount: 100, refunded: 100 },
      },
    ]);
  server.handler.start();
  for (let gift = 0; gift < 5; gift += 1) await donateAndGetReference();
  const seconds = await runJobsUntil(
    server,
    async () => (await server.listGifts()).length === 8,
    () => {
      time += SECOND;
    },
  );
  assert.ok(seconds <= 300, `${seconds} s`);
  const before = patched;
  for (let minute = 0; minute < 60; minute += 1) {
    time += MINUTE;
    await donateAndGetReference();
    await server.handler.runJobs();
  }
  await runJobsUntil(
    server,
    async () => (await server.listGifts()).length === 68,
    () => {
      time += SECOND;
    },
  );
  assert.ok(patched - before <= 60, `${patched - before} calls in an hour for what is refused`);
});

test('records gifts in order after an hour of 500 responses', async () => {
  let time = START;
  let isDown = true;
  let calls = 0;
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    hourlyLimit: 10_000,
    intercept: async (request, next) => {
      calls += 1;
      return isDown ? new Response('oops', { status: 500 }) : next(request);
    },
  });
  for (let gift = 0; gift < 20; gift += 1) {
    time += 10;
    await server.postDonation(
      await server.createRequest({
        payment: { provider: 'offline' },
        donor: { lastName: `Souza ${gift}`, email: `${gift}@example.org` },
      }),
    );
  }
  for (const end = time + HOUR; time < end; time += 10 * SECOND) {
    await server.handler.runJobs();
  }
  assert.ok(calls <= 300, `${calls} calls in an hour`);
  isDown = false;
  await runJobsUntil(
    server,
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
    () => {
      time += SECOND;
    },
    120,
  );
  const recorded = (await server.listActivities())
    .map(({ displayText }) => Number(/Souza (\d+)/.exec(displayText)?.[1]))
    .reverse();
  assert.deepEqual(
    recorded,
    Array.from({ length: 20 }, (_, index) => index),
  );
});

test('uses no quota for a rejected key, and calls at once with a new one', async () => {
  for (const status of [401, 403]) {
    let time = START;
    let isRefused = true;
    let calls = 0;
    await using server = await startServer({
      form: formWithPayments,
      now: () => time,
      hourlyLimit: 10_000,
      intercept: async (request, next) => {
        calls += 1;
        return isRefused ? Response.json({}, { status }) : next(request);
      },
    });
    for (let gift = 0; gift < 30; gift += 1)
      await server.postDonation(
        await server.createRequest({
          payment: { provider: 'offline' },
          donor: { email: `${gift}@example.org` },
        }),
      );
    for (let minutes = 0; minutes < 20; minutes += 1, time += MINUTE) {
      await server.handler.runJobs();
    }
    assert.ok(calls <= 60, `${status}: ${calls} calls in 20 minutes`);
    time -= MINUTE - SECOND;
    isRefused = false;
    server.replaceOrganizations(server.organizations.all);
    await waitUntil(async () => {
      server.handler.start();
      return (await server.listActivities()).length === 30;
    });
  }
});

test('makes no call that the database cannot count, and sends its gift later without a review', async () => {
  let time = START;
  let failures = 0;
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    changePlatform: (platform) => ({ createGift: (gift) => platform.createGift(gift) }),
    changeDatabase: (database) => ({
      ...database,
      writer: {
        ...database.writer,
        write: (work) => {
          if (failures === 0 && String(work).includes('used + ${count}')) {
            failures += 1;
            return Promise.reject(new Error('Connection terminated unexpectedly'));
          }
          return database.writer.write(work);
        },
      },
    }),
  });
  await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } }));
  await runJobsUntil(
    server,
    async () => (await server.listGifts()).length === 1,
    () => {
      time += SECOND;
    },
    30,
  );
  assert.deepEqual([failures, server.sentGifts.length], [1, 1]);
});

test('uses a response even if the database cannot save its rate limit', async () => {
  await using database = await openTestDatabase();
  let isBroken = false;
  const broken = {
    ...database,
    writer: {
      write: (work: never) =>
        isBroken
          ? Promise.reject(new Error('Connection terminated unexpectedly'))
          : database.writer.write(work),
    },
  } as typeof database;
  const quota = new ApiQuota({ database: broken, organization: 'o', now: () => START });
  const response = await quota.createCountingFetch('gifts', async () => {
    isBroken = true;
    return Response.json(
      { id: 7 },
      { headers: { 'X-RateLimit-Limit': '200', 'X-RateLimit-Remaining': '3' } },
    );
  })('https://platform.example');
  assert.deepEqual(await response.json(), { id: 7 });
});

test('ends a backoff that was saved while the clock was ahead once the clock is corrected, also for waiting gifts', async () => {
  const MONTH = 720 * HOUR;
  let time = START + MONTH;
  let isDown = true;
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    intercept: async (request, next) =>
      isDown ? new Response('oops', { status: 500 }) : next(request),
  });
  await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } }));
  await waitUntil(
    async () => (await server.repository.outbox.listByStatus('pending', 1))[0]?.attempts === 1,
  );
  time -= MONTH;
  isDown = false;
  assert.equal((await server.organizations.all[0]!.quota.getQuotaState()).backoffUntil, undefined);
  await runJobsUntil(
    server,
    async () => (await server.listGifts()).length === 1,
    () => {
      time += SECOND;
    },
    60,
  );
});
