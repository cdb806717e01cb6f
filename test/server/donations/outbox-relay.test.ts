import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createNoPlatformAdapter } from '../../../src/server/platform/platforms.ts';
import { formWithPayments } from '../payments/support.ts';
import {
  HOUR,
  MINUTE,
  PLEDGE,
  runJobsUntil,
  runJobsUntilRecorded,
  SECOND,
  START,
} from '../platform/api-quota-support.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support.ts';
import { isGiftCreation } from './faults.ts';

/** Clock, and whether the platform is down. */
const createState = () => ({ time: START, isDown: true });

/** Starts a server whose platform is down at first, so that donations wait. */
const startWithOutage = (
  state: ReturnType<typeof createState>,
  intercept: NonNullable<TestServerOptions['intercept']>,
): Promise<TestServer> =>
  startServer({
    form: formWithPayments,
    now: () => state.time,
    hourlyLimit: 10_000,
    intercept: async (request, next) => {
      if (state.isDown) throw new TypeError('down');
      return isGiftCreation(request) ? intercept(request, next) : next(request);
    },
  });

const donate = (server: TestServer, lastName: string, email = `${lastName}@example.org`) =>
  server.submitDonation({ ...PLEDGE, donor: { lastName, email } });

/** Makes a donation of each of several donors, and then ends the outage. */
async function donateDuringOutage(
  server: TestServer,
  state: ReturnType<typeof createState>,
  count: number,
): Promise<void> {
  for (let gift = 0; gift < count; gift += 1) {
    state.time += 10;
    await donate(server, `${gift}`);
  }
  state.isDown = false;
}

const readName = async (request: Request): Promise<string> =>
  ((await request.clone().json()) as { donor: { lastName: string } }).donor.lastName;

test('sends the gifts of several donors at the same time, and those of one donor in order', async () => {
  const calls: string[] = [];
  let inProgress = 0;
  let most = 0;
  const state = createState();
  await using server = await startWithOutage(state, async (request, next) => {
    const name = await readName(request);
    calls.push(`start ${name}`);
    most = Math.max(most, (inProgress += 1));
    await setTimeout(2);
    const response = await next(request);
    inProgress -= 1;
    calls.push(`end ${name}`);
    return response;
  });
  for (let gift = 0; gift < 30; gift += 1) {
    state.time += 10;
    await donate(server, `${gift}`);
    if (gift === 0 || gift === 10)
      for (const email of ['A@example.org', 'a@example.org']) {
        state.time += 10;
        await donate(server, `Regular ${gift}${email[0]}`, email);
      }
  }
  state.isDown = false;
  await runJobsUntilRecorded(server, 34, () => (state.time += MINUTE));
  assert.ok(most > 3, `${most} calls at the same time`);
  assert.deepEqual(
    calls.filter((call) => call.includes('Regular')),
    [0, 10].flatMap((gift) =>
      ['A', 'a'].flatMap((next) => [`start Regular ${gift}${next}`, `end Regular ${gift}${next}`]),
    ),
  );
});

test('makes one call at a time until the platform works again', async () => {
  let calls = 0;
  let failures = 0;
  const state = createState();
  await using server = await startWithOutage(state, async (request, next) => {
    calls += 1;
    await setTimeout(2);
    if (calls <= 10 || calls > 40) return next(request);
    failures += 1;
    return new Response('oops', { status: 503 });
  });
  await donateDuringOutage(server, state, 40);
  const wait = () => (state.time += MINUTE);
  await runJobsUntil(server, async () => failures > 0, wait);
  while (calls < 40) {
    const failuresBefore = failures;
    wait();
    await server.handler.runJobs();
    const count = failures - failuresBefore;
    assert.ok(count <= 2, `${count} calls to a platform that is down, one more only as a probe`);
  }
});

test('counts failures of concurrent calls as one', async () => {
  let calls = 0;
  const state = createState();
  await using server = await startWithOutage(state, async (request, next) => {
    calls += 1;
    if (calls <= 20) return next(request);
    await setTimeout(calls);
    return new Response('oops', { status: 503 });
  });
  await donateDuringOutage(server, state, 60);
  state.time += HOUR;
  await server.handler.runJobs();
  assert.ok(calls > 22, `${calls} calls`);
  const { backoffUntil } = await server.organizations.all[0]!.quota.getQuotaState();
  assert.equal(backoffUntil!.getTime() - state.time, 2 * SECOND);
});

