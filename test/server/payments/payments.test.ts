import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mock, test } from 'node:test';
import { BANKS, CARDS } from '../../fake-stripe.ts';
import { toDonationDetail } from '../../../src/server/admin/read-models/donation-detail.ts';
import { rethrowDatabaseError } from '../../../src/server/database/database-error.ts';
import { NotChargedError, type PaymentIds } from '../../../src/server/payments/payment-gateway.ts';
import { waitUntil } from '../../wait-until.ts';
import { startServerWithStripe, formWithPayments } from './support.ts';
import {
  ORIGIN,
  createIdempotencyKey,
  startServer,
  readOutcome,
  readProblem,
  type TestServer,
} from '../support.ts';

const postWithKey = (server: TestServer, path: string, key: string): Promise<Response> =>
  Promise.resolve(
    server.handler.fetch(
      new Request(`https://give.example${path}`, {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'application/json', Origin: ORIGIN, 'Idempotency-Key': key },
      }),
    ),
  );

test('charges and records a Stripe donation once, with its provider, and responds as for any other', async () => {
  await using server = await startServerWithStripe();
  const { status, reference, provider, response } = await server.donate();
  assert.deepEqual(
    [status, provider, response?.amount, response?.giftId],
    ['succeeded', 'stripe', 51.81, 1],
  );
  const [charge, ...more] = server.fakeStripe.listCharges(reference);
  assert.deepEqual(
    [charge?.amount, charge?.currency, charge?.payment_intent, more],
    [5_181, 'usd', response?.transactionId, []],
  );
});

test('makes one charge and one gift for 50 parallel submissions of one key, with equal outcomes', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => server.donate(CARDS.good, {}, key)),
  );
  assert.deepEqual(
    [
      new Set(responses.map(({ reference, status }) => `${reference} ${status}`)).size,
      responses[0]!.status,
    ],
    [1, 'succeeded'],
  );
  assert.deepEqual(
    [
      server.fakeStripe.listCharges(responses[0]!.reference).length,
      (await server.listActivities()).length,
    ],
    [1, 1],
  );
});

test('responds with 422 to altered donations under one key, and charges once', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const { reference } = await server.donate(CARDS.good, {}, key);
  for (let cents = 1; cents <= 20; cents += 1) {
    const altered = await server.createRequest({
      payment: { provider: 'stripe', method: 0, token: 'ctoken_x' },
      gift: { amount: 5_000 + cents, projects: [{ id: '2', amount: 5_000 + cents }] },
    });
    assert.equal((await server.postDonation(altered, { key })).status, 422);
  }
  assert.equal(
    (await server.postDonation(await server.createRequest(), { key })).status,
    422,
    'another provider',
  );
  assert.equal(server.fakeStripe.listCharges(reference).length, 1);
});

test("charges and records once if Stripe's response to any call is lost", async () => {
  await using server = await startServerWithStripe();
  server.fakeStripe.dropResponses(10, /\/payment_intents$/);
  server.fakeStripe.dropResponses(20, /\/confirm$/);
  const donateTenTimes = () => Promise.all(Array.from({ length: 10 }, () => server.donate()));
  const outcomes = [...(await donateTenTimes()), ...(await donateTenTimes())];
  assert.deepEqual(
    [
      outcomes.filter(({ status }) => status === 'succeeded').length,
      outcomes.filter(({ reference }) => server.fakeStripe.listCharges(reference).length === 1)
        .length,
    ],
    [20, 20],
  );
  await waitUntil(async () => (await server.listActivities()).length === 20);
});

test('charges once or not at all if Stripe responds with 500 or 429, and reports which', async () => {
  await Promise.all(
    [500, 503, 429].flatMap((code) =>
      [
        [/\/payment_intents$/, 4],
        [/\/confirm$/, 2],
      ].map(async ([path, attempts]) => {
        await using server = await startServerWithStripe();
        server.fakeStripe.failCalls(code, code === 500 ? 1 : (attempts as number), path as RegExp);
        const key = createIdempotencyKey();
        const { status, reference } = await server.donate(CARDS.good, {}, key);
        assert.ok(
          status === 'failed' || status === 'unconfirmed',
          `${code} ${String(path)} ${status}`,
        );
        assert.equal(server.fakeStripe.listCharges(reference).length, 0);
        if (status === 'unconfirmed')
          assert.equal(
            (await server.donate(CARDS.good, {}, key)).status,
            'succeeded',
            `${code} ${String(path)}`,
          );
      }),
    ),
  );
});

