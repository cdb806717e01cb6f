import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFault, type SandboxOptions } from '../../src/sandbox/index.ts';
import { startListener, type Heard, type Listener } from './listener.ts';
import { itemsOf, messageOf, openSandbox, type Answer, type Opened } from './support.ts';

/**
 * A sandbox, and a server that hears its webhooks and answers with the statuses in turn, 200 when
 * they are used up.
 */
async function openListener(
  statuses: number[] = [],
  options: Partial<SandboxOptions> = {},
): Promise<Listener & { readonly ask: Opened['ask'] }> {
  const listener = await startListener(statuses);
  const { sandbox, ask } = openSandbox({ webhookWaits: [5, 5], ...options });
  return {
    ...listener,
    ask,
    async [Symbol.asyncDispose]() {
      sandbox.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const record = ({ ask }: Pick<Opened, 'ask'>, reference: string): Promise<Answer> =>
  ask('/sandbox/gifts', {
    reference,
    summary: 'a gift',
    total: '51.81',
    gift: { currency: 'USD', frequency: 'monthly' },
    donor: { email: 'ana@example.org' },
  });
const typesOf = (heard: readonly Heard[]): unknown[] =>
  heard.map(({ body }) => (JSON.parse(body) as { eventType: number }).eventType);
const referencesOf = (heard: readonly Heard[]): unknown[] =>
  heard.map(({ body }) => (JSON.parse(body) as { gift: { reference: string } }).gift.reference);

test('webhooks tell of created and modified gifts: Gift_Added 10, Gift_Modified 11', async () => {
  await using listener = await openListener();
  const { ask, address } = listener;
  assert.deepEqual((await ask('/sandbox/webhooks', { url: `${address}/in` })).body, {
    url: `${address}/in`,
    format: 1,
    status: 1,
    eventTypes: [10, 11],
    id: 1,
  });
  await record(listener, 'R1');
  await ask(
    '/sandbox/gifts/1',
    { status: 4 },
    { method: 'PATCH', headers: { Authorization: 'Bearer key' }, body: '{"status":4}' },
  );
  const heard = await listener.hear(2);
  assert.deepEqual(
    [typesOf(heard), heard[0]!.type, heard[0]!.path],
    [[10, 11], 'application/json', '/in'],
  );
  const { gift } = JSON.parse(heard[1]!.body) as { gift: object };
  assert.deepEqual(gift, {
    id: 1,
    reference: 'R1',
    status: 4,
    statusName: 'Refunded',
    amount: '51.81',
    currency: 'USD',
    frequency: 'monthly',
    donorId: 1,
    donorEmail: 'ana@example.org',
  });
});

test('Webhook Format: 2 is XML; Webhook Status: 2 is paused; only the event types that were asked for', async () => {
  await using listener = await openListener();
  const { ask, address } = listener;
  await ask('/sandbox/webhooks', { url: `${address}/xml`, format: 2, eventTypes: [10] });
  await ask('/sandbox/webhooks', { url: `${address}/paused`, status: 2 });
  await ask('/sandbox/webhooks', { url: `${address}/changes`, eventTypes: ['Gift_Modified'] });
  await record(listener, '<R&1>\u0001');
  const [only, ...others] = await listener.hear(1);
  assert.deepEqual([only!.path, only!.type, others], ['/xml', 'application/xml', []]);
  const [declaration, event] = only!.body.split('\n');
  assert.equal(declaration, '<?xml version="1.0" encoding="UTF-8"?>');
  assert.match(
    event!,
    /^<event>.*<eventType>10<\/eventType>.*<reference>&lt;R&amp;1&gt;<\/reference>/,
  );
  await ask('/sandbox/webhooks/2', undefined, {
    method: 'PATCH',
    headers: { Authorization: 'Bearer key' },
    body: '{"status":"Active"}',
  });
  await ask('/sandbox/webhooks/1', undefined, {
    method: 'DELETE',
    headers: { Authorization: 'Bearer key' },
  });
  await record(listener, 'R2');
  assert.deepEqual(
    (await listener.hear(2)).map(({ path }) => path),
    ['/xml', '/paused'],
  );
});

test('a webhook that fails is tried again a few times, in order, and then given up; a redirect is not followed', async () => {
  await using listener = await openListener([500, 307, 200, 500, 500, 500]);
  const { ask, address } = listener;
  await ask('/sandbox/webhooks', { url: `${address}/in` });
  await record(listener, 'R1');
  await record(listener, 'R2');
  assert.deepEqual(referencesOf(await listener.hear(6)), ['R1', 'R1', 'R1', 'R2', 'R2', 'R2']);
  const deliveries = itemsOf(await ask('/sandbox/webhooks/deliveries')).map(
    ({ giftId, tries, result }) => [giftId, tries, result],
  );
  assert.deepEqual(deliveries, [
    [2, 3, '500'],
    [1, 3, '200'],
  ]);
});

test('webhooks go to this machine only, unless an option says otherwise', async () => {
  const { ask } = openSandbox();
  for (const url of [
    'http://platform.example/in',
    'http://10.0.0.1/',
    'http://127.0.0.1.evil.example/',
    'http://169.254.169.254/',
  ]) {
    assert.match(messageOf(await ask('/sandbox/webhooks', { url })), /this machine only/, url);
  }
  for (const url of ['file:///etc/hosts', 'nothing', 5, undefined])
    assert.equal((await ask('/sandbox/webhooks', { url })).status, 400);
  for (const field of [
    { format: 3 },
    { status: 0 },
    { eventTypes: [] },
    { eventTypes: [20] },
    { events: [10] },
  ])
    assert.equal(
      (await ask('/sandbox/webhooks', { url: 'http://127.0.0.1:1/', ...field })).status,
      400,
      JSON.stringify(field),
    );
  assert.equal(
    (
      await openSandbox({ webhooksAnywhere: true }).ask('/sandbox/webhooks', {
        url: 'https://platform.example/in',
      })
    ).status,
    200,
  );
});

test('duplicate-webhooks: an event comes twice; reordered-webhooks: an event comes after the next one', async () => {
  await using listener = await openListener([], {
    faults: [parseFault('duplicate-webhooks,times=1')],
  });
  const { ask, address } = listener;
  await ask('/sandbox/webhooks', { url: `${address}/in` });
  await record(listener, 'R1');
  assert.deepEqual(referencesOf(await listener.hear(2)), ['R1', 'R1']);
  await ask('/sandbox/faults', { kind: 'reordered-webhooks', times: 1 });
  for (const reference of ['R2', 'R3', 'R4']) await record(listener, reference);
  assert.deepEqual(referencesOf(await listener.hear(5)).slice(2), ['R3', 'R2', 'R4']);
});
