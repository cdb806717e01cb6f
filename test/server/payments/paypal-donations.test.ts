import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { test } from 'node:test';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import { waitUntil } from '../../wait-until.ts';
import { ORIGIN, createIdempotencyKey, readOutcome, startServer } from '../support.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { CREDENTIALS, startPayPal } from '../../../src/sandbox/test/paypal/support.ts';
import {
  formWithPayPal,
  getOrderId,
  getSubscriptionId,
  startServerWithPayPal,
} from './paypal-server.ts';

test('charges once when the donor has approved and returns, and records the donation', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, paypal } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key);
  assert.deepEqual([asked.status, server.getCaptureCount(asked.reference)], ['requires_action', 0]);
  paypal.approveOrder(getOrderId(asked));
  const { status, reference, response } = await confirm(key);
  const [capture, ...more] = paypal.listCaptures(reference);
  assert.deepEqual(
    [status, response?.amount, response?.transactionId, capture?.amount.units, more],
    ['succeeded', 51.81, capture?.id, 5_181, []],
  );
  await waitUntil(async () => (await server.listGifts()).length === 1);
  assert.deepEqual(
    await readOutcome(await server.fetchOutcome(key)).then((one) => one.status),
    'succeeded',
  );
});

test('records an approved charge later if the database fails after it', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { donate, confirm, paypal, repository } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key);
  paypal.approveOrder(getOrderId(asked));
  const markSucceeded = repository.markSucceeded.bind(repository);
  repository.markSucceeded = () => Promise.reject(new Error('Connection terminated'));
  await assert.rejects(confirm(key));
  assert.equal(server.getCaptureCount(asked.reference), 1);
  assert.doesNotMatch(server.logLines.join(''), /payment call failed/);
  repository.markSucceeded = markSucceeded;
  time += 21_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).status === 'succeeded',
  );
  assert.equal(server.getCaptureCount(asked.reference), 1);
});

test('creates one order for 50 parallel submissions, and charges once for 50 parallel returns', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, paypal } = server;
  const key = createIdempotencyKey();
  const submissions = await Promise.all(Array.from({ length: 50 }, () => donate(key)));
  assert.equal(new Set(submissions.map(({ reference }) => reference)).size, 1);
  const { reference } = submissions[0]!;
  assert.equal(paypal.calls.filter((call) => call === 'POST /v2/checkout/orders').length, 1);
  const withAction = submissions.find(({ action }) => action)!;
  paypal.approveOrder(getOrderId(withAction));
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => confirm(key)));
  assert.deepEqual(
    [new Set(outcomes.map(({ status }) => status)), server.getCaptureCount(reference)],
    [new Set(['succeeded']), 1],
  );
});

test('charges a donor who never returns, in a background job', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { donate, paypal, handler } = server;
  const asked = await donate();
  paypal.approveOrder(getOrderId(asked));
  await waitUntil(() => {
    time += 61_000;
    handler.start();
    return server.getCaptureCount(asked.reference) === 1;
  });
  await waitUntil(async () => (await server.listGifts()).length === 1);
});

test('ends an order that is not approved in time, and never charges a late approval', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { donate, confirm, paypal, handler } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key);
  await waitUntil(async () => {
    time += 600_000;
    handler.start();
    return (await readOutcome(await server.fetchOutcome(key))).status === 'failed';
  });
  paypal.approveOrder(getOrderId(asked));
  const late = await confirm(key);
  assert.deepEqual(
    [late.status, late.reason, server.getCaptureCount(asked.reference)],
    ['failed', 'not-confirmed', 0],
  );
});

test('never charges a donor who canceled, even if they approve in another tab', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, cancel, paypal } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key);
  const canceled = await cancel(key);
  paypal.approveOrder(getOrderId(asked));
  await confirm(key);
  assert.deepEqual(
    [canceled.status, canceled.reason, server.getCaptureCount(asked.reference)],
    ['failed', 'not-confirmed', 0],
  );
});

test('either charges or cancels if both happen at once', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await using server = await startServerWithPayPal();
    const { donate, confirm, cancel, paypal } = server;
    const key = createIdempotencyKey();
    const asked = await donate(key);
    paypal.approveOrder(getOrderId(asked));
    await Promise.all([cancel(key), setTimeout(attempt).then(() => confirm(key))]);
    const { status } = await readOutcome(await server.fetchOutcome(key));
    assert.equal(server.getCaptureCount(asked.reference), status === 'succeeded' ? 1 : 0, status);
  }
});

