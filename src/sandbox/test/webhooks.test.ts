import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFault, type SandboxOptions } from '../index.ts';
import {
  getItems,
  getMessage,
  openSandbox,
  type SandboxFixture,
  type TestResponse,
} from './support.ts';
import {
  type ReceivedRequest,
  startWebhookListener,
  type WebhookListener,
} from './webhook-listener.ts';

/**
 * Opens a sandbox and a webhook listener that responds with the statuses in turn, then with 200.
 */
async function openSandboxWithListener(
  statuses: number[] = [],
  options: Partial<SandboxOptions> = {},
): Promise<WebhookListener & { readonly request: SandboxFixture['request'] }> {
  const listener = await startWebhookListener(statuses);
  const { sandbox, request } = openSandbox({ webhookRetryDelays: [5, 5], ...options });
  return {
    ...listener,
    request,
    async [Symbol.asyncDispose]() {
      sandbox.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const recordGift = (
  { request }: Pick<SandboxFixture, 'request'>,
  reference: string,
): Promise<TestResponse> =>
  request('/sandbox/gifts', {
    reference,
    summary: 'a gift',
    total: '51.81',
    gift: { currency: 'USD', frequency: 'monthly' },
    donor: { email: 'ana@example.org' },
  });
const listEventTypes = (received: readonly ReceivedRequest[]): unknown[] =>
  received.map(({ body }) => (JSON.parse(body) as { eventType: number }).eventType);
const listReferences = (received: readonly ReceivedRequest[]): unknown[] =>
  received.map(({ body }) => (JSON.parse(body) as { gift: { reference: string } }).gift.reference);

test('sends webhooks for created and modified gifts: Gift_Added 10, Gift_Modified 11', async () => {
  await using listener = await openSandboxWithListener();
  const { request, url } = listener;
  assert.deepEqual((await request('/sandbox/webhooks', { url: `${url}/in` })).body, {
    url: `${url}/in`,
    format: 1,
    status: 1,
    eventTypes: [10, 11],
    id: 1,
  });
  await recordGift(listener, 'R1');
  await request('/sandbox/gifts/1', { status: 4 }, { method: 'PATCH' });
  const received = await listener.waitForRequests(2);
  assert.deepEqual(
    [listEventTypes(received), received[0]!.headers['content-type'], received[0]!.path],
    [[10, 11], 'application/json', '/in'],
  );
  const { gift } = JSON.parse(received[1]!.body) as { gift: object };
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

test('sends an event of each type of the specification to webhooks that subscribe to it', async () => {
  // The specification's table in the section "Events".
  const types = ['Gift', 'Donor', 'RecurringGift', 'Project', 'Premium'].flatMap((object, index) =>
    ['Added', 'Modified', 'Deleted'].map(
      (change, offset) => [10 * (index + 1) + offset, `${object}_${change}`] as const,
    ),
  );
  await using listener = await openSandboxWithListener();
  const { request, url } = listener;
  const eventTypes = types.map(([type]) => type);
  assert.equal((await request('/sandbox/webhooks', { url, eventTypes })).status, 200);
  for (const [eventType, name] of types)
    assert.equal(
      (await request('/sandbox/webhooks/events', { eventType, id: eventType })).status,
      200,
      name,
    );
  const received = await listener.waitForRequests(15);
  assert.deepEqual(
    received.map(({ body }) => {
      const { eventType, eventName, eventId, occurredAt, ...object } = JSON.parse(body) as Record<
        string,
        unknown
      >;
      assert.ok(eventId && occurredAt);
      return [eventType, eventName, object];
    }),
    types.map(([type, name]) => {
      const [object = ''] = name.split('_');
      return [type, name, { [object[0]!.toLowerCase() + object.slice(1)]: { id: type } }];
    }),
  );
  for (const wrong of [{ eventType: 13, id: 1 }, { eventType: 10 }, { eventType: 10, id: 1, x: 1 }])
    assert.equal((await request('/sandbox/webhooks/events', wrong)).status, 400);
});

test('Webhook Format: 2 is XML; Webhook Status: 2 is paused; sends only subscribed event types', async () => {
  await using listener = await openSandboxWithListener();
  const { request, url } = listener;
  await request('/sandbox/webhooks', { url: `${url}/xml`, format: 2, eventTypes: [10] });
  await request('/sandbox/webhooks', { url: `${url}/paused`, status: 2 });
  await request('/sandbox/webhooks', { url: `${url}/changes`, eventTypes: ['Gift_Modified'] });
  await recordGift(listener, '<R&1>\u0001');
  const [first, ...others] = await listener.waitForRequests(1);
  assert.deepEqual(
    [first!.path, first!.headers['content-type'], others],
    ['/xml', 'application/xml', []],
  );
  const [declaration, event] = first!.body.split('\n');
  assert.equal(declaration, '<?xml version="1.0" encoding="UTF-8"?>');
  assert.match(
    event!,
    /^<event>.*<eventType>10<\/eventType>.*<reference>&lt;R&amp;1&gt;<\/reference>/,
  );
  await request('/sandbox/webhooks/2', { status: 'Active' }, { method: 'PATCH' });
  await request('/sandbox/webhooks/1', undefined, { method: 'DELETE' });
  await recordGift(listener, 'R2');
  assert.deepEqual(
    (await listener.waitForRequests(2)).map(({ path }) => path),
    ['/xml', '/paused'],
  );
});

test('retries a failed webhook in order a limited number of times, without following redirects', async () => {
  await using listener = await openSandboxWithListener([500, 307, 200, 500, 500, 500]);
  const { request, url } = listener;
  await request('/sandbox/webhooks', { url: `${url}/in` });
  await recordGift(listener, 'R1');
  await recordGift(listener, 'R2');
  assert.equal(listReferences(await listener.waitForRequests(6)).join(), 'R1,R1,R1,R2,R2,R2');
  const deliveries = getItems(await request('/sandbox/webhooks/deliveries')).map(
    ({ objectId, attempts, result }) => [objectId, attempts, result],
  );
  assert.deepEqual(deliveries, [
    [2, 3, '500'],
    [1, 3, '200'],
  ]);
});

test('sends webhooks to this machine only, unless remote webhooks are allowed', async () => {
  const { request } = openSandbox();
  for (const url of [
    'http://platform.example/in',
    'http://10.0.0.1/',
    'http://127.0.0.1.evil.example/',
    'http://169.254.169.254/',
  ]) {
    assert.match(
      getMessage(await request('/sandbox/webhooks', { url })),
      /expected a URL on this machine/,
      url,
    );
  }
  for (const url of ['file:///etc/hosts', 'nothing', 5, undefined])
    assert.equal((await request('/sandbox/webhooks', { url })).status, 400);
  for (const field of [
    { format: 3 },
    { status: 0 },
    { eventTypes: [] },
    { eventTypes: [13] },
    { events: [10] },
  ])
    assert.equal(
      (await request('/sandbox/webhooks', { url: 'http://127.0.0.1:1/', ...field })).status,
      400,
      JSON.stringify(field),
    );
  const open = openSandbox({ allowRemoteWebhooks: true });
  const url = 'https://platform.example/in';
  assert.equal((await open.request('/sandbox/webhooks', { url })).status, 200);
});

test('duplicate-webhooks sends an event twice; reordered-webhooks sends it after the next one', async () => {
  await using listener = await openSandboxWithListener([], {
    faults: [parseFault('duplicate-webhooks,times=1')],
  });
  const { request, url } = listener;
  await request('/sandbox/webhooks', { url: `${url}/in` });
  await recordGift(listener, 'R1');
  assert.deepEqual(listReferences(await listener.waitForRequests(2)), ['R1', 'R1']);
  await request('/sandbox/faults', { kind: 'reordered-webhooks', times: 1 });
  for (const reference of ['R2', 'R3', 'R4']) await recordGift(listener, reference);
  assert.deepEqual(listReferences(await listener.waitForRequests(5)).slice(2), ['R3', 'R2', 'R4']);
});