test('returns a declined card as an outcome, and succeeds with a new key', async () => {
  await using server = await startServerWithStripe();
  const { status, reason, reference } = await server.donate(CARDS.insufficientFunds);
  assert.deepEqual(
    [status, reason, server.fakeStripe.listCharges(reference)],
    ['failed', 'card-declined', []],
  );
  assert.equal((await server.donate()).status, 'succeeded');
});

test('does not charge a payment that belongs to another donation', async () => {
  await using server = await startServerWithStripe();
  const { gateway } = server.organizations.all[0]!.payments.get('stripe')!;
  const payment = { paymentId: 'pi_same', total: 5_181, currency: 'USD' };
  let charges = 0;
  Object.assign(gateway, {
    createPayment: async () => ({ ...payment, status: 'unconfirmed' }),
    chargePayment: async () => {
      charges += 1;
      return { ...payment, status: 'succeeded' };
    },
  });
  const first = await server.donate();
  const second = await server.donate();
  assert.deepEqual(
    [first.status, second.status, second.reason, charges],
    ['succeeded', 'failed', 'payment-failed', 1],
  );
  assert.match(
    server.logLines.join(''),
    new RegExp(
      `payment pi_same for donation ${second.reference}, but the payment belongs to ${first.reference}`,
    ),
  );
});

test('charges a retried donation if the database failed after Stripe created the payment', async () => {
  await using server = await startServerWithStripe();
  const findByPayment = mock.method(server.repository, 'findByPayment');
  findByPayment.mock.mockImplementationOnce(async () => rethrowDatabaseError(new Error('down')));
  const key = createIdempotencyKey();
  await assert.rejects(server.donate(CARDS.good, {}, key), /^Error: 503 .*"unavailable"/);
  const { status, reference } = await server.donate(CARDS.good, {}, key);
  assert.deepEqual(
    [status, server.fakeStripe.listCharges(reference).length, findByPayment.mock.callCount()],
    ['succeeded', 1, 2],
  );
});

test('fails a declined donation only if its payment was canceled or the cancellation was rejected', async () => {
  await using server = await startServerWithStripe();
  const { gateway } = server.organizations.all[0]!.payments.get('stripe')!;
  const declined = { status: 'failed', reason: 'card-declined' } as const;
  for (const [cancelPayment, status] of [
    [async (ids: PaymentIds) => ({ ...ids, ...declined }), 'failed'],
    [() => Promise.reject(new NotChargedError('409: the payment was declined')), 'failed'],
    [() => Promise.reject(new Error('503')), 'unconfirmed'],
  ] as const) {
    Object.assign(gateway, {
      chargePayment: () => Promise.reject(new Error('the connection failed')),
      retrievePayment: async (ids: PaymentIds) => ({ ...ids, ...declined }),
      cancelPayment,
    });
    assert.equal((await server.donate()).status, status);
  }
});

test("3-D Secure: requires action, records nothing before it, and trusts only Stripe's status", async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const asked = await server.donate(CARDS.authenticated, {}, key);
  assert.deepEqual([asked.status, asked.action?.kind], ['requires_action', 'field']);
  assert.deepEqual(
    [
      (await readOutcome(await server.fetchOutcome(key))).status,
      (await readOutcome(await server.fetchOutcome(key))).action,
    ],
    ['requires_action', undefined],
  );
  assert.deepEqual(
    (await readOutcome(await postWithKey(server, '/donations/confirm', key))).action,
    asked.action,
  );
  assert.deepEqual(
    [server.fakeStripe.listCharges(asked.reference), await server.listActivities()],
    [[], []],
  );
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents()[0]!.id, true);
  const done = await readOutcome(await postWithKey(server, '/donations/confirm', key));
  assert.deepEqual(
    [done.status, done.response?.giftId, server.fakeStripe.listCharges(asked.reference).length],
    ['succeeded', 1, 1],
  );
});

