import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseFault, type SandboxOptions } from '../../src/sandbox/index.ts';
import {
  startWebhookListener,
  type ReceivedRequest,
  type WebhookListener,
} from './webhook-listener.ts';
import { CARDS, openProcessor, type Fields, type ProcessorFixture } from './processor-support.ts';

const SECRET = 'signing secret';

/** Opens a processor and a listener for its webhooks. */
async function openProcessorWithListener(
  statuses: number[] = [],
  options: Partial<SandboxOptions> = {},
  onRequest?: (body: string) => Promise<void>,
): Promise<WebhookListener & ProcessorFixture> {
  const listener = await startWebhookListener(statuses, onRequest);
  const fixture = openProcessor({
    webhookRetryDelays: [5, 5],
    processorWebhook: { url: `${listener.url}/in`, secret: SECRET },
    ...options,
  });
  return {
    ...listener,
    ...fixture,
    async [Symbol.asyncDispose]() {
      fixture.sandbox.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const parseEvents = (received: readonly ReceivedRequest[]): Fields[] =>
  received.map(({ body }) => JSON.parse(body) as Fields);
const getEventTypes = (received: readonly ReceivedRequest[]): unknown[] =>
  parseEvents(received).map(({ type }) => type);

test('an event names its subject and is signed with the real time', async () => {
  await using fixture = await openProcessorWithListener();
  const { id } = await fixture.payWithCard(CARDS.succeeding);
  const [received] = await fixture.waitForRequests(1);
  const { id: event, ...rest } = JSON.parse(received!.body) as Fields;
  assert.match(String(event), /^evt_[0-9a-f]{32}$/);
  assert.deepEqual(rest, {
    type: 'payment.succeeded',
    payment: id,
    created: '2026-11-21T12:00:00.000Z',
  });
  const [, time = '', signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(received!.headers['sandbox-signature'])) ?? [];
  assert.ok(Math.abs(Number(time) - Date.now() / 1_000) < 10);
  assert.equal(
    signature,
    createHmac('sha256', SECRET).update(`${time}.${received!.body}`).digest('hex'),
  );
  assert.deepEqual([received!.path, received!.type], ['/in', 'application/json']);
});

test('sends every event of payments and subscriptions in order', async () => {
  await using fixture = await openProcessorWithListener();
  const { payWithCard, createPayment, callProcessor, callControlApi, advanceDays } = fixture;
  await payWithCard(CARDS.declined);
  await callProcessor(`/payments/${String((await createPayment()).id)}/cancel`, {});
  const { id } = await payWithCard(CARDS.succeeding);
  await callControlApi(`/sandbox/payments/${String(id)}/refund`, { amount: 100 });
  await callControlApi(`/sandbox/payments/${String(id)}/dispute`, {});
  await callControlApi(`/sandbox/payments/${String(id)}/dispute/won`, {});
  const monthly = await payWithCard(CARDS.failingRenewals, { frequency: 'monthly' });
  await advanceDays(31);
  await callProcessor(`/subscriptions/${String(monthly.subscription)}/cancel`, {});
  const received = await fixture.waitForRequests(10);
  const events = parseEvents(received);
  assert.deepEqual(getEventTypes(received), [
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

test('commits a change before sending its event', async () => {
  const states: unknown[] = [];
  await using fixture = await openProcessorWithListener([], {}, async (body) => {
    states.push((await fixture.fetchPayment((JSON.parse(body) as Fields).payment)).state);
  });
  await fixture.payWithCard(CARDS.succeeding);
  await fixture.waitForRequests(1);
  assert.deepEqual(states, ['succeeded']);
});

test('retries a failed event with the same ID', async () => {
  await using fixture = await openProcessorWithListener([500, 503]);
  await fixture.payWithCard(CARDS.succeeding);
  const received = await fixture.waitForRequests(3);
  assert.equal(received.length, 3);
  assert.equal(new Set(parseEvents(received).map(({ id }) => id)).size, 1);
});

test('limits duplicate-webhooks and reordered-webhooks to the processor', async () => {
  await using fixture = await openProcessorWithListener([], {
    faults: [
      parseFault('duplicate-webhooks,times=1,on=processor'),
      parseFault('reordered-webhooks,times=1,on=platform'),
    ],
  });
  const ids: unknown[] = [];
  for (const reference of ['A', 'B', 'C'])
    ids.push((await fixture.payWithCard(CARDS.succeeding, { reference })).id);
  assert.deepEqual(
    parseEvents(await fixture.waitForRequests(4)).map(({ payment }) => payment),
    [ids[0], ids[0], ids[1], ids[2]],
  );
  await fixture.callControlApi('/sandbox/faults', {
    kind: 'reordered-webhooks',
    times: 1,
    on: 'processor',
  });
  for (const reference of ['D', 'E'])
    ids.push((await fixture.payWithCard(CARDS.succeeding, { reference })).id);
  assert.deepEqual(
    parseEvents(await fixture.waitForRequests(6))
      .slice(4)
      .map(({ payment }) => payment),
    [ids[4], ids[3]],
  );
});

test('delivers undelivered events after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openProcessor({
    databaseFile: file,
    webhookRetryDelays: [60_000],
    processorWebhook: { url: 'http://127.0.0.1:9/in', secret: SECRET },
  });
  const { id } = await before.payWithCard(CARDS.succeeding);
  before.sandbox.close();
  {
    await using after = await openProcessorWithListener([], { databaseFile: file });
    assert.deepEqual(
      parseEvents(await after.waitForRequests(1)).map(({ payment }) => payment),
      [id],
    );
  }
  {
    await using again = await openProcessorWithListener([], { databaseFile: file });
    assert.deepEqual(await again.waitForRequests(0), []);
  }
  await rm(folder, { recursive: true });
});

test('sends events to this machine only, unless remote webhooks are allowed', () => {
  const processorWebhook = { url: 'https://endpoint.example/in', secret: SECRET };
  assert.throws(() => openProcessor({ processorWebhook }), /this machine only/);
  openProcessor({ processorWebhook, allowRemoteWebhooks: true }).sandbox.close();
});
