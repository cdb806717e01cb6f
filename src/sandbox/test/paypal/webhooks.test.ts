import assert from 'node:assert/strict';
import { verify as verifySignature, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { waitUntil } from '../../../../test/wait-until.ts';
import { Faults } from '../../lib/faults.ts';
import { type ReceivedRequest, startWebhookListener } from '../webhook-listener.ts';
import { createCapture } from './payments-support.ts';
import {
  fetchToken,
  getIssue,
  type Json,
  type PayPalFixture,
  startPayPal,
  test,
} from './support.ts';

/** Returns what a webhook's receiver sends to PayPal to verify it, apart from the event. */
const getSignature = ({ headers }: ReceivedRequest, webhookId: string) => ({
  auth_algo: headers['paypal-auth-algo'],
  cert_url: headers['paypal-cert-url'],
  transmission_id: headers['paypal-transmission-id'],
  transmission_sig: headers['paypal-transmission-sig'],
  transmission_time: headers['paypal-transmission-time'],
  webhook_id: webhookId,
});

/** Asks PayPal to verify a webhook, as its receiver does, with the body as it was received. */
async function verifyWebhook(
  { call, url }: PayPalFixture,
  webhookId: string,
  webhook: ReceivedRequest,
): Promise<unknown> {
  const signature = getSignature(webhook, webhookId);
  assert.ok(signature.cert_url?.startsWith(url));
  const { body: result } = await call('POST', '/v1/notifications/verify-webhook-signature', {
    body: { ...signature, webhook_event: JSON.parse(webhook.body) as unknown },
  });
  return result.verification_status;
}

const listEventTypes = (received: readonly ReceivedRequest[]): unknown[] =>
  received.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type);

test('sends events to webhooks that subscribed to them', async (fixture) => {
  const { paypal } = fixture;
  await using listener = await startWebhookListener();
  await using other = await startWebhookListener();
  paypal.addWebhook(listener.url);
  paypal.addWebhook(other.url, ['PAYMENT.CAPTURE.COMPLETED']);
  await createCapture(fixture);
  await waitUntil(() => listener.received.length === 3 && other.received.length === 1);
  assert.deepEqual(listEventTypes(listener.received), [
    'CHECKOUT.ORDER.APPROVED',
    'PAYMENT.CAPTURE.COMPLETED',
    'CHECKOUT.ORDER.COMPLETED',
  ]);
  assert.deepEqual(listEventTypes(other.received), ['PAYMENT.CAPTURE.COMPLETED']);
  paypal.close();
});

test('verifies webhooks, but not altered or foreign ones', async (fixture) => {
  const { paypal } = fixture;
  await using listener = await startWebhookListener();
  await createCapture(fixture);
  const { id } = paypal.addWebhook(listener.url);
  const statuses = await paypal.deliverEvents(listener.url, { events: paypal.events.slice(-1) });
  assert.deepEqual(statuses, [200]);
  const [webhook] = listener.received as [ReceivedRequest];
  assert.equal(await verifyWebhook(fixture, id, webhook), 'SUCCESS');
  const event = JSON.parse(webhook.body) as { resource: Json };
  const altered = { ...event, resource: { ...event.resource, id: 'OTHER' } };
  assert.equal(
    await verifyWebhook(fixture, id, { ...webhook, body: JSON.stringify(altered) }),
    'FAILURE',
  );
  for (const [name, value] of [
    ['paypal-transmission-time', '2020-01-01T00:00:00Z'],
    ['paypal-transmission-id', 'b02ef980-9fce-11eb-b0ec-5bc241fbaaf3'],
    ['paypal-auth-algo', 'SHA1withRSA'],
    ['paypal-transmission-sig', btoa('signature')],
  ] as const)
    assert.equal(
      await verifyWebhook(fixture, id, {
        ...webhook,
        headers: { ...webhook.headers, [name]: value },
      }),
      'FAILURE',
      name,
    );
  const { id: otherId } = paypal.addWebhook('http://127.0.0.1:9/other');
  assert.equal(await verifyWebhook(fixture, otherId, webhook), 'FAILURE');
  assert.equal(await verifyWebhook(fixture, 'UNKNOWN', webhook), 'FAILURE');
});

test('serves the certificate with which it signs webhooks', async (fixture) => {
  const { paypal } = fixture;
  await using listener = await startWebhookListener();
  await createCapture(fixture);
  const { id } = paypal.addWebhook(listener.url);
  await paypal.deliverEvents(listener.url, { events: paypal.events.slice(-1) });
  const [{ headers, body }] = listener.received as [ReceivedRequest];
  const response = await fetch(headers['paypal-cert-url']!);
  const { publicKey, subject, validTo } = new X509Certificate(await response.text());
  assert.equal(subject, 'CN=PayPal emulation');
  assert.ok(Date.parse(validTo) > Date.now());
  const signedText = [
    headers['paypal-transmission-id'],
    headers['paypal-transmission-time'],
    id,
    crc32(body),
  ].join('|');
  const signature = Buffer.from(headers['paypal-transmission-sig']!, 'base64');
  assert.ok(verifySignature('sha256', Buffer.from(signedText), publicKey, signature));
});