test('completes a donation by webhook if the tab is closed after 3-D Secure', async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const { reference } = await server.donate(CARDS.authenticated, {}, key);
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents()[0]!.id, true);
  assert.deepEqual(
    new Set(await server.deliverWebhooks({ times: 2, order: 'shuffled' })),
    new Set([204]),
  );
  assert.equal((await readOutcome(await server.fetchOutcome(key))).status, 'succeeded');
  await waitUntil(async () => (await server.listActivities()).length === 1);
  assert.equal(server.fakeStripe.listCharges(reference).length, 1);
});

test('charges nothing if the donor refuses, cancels, or ignores the authentication', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const [refused, canceled, left] = [
    createIdempotencyKey(),
    createIdempotencyKey(),
    createIdempotencyKey(),
  ];
  const references = await Promise.all(
    [refused, canceled, left].map(
      async (key) => (await server.donate(CARDS.authenticated, {}, key)).reference,
    ),
  );
  const intents = server.fakeStripe.listPaymentIntents();
  server.fakeStripe.completeAuthentication(
    intents.find(({ metadata }) => metadata.donation_form_reference === references[0])!.id,
    false,
  );
  for (const [key, path] of [
    [refused, '/donations/confirm'],
    [canceled, '/donations/cancel'],
  ] as const) {
    const { status, reason } = await readOutcome(await postWithKey(server, path, key));
    assert.deepEqual([status, reason], ['failed', 'not-confirmed'], path);
  }
  time += 3_700_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(left))).status === 'failed',
  );
  assert.deepEqual(
    server.fakeStripe.listPaymentIntents().map(({ status }) => status),
    ['canceled', 'canceled', 'canceled'],
  );
  assert.equal(
    (await readOutcome(await postWithKey(server, '/donations/cancel', left))).reason,
    'not-confirmed',
  );
});

test('rule 61: a bank debit is processing with a response, and updates the platform when it settles or fails', async () => {
  await using server = await startServerWithStripe();
  const [paid, failed] = [createIdempotencyKey(), createIdempotencyKey()];
  const first = await server.donate(BANKS.ach, {}, paid);
  const second = await server.donate(BANKS.achFailing, {}, failed);
  const [payment] = server.fakeStripe.listPaymentIntents();
  assert.deepEqual(
    [first.status, first.awaiting, first.response, second.status],
    [
      'processing',
      'bank',
      {
        success: true,
        message: null,
        transactionId: payment!.id,
        amount: 51.81,
        segment: 'MAIL26',
        giftId: null,
        projectSplit: first.response?.projectSplit,
      },
      'processing',
    ],
  );
  await waitUntil(async () => (await server.listGifts()).length === 2);
  assert.deepEqual(
    (await server.listGifts()).map(({ status }) => status),
    [8, 8],
  );
  for (const { id } of server.fakeStripe.listPaymentIntents()) server.fakeStripe.settleDebit(id);
  await server.deliverWebhooks({ order: 'reversed' });
  assert.deepEqual(
    [
      (await readOutcome(await server.fetchOutcome(paid))).status,
      (await readOutcome(await server.fetchOutcome(failed))).status,
    ],
    ['succeeded', 'failed'],
  );
  await waitUntil(async () => (await server.listGifts()).every(({ status }) => status !== 8));
  assert.deepEqual(
    (await server.listGifts()).map(({ status }) => status),
    [1, 2],
  );
  const history = (await server.repository.reviewDecisions.findDonationHistory(second.reference))!;
  const { paymentFields, events } = toDonationDetail(history, [], Date.now());
  assert.match(paymentFields.flat().join(' '), /the bank declined the payment/);
  assert.deepEqual(
    events.map(({ label }) => label),
    ['Donation', 'Payment failed'],
  );
});

test('looks up a bank debit whose webhooks never arrive', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const key = createIdempotencyKey();
  await server.donate(BANKS.ach, {}, key);
  server.fakeStripe.settleDebit(server.fakeStripe.listPaymentIntents()[0]!.id);
  time += 13 * 3_600_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).status === 'succeeded',
  );
});

