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

test('where no process stays alive, an answer leaves nothing under way, and a drain tells the platform', async () => {
  await using desk = await openDesk({ isDrained: true });
  desk.handler.start();
  const { state, reference } = await outcomeOf(await desk.post(await desk.request()));
  const calls = [...desk.calls];
  await setTimeout(300);
  assert.deepEqual([state, records(desk), desk.calls], ['succeeded', 0, calls]);
  assert.deepEqual(await desk.handler.drain(), {
    told: 1,
    lookedUp: 0,
    toTell: 0,
    toSend: 0,
    payments: 0,
    next: undefined,
  });
  assert.deepEqual(
    (await desk.gifts()).map((gift) => gift.reference),
    [reference],
  );
});

test('where no process stays alive, what forms ignored is on disk before the answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const store = join(folder, 'donations.sqlite');
  {
    await using desk = await openDesk({ isDrained: true, store });
    await desk.handler.fetch(
      new Request('https://give.example/ignored-settings', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: ORIGIN },
        body: JSON.stringify({
          form: 'main',
          ignored: [{ name: 'fund-code', reason: 'not-offered' }],
        }),
      }),
    );
    await using other = await openDesk({ store });
    assert.deepEqual(
      (await other.ignoredSettings.report(1)).map(({ name, count }) => [name, count]),
      [['fund-code', 1]],
    );
  }
  await rm(folder, { recursive: true });
});

test('a charge whose answer was lost is looked up by a drain once it is due, and the platform is told', async () => {
  let clock = Date.now();
  let isDown = true;
  await using desk = await openDesk({
    isDrained: true,
    now: () => clock,
    between: async (request, next) => {
      const answer = await next(request);
      return isDown && /confirm|pay_\w+$/.test(request.url)
        ? new Response(null, { status: 500 })
        : answer;
    },
  });
  const { state } = await outcomeOf(await desk.post(await desk.request()));
  isDown = false;
  const early = await desk.handler.drain();
  assert.deepEqual(
    [state, early.lookedUp, early.payments, early.next! > new Date(clock)],
    ['checking', 0, 1, true],
  );
  clock += 60_000;
  const { told, lookedUp, payments } = await desk.handler.drain();
  assert.deepEqual([told, lookedUp, payments, records(desk)], [1, 1, 0, 1]);
});

test('a drain ends where the platform is down, and a later one goes on', async () => {
  let clock = Date.now();
  let isDown = true;
  await using desk = await openDesk({
    isDrained: true,
    now: () => clock,
    between: async (request, next) =>
      isDown && isRecording(request) ? new Response(null, { status: 503 }) : next(request),
  });
  for (let gift = 0; gift < 3; gift += 1) await desk.post(await desk.request());
  const { told, toTell, next } = await desk.handler.drain();
  assert.deepEqual([told, toTell, next!.getTime() - clock], [0, 3, 2_000]);
  isDown = false;
  clock += 60_000;
  assert.equal((await desk.handler.drain()).told, 3);
});

test('a drain begins nothing when its time is up or it is told to end, and ends what is under way', async (t) => {
  const stopped = new AbortController();
  const timeIsUp = new AbortController();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) =>
    milliseconds === 30_000 ? timeIsUp.signal : timeout(milliseconds),
  );
  let end = (): void => stopped.abort();
  await using desk = await openDesk({
    isDrained: true,
    between: async (request, next) => {
      if (isRecording(request)) end();
      return next(request);
    },
  });
  for (let gift = 0; gift < 3; gift += 1) await desk.post(await desk.request());
  const first = await desk.handler.drain({ signal: stopped.signal });
  end = () => timeIsUp.abort();
  const second = await desk.handler.drain({ seconds: 30 });
  assert.deepEqual([first.told, first.toTell, second.told, second.toTell], [1, 2, 1, 1]);
});

test('two drains of one process take turns: each gift is recorded once', async () => {
  await using desk = await openDesk({
    isDrained: true,
    between: async (request, next) => {
      if (isRecording(request)) await setTimeout(5);
      return next(request);
    },
  });
  for (let gift = 0; gift < 5; gift += 1) await desk.post(await desk.request());
  const [first, second] = await Promise.all([desk.handler.drain(), desk.handler.drain()]);
  assert.deepEqual([first.told + second.told, records(desk)], [5, 5]);
});
