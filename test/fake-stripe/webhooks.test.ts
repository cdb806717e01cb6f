import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import { CARDS } from './index.ts';
import { GIFT, openDesk, type Desk } from './support.ts';

/** A webhook that lets the real library check each signature. */
async function openWebhook({ fake, stripe }: Desk) {
  const received: Stripe.Event[] = [];
  const server = createServer(
    (request, response) =>
      void text(request)
        .then((body) => {
          received.push(
            stripe.webhooks.constructEvent(
              body,
              request.headers['stripe-signature']!,
              fake.webhookSecret,
            ),
          );
          response.end();
        })
        .catch(() => response.writeHead(400).end()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => server.close(),
  };
}

async function pay({ fake, stripe }: Desk): Promise<void> {
  const { id } = await stripe.paymentIntents.create(GIFT);
  await stripe.paymentIntents.confirm(id, {
    confirmation_token: fake.confirmationToken(CARDS.good),
  });
}

test('events are signed so that the real library takes them', async () => {
  await using desk = await openDesk();
  using webhook = await openWebhook(desk);
  await pay(desk);
  assert.deepEqual(await desk.fake.deliver(webhook.url), [200, 200, 200]);
  const last = webhook.received.at(-1)!;
  assert.deepEqual(
    [last.type, last.api_version, (last.data.object as Stripe.PaymentIntent).metadata],
    ['payment_intent.succeeded', '2026-10-28.endive', GIFT.metadata],
  );
  assert.deepEqual((await desk.stripe.events.retrieve(last.id)).id, last.id);
});

test('a wrong secret and an old signature are refused', async () => {
  await using desk = await openDesk();
  using webhook = await openWebhook(desk);
  await pay(desk);
  const events = desk.fake.events.slice(-1);
  assert.deepEqual(await desk.fake.deliver(webhook.url, { events, secret: 'whsec_other' }), [400]);
  assert.deepEqual(
    await desk.fake.deliver(webhook.url, {
      events,
      timestamp: Math.floor(Date.now() / 1_000) - 600,
    }),
    [400],
  );
});

test('events come twice, and in another order, as they do', async () => {
  await using desk = await openDesk();
  using webhook = await openWebhook(desk);
  await pay(desk);
  await desk.fake.deliver(webhook.url, { times: 2, order: 'reversed' });
  assert.deepEqual(
    webhook.received.map(({ type }) => type),
    [
      'payment_intent.succeeded',
      'payment_intent.succeeded',
      'charge.succeeded',
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.created',
    ],
  );
  await desk.fake.deliver(webhook.url, { order: 'shuffled' });
  assert.equal(new Set(webhook.received.map(({ id }) => id)).size, 3);
});

test('an event shows its thing as it was at that moment', async () => {
  await using desk = await openDesk();
  await pay(desk);
  assert.deepEqual(
    desk.fake.events
      .filter(({ type }) => type.startsWith('payment_intent'))
      .map(({ data }) => (data.object as Stripe.PaymentIntent).status),
    ['requires_payment_method', 'succeeded'],
  );
});