test('records each renewal once under the reference of its donation, for repeated events in any order', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const subscription = (await server.repository.findByReference(reference))!.subscriptionId!;
  for (let month = 0; month < 3; month += 1) server.fakeStripe.renewSubscription(subscription);
  assert.deepEqual(
    new Set(await server.deliverWebhooks({ times: 3, order: 'shuffled' })),
    new Set([204]),
  );
  await server.deliverWebhooks({ order: 'reversed' });
  await waitUntil(async () => (await server.listGifts()).length === 4);
  const gifts = await server.listGifts();
  assert.deepEqual(gifts.map((gift) => gift.reference).sort(), [
    reference,
    `${reference}-2`,
    `${reference}-3`,
    `${reference}-4`,
  ]);
  assert.deepEqual(gifts.filter(({ parent }) => parent === reference).length, 3);
});

test('sends failed renewals, cancellations, refunds, and disputes to the platform with their gift', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const first = await server.repository.findByReference(reference);
  const subscription = first!.subscriptionId!;
  server.fakeStripe.renewSubscription(subscription);
  await server.deliverWebhooks();
  await waitUntil(async () => (await server.listGifts()).length === 2);
  server.fakeStripe.changeCard(subscription, CARDS.declinedWhenCharged);
  server.fakeStripe.renewSubscription(subscription);
  await server.deliverWebhooks();
  const findGift = async (wanted: string) =>
    (await server.listGifts()).find((gift) => gift.reference === wanted);
  await waitUntil(async () => (await findGift(reference))?.recurringStatus === 6);
  server.fakeStripe.createRefund(first!.paymentId!, 1_000);
  const renewal = (await server.repository.outbox.findGiftCreation(`${reference}-2`))!.paymentId!;
  const { id } = server.fakeStripe.openDispute(renewal);
  server.fakeStripe.cancelSubscription(subscription);
  await server.deliverWebhooks({ times: 2, order: 'shuffled' });
  await waitUntil(
    async () =>
      (await findGift(reference))?.recurringStatus === 2 &&
      (await findGift(reference))?.refunded === '10.00' &&
      (await findGift(`${reference}-2`))?.status === 10,
  );
  assert.equal(
    (await findGift(reference))?.status,
    1,
    'a partially refunded gift remains approved',
  );
  server.fakeStripe.createRefund(first!.paymentId!);
  server.fakeStripe.closeDispute(id, 'lost');
  await server.deliverWebhooks({ order: 'reversed' });
  await waitUntil(
    async () =>
      (await findGift(reference))?.status === 4 &&
      (await findGift(`${reference}-2`))?.status === 11,
  );
});

test('leaves a gift disputed if a refund fails during the dispute', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good);
  const { paymentId } = (await server.repository.findByReference(reference))!;
  server.fakeStripe.openDispute(paymentId!);
  const { id } = server.fakeStripe.createRefund(paymentId!, 1_000);
  await server.deliverWebhooks();
  server.fakeStripe.failRefund(id);
  await server.deliverWebhooks();
  await waitUntil(async () => {
    const events = await server.repository.outbox.listByStatus('delivered', 10);
    return events.some(({ kind }) => kind === 'refund_failed');
  });
  assert.equal((await server.listGifts())[0]?.status, 10);
});

test('lists partial refunds for manual entry if the platform refunds only whole gifts', async () => {
  await using server = await startServerWithStripe({
    changePlatform: (platform) => ({ ...platform, refundsOnlyWholeGifts: true }),
  });
  const { reference } = await server.donate(CARDS.good);
  const { paymentId } = (await server.repository.findByReference(reference))!;
  const refund = async (amount?: number): Promise<void> => {
    server.fakeStripe.createRefund(paymentId!, amount);
    await server.deliverWebhooks();
  };
  const listManual = () => server.repository.outbox.listByStatus('manual', 10);
  await refund(1_000);
  await waitUntil(async () => (await listManual()).length === 1);
  const [gift] = await server.listGifts();
  assert.deepEqual([gift?.status, gift?.refunded], [1, undefined]);
  const [event] = await listManual();
  assert.deepEqual(
    [event?.kind, event?.lastError],
    [
      'refund',
      'the platform cannot record a partial refund; reduce the gift amount there or add a note',
    ],
  );
  await refund();
  await waitUntil(async () => (await server.listGifts())[0]?.status === 4);
  assert.equal((await listManual()).length, 1);
});