test('verifies only the event as it was sent, not one that was serialized differently', async (fixture) => {
  const { paypal, url } = fixture;
  await using listener = await startWebhookListener();
  await createCapture(fixture);
  const { id } = paypal.addWebhook(listener.url);
  await paypal.deliverEvents(listener.url, { events: paypal.events.slice(-1) });
  const [webhook] = listener.received as [ReceivedRequest];
  const verifyEventText = async (eventText: string): Promise<unknown> => {
    const fields = JSON.stringify(getSignature(webhook, id));
    const response = await fetch(`${url}/v1/notifications/verify-webhook-signature`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await fetchToken(url)}`,
        'Content-Type': 'application/json',
      },
      body: `${fields.slice(0, -1)},"webhook_event":${eventText}}`,
    });
    return ((await response.json()) as Json).verification_status;
  };
  assert.equal(await verifyEventText(webhook.body), 'SUCCESS');
  const event = JSON.parse(webhook.body) as Json;
  const reordered = Object.fromEntries(Object.entries(event).toReversed());
  assert.equal(await verifyEventText(JSON.stringify(reordered)), 'FAILURE');
});

test('delivers events repeatedly, in a different order, and late', async (fixture) => {
  const { paypal } = fixture;
  await using listener = await startWebhookListener();
  await createCapture(fixture);
  await paypal.deliverEvents(listener.url, {
    times: 2,
    order: 'reversed',
    time: new Date('2026-01-01T00:00:00Z'),
  });
  assert.deepEqual(listEventTypes(listener.received).slice(0, 3), [
    'CHECKOUT.ORDER.COMPLETED',
    'CHECKOUT.ORDER.COMPLETED',
    'PAYMENT.CAPTURE.COMPLETED',
  ]);
  assert.equal(listener.received.length, 6);
  assert.equal(listener.received[0]?.headers['paypal-transmission-time'], '2026-01-01T00:00:00Z');
});

test('duplicates and reorders webhooks if a fault is active', async () => {
  const faults = new Faults();
  await using fixture = await startPayPal({ faults });
  await using listener = await startWebhookListener();
  const { paypal } = fixture;
  paypal.addWebhook(listener.url);
  faults.enableFault({ kind: 'reordered-webhooks', times: 1, on: 'paypal' });
  faults.enableFault({ kind: 'duplicate-webhooks', times: 1, on: 'paypal' });
  await createCapture(fixture);
  await waitUntil(() => listener.received.length === 4);
  assert.deepEqual(listEventTypes(listener.received), [
    'PAYMENT.CAPTURE.COMPLETED',
    'CHECKOUT.ORDER.APPROVED',
    'CHECKOUT.ORDER.APPROVED',
    'CHECKOUT.ORDER.COMPLETED',
  ]);
  paypal.close();
});

test('manages webhooks', async ({ call }) => {
  const path = '/v1/notifications/webhooks';
  const createWebhook = (url: string): ReturnType<typeof call> =>
    call('POST', path, { body: { url, event_types: [{ name: '*' }] } });
  const created = await createWebhook('http://127.0.0.1:9/a');
  assert.equal(created.status, 201);
  assert.equal(getIssue(await createWebhook('http://127.0.0.1:9/a')), 'WEBHOOK_URL_ALREADY_EXISTS');
  assert.equal(getIssue(await createWebhook('https://example.org/a')), 'WEBHOOK_URL_INVALID');
  const list = await call('GET', path);
  assert.deepEqual(
    (list.body.webhooks as Json[]).map(({ id }) => id),
    [created.body.id],
  );
  assert.equal((await call('GET', `${path}/${created.body.id}`)).body.url, 'http://127.0.0.1:9/a');
  assert.equal((await call('DELETE', `${path}/${created.body.id}`)).status, 204);
  assert.equal((await call('GET', `${path}/${created.body.id}`)).status, 404);
  assert.equal((await call('POST', path, { body: {}, isWrong: true })).status, 400);
});

test('lists events, and resends one', async (fixture) => {
  const { paypal, call } = fixture;
  await using listener = await startWebhookListener();
  const { id } = await createCapture(fixture);
  paypal.addWebhook(listener.url);
  const path = '/v1/notifications/webhooks-events';
  const list = await call('GET', `${path}?event_type=PAYMENT.CAPTURE.COMPLETED`);
  const [event] = list.body.events as [Json & { id: string; resource: Json }];
  assert.equal(event.resource.id, id);
  assert.equal((await call('GET', `${path}/${event.id}`)).body.id, event.id);
  const { status } = await call('POST', `${path}/${event.id}/resend`, { body: {} });
  assert.equal(status, 202);
  await waitUntil(() => listener.received.length === 1);
  assert.equal((await call('GET', `${path}/WH-UNKNOWN`)).status, 404);
  paypal.close();
});
