import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseFault, type SandboxOptions } from '../../src/sandbox/index.ts';
import { startListener, type Heard, type Listener } from './listener.ts';
import { CARDS, openProcessor, type Fields, type OpenedProcessor } from './processor-support.ts';

const SECRET = 'signing secret';

/** A processor, and a server that hears its webhooks. */
async function openHeard(
  statuses: number[] = [],
  options: Partial<SandboxOptions> = {},
  hearing?: (body: string) => Promise<void>,
): Promise<Listener & OpenedProcessor> {
  const listener = await startListener(statuses, hearing);
  const opened = openProcessor({
    webhookWaits: [5, 5],
    processorWebhook: { url: `${listener.address}/in`, secret: SECRET },
    ...options,
  });
  return {
    ...listener,
    ...opened,
    async [Symbol.asyncDispose]() {
      opened.sandbox.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const eventsOf = (heard: readonly Heard[]): Fields[] =>
  heard.map(({ body }) => JSON.parse(body) as Fields);
const typesOf = (heard: readonly Heard[]): unknown[] => eventsOf(heard).map(({ type }) => type);

test('an event names what it is about, and is signed for its moment of real time', async () => {
  await using opened = await openHeard();
  const { id } = await opened.pay(CARDS.good);
  const [heard] = await opened.hear(1);
  const { id: event, ...rest } = JSON.parse(heard!.body) as Fields;
  assert.match(String(event), /^evt_[0-9a-f]{32}$/);
  assert.deepEqual(rest, {
    type: 'payment.succeeded',
    payment: id,
    created: '2026-11-21T12:00:00.000Z',
  });
  const [, time = '', signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(heard!.headers['sandbox-signature'])) ?? [];
  assert.ok(Math.abs(Number(time) - Date.now() / 1_000) < 10);
  assert.equal(
    signature,
    createHmac('sha256', SECRET).update(`${time}.${heard!.body}`).digest('hex'),
  );
  assert.deepEqual([heard!.path, heard!.type], ['/in', 'application/json']);
});

test('everything that happens to a payment or a subscription is told, in its order', async () => {
  await using opened = await openHeard();
  const { pay, open, call, steer, days } = opened;
  await pay(CARDS.declined);
  await call(`/payments/${String((await open()).id)}/cancel`, {});
  const { id } = await pay(CARDS.good);
  await steer(`/sandbox/payments/${String(id)}/refund`, { amount: 100 });
  await steer(`/sandbox/payments/${String(id)}/dispute`, {});
  await steer(`/sandbox/payments/${String(id)}/dispute/won`, {});
  const monthly = await pay(CARDS.failingLater, { frequency: 'monthly' });
  await days(31);
  await call(`/subscriptions/${String(monthly.subscription)}/cancel`, {});
  const heard = await opened.hear(10);
  const events = eventsOf(heard);
  assert.deepEqual(typesOf(heard), [
    'payment.failed',
    'payment.canceled',
    'payment.succeeded',
    'payment.refunded',
    'dispute.opened',
    'dispute.won',
    'payment.succeeded',
    'payment.failed',
    'subscription.renewal-failed',
    'subscription.cancelled',
  ]);
  assert.match(String(events[3]?.refund), /^re_/);
  assert.match(String(events[4]?.dispute), /^dp_/);
  assert.deepEqual(
    [events[8]?.subscription, events[8]?.payment, events[9]?.subscription],
    [monthly.subscription, events[7]?.payment, monthly.subscription],
  );
});

test('what was told can be asked for at once: it was kept before', async () => {
  const states: unknown[] = [];
  await using opened = await openHeard([], {}, async (body) => {
    states.push((await opened.payment((JSON.parse(body) as Fields).payment)).state);
  });
  await opened.pay(CARDS.good);
  await opened.hear(1);
  assert.deepEqual(states, ['succeeded']);
});

test('an event that is not heard is tried again, with the same id and a new signature', async () => {
  await using opened = await openHeard([500, 503]);
  await opened.pay(CARDS.good);
  const heard = await opened.hear(3);
  assert.equal(heard.length, 3);
  assert.equal(new Set(eventsOf(heard).map(({ id }) => id)).size, 1);
});

test("duplicate-webhooks and reordered-webhooks are the processor's too, and can be its alone", async () => {
  await using opened = await openHeard([], {
    faults: [
      parseFault('duplicate-webhooks,times=1,on=processor'),
      parseFault('reordered-webhooks,times=1,on=platform'),
    ],
  });
  const ids: unknown[] = [];
  for (const reference of ['A', 'B', 'C'])
    ids.push((await opened.pay(CARDS.good, { reference })).id);
  assert.deepEqual(
    eventsOf(await opened.hear(4)).map(({ payment }) => payment),
    [ids[0], ids[0], ids[1], ids[2]],
  );
  await opened.steer('/sandbox/faults', { kind: 'reordered-webhooks', times: 1, on: 'processor' });
  for (const reference of ['D', 'E']) ids.push((await opened.pay(CARDS.good, { reference })).id);
  assert.deepEqual(
    eventsOf(await opened.hear(6))
      .slice(4)
      .map(({ payment }) => payment),
    [ids[4], ids[3]],
  );
});

test('an event that was not delivered before the end is delivered after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openProcessor({
    file,
    webhookWaits: [60_000],
    processorWebhook: { url: 'http://127.0.0.1:9/in', secret: SECRET },
  });
  const { id } = await before.pay(CARDS.good);
  before.sandbox.close();
  {
    await using after = await openHeard([], { file });
    assert.deepEqual(
      eventsOf(await after.hear(1)).map(({ payment }) => payment),
      [id],
    );
  }
  {
    await using again = await openHeard([], { file });
    assert.deepEqual(await again.hear(0), []);
  }
  await rm(folder, { recursive: true });
});

test("the processor's events go to this machine only, unless an option says otherwise", () => {
  const processorWebhook = { url: 'https://endpoint.example/in', secret: SECRET };
  assert.throws(() => openProcessor({ processorWebhook }), /this machine only/);
  openProcessor({ processorWebhook, webhooksAnywhere: true }).sandbox.close();
});