test('lists changes for manual entry if the platform has no call for them, and still records renewals', async () => {
  await using server = await startServerWithStripe({
    changePlatform: (platform) => ({
      createGift: (gift) => platform.createGift(gift),
      findGiftId: (reference) => platform.findGiftId!(reference),
    }),
  });
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const first = await server.repository.findByReference(reference);
  server.fakeStripe.renewSubscription(first!.subscriptionId!);
  server.fakeStripe.createRefund(first!.paymentId!, 1_000);
  await server.deliverWebhooks();
  await waitUntil(
    async () =>
      (await server.listGifts()).length === 2 &&
      (await server.repository.outbox.listByStatus('manual', 10)).length === 1,
  );
  const [event] = await server.repository.outbox.listByStatus('manual', 10);
  assert.deepEqual(
    [event?.kind, event?.reference, event?.lastError],
    ['refund', reference, 'the platform adapter does not support gift updates'],
  );
});

test('ignores payments of the same account that we did not create', async () => {
  await using server = await startServerWithStripe();
  await server.donate();
  await using other = await startServerWithStripe({}, server.fakeStripe);
  await other.donate(CARDS.good, { frequency: 'monthly' });
  assert.deepEqual(new Set(await server.deliverWebhooks()), new Set([204]));
  assert.equal((await server.listGifts()).length, 1);
});

test('logs renewals of our donations that the database does not have', async () => {
  await using lost = await startServerWithStripe();
  const { reference } = await lost.donate(CARDS.good, { frequency: 'monthly' });
  await using server = await startServerWithStripe({}, lost.fakeStripe);
  assert.deepEqual(new Set(await server.deliverWebhooks()), new Set([204]));
  assert.ok(!server.logLines.join('').includes('renewal'));
  const { subscriptionId: id } = (await lost.repository.findByReference(reference))!;
  server.fakeStripe.renewSubscription(id!);
  assert.deepEqual(new Set(await server.deliverWebhooks()), new Set([204]));
  assert.match(
    server.logLines.join(''),
    new RegExp(
      `"reference":"${reference}".*renewal ignored: its subscription is not in the database; ` +
        'if no other installation uses this account, restore',
    ),
  );
});

test('ignores renewals of another organization in the same account and database', async () => {
  await using server = await startServerWithStripe();
  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const { subscriptionId: id } = (await server.repository.findByReference(reference))!;
  await server.database.db.updateTable('donations').set({ organization: 'other' }).execute();
  server.fakeStripe.renewSubscription(id!);
  assert.deepEqual(new Set(await server.deliverWebhooks()), new Set([204]));
  assert.ok(!server.logLines.join('').includes('renewal'));
});

test('rejects webhooks with an invalid or missing signature, or of an unknown provider or organization', async () => {
  await using server = await startServerWithStripe();
  const postWebhook = async (path: string, headers: Record<string, string> = {}) =>
    readProblem(
      await server.handler.fetch(
        new Request(`https://give.example/webhooks/${path}`, {
          method: 'POST',
          body: '{"id":"evt_1"}',
          headers,
        }),
      ),
    );
  for (const path of ['stripe/lanternwell', 'stripe/lanternwell/'])
    assert.equal((await postWebhook(path)).code, 'invalid-signature', path);
  assert.equal(
    (await postWebhook('stripe/lanternwell', { 'Stripe-Signature': 't=1,v1=00' })).code,
    'invalid-signature',
  );
  for (const path of ['offline/lanternwell', 'stripe/somebody', 'paypal/lanternwell'])
    assert.equal((await postWebhook(path)).code, 'not-found', path);
});