for (const [title, lastFailure, createDelay] of [
  [
    'waits as long as the latest response to concurrent calls requests',
    22,
    () => (call: number) => setTimeout(call),
  ],
  [
    'obeys a requested wait that arrives while a shorter backoff starts',
    21,
    () => {
      const responding = Promise.withResolvers<undefined>();
      return (call: number) => {
        if (call === 23) responding.resolve(undefined);
        return responding.promise;
      };
    },
  ],
] as const)
  test(title, async () => {
    let calls = 0;
    const state = createState();
    const delay = createDelay();
    await using server = await startWithOutage(state, async (request, next) => {
      calls += 1;
      if (calls <= 20) return next(request);
      const call = calls;
      await delay(call);
      const resetsAt = Math.floor((state.time + 30 * MINUTE) / SECOND);
      const headers = { 'X-RateLimit-Reset': String(resetsAt) };
      return call <= lastFailure
        ? new Response('oops', { status: 503 })
        : new Response('{}', { status: 429, headers });
    });
    await donateDuringOutage(server, state, 60);
    state.time += HOUR;
    await server.handler.runJobs();
    assert.ok(calls > 22, `${calls} calls`);
    const callsBefore = calls;
    state.time += 29 * MINUTE;
    await server.handler.runJobs();
    assert.equal(calls, callsBefore);
  });

/** Runs a server whose platform accepts a gift only after the gift's money has arrived. */
function startServerWithoutPendingGifts(): Promise<TestServer> {
  return startServer({
    form: formWithPayments,
    hasBackgroundJobs: false,
    changePlatform: (platform) => ({
      ...platform,
      acceptsOnlySettledGifts: true,
      isCreateIdempotent: true,
    }),
  });
}

test('says that a platform without pending gifts will not receive a payment that failed', async () => {
  await using server = await startServerWithoutPendingGifts();
  const { reference } = await server.submitDonation(PLEDGE);
  const { repository } = server;
  const row = (await repository.findByReference(reference))!;
  await repository.applyTrigger(row, { type: 'failed', reason: 'payment-failed' });
  await server.handler.runJobs();
  for (const kind of ['donation', 'payment_failed']) {
    const event = await repository.outbox.findById(`${kind} ${reference}`);
    assert.deepEqual(
      [event?.status, event?.lastError],
      ['delivered', 'the donation failed before the platform received it'],
      kind,
    );
  }
});

test('does not touch the API quota of an organization without a platform', async (t) => {
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare');
  await using server = await startServer({
    hasBackgroundJobs: false,
    changePlatform: () => createNoPlatformAdapter(),
  });
  await server.submitDonation();
  await server.handler.runJobs();
  assert.deepEqual(
    prepare.mock.calls
      .map(({ arguments: [text] }) => text)
      .filter((text) => text.startsWith('update "api_quotas"')),
    [],
  );
});

test('saves the ID of a gift that the platform accepts only after the payment has settled', async () => {
  await using server = await startServerWithoutPendingGifts();
  const { outbox, reviewDecisions } = server.repository;
  const { reference } = await server.submitDonation(PLEDGE);
  await server.handler.runJobs();
  assert.deepEqual(await server.listGifts(), []);
  await reviewDecisions.applyAndSaveDecision({
    reference,
    decision: 'succeeded',
    by: 'staff',
    note: '',
  });
  await server.handler.runJobs();
  const [gift] = await server.listGifts();
  assert.deepEqual(
    [
      (await server.repository.findByReference(reference))?.platformGiftId,
      (await outbox.findGiftCreation(reference))?.platformGiftId,
    ],
    [String(gift!.id), String(gift!.id)],
  );
  await outbox.insertEntries('lanternwell', [
    { id: 'refund r1', reference, kind: 'refund', payload: { amount: 1_000, refunded: 1_000 } },
  ]);
  await server.handler.runJobs();
  assert.equal((await outbox.findById('refund r1'))?.status, 'delivered');
});
