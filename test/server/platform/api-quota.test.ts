import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallDeferredError } from '../../../src/server/platform/api-quota.ts';
import { waitUntil } from '../../wait-until.ts';
import { Outage, respondWith } from '../donations/faults.ts';
import { openTestDatabase } from '../test-database.ts';
import {
  assertRecordedInOrder,
  createPlatform,
  createQuota,
  HOUR,
  MINUTE,
  PLATFORM_URL,
  PLEDGE,
  pledge,
  runJobsUntilRecorded,
  SECOND,
  START,
  startPledgeServer,
  testPlatformOutage,
  useUpQuota,
} from './api-quota-support.ts';

test('reserves a fifth of the quota for gifts, and counts each organization separately', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  for (const [organization, purpose, allowed] of [
    ['o', 'reading', 8],
    ['o', 'gifts', 2],
    ['p', 'gifts', 10],
  ] as const) {
    const quota = createQuota(database, { organization, limit: 10 });
    assert.equal((await useUpQuota(quota.createCountingFetch(purpose, fetch))).callCount, allowed);
  }
});

test('counts each of the calls that start at the same time, and defers those that exceed the quota', async () => {
  let time = START;
  await using database = await openTestDatabase();
  const { fetch, calls } = createPlatform();
  const quota = createQuota(database, { limit: 50, now: () => time });
  const call = quota.createCountingFetch('gifts', fetch);
  for (const [wait, count, started, used] of [
    [0, 20, 20, 20],
    [0, 20, 20, 40],
    [0, 20, 10, 50],
    [HOUR, 60, 50, 50],
  ] as const) {
    time += wait;
    const results = await Promise.allSettled(
      Array.from({ length: count }, () => call(PLATFORM_URL)),
    );
    assert.deepEqual(
      [
        results.filter(({ status }) => status === 'fulfilled').length,
        (await quota.getQuotaState()).used,
      ],
      [started, used],
    );
  }
  assert.equal(calls(), 100);
});

test("leaves other organizations' quotas unchanged", async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const quotas = ['o', 'p'].map((organization) =>
    createQuota(database, { organization, limit: 10 }),
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
    const quota = createQuota(database, { now: () => time });
    for (const delay of seconds) {
      const end = await quota.extendBackoff({ isLimited });
      assert.equal((end - time) / SECOND, delay);
      time = end;
    }
  }
});

test('counts charges, and defers none of them', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const quota = createQuota(database, { limit: 2 });
  const backoffUntil = new Date(await quota.extendBackoff({ isLimited: false }));
  assert.equal((await useUpQuota(quota.createCountingFetch('charges', fetch), 3)).callCount, 3);
  const { used, backoffUntil: end } = await quota.getQuotaState();
  assert.deepEqual([used, end], [3, backoffUntil], 'charges do not end a backoff');
  await assert.rejects(quota.createCountingFetch('gifts', fetch)(PLATFORM_URL), CallDeferredError);
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
    const { fetch } = createPlatform({
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-RateLimit-Reset': reset,
    });
    const quota = createQuota(database);
    await quota.createCountingFetch('gifts', fetch)(PLATFORM_URL);
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
    const end = await createQuota(database).extendBackoff({ retryAt, isLimited: false });
    assert.equal(end - START, expected);
  }
});