test('blames the payment provider for a failed webhook only if the provider failed', async () => {
  await using server = await startServerWithStripe();
  const { organizations } = server;
  const organization = organizations.find('lanternwell')!;
  const stripe = organization.payments.get('stripe')!;
  const receiveWebhook = async (error: Error) => {
    const verifyAndFetchEvents = () => Promise.reject(error);
    const gateway = { ...stripe.gateway, verifyAndFetchEvents };
    server.replaceOrganizations([
      { ...organization, payments: new Map([['stripe', { ...stripe, gateway }]]) },
    ]);
    const url = 'https://give.example/webhooks/stripe/lanternwell';
    const { status, code } = await readProblem(
      await server.handler.fetch(new Request(url, { method: 'POST', body: '{}' })),
    );
    return [status, code];
  };
  const lost = new TypeError('fetch failed', { cause: new Error('socket hang up') });
  assert.deepEqual(await receiveWebhook(lost), [503, 'unavailable']);
  assert.deepEqual(await receiveWebhook(new Error('rate limit')), [503, 'unavailable']);
  for (const fault of [new TypeError('x is undefined'), new RangeError('invalid amount')])
    assert.deepEqual(await receiveWebhook(fault), [500, 'internal-error']);
});

test('responds to a pledge with instructions, records it as processing without a provider, and never looks it up', async () => {
  await using server = await startServer({ form: formWithPayments });
  const outcome = await readOutcome(
    await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } })),
  );
  assert.deepEqual(
    [outcome.status, outcome.instructions, outcome.response],
    ['processing', `Send $50 to account 1 and write ${outcome.reference}.`, undefined],
  );
  await waitUntil(async () => (await server.listGifts()).length === 1);
  assert.deepEqual(
    (await server.listGifts()).map(({ status }) => status),
    [8],
  );
  const sent = JSON.parse(server.sentGifts.at(-1)!) as Record<string, unknown>;
  assert.deepEqual(
    [sent.paymentProviderType, 'paymentMethod' in sent, sent.giftStatus],
    [0, false, 8],
  );
  assert.deepEqual(
    server.calls.filter((call) => call.includes('/stripe/')),
    [],
  );
});

test('rejects an unavailable payment method, an unexpected token, or a foreign return URL before saving anything', async () => {
  await using server = await startServer({ form: formWithPayments });
  for (const [payment, code] of [
    [{ provider: 'paypal', token: 't' }, 'payment-method-not-available'],
    [{ provider: 'offline', token: 't' }, 'payment-method-not-available'],
    [{ provider: 'offline', method: 0 }, 'payment-method-not-available'],
    [
      { provider: 'stripe', method: 0, token: 't', returnUrl: 'https://evil.example/' },
      'return-url-not-allowed',
    ],
    [
      { provider: 'stripe', method: 0, token: 't', returnUrl: 'javascript:alert(1)' },
      'invalid-field',
    ],
  ] as const) {
    assert.equal(
      (await readProblem(await server.postDonation(await server.createRequest({ payment })))).code,
      code,
      JSON.stringify(payment),
    );
  }
  assert.equal(
    await server.repository.findNextPaymentCheckTime('lanternwell', [
      'unconfirmed',
      'requires_action',
      'processing',
      'succeeded',
      'failed',
      'needs_review',
    ]),
    undefined,
  );
});

test('rejects text that looks like a card number, and neither returns nor logs it', async () => {
  await using server = await startServer({
    form: { ...formWithPayments, allowComment: true, allowTribute: true },
  });
  const number = '4242 4242 4242 4242';
  for (const change of [
    { gift: { comment: `take it from ${number}` } },
    { gift: { comment: '٤٢٤٢-٤٢٤٢-٤٢٤٢-٤٢٤٢' } },
    { gift: { tribute: { kind: 'honor' as const, name: number.replaceAll(' ', '') } } },
    { donor: { lastName: number } },
  ]) {
    const problem = await readProblem(
      await server.postDonation(await server.createRequest(change)),
    );
    assert.equal(problem.code, 'card-number-detected', JSON.stringify(change));
    assert.ok(!problem.detail.includes('4242'));
  }
  assert.ok(!server.logLines.join('').includes('4242'));
  assert.equal(
    (
      await readOutcome(
        await server.postDonation(
          await server.createRequest({
            gift: { comment: 'Member 4242 4242 4242 4241, call 4242 4242' },
          }),
        ),
      )
    ).status,
    'succeeded',
  );
});

