import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationOutcome } from '../../../src/core/schemas/donation-outcome.ts';
import { BANKS, CARDS, startFakeStripe } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import { startServerWithStripe, type StripeTestServer } from './support.ts';
import { ORIGIN, createIdempotencyKey, readOutcome, readProblem } from '../support.ts';

/** Advances the clock until a donation has a status. */
function waitForStatus(
  server: StripeTestServer,
  key: string,
  status: DonationOutcome['status'],
  wait: () => void,
): Promise<void> {
  return waitUntil(async () => {
    wait();
    server.handler.start();
    return (await readOutcome(await server.fetchOutcome(key))).status === status;
  });
}

const findGift = async (server: StripeTestServer, reference: string) =>
  (await server.listGifts()).find((gift) => gift.reference === reference);

test('resolves a charge after a lost response once it can be looked up again, and charges and records once', async () => {
  for (const code of [429, 503]) {
    let time = Date.now();
    await using server = await startServerWithStripe({ now: () => time });
    server.fakeStripe.dropResponses(3, /\/confirm$/);
    server.fakeStripe.failCalls(code, 20, /GET \/v1\/payment_intents|\/cancel$/);
    const key = createIdempotencyKey();
    const { status, reference } = await server.donate(CARDS.good, {}, key);
    assert.equal(status, 'unconfirmed', String(code));
    await waitForStatus(server, key, 'succeeded', () => {
      time += 61_000;
    });
    assert.equal(server.fakeStripe.listCharges(reference).length, 1);
    await waitUntil(async () => (await server.listGifts()).length === 1);
  }
});

test('never reports that nothing was charged after a lost response and a rejected retry, even if the payment cannot be canceled yet', async () => {
  for (const code of [429, 401]) {
    let time = Date.now();
    await using server = await startServerWithStripe({ now: () => time });
    server.fakeStripe.dropResponses(1, /\/confirm$/);
    server.fakeStripe.failCallsAfter(1, code, 1, /\/confirm$/);
    server.fakeStripe.failCalls(503, 4, /\/cancel$/);
    const key = createIdempotencyKey();
    const { status, reference } = await server.donate(CARDS.good, {}, key);
    assert.notEqual(status, 'failed', String(code));
    await waitForStatus(server, key, 'succeeded', () => {
      time += 61_000;
    });
    assert.equal(server.fakeStripe.listCharges(reference).length, 1);
  }
});

test('keeps a rejected charge unconfirmed until its payment is canceled', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  server.fakeStripe.failCalls(429, 2, /\/confirm$/);
  server.fakeStripe.failCalls(503, 4, /\/cancel$/);
  const key = createIdempotencyKey();
  assert.equal((await server.donate(CARDS.good, {}, key)).status, 'unconfirmed');
  await waitForStatus(server, key, 'failed', () => {
    time += 61_000;
  });
  assert.deepEqual(
    server.fakeStripe.listPaymentIntents().map(({ status }) => status),
    ['canceled'],
  );
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
    const fakeStripe = await startFakeStripe({ statusWhileProcessing: whileProcessing });
    await using server = await startServerWithStripe({}, fakeStripe);
    const key = createIdempotencyKey();
    const { reference } = await server.donate(BANKS.achFailing, { frequency: 'monthly' }, key);
    fakeStripe.settleDebit(fakeStripe.listPaymentIntents()[0]!.id);
    await server.deliverWebhooks({ order: 'shuffled', times: 2 });
    assert.equal(
      (await readOutcome(await server.fetchOutcome(key))).status,
      'failed',
      whileProcessing,
    );
    assert.deepEqual(
      fakeStripe.listPaymentIntents().map(({ status }) => status),
      ['canceled'],
      whileProcessing,
    );
    assert.throws(
      () =>
        fakeStripe.renewSubscription(
          (
            fakeStripe.events.find(({ type }) => type === 'customer.subscription.created')!.data
              .object as { id: string }
          ).id,
        ),
      whileProcessing,
    );
    assert.equal(fakeStripe.listCharges(reference).length, 0);
    await fakeStripe.close();
  }
});

