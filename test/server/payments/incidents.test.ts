import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationOutcome } from '../../../src/core/schemas/donation-outcome.ts';
import { BANKS, CARDS, startFakeStripe } from '../../fake-stripe/index.ts';
import { waitUntil } from '../../wait-until.ts';
import { openStripeDesk, type StripeDesk } from './support.ts';
import { ORIGIN, newKey, outcomeOf, problemOf } from '../support.ts';

/** Lets time pass and the server look again, until a gift is in a state. */
function becomes(
  desk: StripeDesk,
  key: string,
  status: DonationOutcome['status'],
  wait: () => void,
): Promise<void> {
  return waitUntil(async () => {
    wait();
    desk.handler.start();
    return (await outcomeOf(await desk.ask(key))).status === status;
  });
}

const giftOf = async (desk: StripeDesk, reference: string) =>
  (await desk.gifts()).find((gift) => gift.reference === reference);

test('a charge whose reply was lost, and that can neither be read nor ended for a while, is found out in the end: charged once, recorded once', async () => {
  for (const code of [429, 503]) {
    let time = Date.now();
    await using desk = await openStripeDesk({ now: () => time });
    desk.fake.dropResponses(3, /\/confirm$/);
    desk.fake.failCalls(code, 20, /GET \/v1\/payment_intents|\/cancel$/);
    const key = newKey();
    const { status, reference } = await desk.give(CARDS.good, {}, key);
    assert.equal(status, 'unconfirmed', String(code));
    await becomes(desk, key, 'succeeded', () => {
      time += 61_000;
    });
    assert.equal(desk.fake.listCharges(reference).length, 1);
    await waitUntil(async () => (await desk.gifts()).length === 1);
  }
});

test('a charge whose reply was lost, and whose repetition is refused, is never denied, also where the payment cannot be ended for a while', async () => {
  for (const code of [429, 401]) {
    let time = Date.now();
    await using desk = await openStripeDesk({ now: () => time });
    desk.fake.dropResponses(1, /\/confirm$/);
    desk.fake.failCallsAfter(1, code, 1, /\/confirm$/);
    desk.fake.failCalls(503, 4, /\/cancel$/);
    const key = newKey();
    const { status, reference } = await desk.give(CARDS.good, {}, key);
    assert.notEqual(status, 'failed', String(code));
    await becomes(desk, key, 'succeeded', () => {
      time += 61_000;
    });
    assert.equal(desk.fake.listCharges(reference).length, 1);
  }
});

test('a refused charge whose payment cannot be ended for a while is in question until it has ended', async () => {
  let time = Date.now();
  await using desk = await openStripeDesk({ now: () => time });
  desk.fake.failCalls(429, 2, /\/confirm$/);
  desk.fake.failCalls(503, 4, /\/cancel$/);
  const key = newKey();
  assert.equal((await desk.give(CARDS.good, {}, key)).status, 'unconfirmed');
  await becomes(desk, key, 'failed', () => {
    time += 61_000;
  });
  assert.deepEqual(
    desk.fake.listPaymentIntents().map(({ status }) => status),
    ['canceled'],
  );
});

test('a clock that steps back between two steps of a gift changes nothing of it', async () => {
  let time = Date.now();
  await using desk = await openStripeDesk({ now: () => (time -= 3_000) });
  const { status, reference } = await desk.give();
  assert.equal(status, 'succeeded');
  assert.deepEqual(
    [
      (await desk.repository.findByReference(reference))?.payment_id,
      desk.fake.listCharges(reference).length,
    ],
    [desk.fake.listPaymentIntents()[0]!.id, 1],
  );
});