test('links recurring donors to the customer portal, which does not reveal who has donated', async () => {
  await using server = await startServerWithStripe();
  const fetchCustomerPortal = async (query: string) =>
    server.handler.fetch(new Request(`https://give.example/manage${query}`));
  for (const query of ['?id=main&provider=stripe', '']) {
    const { status, headers } = await fetchCustomerPortal(query);
    assert.deepEqual(
      [status, headers.get('Location')?.startsWith(server.fakeStripe.url)],
      [302, true],
    );
  }
  assert.equal((await fetchCustomerPortal('?provider=offline')).status, 404);
  assert.equal((await fetchCustomerPortal('?id=nothing')).status, 404);
});

test('keeps card numbers out of the database and the platform', async () => {
  await using server = await startServer({ form: formWithPayments });
  const { reference } = await readOutcome(await server.postDonation(await server.createRequest()));
  const stored = JSON.stringify([
    await server.repository.findByReference(reference),
    await server.repository.outbox.findGiftCreation(reference),
    server.sentGifts,
    server.logLines,
  ]);
  // Four digits alone could be part of a time.
  assert.deepEqual(stored.match(/4242\D?4242/g), null);
});

test('sends the return URL as browsers parse it, and rejects one with a username', async () => {
  const sent: string[] = [];
  await using server = await startServer({
    form: formWithPayments,
    intercept: async (request, next) => {
      if (request.method === 'POST' && request.url.includes('/stripe/'))
        sent.push(await request.clone().text());
      return next(request);
    },
  });
  const postDonation = async (returnUrl: string): Promise<Response> =>
    server.postDonation(await server.createRequest({ payment: { provider: 'stripe', returnUrl } }));
  assert.equal((await postDonation('HTTPS://LANTERNWELL.example\\@evil.example/?a=1')).status, 202);
  assert.equal(
    sent.map((body) => new URLSearchParams(body).get('success_url') ?? '').join(''),
    `${ORIGIN}/@evil.example/?a=1`,
  );
  for (const url of [
    'https://user:pw@lanternwell.example/',
    'https://user@lanternwell.example/',
    'https://:pw@lanternwell.example/',
  ])
    assert.equal((await readProblem(await postDonation(url))).code, 'invalid-field', url);
});

test('responds with 4xx to a signed webhook that it cannot read or whose payment does not exist', async () => {
  await using server = await startServerWithStripe();
  const deliverWebhook = async (body: string): Promise<string> => {
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', server.fakeStripe.webhookSecret)
      .update(`${seconds}.${body}`)
      .digest('hex');
    const response = await server.handler.fetch(
      new Request('https://give.example/webhooks/stripe/lanternwell', {
        method: 'POST',
        body,
        headers: { 'Stripe-Signature': `t=${seconds},v1=${signature}` },
      }),
    );
    return `${response.status} ${(await readProblem(response)).code}`;
  };
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '1',
    '"x"',
    '{}',
    '{"id":1}',
    '{"type":"charge.refunded"}',
  ])
    assert.match(await deliverWebhook(body), /^400 invalid-(payload|signature)$/, body);
  assert.equal(
    await deliverWebhook(
      JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type: 'checkout.session.completed',
        created: 1_700_000_000,
        data: { object: { id: 'cs_test_unknown' } },
      }),
    ),
    '404 not-found',
  );
  assert.doesNotMatch(server.logLines.join(''), /"level":50/);
});

test("does not delay the next check of a payment while the donor's page polls", async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const { reference, status } = await server.donate(CARDS.authenticated, {}, key);
  assert.equal(status, 'requires_action');
  const { nextRunAt: due, attempts } = (await server.repository.findByReference(reference))!;
  for (let poll = 0; poll < 8; poll += 1) await postWithKey(server, '/donations/confirm', key);
  const row = (await server.repository.findByReference(reference))!;
  assert.deepEqual([row.nextRunAt, row.attempts], [due, attempts]);
});
