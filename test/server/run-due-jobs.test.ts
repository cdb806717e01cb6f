import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ORIGIN, openDesk, outcomeOf, type Desk } from './support.ts';

const records = ({ calls }: Desk): number =>
  calls.filter((call) => call === 'POST /sandbox/gifts').length;
const isRecording = ({ method, url }: Request): boolean =>
  method === 'POST' && url.endsWith('/sandbox/gifts');

test('leaves the platform to runDueJobs without background jobs', async () => {
  await using desk = await openDesk({ hasBackgroundJobs: false });
  desk.handler.start();
  const { status, reference } = await outcomeOf(await desk.post(await desk.request()));
  const calls = [...desk.calls];
  await setTimeout(300);
  assert.deepEqual([status, records(desk), desk.calls], ['succeeded', 0, calls]);
  assert.deepEqual(await desk.handler.runJobs(), {
    sentUpdates: 1,
    checkedPayments: 0,
    pendingUpdates: 0,
    pendingWebhooks: 0,
    paymentsInProgress: 0,
    nextRunAt: undefined,
  });
  assert.deepEqual(
    (await desk.gifts()).map((gift) => gift.reference),
    [reference],
  );
});

test('saves ignored settings before the response without background jobs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const database = join(folder, 'donations.sqlite');
  {
    await using desk = await openDesk({ hasBackgroundJobs: false, database });
    await desk.handler.fetch(
      new Request('https://give.example/settings-report', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: ORIGIN },
        body: JSON.stringify({
          form: 'main',
          ignored: [{ name: 'fund-code', reason: 'not-offered' }],
        }),
      }),
    );
    await using other = await openDesk({ database });
    assert.deepEqual(
      (await other.ignoredSettingStats.listCounts(1)).map(({ name, count }) => [name, count]),
      [['fund-code', 1]],
    );
  }
  await rm(folder, { recursive: true });
});

test('looks up a charge whose response was lost once it is due, and notifies the platform', async () => {
  let clock = Date.now();
  let isDown = true;
  await using desk = await openDesk({
    hasBackgroundJobs: false,
    now: () => clock,
    between: async (request, next) => {
      const answer = await next(request);
      return isDown && /confirm|pay_\w+$/.test(request.url)
        ? new Response(null, { status: 500 })
        : answer;
    },
  });
  const { status } = await outcomeOf(await desk.post(await desk.request()));
  isDown = false;
  const early = await desk.handler.runJobs();
  assert.deepEqual(
    [status, early.checkedPayments, early.paymentsInProgress, early.nextRunAt! > new Date(clock)],
    ['unconfirmed', 0, 1, true],
  );
  clock += 60_000;
  const { sentUpdates, checkedPayments, paymentsInProgress } = await desk.handler.runJobs();
  assert.deepEqual([sentUpdates, checkedPayments, paymentsInProgress, records(desk)], [1, 1, 0, 1]);
});

test('stops if the platform is down, and continues in a later run', async () => {
  let clock = Date.now();
  let isDown = true;
  await using desk = await openDesk({
    hasBackgroundJobs: false,
    now: () => clock,
    between: async (request, next) =>
      isDown && isRecording(request) ? new Response(null, { status: 503 }) : next(request),
  });
  for (let gift = 0; gift < 3; gift += 1) await desk.post(await desk.request());
  const { sentUpdates, pendingUpdates, nextRunAt } = await desk.handler.runJobs();
  assert.deepEqual([sentUpdates, pendingUpdates, nextRunAt!.getTime() - clock], [0, 3, 2_000]);
  isDown = false;
  clock += 60_000;
  assert.equal((await desk.handler.runJobs()).sentUpdates, 3);
});

test('starts no job after the timeout or an abort, and finishes the one in progress', async (t) => {
  const stopped = new AbortController();
  const timeIsUp = new AbortController();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) =>
    milliseconds === 30_000 ? timeIsUp.signal : timeout(milliseconds),
  );
  let end = (): void => stopped.abort();
  await using desk = await openDesk({
    hasBackgroundJobs: false,
    between: async (request, next) => {
      if (isRecording(request)) end();
      return next(request);
    },
  });
  for (let gift = 0; gift < 3; gift += 1) await desk.post(await desk.request());
  const first = await desk.handler.runJobs({ signal: stopped.signal });
  end = () => timeIsUp.abort();
  const second = await desk.handler.runJobs({ timeoutSeconds: 30 });
  assert.deepEqual(
    [first.sentUpdates, first.pendingUpdates, second.sentUpdates, second.pendingUpdates],
    [1, 2, 1, 1],
  );
});

test('records each donation once if two runs overlap in one process', async () => {
  await using desk = await openDesk({
    hasBackgroundJobs: false,
    between: async (request, next) => {
      if (isRecording(request)) await setTimeout(5);
      return next(request);
    },
  });
  for (let gift = 0; gift < 5; gift += 1) await desk.post(await desk.request());
  const [first, second] = await Promise.all([desk.handler.runJobs(), desk.handler.runJobs()]);
  assert.deepEqual([first.sentUpdates + second.sentUpdates, records(desk)], [5, 5]);
});