test('a monthly bank debit whose first payment fails has ended: nothing of it can be paid later', async () => {
  for (const whileProcessing of ['active', 'incomplete'] as const) {
    const fake = await startFakeStripe({ statusWhileProcessing: whileProcessing });
    await using desk = await openStripeDesk({}, fake);
    const key = newKey();
    const { reference } = await desk.give(BANKS.achFailing, { frequency: 'monthly' }, key);
    fake.settleDebit(fake.listPaymentIntents()[0]!.id);
    await desk.tell({ order: 'shuffled', times: 2 });
    assert.equal((await outcomeOf(await desk.ask(key))).status, 'failed', whileProcessing);
    assert.deepEqual(
      fake.listPaymentIntents().map(({ status }) => status),
      ['canceled'],
      whileProcessing,
    );
    assert.throws(
      () =>
        fake.renewSubscription(
          (
            fake.events.find(({ type }) => type === 'customer.subscription.created')!.data
              .object as { id: string }
          ).id,
        ),
      whileProcessing,
    );
    assert.equal(fake.listCharges(reference).length, 0);
    await fake.close();
  }
});

test('a gift that was declined, and that the processor charged all the same, is left to a person with an error in the log', async () => {
  await using desk = await openStripeDesk();
  const key = newKey();
  const { reference } = await desk.give(CARDS.authenticated, {}, key);
  const intent = desk.fake.listPaymentIntents()[0]!.id;
  await desk.repository.markFailed(reference, 'not-confirmed');
  desk.fake.completeAuthentication(intent, true);
  await desk.tell();
  const row = await desk.repository.findByReference(reference);
  assert.deepEqual(
    [row?.status, (row?.last_error ?? '').includes('record it or refund it')],
    ['needs_review', true],
  );
  assert.match(desk.logged.join(''), /the provider charged a failed donation/);
});