test('marks a failed donation that the processor charged for review, and logs an error', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const { reference } = await server.donate(CARDS.authenticated, {}, key);
  const intent = server.fakeStripe.listPaymentIntents()[0]!.id;
  const waiting = (await server.repository.findByReference(reference))!;
  await server.repository.markFailed(waiting, 'not-confirmed');
  server.fakeStripe.completeAuthentication(intent, true);
  await server.deliverWebhooks();
  const row = await server.repository.findByReference(reference);
  assert.deepEqual(
    [row?.status, (row?.lastError ?? '').includes('accept or refund it')],
    ['needs_review', true],
  );
  assert.match(
    server.logLines.join(''),
    /the payment provider charged a donation already marked as failed/,
  );
});

test('cancels a subscription even if its events arrive in reverse, and reactivates it after a late renewal payment', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const subscription = (await server.repository.findByReference(reference))!.subscriptionId!;
  await waitUntil(async () => (await server.listGifts()).length === 1);
  server.fakeStripe.changeCard(subscription, CARDS.declinedWhenCharged);
  server.fakeStripe.renewSubscription(subscription);
  await server.deliverWebhooks();
  await waitUntil(async () => (await findGift(server, reference))?.recurringStatus === 6);
  server.fakeStripe.changeCard(subscription, CARDS.good);
  server.fakeStripe.renewSubscription(subscription);
  await server.deliverWebhooks({ order: 'reversed' });
  await waitUntil(async () => (await findGift(server, reference))?.recurringStatus === 1);
  server.fakeStripe.changeCard(subscription, CARDS.declinedWhenCharged);
  for (let failure = 0; failure < 4; failure += 1)
    server.fakeStripe.renewSubscription(subscription);
  await server.deliverWebhooks({ order: 'reversed', times: 2 });
  await waitUntil(async () => (await findGift(server, reference))?.recurringStatus === 2);
  await server.deliverWebhooks({ order: 'shuffled' });
  assert.equal((await server.handler.runJobs()).pendingUpdates, 0);
  assert.equal((await findGift(server, reference))?.recurringStatus, 2);
});

test('sends the changes to a gift in order if the platform rejects the first one', async () => {
  let refusals = 2;
  let time = Date.now();
  await using server = await startServerWithStripe({
    now: () => time,
    intercept: async (request, next) => {
      if (request.method === 'PATCH' && refusals-- > 0)
        return Response.json({ message: 'not now' }, { status: 400 });
      return next(request);
    },
  });
  const { reference, response } = await server.donate();
  const { id } = server.fakeStripe.openDispute(response!.transactionId!);
  server.fakeStripe.closeDispute(id, 'won');
  await server.deliverWebhooks();
  await waitUntil(async () => {
    time += 10_000;
    server.handler.start();
    return (await findGift(server, reference))?.status === 9;
  });
  await waitUntil(
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.equal((await findGift(server, reference))?.status, 9);
});

test('sends a refund after its payment if its event arrives first, for renewals and hosted payments', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const subscription = (await server.repository.findByReference(reference))!.subscriptionId!;
  server.fakeStripe.renewSubscription(subscription);
  const renewal = server.fakeStripe.listPaymentIntents().at(-1)!.id;
  server.fakeStripe.createRefund(renewal);
  server.fakeStripe.openDispute(server.fakeStripe.listPaymentIntents()[0]!.id);
  await server.deliverWebhooks({ order: 'reversed' });
  await waitUntil(
    async () =>
      (await findGift(server, `${reference}-2`))?.status === 4 &&
      (await findGift(server, reference))?.status === 10,
  );
});

test('ignores failed refunds, and reports the current sum regardless of the event order', async () => {
  await using server = await startServerWithStripe();
  const { reference, response } = await server.donate();
  const payment = response!.transactionId!;
  const first = server.fakeStripe.createRefund(payment, 1_000);
  server.fakeStripe.createRefund(payment);
  await server.deliverWebhooks({ order: 'reversed' });
  await waitUntil(async () => (await findGift(server, reference))?.status === 4);
  server.fakeStripe.failRefund(first.id);
  await server.deliverWebhooks();
  await waitUntil(
    async () =>
      (await findGift(server, reference))?.status === 1 &&
      (await findGift(server, reference))?.refunded === '41.81',
  );
});

