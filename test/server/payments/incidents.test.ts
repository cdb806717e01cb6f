import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BANKS, CARDS, type FakeStripe, startFakeStripe } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import { Outage, respondWith } from '../donations/faults.ts';
import { waitForDelivery } from '../reporting/support.ts';
import {
  createIdempotencyKey,
  ORIGIN,
  readProblem,
  waitForGift,
  waitForStatus,
} from '../support.ts';
import { startServerWithStripe, type StripeTestServer } from './support.ts';

type Incident = readonly [
  title: string,
  status: 'succeeded' | 'failed',
  /** Codes of Stripe's responses. */
  codes: readonly number[],
  disturb: (stripe: FakeStripe, code: number) => void,
];

const INCIDENTS: readonly Incident[] = [
  [
    'charges and records once after a lost response and failed lookups',
    'succeeded',
    [429, 503],
    (stripe, code) => {
      stripe.dropResponses(3, /\/confirm$/);
      stripe.failCalls(code, 20, /GET \/v1\/payment_intents|\/cancel$/);
    },
  ],
  [
    'never reports that nothing was charged after a lost response and a rejected retry, even if the payment cannot be canceled yet',
    'succeeded',
    [429, 401],
    (stripe, code) => {
      stripe.dropResponses(1, /\/confirm$/);
      stripe.failCallsAfter(1, code, 1, /\/confirm$/);
      stripe.failCalls(503, 4, /\/cancel$/);
    },
  ],
  [
    'keeps a rejected charge unconfirmed until its payment is canceled',
    'failed',
    [429],
    (stripe, code) => {
      stripe.failCalls(code, 2, /\/confirm$/);
      stripe.failCalls(503, 4, /\/cancel$/);
    },
  ],
];

for (const [title, status, codes, disturb] of INCIDENTS)
  test(title, async () => {
    for (const code of codes) {
      let time = Date.now();
      await using server = await startServerWithStripe({ now: () => time });
      disturb(server.fakeStripe, code);
      const key = createIdempotencyKey();
      const first = await server.donate(CARDS.good, {}, key);
      assert.equal(first.status, 'unconfirmed', String(code));
      await waitForStatus(server, key, status, () => (time += 61_000));
      const charges = status === 'succeeded' ? 1 : 0;
      assert.equal(server.fakeStripe.listCharges(first.reference).length, charges);
      assert.deepEqual(
        server.fakeStripe.listPaymentIntents().map((intent) => intent.status),
        [status === 'succeeded' ? status : 'canceled'],
      );
      await waitUntil(async () => (await server.listGifts()).length === charges);
    }
  });

test('processes a donation correctly if the clock moves back in the middle', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => (time -= 3_000) });
  const { status, reference } = await server.donate();
  assert.equal(status, 'succeeded');
  assert.deepEqual(
    [
      (await server.repository.findByReference(reference))?.paymentId,
      server.fakeStripe.listCharges(reference).length,
    ],
    [server.fakeStripe.listPaymentIntents()[0]!.id, 1],
  );
});

test('permanently ends a monthly bank debit if its first payment fails', async () => {
  for (const whileProcessing of ['active', 'incomplete'] as const) {
    await using fakeStripe = await startFakeStripe({ statusWhileProcessing: whileProcessing });
    await using server = await startServerWithStripe({}, fakeStripe);
    const key = createIdempotencyKey();
    const { reference } = await server.donate(BANKS.achFailing, { frequency: 'monthly' }, key);
    fakeStripe.settleDebit(fakeStripe.listPaymentIntents()[0]!.id);
    await server.deliverWebhooks({ order: 'shuffled', times: 2 });
    assert.deepEqual(
      [
        (await server.pollOutcome(key)).status,
        ...fakeStripe.listPaymentIntents().map(({ status }) => status),
      ],
      ['failed', 'canceled'],
      whileProcessing,
    );
    const { subscriptionId } = (await server.repository.findByReference(reference))!;
    assert.throws(() => fakeStripe.renewSubscription(subscriptionId!), whileProcessing);
    assert.equal(fakeStripe.listCharges(reference).length, 0);
  }
});

