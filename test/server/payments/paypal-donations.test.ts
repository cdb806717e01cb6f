import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import { CREDENTIALS, startPayPal } from '../../../src/sandbox/test/paypal/support.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { waitUntil } from '../../wait-until.ts';
import { failToRecordSuccess } from '../donations/faults.ts';
import { createIdempotencyKey, ORIGIN, waitForStatus } from '../support.ts';
import { assertLostResponsesChargeOnce } from './paypal-lost-responses.ts';
import { getOrderId, getSubscriptionId, startServerWithPayPal } from './paypal-server.ts';

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
  assert.equal((await server.pollOutcome(key)).status, 'succeeded');
});

test('records an approved charge later if the database fails after it', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { repository } = server;
  const { key, reference } = await server.placeApprovedOrder();
  const repairDatabase = failToRecordSuccess(repository);
  await assert.rejects(server.confirm(key));
  assert.equal(server.getCaptureCount(reference), 1);
  assert.doesNotMatch(server.logLines.join(''), /payment call failed/);
  repairDatabase();
  time += 21_000;
  await waitForStatus(server, key, 'succeeded');
  assert.equal(server.getCaptureCount(reference), 1);
});

test('creates one order for 50 parallel submissions, and charges once for 50 parallel returns', async () => {
  await using server = await startServerWithPayPal();
  const { donate, confirm, paypal } = server;
  const key = createIdempotencyKey();
  const submissions = await Promise.all(Array.from({ length: 50 }, () => donate(key)));
  assert.equal(new Set(submissions.map(({ reference }) => reference)).size, 1);
  assert.equal(paypal.calls.filter((call) => call === 'POST /v2/checkout/orders').length, 1);
  const withAction = submissions.find(({ action }) => action)!;
  paypal.approveOrder(getOrderId(withAction));
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => confirm(key)));
  assert.deepEqual(
    [new Set(outcomes.map(({ status }) => status)), server.getCaptureCount(withAction.reference)],
    [new Set(['succeeded']), 1],
  );
});

test('charges a donor who never returns, in a background job', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { reference } = await server.placeApprovedOrder();
  await waitUntil(() => {
    time += 61_000;
    server.handler.start();
    return server.getCaptureCount(reference) === 1;
  });
  await waitUntil(async () => (await server.listGifts()).length === 1);
});

test('ends an order that is not approved in time, and never charges a late approval', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const key = createIdempotencyKey();
  const asked = await server.donate(key);
  await waitForStatus(server, key, 'failed', () => (time += 600_000));
  server.paypal.approveOrder(getOrderId(asked));
  const late = await server.confirm(key);
  assert.deepEqual(
    [late.status, late.reason, server.getCaptureCount(asked.reference)],
    ['failed', 'not-confirmed', 0],
  );
});

test('never charges a donor who canceled, even if they approve in another tab', async () => {
  await using server = await startServerWithPayPal();
  const key = createIdempotencyKey();
  const asked = await server.donate(key);
  const canceled = await server.cancel(key);
  server.paypal.approveOrder(getOrderId(asked));
  await server.confirm(key);
  assert.deepEqual(
    [canceled.status, canceled.reason, server.getCaptureCount(asked.reference)],
    ['failed', 'not-confirmed', 0],
  );
});

test('either charges or cancels if both happen at once', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await using server = await startServerWithPayPal();
    const { key, reference } = await server.placeApprovedOrder();
    await Promise.all([server.cancel(key), setTimeout(attempt).then(() => server.confirm(key))]);
    const { status } = await server.pollOutcome(key);
    assert.equal(server.getCaptureCount(reference), status === 'succeeded' ? 1 : 0, status);
  }
});

test('lets the donor try again after a decline', async () => {
  await using server = await startServerWithPayPal();
  for (const [funding, ...expected] of [
    ['declined', 'failed', 'card-declined', 0],
    ['balance', 'succeeded', undefined, 1],
  ] as const) {
    const { key, reference } = await server.placeApprovedOrder(funding);
    const { status, reason } = await server.confirm(key);
    assert.deepEqual([status, reason, server.getCaptureCount(reference)], expected);
  }
});

for (const call of [/POST \/v2\/checkout\/orders$/, /\/capture$/, /GET \/v2\/checkout/])
  test(`charges and records 20 donations once if each loses a response of ${call.source}`, () =>
    assertLostResponsesChargeOnce(20, call));

test('keeps a donation open while PayPal is down, and charges it once when PayPal is back', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { key, reference } = await server.placeApprovedOrder();
  server.paypal.failCalls(503, 3, /\/capture$/);
  assert.equal((await server.confirm(key)).status, 'unconfirmed');
  await waitForStatus(server, key, 'succeeded', () => (time += 61_000));
  assert.equal(server.getCaptureCount(reference), 1);
});

test('reports a pending eCheck as processing, and then its outcome', async () => {
  for (const [settle, expected] of [
    ['settlePending', 'succeeded'],
    ['declinePending', 'failed'],
  ] as const) {
    let time = Date.now();
    await using server = await startServerWithPayPal({ now: () => time });
    const { key, reference } = await server.placeApprovedOrder('echeck');
    const { status, awaiting } = await server.confirm(key);
    assert.deepEqual([status, awaiting], ['processing', 'bank']);
    server.paypal[settle](server.paypal.listCaptures(reference)[0]!.id);
    await waitForStatus(server, key, expected, () => (time += 13 * 3_600_000));
  }
});