test('lets the donor try again after a decline', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, paypal } = server;
  const [key, nextKey] = [createIdempotencyKey(), createIdempotencyKey()];
  const asked = await donate(key);
  paypal.approveOrder(getOrderId(asked), { funding: 'declined' });
  const declined = await confirm(key);
  assert.deepEqual(
    [declined.status, declined.reason, server.getCaptureCount(asked.reference)],
    ['failed', 'card-declined', 0],
  );
  const again = await donate(nextKey);
  paypal.approveOrder(getOrderId(again));
  assert.equal((await confirm(nextKey)).status, 'succeeded');
  assert.equal(server.getCaptureCount(again.reference), 1);
});

for (const [count, call] of [
  [20, /POST \/v2\/checkout\/orders$/],
  [100, /\/capture$/],
  [20, /GET \/v2\/checkout/],
] as const)
  test(`charges and records ${count} donations once if each loses a response of ${call.source}`, async () => {
    let time = Date.now();
    await using server = await startServerWithPayPal({
      now: () => time,
      hasBackgroundJobs: false,
    });
    const { donate, confirm, paypal, handler } = server;
    const keys = Array.from({ length: count }, createIdempotencyKey);
    const references: string[] = [];
    for (const key of keys) {
      paypal.dropResponses(1, call);
      const asked = await donate(key);
      assert.equal(asked.status, 'requires_action');
      references.push(asked.reference);
      paypal.approveOrder(getOrderId(asked));
      await confirm(key);
    }
    // The clock stands still while jobs run, so that a slow machine exceeds no time limit.
    for (let run = 0; run < 5; run += 1) {
      time += 61_000;
      await handler.runJobs();
    }
    assert.deepEqual(
      references.map(server.getCaptureCount),
      references.map(() => 1),
    );
    assert.deepEqual(
      new Set((await server.listGifts()).map(({ reference }) => reference)),
      new Set(references),
    );
  });

test('keeps a donation open while PayPal is down, and charges it once when PayPal is back', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { donate, confirm, paypal, handler } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key);
  paypal.approveOrder(getOrderId(asked));
  paypal.failCalls(503, 3, /\/capture$/);
  assert.equal((await confirm(key)).status, 'unconfirmed');
  await waitUntil(async () => {
    time += 61_000;
    handler.start();
    return (await readOutcome(await server.fetchOutcome(key))).status === 'succeeded';
  });
  assert.equal(server.getCaptureCount(asked.reference), 1);
});

test('reports a pending eCheck as processing, and then its outcome', async () => {
  for (const [settle, expected] of [
    ['settlePending', 'succeeded'],
    ['declinePending', 'failed'],
  ] as const) {
    let time = Date.now();
    await using server = await startServerWithPayPal({ now: () => time });
    const { donate, confirm, paypal, handler } = server;
    const key = createIdempotencyKey();
    const asked = await donate(key);
    paypal.approveOrder(getOrderId(asked), { funding: 'echeck' });
    const { status, awaiting } = await confirm(key);
    assert.deepEqual([status, awaiting], ['processing', 'bank']);
    paypal[settle](paypal.listCaptures(asked.reference)[0]!.id);
    await waitUntil(async () => {
      time += 13 * 3_600_000;
      handler.start();
      return (await readOutcome(await server.fetchOutcome(key))).status === expected;
    });
  }
});

test('charges a donor who never returns once, for repeated webhooks in any order', async () => {
  for (const order of ['original', 'reversed', 'shuffled'] as const) {
    await using server = await startServerWithPayPal();
    const { donate, paypal, deliverWebhooks } = server;
    const asked = await donate();
    paypal.approveOrder(getOrderId(asked));
    assert.deepEqual(await deliverWebhooks({ times: 5, order }), new Set([204]));
    assert.deepEqual(await deliverWebhooks({ times: 5, order }), new Set([204]));
    assert.equal(server.getCaptureCount(asked.reference), 1);
    await waitUntil(async () => (await server.listGifts()).length === 1);
  }
});

test('records a monthly donation, its renewals, and its end once', async () => {
  for (const order of ['original', 'reversed', 'shuffled'] as const) {
    await using server = await startServerWithPayPal();
    const { donate, confirm, paypal, deliverWebhooks } = server;
    const key = createIdempotencyKey();
    const asked = await donate(key, { frequency: 'monthly' });
    assert.equal(asked.status, 'requires_action');
    const id = getSubscriptionId(server);
    paypal.approveSubscription(id);
    const { status, reference, response } = await confirm(key);
    assert.deepEqual(
      [status, response?.amount, server.getCaptureCount(reference)],
      ['succeeded', 51.81, 1],
    );
    paypal.renewSubscription(id);
    const renewal = paypal.renewSubscription(id);
    await deliverWebhooks({ times: 2, order });
    paypal.createRefund(renewal.id);
    await deliverWebhooks({ order });
    paypal.cancelSubscription(id);
    assert.deepEqual(await deliverWebhooks({ times: 3, order }), new Set([204]));
    await waitUntil(async () => {
      const gifts = await server.listGifts();
      return (
        gifts.length === 3 &&
        gifts.some(({ refunded }) => refunded !== undefined) &&
        gifts.some(({ recurringStatus }) => recurringStatus === 2)
      );
    });
    const gifts = await server.listGifts();
    assert.deepEqual(
      [gifts.length, gifts.filter(({ parent }) => parent === reference).length],
      [3, 2],
      order,
    );
    assert.equal(server.getCaptureCount(reference), 3);
  }
});