test('marks a failed donation that the processor charged for review, and logs an error', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const { reference } = await server.donate(CARDS.authenticated, {}, key);
  const intent = server.fakeStripe.listPaymentIntents()[0]!.id;
  const waiting = (await server.repository.findByReference(reference))!;
  await server.repository.applyTrigger(waiting, { type: 'failed', reason: 'not-confirmed' });
  server.fakeStripe.completeAuthentication(intent, true);
  await server.deliverWebhooks();
  const row = await server.repository.findByReference(reference);
  assert.equal(row!.status, 'needs_review');
  assert.match(row!.lastError!, /accept or refund it/);
  assert.match(
    server.logLines.join(''),
    /the payment provider charged a donation already marked as failed/,
  );
});

test('cancels a subscription even if its events arrive in reverse, and reactivates it after a late renewal payment', async () => {
  await using server = await startServerWithStripe();
  const { reference, subscriptionId } = await server.donateMonthly();
  await waitUntil(async () => (await server.listGifts()).length === 1);
  for (const [card, attempts, how, status] of [
    [CARDS.declinedWhenCharged, 1, {}, 6],
    [CARDS.good, 1, { order: 'reversed' }, 1],
    [CARDS.declinedWhenCharged, 4, { order: 'reversed', times: 2 }, 2],
  ] as const) {
    server.fakeStripe.changeCard(subscriptionId, card);
    for (let attempt = 0; attempt < attempts; attempt += 1)
      server.fakeStripe.renewSubscription(subscriptionId);
    await server.deliverWebhooks(how);
    await waitForGift(server, reference, { recurringStatus: status });
  }
  await server.deliverWebhooks({ order: 'shuffled' });
  assert.equal((await server.handler.runJobs()).pendingUpdates, 0);
  await waitForGift(server, reference, { recurringStatus: 2 });
});

test('sends the changes to a gift in order if the platform rejects the first one', async () => {
  let refusals = 2;
  let time = Date.now();
  const { intercept } = new Outage(
    ({ method }) => method === 'PATCH' && refusals-- > 0,
    respondWith(400),
  );
  await using server = await startServerWithStripe({ now: () => time, intercept });
  const { response } = await server.donate();
  const { id } = server.fakeStripe.openDispute(response!.transactionId!);
  server.fakeStripe.closeDispute(id, 'won');
  await server.deliverWebhooks();
  await waitForDelivery(server, () => (time += 10_000));
  assert.deepEqual((await server.listGifts())[0]?.status, 9);
});

test('sends a refund after its payment if its event arrives first, for renewals and hosted payments', async () => {
  await using server = await startServerWithStripe();
  const { reference, subscriptionId } = await server.donateMonthly();
  server.fakeStripe.renewSubscription(subscriptionId);
  const renewal = server.fakeStripe.listPaymentIntents().at(-1)!.id;
  server.fakeStripe.createRefund(renewal);
  server.fakeStripe.openDispute(server.fakeStripe.listPaymentIntents()[0]!.id);
  await server.deliverWebhooks({ order: 'reversed' });
  await waitForGift(server, `${reference}-2`, { status: 4 });
  await waitForGift(server, reference, { status: 10 });
});

test('ignores failed refunds, and reports the current sum regardless of the event order', async () => {
  await using server = await startServerWithStripe();
  const { reference, response } = await server.donate();
  const payment = response!.transactionId!;
  const first = server.fakeStripe.createRefund(payment, 1_000);
  server.fakeStripe.createRefund(payment);
  await server.deliverWebhooks({ order: 'reversed' });
  await waitForGift(server, reference, { status: 4 });
  server.fakeStripe.failRefund(first.id);
  await server.deliverWebhooks();
  await waitForGift(server, reference, { status: 1, refunded: '41.81' });
});

test('links recurring donors to the customer portal, which it looks up once and creates if there is none', async () => {
  await using server = await startServerWithStripe();
  await using again = await startServerWithStripe({}, server.fakeStripe);
  const queries = ['?provider=stripe', '?id=main&provider=stripe', '', '', ''];
  const fetchPortals = (server: StripeTestServer): Promise<Response[]> =>
    Promise.all(queries.map((query) => server.fetch(`/manage${query}`)));
  const responses = [...(await fetchPortals(server)), ...(await fetchPortals(again))];
  const results = responses.map(({ status, headers }) => `${status} ${headers.get('Location')}`);
  assert.equal(new Set(results).size, 1);
  assert.ok(results[0]!.startsWith(`302 ${server.fakeStripe.url}`));
  const path = 'POST /v1/billing_portal/configurations';
  assert.ok(server.fakeStripe.calls.filter((call) => call === path).length <= 1);
});