test('charges a donor who never returns once, for repeated webhooks in any order', async () => {
  for (const order of ['original', 'reversed', 'shuffled'] as const) {
    await using server = await startServerWithPayPal();
    const { reference } = await server.placeApprovedOrder();
    for (const repetition of ['first', 'second'])
      assert.deepEqual(
        await server.deliverWebhooks({ times: 5, order }),
        new Set([204]),
        repetition,
      );
    assert.equal(server.getCaptureCount(reference), 1);
    await waitUntil(async () => (await server.listGifts()).length === 1);
  }
});

test('records a monthly donation, its renewals, and its end once', async () => {
  for (const order of ['original', 'reversed', 'shuffled'] as const) {
    await using server = await startServerWithPayPal();
    const { paypal, deliverWebhooks } = server;
    const { key, subscriptionId: id } = await server.startApprovedSubscription();
    const { status, reference, response } = await server.confirm(key);
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
  const { paypal, repository } = server;
  const { reference } = await server.startApprovedSubscription();
  const row = (await repository.findByReference(reference))!;
  const columns = { nextRunAt: time };
  await repository.applyTrigger(row, { type: 'accepted', awaiting: 'bank' }, { columns });
  for (const [hours, lookups] of [
    [0, 1],
    [11, 1],
    [1, 2],
  ] as const) {
    time += hours * 3_600_000;
    await server.handler.runJobs();
    const calls = paypal.calls.filter((call) => /^GET .*subscriptions/.test(call));
    assert.equal(calls.length, lookups);
  }
  assert.equal((await repository.findByReference(reference))!.status, 'processing');
});

test('starts no monthly donation that was canceled or declined', async () => {
  await using server = await startServerWithPayPal();
  const { paypal } = server;
  const key = createIdempotencyKey();
  const asked = await server.donate(key, { frequency: 'monthly' });
  const id = getSubscriptionId(server);
  assert.equal((await server.cancel(key)).status, 'failed');
  paypal.approveSubscription(id);
  await server.deliverWebhooks({ times: 2 });
  await server.confirm(key);
  assert.equal(server.getCaptureCount(asked.reference), 0);
  const declined = await server.startApprovedSubscription('declined');
  const { status, reason } = await server.confirm(declined.key);
  assert.deepEqual([status, reason], ['failed', 'card-declined']);
  assert.throws(() => paypal.renewSubscription(declined.subscriptionId));
  assert.equal(server.getCaptureCount(declined.reference), 0);
});

test('does not lose a monthly donation if a response about its activation is lost', async () => {
  let time = Date.now();
  await using server = await startServerWithPayPal({ now: () => time });
  const { key, reference } = await server.startApprovedSubscription();
  server.paypal.dropResponses(1, /\/activate$/);
  await server.confirm(key);
  await waitForStatus(server, key, 'succeeded', () => (time += 61_000));
  assert.equal(server.getCaptureCount(reference), 1);
});

test('responds with 503 to a cancellation or a webhook if a response from PayPal is lost', async () => {
  await using server = await startServerWithPayPal();
  const key = createIdempotencyKey();
  const asked = await server.donate(key);
  const headers = { Origin: ORIGIN, 'Idempotency-Key': key };
  const cancel = () => server.fetch('/donations/cancel', { method: 'POST', headers });
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
    const url = 'https://give.example/webhooks/paypal/lanternwell';
    const request = new Request(url, { method: 'POST', body, headers });
    return (await server.handler.fetch(request, { address })).status;
  };
  for (const [createAddress, expected, reason] of [
    [
      () => '203.0.113.9',
      [400, 400, 400, 400, 400, 400, 503],
      "five certificates of this sender's webhooks, and one more per second",
    ],
    [
      (count: number) => `2001:db8:1:${count}::1`,
      [400, 400, 400, 400, 400, 503, 503],
      'one /48 network is one sender',
    ],
  ] as const) {
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push(await send(createAddress(count), `FORGED-${createAddress(0).length}-${count}`));
    assert.deepEqual(statuses, expected, reason);
  }
  for (const [address, status] of [
    ['203.0.113.9', 503],
    ['198.51.100.1', 204],
    ['203.0.113.9', 204],
  ] as const)
    assert.equal(await send(address), status);
  const lines = server.logLines.map((line) => JSON.parse(line) as { level: number; msg?: string });
  const warnings = lines.filter(({ msg }) => msg?.includes('rejected a webhook that'));
  assert.equal(warnings.length, 4);
  assert.ok(
    warnings.every((line) => !Object.hasOwn(line, 'request')),
    'the logger combines them',
  );
  assert.ok(lines.every(({ level }) => level < 50));
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
  const { key, reference } = await server.placeApprovedOrder('venmo');
  const { status, response } = await server.confirm(key);
  assert.deepEqual(
    [status, response?.amount, response?.transactionId],
    ['succeeded', 51.81, server.paypal.listCaptures(reference)[0]?.id],
  );
  await waitUntil(() => server.sentGifts.length === 1);
  const sent = JSON.parse(server.sentGifts[0]!) as { reference: string; paymentMethod: number };
  assert.deepEqual([sent.reference, sent.paymentMethod], [reference, PaymentMethodType.Wallet]);
});
