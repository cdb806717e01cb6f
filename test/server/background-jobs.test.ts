import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { waitUntil } from '../wait-until.ts';
import { isGiftCreation } from './cli/jobs-command-support.ts';
import { startServer, type TestServer } from './support.ts';
import { createFolder } from './temporary-folder.ts';

const countCreatedGifts = ({ calls }: TestServer): number =>
  calls.filter((call) => call === 'POST /sandbox/gifts').length;

test('leaves the platform to runDueJobs without background jobs', async () => {
  await using server = await startServer({ hasBackgroundJobs: false });
  server.handler.start();
  const { status, reference } = await server.makeDonation();
  const calls = [...server.calls];
  // A later donation at a server with background jobs reaches its platform.
  await using other = await startServer();
  other.handler.start();
  await other.postDonation(await other.createRequest());
  await waitUntil(() => countCreatedGifts(other) === 1);
  assert.deepEqual([status, countCreatedGifts(server), server.calls], ['succeeded', 0, calls]);
  assert.deepEqual(await server.handler.runJobs(), {
    sentUpdates: 1,
    checkedPayments: 0,
    pendingUpdates: 0,
    pendingWebhooks: 0,
    pendingMail: 0,
    paymentsInProgress: 0,
    nextRunAt: undefined,
  });
  assert.deepEqual(
    (await server.listGifts()).map((gift) => gift.reference),
    [reference],
  );
});

test('saves ignored settings before the response without background jobs', async () => {
  const database = join(createFolder(), 'donations.sqlite');
  await using server = await startServer({ hasBackgroundJobs: false, database });
  const ignored = [{ name: 'fund-code', reason: 'not-offered' }];
  await server.postJson('/settings-report', { form: 'main', ignored });
  await using other = await startServer({ database });
  assert.deepEqual(
    (await other.ignoredSettingStats.listCounts(1)).map(({ name, count }) => [name, count]),
    [['fund-code', 1]],
  );
});

test('looks up a charge whose response was lost once it is due, and notifies the platform', async () => {
  let clock = Date.now();
  let isDown = true;
  await using server = await startServer({
    hasBackgroundJobs: false,
    now: () => clock,
    intercept: async (request, next) => {
      const answer = await next(request);
      return isDown && request.url.includes('/payment_intents/pi_')
        ? new Response(null, { status: 500 })
        : answer;
    },
  });
  const { status } = await server.makeDonation();
  isDown = false;
  const early = await server.handler.runJobs();
  assert.deepEqual(
    [status, early.checkedPayments, early.paymentsInProgress, early.nextRunAt! > new Date(clock)],
    ['unconfirmed', 0, 1, true],
  );
  clock += 60_000;
  const { sentUpdates, checkedPayments, paymentsInProgress } = await server.handler.runJobs();
  assert.deepEqual(
    [sentUpdates, checkedPayments, paymentsInProgress, countCreatedGifts(server)],
    [1, 1, 0, 1],
  );
});

test('stops if the platform is down, and continues in a later run', async () => {
  let clock = Date.now();
  let isDown = true;
  await using server = await startServer({
    hasBackgroundJobs: false,
    now: () => clock,
    intercept: async (request, next) =>
      isDown && isGiftCreation(request) ? new Response(null, { status: 503 }) : next(request),
  });
  for (let gift = 0; gift < 3; gift += 1) await server.postDonation(await server.createRequest());
  const { sentUpdates, pendingUpdates, nextRunAt } = await server.handler.runJobs();
  assert.deepEqual([sentUpdates, pendingUpdates, nextRunAt!.getTime() - clock], [0, 3, 2_000]);
  isDown = false;
  clock += 60_000;
  assert.equal((await server.handler.runJobs()).sentUpdates, 3);
});

test('starts no job after the timeout or an abort, and finishes the one in progress', async (t) => {
  const stopped = new AbortController();
  const timeIsUp = new AbortController();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) =>
    milliseconds === 30_000 ? timeIsUp.signal : timeout(milliseconds),
  );
  let stopRun = (): void => stopped.abort();
  await using server = await startServer({
    hasBackgroundJobs: false,
    intercept: async (request, next) => {
      if (isGiftCreation(request)) stopRun();
      return next(request);
    },
  });
  for (let gift = 0; gift < 3; gift += 1) await server.postDonation(await server.createRequest());
  const first = await server.handler.runJobs({ signal: stopped.signal });
  stopRun = () => timeIsUp.abort();
  const second = await server.handler.runJobs({ timeoutSeconds: 30 });
  assert.deepEqual(
    [first.sentUpdates, first.pendingUpdates, second.sentUpdates, second.pendingUpdates],
    [1, 2, 1, 1],
  );
});

test('records each donation once if two runs overlap in one process', async () => {
  await using server = await startServer({
    hasBackgroundJobs: false,
    intercept: async (request, next) => {
      if (isGiftCreation(request)) await setTimeout(5);
      return next(request);
    },
  });
  for (let gift = 0; gift < 5; gift += 1) await server.postDonation(await server.createRequest());
  const [first, second] = await Promise.all([server.handler.runJobs(), server.handler.runJobs()]);
  assert.deepEqual([first.sentUpdates + second.sentUpdates, countCreatedGifts(server)], [5, 5]);
});