test('checks a processing subscription that PayPal still reports as approved only twice a day', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time, hasBackgroundJobs: false });
  const { donate, paypal, repository } = server;
  const { reference } = await donate(createIdempotencyKey(), { frequency: 'monthly' });
  paypal.approveSubscription(getSubscriptionId(server));
  const row = (await repository.findByReference(reference))!;
  const { paymentId, subscriptionId, paymentMethod } = row;
  await repository.markProcessing(row, { paymentId, subscriptionId, paymentMethod }, time);
  const lookups = () => paypal.calls.filter((call) => /^GET .*subscriptions/.test(call)).length;
  await server.handler.runJobs();
  assert.equal(lookups(), 1);
  time += 11 * 3_600_000;
  await server.handler.runJobs();
  assert.equal(lookups(), 1);
  time += 3_600_000;
  await server.handler.runJobs();
  assert.equal(lookups(), 2);
  assert.equal((await repository.findByReference(reference))!.status, 'processing');
});

test('starts no monthly donation that was canceled or declined', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, cancel, paypal, deliverWebhooks } = server;
  const [key, declinedKey] = [createIdempotencyKey(), createIdempotencyKey()];
  const asked = await donate(key, { frequency: 'monthly' });
  const id = getSubscriptionId(server);
  assert.equal((await cancel(key)).status, 'failed');
  paypal.approveSubscription(id);
  await deliverWebhooks({ times: 2 });
  await confirm(key);
  assert.equal(server.getCaptureCount(asked.reference), 0);
  const declined = await donate(declinedKey, { frequency: 'monthly' });
  paypal.approveSubscription(getSubscriptionId(server), { funding: 'declined' });
  const { status, reason } = await confirm(declinedKey);
  assert.deepEqual([status, reason], ['failed', 'card-declined']);
  assert.throws(() => paypal.renewSubscription(getSubscriptionId(server)));
  assert.equal(server.getCaptureCount(declined.reference), 0);
});

test('creates one product and one plan for many monthly donations, on one server after another', async () => {
  await using server = await startServerWithPayPal();
  const { donate, paypal, provider } = server;
  await Promise.all(Array.from({ length: 5 }, () => donate(undefined, { frequency: 'monthly' })));
  await using second = await startServer({
    form: formWithPayPal,
    payments: { paypal: { gateway: provider.createGateway() } },
  });
  await second.postDonation(
    await second.createRequest({
      payment: { provider: 'paypal', returnUrl: `${ORIGIN}/give` },
      gift: { frequency: 'monthly' },
    }),
  );
  const countEvents = (type: string): number =>
    paypal.events.filter(({ event_type: eventType }) => eventType === type).length;
  assert.deepEqual(
    [
      countEvents('CATALOG.PRODUCT.CREATED'),
      countEvents('BILLING.PLAN.CREATED'),
      countEvents('BILLING.SUBSCRIPTION.CREATED'),
    ],
    [1, 1, 6],
  );
});

test('does not lose a monthly donation if a response about its activation is lost', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { donate, confirm, paypal, handler } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key, { frequency: 'monthly' });
  paypal.approveSubscription(getSubscriptionId(server));
  paypal.dropResponses(1, /\/activate$/);
  await confirm(key);
  await waitUntil(async () => {
    time += 61_000;
    handler.start();
    return (await readOutcome(await server.fetchOutcome(key))).status === 'succeeded';
  });
  assert.equal(server.getCaptureCount(asked.reference), 1);
});

test('responds with 503 to a cancellation or a webhook if a response from PayPal is lost', async () => {
  await using server = await startServerWithPayPal();
  const key = createIdempotencyKey();
  const asked = await server.donate(key);
  const cancel = () =>
    server.handler.fetch(
      new Request('https://give.example/donations/cancel', {
        method: 'POST',
        headers: { Origin: ORIGIN, 'Idempotency-Key': key },
      }),
    );
  server.paypal.dropResponses(1, /orders/);
  const lost = await cancel();
  assert.deepEqual([lost.status, lost.headers.get('Retry-After')], [503, '5']);
  server.paypal.failCalls(503, 1, /orders/);
  assert.equal((await cancel()).status, 503);
  server.paypal.approveOrder(getOrderId(asked));
  await server.confirm(key);
  server.paypal.dropResponses(1, /captures/);
  assert.deepEqual(await server.sendWebhooks('PAYMENT.CAPTURE.COMPLETED'), [503]);
  assert.deepEqual(await server.sendWebhooks('PAYMENT.CAPTURE.COMPLETED'), [204]);
});