test('failed renewals and the end of a recurring gift, told in reverse, end as ended; a renewal that is paid after all makes it active again', async () => {
  await using desk = await openStripeDesk();
  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const subscription = (await desk.repository.findByReference(reference))!.subscription_id!;
  await waitUntil(async () => (await desk.gifts()).length === 1);
  desk.fake.changeCard(subscription, CARDS.declinedWhenCharged);
  desk.fake.renewSubscription(subscription);
  await desk.tell();
  await waitUntil(async () => (await giftOf(desk, reference))?.recurringStatus === 6);
  desk.fake.changeCard(subscription, CARDS.good);
  desk.fake.renewSubscription(subscription);
  await desk.tell({ order: 'reversed' });
  await waitUntil(async () => (await giftOf(desk, reference))?.recurringStatus === 1);
  desk.fake.changeCard(subscription, CARDS.declinedWhenCharged);
  for (let failure = 0; failure < 4; failure += 1) desk.fake.renewSubscription(subscription);
  await desk.tell({ order: 'reversed', times: 2 });
  await waitUntil(async () => (await giftOf(desk, reference))?.recurringStatus === 2);
  await desk.tell({ order: 'shuffled' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal((await giftOf(desk, reference))?.recurringStatus, 2);
});

test('a change that the platform refused at first is not overtaken by a later one of the same gift', async () => {
  let refusals = 2;
  let time = Date.now();
  await using desk = await openStripeDesk({
    now: () => time,
    between: async (request, next) => {
      if (request.method === 'PATCH' && refusals-- > 0)
        return Response.json({ message: 'not now' }, { status: 400 });
      return next(request);
    },
  });
  const { reference, response } = await desk.give();
  const { id } = desk.fake.openDispute(response!.transactionId!);
  desk.fake.closeDispute(id, 'won');
  await desk.tell();
  await waitUntil(async () => {
    time += 10_000;
    desk.handler.start();
    return (await giftOf(desk, reference))?.status === 9;
  });
  await waitUntil(
    async () => (await desk.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.equal((await giftOf(desk, reference))?.status, 9);
});

test("a refund of a renewal, and of a gift on the processor's own page, that is told before its payment is known is told after it", async () => {
  await using desk = await openStripeDesk();
  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const subscription = (await desk.repository.findByReference(reference))!.subscription_id!;
  desk.fake.renewSubscription(subscription);
  const renewal = desk.fake.listPaymentIntents().at(-1)!.id;
  desk.fake.createRefund(renewal);
  desk.fake.openDispute(desk.fake.listPaymentIntents()[0]!.id);
  await desk.tell({ order: 'reversed' });
  await waitUntil(
    async () =>
      (await giftOf(desk, `${reference}-2`))?.status === 4 &&
      (await giftOf(desk, reference))?.status === 10,
  );
});

test('a refund that fails is no refund; the sum is that of now, whichever refund is told last', async () => {
  await using desk = await openStripeDesk();
  const { reference, response } = await desk.give();
  const payment = response!.transactionId!;
  const first = desk.fake.createRefund(payment, 1_000);
  desk.fake.createRefund(payment);
  await desk.tell({ order: 'reversed' });
  await waitUntil(async () => (await giftOf(desk, reference))?.status === 4);
  desk.fake.failRefund(first.id);
  await desk.tell();
  await waitUntil(
    async () =>
      (await giftOf(desk, reference))?.status === 1 &&
      (await giftOf(desk, reference))?.refunded === '41.81',
  );
});

test('the page where donors change their gifts is looked up once, however many ask, and made once where there is none', async () => {
  await using desk = await openStripeDesk();
  const ask = async (): Promise<Response> =>
    desk.handler.fetch(new Request('https://give.example/manage?provider=stripe'));
  const places = new Set(
    (await Promise.all(Array.from({ length: 5 }, ask))).map((answer) =>
      answer.headers.get('Location'),
    ),
  );
  assert.equal(places.size, 1);
  assert.equal(
    desk.fake.calls.filter((call) => call === 'POST /v1/billing_portal/configurations').length <= 1,
    true,
  );
  await using again = await openStripeDesk({}, desk.fake);
  assert.deepEqual(
    [
      (
        await again.handler.fetch(new Request('https://give.example/manage?provider=stripe'))
      ).headers.get('Location'),
    ],
    [...places],
  );
});

test('where that page cannot be opened, and where there is none, a donor reads whom to write to', async () => {
  await using desk = await openStripeDesk();
  desk.fake.failCalls(503, 10);
  for (const [query, status] of [
    ['?provider=stripe', 503],
    ['?provider=offline', 404],
    ['?id=nothing', 404],
  ] as const) {
    const response = await desk.handler.fetch(new Request(`https://give.example/manage${query}`));
    const page = await response.text();
    assert.deepEqual(
      [
        response.status,
        response.headers.get('Content-Type')?.startsWith('text/html'),
        page.includes('write to'),
      ],
      [status, true, true],
      query,
    );
  }
});

test("a second request under a key is checked like the first: the donor is led back to no stranger's page", async () => {
  await using desk = await openStripeDesk();
  const key = newKey();
  const request = await desk.request({
    payment: { provider: 'stripe', returnUrl: `${ORIGIN}/give` },
  });
  await desk.post(request, { key });
  assert.equal(
    (
      await problemOf(
        await desk.post(
          { ...request, payment: { ...request.payment, returnUrl: 'https://evil.example/' } },
          { key },
        ),
      )
    ).code,
    'return-url-not-allowed',
  );
});

test('a renewal with another sum than was agreed to is left for entry by hand', async () => {
  await using desk = await openStripeDesk();
  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const first = await desk.repository.findByReference(reference);
  await desk.repository.outbox.insertRenewal(first!, {
    id: 'renewal in_other',
    paymentId: 'pi_other',
    payload: { at: 1, amount: 9_900 },
  });
  desk.handler.start();
  await waitUntil(
    async () => (await desk.repository.outbox.findById('renewal in_other'))?.status === 'manual',
  );
  assert.equal((await desk.gifts()).length, 1);
});

test('what Stripe says in an error, which may quote what it was given, reaches neither log nor answer', async () => {
  await using desk = await openStripeDesk();
  const { status } = await desk.give('apple_pay', { currency: 'USD' });
  assert.equal(status, 'succeeded');
  const request = await desk.request({
    payment: { provider: 'stripe', method: 0, token: 'canary_token' },
  });
  assert.equal((await outcomeOf(await desk.post(request))).reason, 'payment-failed');
  assert.ok(!desk.logged.join('').includes('canary_token'));
  assert.match(
    desk.logged.join(''),
    new RegExp(
      '"provider":"stripe","error":"Stripe rejected the charge \\(resource_missing\\)",' +
        '"cause":"Error","code":"resource_missing"',
    ),
  );
});
