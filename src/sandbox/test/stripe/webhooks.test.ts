import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Stripe } from 'stripe';
import { CARDS } from '../../../../test/fake-stripe.ts';
import { PAYMENT_PARAMS, type StripeFixture, test } from './support.ts';

/** Starts a webhook server that verifies signatures with Stripe's real library. */
async function startWebhookServer({ fake, stripe }: StripeFixture) {
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

async function confirmPayment({ confirm, stripe }: StripeFixture): Promise<void> {
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  await confirm(id, CARDS.good);
}

test("signs events so that Stripe's library accepts them", async (fixture) => {
  const { fake, stripe } = fixture;
  using webhook = await startWebhookServer(fixture);
  await confirmPayment(fixture);
  assert.deepEqual(await fake.deliverEvents(webhook.url), [200, 200, 200]);
  const last = webhook.received.at(-1)!;
  assert.deepEqual(
    [last.type, last.api_version, (last.data.object as Stripe.PaymentIntent).metadata],
    ['payment_intent.succeeded', '2026-10-28.endive', PAYMENT_PARAMS.metadata],
  );
  assert.deepEqual((await stripe.events.retrieve(last.id)).id, last.id);
});

test('rejects a wrong secret and an old signature', async (fixture) => {
  const { fake } = fixture;
  using webhook = await startWebhookServer(fixture);
  await confirmPayment(fixture);
  const events = fake.events.slice(-1);
  assert.deepEqual(await fake.deliverEvents(webhook.url, { events, secret: 'whsec_other' }), [400]);
  assert.deepEqual(
    await fake.deliverEvents(webhook.url, {
      events,
      timestamp: Math.floor(Date.now() / 1_000) - 600,
    }),
    [400],
  );
});

test('delivers events twice and in another order', async (fixture) => {
  const { fake } = fixture;
  using webhook = await startWebhookServer(fixture);
  await confirmPayment(fixture);
  await fake.deliverEvents(webhook.url, { times: 2, order: 'reversed' });
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
  await fake.deliverEvents(webhook.url, { order: 'shuffled' });
  assert.equal(new Set(webhook.received.map(({ id }) => id)).size, 3);
});

test('an event contains a snapshot of its object', async (fixture) => {
  const { fake } = fixture;
  await confirmPayment(fixture);
  assert.deepEqual(
    fake.events
      .filter(({ type }) => type.startsWith('payment_intent'))
      .map(({ data }) => (data.object as Stripe.PaymentIntent).status),
    ['requires_payment_method', 'succeeded'],
  );
});