test('responds with 503 to unverified webhooks without an error in the log', async (t) => {
  const startedAt = Date.now();
  t.mock.method(Date, 'now', () => startedAt);
  await using server = await startServerWithPayPal();
  const body = JSON.stringify({ event_type: 'CATALOG.PRODUCT.CREATED', resource: {} });
  const send = async (address: string, certificate?: string): Promise<number> => {
    const headers = new Headers(
      server.paypal.createWebhookHeaders(server.provider.webhookId, body),
    );
    if (certificate !== undefined)
      headers.set(
        'PayPal-Cert-Url',
        `${server.provider.fixture.url}/v1/notifications/certs/${certificate}`,
      );
    const request = new Request('https://give.example/webhooks/paypal/lanternwell', {
      method: 'POST',
      body,
      headers,
    });
    return (await server.handler.fetch(request, { address })).status;
  };
  const forge = async (createAddress: (count: number) => string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push(await send(createAddress(count), `FORGED-${createAddress(0).length}-${count}`));
    return statuses;
  };
  assert.deepEqual(
    await forge(() => '203.0.113.9'),
    [400, 400, 400, 400, 400, 400, 503],
    "five certificates of this sender's webhooks, and one more per second",
  );
  assert.deepEqual(
    await forge((count) => `2001:db8:1:${count}::1`),
    [400, 400, 400, 400, 400, 503, 503],
    'one /48 network is one sender',
  );
  assert.equal(await send('203.0.113.9'), 503);
  assert.equal(await send('198.51.100.1'), 204);
  assert.equal(await send('203.0.113.9'), 204);
  const warnings = server.logLines.filter((line) => line.includes('rejected a webhook that'));
  assert.equal(warnings.length, 4);
  assert.ok(
    warnings.every((line) => !Object.hasOwn(JSON.parse(line) as object, 'request')),
    'the logger combines them',
  );
  assert.ok(!server.logLines.some((line) => (JSON.parse(line) as { level: number }).level >= 50));
  const stored = await server.database.db.selectFrom('serverInfo').selectAll().execute();
  assert.match(
    stored.find(({ name }) => name.startsWith('paypal-certificate'))?.value ?? '',
    /^-----BEGIN CERTIFICATE-----/,
  );
});

test('logs no secret and no donor data if PayPal rejects the app or fails a call', async () => {
  const clientSecret = 'canary-client-secret';
  await using paypal = await startPayPal();
  const rejected = createPayPalGateway({
    ...CREDENTIALS,
    clientSecret,
    environment: 'sandbox',
    apiUrl: paypal.url,
  });
  const credentials = Buffer.from(`${CREDENTIALS.clientId}:${clientSecret}`).toString('base64');
  for (const options of [{}, { payments: { paypal: { gateway: rejected } } }]) {
    await using server = await startServerWithPayPal(options);
    const key = createIdempotencyKey();
    const asked = await server.donate(key);
    if (asked.action) {
      server.paypal.approveOrder(getOrderId(asked));
      server.paypal.failCalls(503, 1, /\/capture$/);
      await server.confirm(key);
    }
    const logged = server.logLines.join('\n');
    assert.match(logged, /payment call failed/);
    const donor = `${key.slice(0, 12).toLowerCase()}@example.org`;
    for (const secret of [clientSecret, credentials, CREDENTIALS.clientSecret, donor, key])
      assert.ok(!logged.includes(secret), secret);
  }
});

test('records a Venmo donation as paid by digital wallet', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, paypal } = server;
  const key = createIdempotencyKey();
  const asked = await donate(key);
  paypal.approveOrder(getOrderId(asked), { funding: 'venmo' });
  const { status, reference, response } = await confirm(key);
  assert.deepEqual(
    [status, response?.amount, response?.transactionId],
    ['succeeded', 51.81, paypal.listCaptures(reference)[0]?.id],
  );
  await waitUntil(() => server.sentGifts.length === 1);
  const { reference: sentReference, paymentMethod } = JSON.parse(server.sentGifts[0]!) as {
    readonly reference: string;
    readonly paymentMethod: number;
  };
  assert.deepEqual([sentReference, paymentMethod], [reference, PaymentMethodType.Wallet]);
});
