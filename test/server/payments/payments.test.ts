import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mock, test } from 'node:test';
import { toDonationDetail } from '../../../src/server/admin/read-models/donation-detail.ts';
import { rethrowDatabaseError } from '../../../src/server/database/database-error.ts';
import { NotChargedError, type PaymentIds } from '../../../src/server/payments/payment-gateway.ts';
import { BANKS, CARDS } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  createIdempotencyKey,
  ORIGIN,
  readProblem,
  startServer,
  waitForGift,
  waitForStatus,
} from '../support.ts';
import { formWithPayments, startServerWithStripe } from './support.ts';

test("charges and records once if Stripe's response to any call is lost", async () => {
  await using server = await startServerWithStripe();
  server.fakeStripe.dropResponses(10, /\/payment_intents$/);
  server.fakeStripe.dropResponses(20, /\/confirm$/);
  const donateTenTimes = () => Promise.all(Array.from({ length: 10 }, () => server.donate()));
  for (const { status, reference } of [...(await donateTenTimes()), ...(await donateTenTimes())])
    assert.deepEqual([status, server.fakeStripe.listCharges(reference).length], ['succeeded', 1]);
  await waitUntil(async () => (await server.listActivities()).length === 20);
});

test('charges once or not at all if Stripe responds with 500 or 429, and reports which', async () => {
  for (const code of [500, 503, 429])
    for (const [path, attempts] of [
      [/\/payment_intents$/, 4],
      [/\/confirm$/, 2],
    ] as const) {
      await using server = await startServerWithStripe();
      server.fakeStripe.failCalls(code, code === 500 ? 1 : attempts, path);
      const key = createIdempotencyKey();
      const { status, reference } = await server.donate(CARDS.good, {}, key);
      const call = `${code} ${path.source}`;
      assert.ok(['failed', 'unconfirmed'].includes(status), `${call} ${status}`);
      assert.equal(server.fakeStripe.listCharges(reference).length, 0);
      if (status === 'unconfirmed')
        assert.equal((await server.donate(CARDS.good, {}, key)).status, 'succeeded', call);
    }
});