test('looks up the customer portal once for concurrent requests, and creates it once if there is none', async () => {
  await using server = await startServerWithStripe();
  const fetchCustomerPortal = async (): Promise<Response> =>
    server.handler.fetch(new Request('https://give.example/manage?provider=stripe'));
  const places = new Set(
    (await Promise.all(Array.from({ length: 5 }, fetchCustomerPortal))).map((answer) =>
      answer.headers.get('Location'),
    ),
  );
  assert.equal(places.size, 1);
  assert.equal(
    server.fakeStripe.calls.filter((call) => call === 'POST /v1/billing_portal/configurations')
      .length <= 1,
    true,
  );
  await using again = await startServerWithStripe({}, server.fakeStripe);
  assert.deepEqual(
    [
      (
        await again.handler.fetch(new Request('https://give.example/manage?provider=stripe'))
      ).headers.get('Location'),
    ],
    [...places],
  );
});

test('shows the contact if the customer portal fails or does not exist', async () => {
  await using server = await startServerWithStripe();
  server.fakeStripe.failCalls(503, 10);
  for (const [query, status] of [
    ['?provider=stripe', 503],
    ['?provider=offline', 404],
    ['?id=nothing', 404],
  ] as const) {
    const response = await server.handler.fetch(new Request(`https://give.example/manage${query}`));
    const page = await response.text();
    assert.deepEqual(
      [
        response.status,
        response.headers.get('Content-Type')?.startsWith('text/html'),
        /(?:or|please) contact /.test(page),
      ],
      [status, true, true],
      query,
    );
  }
});

test('validates the return URL of a second request with the same key', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const request = await server.createRequest({
    payment: { provider: 'stripe', returnUrl: `${ORIGIN}/give` },
  });
  await server.postDonation(request, { key });
  assert.equal(
    (
      await readProblem(
        await server.postDonation(
          { ...request, payment: { ...request.payment, returnUrl: 'https://evil.example/' } },
          { key },
        ),
      )
    ).code,
    'return-url-not-allowed',
  );
});

test('leaves a renewal with a different amount for manual entry', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const first = await server.repository.findByReference(reference);
  await server.repository.renewals.insertRenewal(first!, {
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
  const request = await server.createRequest({
    gift: { frequency: 'monthly' },
    donor: { email: 'josé@example.org' },
    payment: { provider: 'stripe', method: 0, token: 'ctoken_unused' },
  });
  const { status, reason } = await readOutcome(await server.postDonation(request));
  assert.deepEqual([status, reason], ['failed', 'email-invalid']);
});

test('counts an unknown or used token as a decline, not as a failure of Stripe', async () => {
  await using server = await startServerWithStripe();
  const used = server.fakeStripe.createConfirmationToken(CARDS.good);
  const donate = async (token: string, frequency: 'once' | 'monthly') => {
    const payment = { provider: 'stripe', method: 0, token };
    const request = await server.createRequest({ payment, gift: { frequency } });
    return (await readOutcome(await server.postDonation(request))).reason;
  };
  assert.equal(await donate(used, 'once'), undefined);
  assert.equal(await donate(used, 'once'), 'card-declined');
  assert.equal(await donate('ctoken_unknown', 'monthly'), 'card-declined');
});

test("keeps the text of Stripe's errors out of logs and responses", async () => {
  await using server = await startServerWithStripe();
  const { status } = await server.donate('apple_pay', { currency: 'USD' });
  assert.equal(status, 'succeeded');
  const request = await server.createRequest({
    payment: { provider: 'stripe', method: 0, token: 'canary_token' },
  });
  assert.equal((await readOutcome(await server.postDonation(request))).reason, 'card-declined');
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
    const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
    const first = await server.repository.findByReference(reference);
    server.fakeStripe.renewSubscription(first!.subscriptionId!);
    server.fakeStripe.failCalls(code, 100, path);
    const failures = (await server.deliverWebhooks()).filter((status) => status >= 300);
    assert.deepEqual([...new Set(failures)], [503], `${code} ${path.source}`);
  }
});