test('calls a failing platform at most ten times in the first minutes, and again within 60 s of its recovery', async () => {
  await using database = await openTestDatabase();
  let time = START;
  let isDown = true;
  let calls = 0;
  const quota = createQuota(database, { now: () => time });
  const call = quota.createCountingFetch('gifts', async () => {
    calls += 1;
    return isDown ? Promise.reject(new TypeError('down')) : new Response();
  });
  const attemptCall = async (): Promise<boolean> => {
    try {
      await call(PLATFORM_URL);
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

test('makes a call at once if another call ends the backoff meanwhile', async () => {
  await using database = await openTestDatabase();
  const { fetch } = createPlatform();
  const other = createQuota(database);
  await other.createCountingFetch('gifts', fetch)(PLATFORM_URL);
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
  const call = createQuota(changed).createCountingFetch('gifts', fetch);
  assert.equal((await useUpQuota(call, 2)).callCount, 2);
});

test('accepts 100 donations while the platform is down, and records them in order when it is back', () =>
  testPlatformOutage(100));

test('sends later gifts even if three changes always receive a 500', async () => {
  let time = START;
  let patched = 0;
  const { intercept } = new Outage(
    ({ method }) => method === 'PATCH',
    async () => {
      patched += 1;
      return new Response('oops', { status: 500 });
    },
  );
  await using server = await startPledgeServer({ now: () => time, intercept });
  const passSecond = () => (time += SECOND);
  let donors = 0;
  const donate = () =>
    server.submitDonation({ ...PLEDGE, donor: { email: `${(donors += 1)}@example.org` } });
  const first = [await donate(), await donate(), await donate()];
  await runJobsUntilRecorded(server, 3, passSecond);
  await server.repository.outbox.insertEntries(
    'lanternwell',
    first.map(({ reference }) => ({
      id: `refund ${reference}`,
      kind: 'refund',
      reference,
      payload: { at: time, amount: 100, refunded: 100 },
    })),
  );
  server.handler.start();
  for (let gift = 0; gift < 5; gift += 1) await donate();
  const seconds = await runJobsUntilRecorded(server, 8, passSecond);
  assert.ok(seconds <= 300, `${seconds} s`);
  const before = patched;
  for (let minute = 0; minute < 60; minute += 1) {
    time += MINUTE;
    await donate();
    await server.handler.runJobs();
  }
  await runJobsUntilRecorded(server, 68, passSecond);
  assert.ok(patched - before <= 60, `${patched - before} calls in an hour for what is refused`);
});

test('records gifts in order after an hour of 500 responses', async () => {
  let time = START;
  let calls = 0;
  const outage = new Outage(
    () => true,
    async () => {
      calls += 1;
      return new Response('oops', { status: 500 });
    },
  );
  await using server = await startPledgeServer({ now: () => time, intercept: outage.intercept });
  await pledge(server, 20, () => (time += 10));
  for (const end = time + HOUR; time < end; time += 10 * SECOND) await server.handler.runJobs();
  assert.ok(calls <= 300, `${calls} calls in an hour`);
  outage.isDown = false;
  await runJobsUntilRecorded(server, 20, () => (time += SECOND), 120);
  await assertRecordedInOrder(server, 20);
});

test('uses no quota for a rejected key, and calls at once with a new one', async () => {
  for (const status of [401, 403]) {
    let time = START;
    let calls = 0;
    const outage = new Outage(
      () => true,
      async () => {
        calls += 1;
        return Response.json({}, { status });
      },
    );
    await using server = await startPledgeServer({ now: () => time, intercept: outage.intercept });
    await pledge(server, 30, () => undefined);
    for (let minutes = 0; minutes < 20; minutes += 1, time += MINUTE)
      await server.handler.runJobs();
    assert.ok(calls <= 60, `${status}: ${calls} calls in 20 minutes`);
    time -= MINUTE - SECOND;
    outage.isDown = false;
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
  await using server = await startPledgeServer({
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
  await server.submitDonation(PLEDGE);
  await runJobsUntilRecorded(server, 1, () => (time += SECOND), 30);
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
  const response = await createQuota(broken).createCountingFetch('gifts', async () => {
    isBroken = true;
    const headers = { 'X-RateLimit-Limit': '200', 'X-RateLimit-Remaining': '3' };
    return Response.json({ id: 7 }, { headers });
  })(PLATFORM_URL);
  assert.deepEqual(await response.json(), { id: 7 });
});

test('ends a backoff that was saved while the clock was ahead once the clock is corrected, also for waiting gifts', async () => {
  const MONTH = 720 * HOUR;
  let time = START + MONTH;
  const outage = new Outage(() => true, respondWith(500));
  await using server = await startPledgeServer({ now: () => time, intercept: outage.intercept });
  await server.submitDonation(PLEDGE);
  await waitUntil(
    async () => (await server.repository.outbox.listByStatus('pending', 1))[0]?.attempts === 1,
  );
  time -= MONTH;
  outage.isDown = false;
  assert.equal((await server.organizations.all[0]!.quota.getQuotaState()).backoffUntil, undefined);
  await runJobsUntilRecorded(server, 1, () => (time += SECOND), 60);
});