test('does not charge a payment that belongs to another donation', async () => {
  await using server = await startServerWithStripe();
  const payment = { paymentId: 'pi_same', total: 5_181, currency: 'USD' };
  let charges = 0;
  Object.assign(server.gateway, {
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
  const declined = { status: 'failed', reason: 'card-declined' } as const;
  for (const [cancelPayment, status] of [
    [async (ids: PaymentIds) => ({ ...ids, ...declined }), 'failed'],
    [() => Promise.reject(new NotChargedError('409: the payment was declined')), 'failed'],
    [() => Promise.reject(new Error('503')), 'unconfirmed'],
  ] as const) {
    Object.assign(server.gateway, {
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
  const polled = await server.pollOutcome(key);
  assert.deepEqual([polled.status, polled.action], ['requires_action', undefined]);
  assert.deepEqual((await server.confirm(key)).action, asked.action);
  assert.deepEqual(
    [server.fakeStripe.listCharges(asked.reference), await server.listActivities()],
    [[], []],
  );
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents()[0]!.id, true);
  const done = await server.confirm(key);
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
  assert.equal((await server.pollOutcome(key)).status, 'succeeded');
  await waitUntil(async () => (await server.listActivities()).length === 1);
  assert.equal(server.fakeStripe.listCharges(reference).length, 1);
});

test('charges nothing if the donor refuses, cancels, or ignores the authentication', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const [refused, canceled, left] = [1, 2, 3].map(createIdempotencyKey) as [string, string, string];
  for (const key of [refused, canceled, left]) await server.donate(CARDS.authenticated, {}, key);
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents()[0]!.id, false);
  for (const { status, reason } of [await server.confirm(refused), await server.cancel(canceled)])
    assert.deepEqual([status, reason], ['failed', 'not-confirmed']);
  time += 3_700_000;
  await waitForStatus(server, left, 'failed');
  assert.deepEqual(
    server.fakeStripe.listPaymentIntents().map(({ status }) => status),
    ['canceled', 'canceled', 'canceled'],
  );
  assert.equal((await server.cancel(left)).reason, 'not-confirmed');
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
  const waitForStatuses = (expected: string): Promise<void> =>
    waitUntil(
      async () => (await server.listGifts()).map(({ status }) => status).join() === expected,
    );
  await waitForStatuses('8,8');
  for (const { id } of server.fakeStripe.listPaymentIntents()) server.fakeStripe.settleDebit(id);
  await server.deliverWebhooks({ order: 'reversed' });
  assert.equal((await server.pollOutcome(paid)).status, 'succeeded');
  assert.equal((await server.pollOutcome(failed)).status, 'failed');
  await waitForStatuses('1,2');
  const history = (await server.repository.reviewDecisions.findDonationHistory(second.reference))!;
  const { paymentFields, events } = toDonationDetail(history, [], undefined, Date.now());
  assert.match(paymentFields.flat().join(' '), /the bank declined the payment/);
  assert.deepEqual(
    events.map(({ label }) => label),
    ['Donation', 'Payment failed'],
  );
});

test('records each renewal once under the reference of its donation, for repeated events in any order', async () => {
  await using server = await startServerWithStripe();
  const { reference, subscriptionId } = await server.donateMonthly();
  for (let month = 0; month < 3; month += 1) server.fakeStripe.renewSubscription(subscriptionId);
  assert.deepEqual(
    new Set(await server.deliverWebhooks({ times: 3, order: 'shuffled' })),
    new Set([204]),
  );
  await server.deliverWebhooks({ order: 'reversed' });
  await waitUntil(async () => (await server.listGifts()).length === 4);
  assert.deepEqual((await server.listGifts()).map((gift) => [gift.reference, gift.parent]).sort(), [
    [reference, undefined],
    ...[2, 3, 4].map((number) => [`${reference}-${number}`, reference]),
  ]);
});

test('sends failed renewals, cancellations, refunds, and disputes to the platform with their gift', async () => {
  await using server = await startServerWithStripe();
  const { reference, paymentId, subscriptionId } = await server.donateMonthly();
  server.fakeStripe.renewSubscription(subscriptionId);
  await server.deliverWebhooks();
  await waitUntil(async () => (await server.listGifts()).length === 2);
  server.fakeStripe.changeCard(subscriptionId, CARDS.declinedWhenCharged);
  server.fakeStripe.renewSubscription(subscriptionId);
  await server.deliverWebhooks();
  await waitForGift(server, reference, { recurringStatus: 6 });
  server.fakeStripe.createRefund(paymentId, 1_000);
  const renewal = (await server.repository.outbox.findGiftCreation(`${reference}-2`))!.paymentId!;
  const { id } = server.fakeStripe.openDispute(renewal);
  server.fakeStripe.cancelSubscription(subscriptionId);
  await server.deliverWebhooks({ times: 2, order: 'shuffled' });
  await waitForGift(server, `${reference}-2`, { status: 10 });
  // A partly refunded gift remains approved.
  await waitForGift(server, reference, { recurringStatus: 2, refunded: '10.00', status: 1 });
  server.fakeStripe.createRefund(paymentId);
  server.fakeStripe.closeDispute(id, 'lost');
  await server.deliverWebhooks({ order: 'reversed' });
  await waitForGift(server, reference, { status: 4 });
  await waitForGift(server, `${reference}-2`, { status: 11 });
});

test('lists partial refunds for manual entry if the platform refunds only whole gifts', async () => {
  await using server = await startServerWithStripe({
    changePlatform: (platform) => ({ ...platform, refundsOnlyWholeGifts: true }),
  });
  const { response } = await server.donate();
  const refund = async (amount?: number): Promise<void> => {
    server.fakeStripe.createRefund(response!.transactionId!, amount);
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

test('ignores payments that it did not create, and logs renewals of our donations that the database does not have', async () => {
  await using lost = await startServerWithStripe();
  const { reference, subscriptionId } = await lost.donateMonthly();
  await using server = await startServerWithStripe({}, lost.fakeStripe);
  assert.deepEqual(new Set(await server.deliverWebhooks()), new Set([204]));
  assert.deepEqual(await server.listGifts(), []);
  assert.ok(!server.logLines.join('').includes('renewal'));
  server.fakeStripe.renewSubscription(subscriptionId);
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
  const { subscriptionId } = await server.donateMonthly();
  await server.database.db.updateTable('donations').set({ organization: 'other' }).execute();
  server.fakeStripe.renewSubscription(subscriptionId);
  assert.deepEqual(new Set(await server.deliverWebhooks()), new Set([204]));
  assert.ok(!server.logLines.join('').includes('renewal'));
});

test('rejects webhooks with an invalid or missing signature, or of an unknown provider or organization', async () => {
  await using server = await startServerWithStripe();
  for (const [path, code, headers = {}] of [
    ['stripe/lanternwell', 'invalid-signature'],
    ['stripe/lanternwell/', 'invalid-signature'],
    ['stripe/lanternwell', 'invalid-signature', { 'Stripe-Signature': 't=1,v1=00' }],
    ['offline/lanternwell', 'not-found'],
    ['stripe/somebody', 'not-found'],
    ['paypal/lanternwell', 'not-found'],
  ] as const) {
    const init = { method: 'POST', body: '{"id":"evt_1"}', headers };
    assert.equal((await readProblem(await server.fetch(`/webhooks/${path}`, init))).code, code);
  }
});

test('blames the payment provider for a failed webhook only if the provider failed', async () => {
  await using server = await startServerWithStripe();
  for (const [error, ...expected] of [
    [new TypeError('fetch failed', { cause: new Error('socket hang up') }), 503, 'unavailable'],
    [new Error('rate limit'), 503, 'unavailable'],
    [new TypeError('x is undefined'), 500, 'internal-error'],
    [new RangeError('invalid amount'), 500, 'internal-error'],
  ] as const) {
    Object.assign(server.gateway, { verifyAndFetchEvents: () => Promise.reject(error) });
    const init = { method: 'POST', body: '{}' };
    const response = await server.fetch('/webhooks/stripe/lanternwell', init);
    const { status, code } = await readProblem(response);
    assert.deepEqual([status, code], expected);
  }
});

test('responds to a pledge with instructions, records it as processing without a provider, and never looks it up', async () => {
  await using server = await startServer({ form: formWithPayments });
  const outcome = await server.submitDonation({ payment: { provider: 'offline' } });
  assert.deepEqual(
    [outcome.status, outcome.instructions, outcome.response],
    ['processing', `Send $50 to account 1 and write ${outcome.reference}.`, undefined],
  );
  await waitUntil(
    async () => (await server.listGifts()).map(({ status }) => status).join() === '8',
  );
  const sent = JSON.parse(server.sentGifts.at(-1)!) as Record<string, unknown>;
  assert.deepEqual(
    [sent.paymentProviderType, 'paymentMethod' in sent, sent.giftStatus],
    [0, false, 8],
  );
  assert.ok(!server.calls.join().includes('/stripe/'));
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
  assert.deepEqual(await server.database.db.selectFrom('donations').selectAll().execute(), []);
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
  const gift = { comment: 'Member 4242 4242 4242 4241, call 4242 4242' };
  assert.equal((await server.submitDonation({ gift })).status, 'succeeded');
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
  for (const user of ['user:pw', 'user', ':pw']) {
    const problem = await readProblem(await postDonation(`https://${user}@lanternwell.example/`));
    assert.equal(problem.code, 'invalid-field', user);
  }
});

test('responds with 4xx to a signed webhook that it cannot read or whose payment does not exist', async () => {
  await using server = await startServerWithStripe();
  const deliverWebhook = async (body: string): Promise<string> => {
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', server.fakeStripe.webhookSecret)
      .update(`${seconds}.${body}`)
      .digest('hex');
    const response = await server.fetch('/webhooks/stripe/lanternwell', {
      method: 'POST',
      body,
      headers: { 'Stripe-Signature': `t=${seconds},v1=${signature}` },
    });
    return `${response.status} ${(await readProblem(response)).code}`;
  };
  const bodies = [
    '',
    '{',
    'null',
    '[]',
    '1',
    '"x"',
    '{}',
    '{"id":1}',
    '{"type":"charge.refunded"}',
  ];
  for (const body of bodies)
    assert.match(await deliverWebhook(body), /^400 invalid-(payload|signature)$/, body);
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'checkout.session.completed',
    created: 1_700_000_000,
    data: { object: { id: 'cs_test_unknown' } },
  };
  assert.equal(await deliverWebhook(JSON.stringify(event)), '404 not-found');
  assert.doesNotMatch(server.logLines.join(''), /"level":50/);
});

test("does not delay the next check of a payment while the donor's page polls", async () => {
  await using server = await startServerWithStripe();
  const key = createIdempotencyKey();
  const { reference, status } = await server.donate(CARDS.authenticated, {}, key);
  assert.equal(status, 'requires_action');
  const { nextRunAt: due, attempts } = (await server.repository.findByReference(reference))!;
  for (let poll = 0; poll < 8; poll += 1) await server.confirm(key);
  const row = (await server.repository.findByReference(reference))!;
  assert.deepEqual([row.nextRunAt, row.attempts], [due, attempts]);
});