test('shows the contact if the customer portal fails or does not exist', async () => {
  await using server = await startServerWithStripe();
  server.fakeStripe.failCalls(503, 10);
  for (const [query, status] of [
    ['?provider=stripe', 503],
    ['?provider=offline', 404],
    ['?id=nothing', 404],
  ] as const) {
    const response = await server.fetch(`/manage${query}`);
    assert.equal(response.status, status, query);
    assert.match(response.headers.get('Content-Type')!, /^text\/html/);
    assert.match(await response.text(), /(?:or|please) contact /, query);
  }
});

test('validates the return URL of a second request with the same key', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const payment = { provider: 'stripe', returnUrl: `${ORIGIN}/give` };
  const request = await server.createRequest({ payment });
  await server.postDonation(request, { key });
  const changed = { ...request, payment: { ...payment, returnUrl: 'https://evil.example/' } };
  const { code } = await readProblem(await server.postDonation(changed, { key }));
  assert.equal(code, 'return-url-not-allowed');
});

test('leaves a renewal with a different amount for manual entry', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donateMonthly();
  const first = await server.repository.findByReference(reference);
  await server.repository.outbox.insertRenewal(first!, {
    id: 'renewal in_other',
    paymentId: 'pi_other',
    payload: { at: 1, amount: 9_900 },
  });
  server.handler.start();
  const findRenewal = () => server.repository.outbox.findById('renewal in_other');
  await waitUntil(async () => (await findRenewal())?.status === 'manual');
  assert.equal(
    (await findRenewal())?.lastError,
    'the payment provider charged 99.00 USD for the renewal; expected 51.81 USD',
  );
  assert.equal((await server.listGifts()).length, 1);
});

test('reports to the donor that Stripe rejected the email of a monthly donation', async () => {
  await using server = await startServerWithStripe();
  const { status, reason } = await server.submitDonation({
    gift: { frequency: 'monthly' },
    donor: { email: 'josé@example.org' },
    payment: { provider: 'stripe', method: 0, token: 'ctoken_unused' },
  });
  assert.deepEqual([status, reason], ['failed', 'email-invalid']);
});

test('counts an unknown or used token as a decline, not as a failure of Stripe', async () => {
  await using server = await startServerWithStripe();
  const used = server.fakeStripe.createConfirmationToken(CARDS.good);
  for (const [token, frequency, expected] of [
    [used, 'once', undefined],
    [used, 'once', 'card-declined'],
    ['ctoken_unknown', 'monthly', 'card-declined'],
  ] as const) {
    const payment = { provider: 'stripe', method: 0, token };
    const { reason } = await server.submitDonation({ payment, gift: { frequency } });
    assert.equal(reason, expected);
  }
});

test("keeps the text of Stripe's errors out of logs and responses", async () => {
  await using server = await startServerWithStripe();
  const { status } = await server.donate('apple_pay', { currency: 'USD' });
  assert.equal(status, 'succeeded');
  const payment = { provider: 'stripe', method: 0, token: 'canary_token' };
  assert.equal((await server.submitDonation({ payment })).reason, 'card-declined');
  assert.ok(!server.logLines.join('').includes('canary_token'));
  assert.match(
    server.logLines.join(''),
    new RegExp(
      '"provider":"stripe","error":"Stripe rejected the charge \\(resource_missing\\): the token ' +
        'is unknown\\. If this happens to all donations, use a publicKey and a secretKey of the same ' +
        'account",' +
        '"cause":"Error","code":"resource_missing"',
    ),
  );
});

test('answers a webhook with 503, which alerts nobody, if Stripe rejects a call', async () => {
  for (const [code, path] of [
    [429, /GET \/v1\/payment_intents/],
    [503, /GET \/v1\/invoices/],
    [409, /GET \/v1\/refunds/],
    [401, /GET \/v1\/disputes/],
  ] as const) {
    await using server = await startServerWithStripe();
    const { subscriptionId } = await server.donateMonthly();
    server.fakeStripe.renewSubscription(subscriptionId);
    server.fakeStripe.failCalls(code, 100, path);
    const failures = (await server.deliverWebhooks()).filter((status) => status >= 300);
    assert.deepEqual([...new Set(failures)], [503], `${code} ${path.source}`);
  }
});
