import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BANKS, CARDS } from '../../fake-stripe/index.ts';
import { waitUntil } from '../../wait-until.ts';
import { openStripeDesk, paidForm } from './support.ts';
import { ORIGIN, newKey, openDesk, outcomeOf, problemOf, type Desk } from '../support.ts';

const post = (desk: Desk, path: string, key: string): Promise<Response> =>
  Promise.resolve(
    desk.handler.fetch(
      new Request(`https://give.example${path}`, {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'application/json', Origin: ORIGIN, 'Idempotency-Key': key },
      }),
    ),
  );

test('a gift by Stripe is charged once, recorded once with its processor, and answered as any other', async () => {
  await using desk = await openStripeDesk();
  const { status, reference, provider, response } = await desk.give();
  assert.deepEqual(
    [status, provider, response?.amount, response?.giftId],
    ['succeeded', 'stripe', 51.81, 1],
  );
  const [charge, ...more] = desk.fake.listCharges(reference);
  assert.deepEqual(
    [charge?.amount, charge?.currency, charge?.payment_intent, more],
    [5_181, 'usd', response?.transactionId, []],
  );
});

test('50 parallel submissions of one key: 1 charge, 1 gift, 50 equal outcomes', async () => {
  await using desk = await openStripeDesk();
  const key = newKey();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => desk.give(CARDS.good, {}, key)),
  );
  assert.deepEqual(
    [
      new Set(answers.map(({ reference, status }) => `${reference} ${status}`)).size,
      answers[0]!.status,
    ],
    [1, 'succeeded'],
  );
  assert.deepEqual(
    [desk.fake.listCharges(answers[0]!.reference).length, (await desk.activities()).length],
    [1, 1],
  );
});

test('one key with altered gifts: 422 each time, and one charge', async () => {
  await using desk = await openStripeDesk();
  const key = newKey();
  const { reference } = await desk.give(CARDS.good, {}, key);
  for (let cents = 1; cents <= 20; cents += 1) {
    const altered = await desk.request({
      payment: { provider: 'stripe', method: 0, token: 'ctoken_x' },
      gift: { amount: 5_000 + cents, projects: [{ id: '2', amount: 5_000 + cents }] },
    });
    assert.equal((await desk.post(altered, { key })).status, 422);
  }
  assert.equal((await desk.post(await desk.request(), { key })).status, 422, 'another provider');
  assert.equal(desk.fake.listCharges(reference).length, 1);
});

test("Stripe's reply lost at any of its calls: one charge and one gift each", async () => {
  await using desk = await openStripeDesk();
  desk.fake.dropResponses(10, /\/payment_intents$/);
  desk.fake.dropResponses(20, /\/confirm$/);
  const giveTen = () => Promise.all(Array.from({ length: 10 }, () => desk.give()));
  const outcomes = [...(await giveTen()), ...(await giveTen())];
  assert.deepEqual(
    [
      outcomes.filter(({ status }) => status === 'succeeded').length,
      outcomes.filter(({ reference }) => desk.fake.listCharges(reference).length === 1).length,
    ],
    [20, 20],
  );
  await waitUntil(async () => (await desk.activities()).length === 20);
});

test('Stripe that answers 500 or 429 leaves every gift charged once or not at all, and says which', async () => {
  await Promise.all(
    [500, 503, 429].flatMap((code) =>
      [
        [/\/payment_intents$/, 4],
        [/\/confirm$/, 2],
      ].map(async ([path, tries]) => {
        await using desk = await openStripeDesk();
        desk.fake.failCalls(code, code === 500 ? 1 : (tries as number), path as RegExp);
        const key = newKey();
        const { status, reference } = await desk.give(CARDS.good, {}, key);
        assert.ok(
          status === 'failed' || status === 'unconfirmed',
          `${code} ${String(path)} ${status}`,
        );
        assert.equal(desk.fake.listCharges(reference).length, 0);
        if (status === 'unconfirmed')
          assert.equal(
            (await desk.give(CARDS.good, {}, key)).status,
            'succeeded',
            `${code} ${String(path)}`,
          );
      }),
    ),
  );
});

test('a declined card is an outcome, and another try under a new key succeeds', async () => {
  await using desk = await openStripeDesk();
  const { status, reason, reference } = await desk.give(CARDS.insufficientFunds);
  assert.deepEqual(
    [status, reason, desk.fake.listCharges(reference)],
    ['failed', 'card-declined', []],
  );
  assert.equal((await desk.give()).status, 'succeeded');
});

test('3-D Secure: the donor has to act, nothing is recorded before, and the server believes Stripe alone', async () => {
  await using desk = await openStripeDesk();
  const key = newKey();
  const asked = await desk.give(CARDS.authenticated, {}, key);
  assert.deepEqual([asked.status, asked.action?.kind], ['requires_action', 'field']);
  assert.deepEqual(
    [(await outcomeOf(await desk.ask(key))).status, (await outcomeOf(await desk.ask(key))).action],
    ['requires_action', undefined],
  );
  assert.deepEqual(
    (await outcomeOf(await post(desk, '/donations/confirm', key))).action,
    asked.action,
  );
  assert.deepEqual([desk.fake.listCharges(asked.reference), await desk.activities()], [[], []]);
  desk.fake.completeAuthentication(desk.fake.listPaymentIntents()[0]!.id, true);
  const done = await outcomeOf(await post(desk, '/donations/confirm', key));
  assert.deepEqual(
    [done.status, done.response?.giftId, desk.fake.listCharges(asked.reference).length],
    ['succeeded', 1, 1],
  );
});

test('a tab that is closed after 3-D Secure: the webhook brings the gift to its end', async () => {
  await using desk = await openStripeDesk();
  const key = newKey();
  const { reference } = await desk.give(CARDS.authenticated, {}, key);
  desk.fake.completeAuthentication(desk.fake.listPaymentIntents()[0]!.id, true);
  assert.deepEqual(new Set(await desk.tell({ times: 2, order: 'shuffled' })), new Set([204]));
  assert.equal((await outcomeOf(await desk.ask(key))).status, 'succeeded');
  await waitUntil(async () => (await desk.activities()).length === 1);
  assert.equal(desk.fake.listCharges(reference).length, 1);
});

test('what the bank asks for and the donor refuses, cancels or leaves alone takes no money', async () => {
  let time = Date.now();
  await using desk = await openStripeDesk({ now: () => time });
  const [refused, canceled, left] = [newKey(), newKey(), newKey()];
  const references = await Promise.all(
    [refused, canceled, left].map(
      async (key) => (await desk.give(CARDS.authenticated, {}, key)).reference,
    ),
  );
  const intents = desk.fake.listPaymentIntents();
  desk.fake.completeAuthentication(
    intents.find(({ metadata }) => metadata.reference === references[0])!.id,
    false,
  );
  for (const [key, path] of [
    [refused, '/donations/confirm'],
    [canceled, '/donations/cancel'],
  ] as const) {
    const { status, reason } = await outcomeOf(await post(desk, path, key));
    assert.deepEqual([status, reason], ['failed', 'not-confirmed'], path);
  }
  time += 3_700_000;
  desk.handler.start();
  await waitUntil(async () => (await outcomeOf(await desk.ask(left))).status === 'failed');
  assert.deepEqual(
    desk.fake.listPaymentIntents().map(({ status }) => status),
    ['canceled', 'canceled', 'canceled'],
  );
  assert.equal(
    (await outcomeOf(await post(desk, '/donations/cancel', left))).reason,
    'not-confirmed',
  );
});

test('a bank debit is pending, recorded so, and told when the money came or did not', async () => {
  await using desk = await openStripeDesk();
  const [paid, failed] = [newKey(), newKey()];
  const first = await desk.give(BANKS.ach, {}, paid);
  const second = await desk.give(BANKS.achFailing, {}, failed);
  assert.deepEqual(
    [first.status, first.response, second.status],
    ['processing', undefined, 'processing'],
  );
  await waitUntil(async () => (await desk.gifts()).length === 2);
  assert.deepEqual(
    (await desk.gifts()).map(({ status }) => status),
    [8, 8],
  );
  for (const { id } of desk.fake.listPaymentIntents()) desk.fake.settleDebit(id);
  await desk.tell({ order: 'reversed' });
  assert.deepEqual(
    [
      (await outcomeOf(await desk.ask(paid))).status,
      (await outcomeOf(await desk.ask(failed))).status,
    ],
    ['succeeded', 'failed'],
  );
  await waitUntil(async () => (await desk.gifts()).every(({ status }) => status !== 8));
  assert.deepEqual(
    (await desk.gifts()).map(({ status }) => status),
    [1, 2],
  );
});

test('a bank debit whose webhooks never come is asked about by the server itself', async () => {
  let time = Date.now();
  await using desk = await openStripeDesk({ now: () => time });
  const key = newKey();
  await desk.give(BANKS.ach, {}, key);
  desk.fake.settleDebit(desk.fake.listPaymentIntents()[0]!.id);
  time += 13 * 3_600_000;
  desk.handler.start();
  await waitUntil(async () => (await outcomeOf(await desk.ask(key))).status === 'succeeded');
});

test("renewals are gifts of their own under their first gift's reference, each once, however often and in whatever order they are told", async () => {
  await using desk = await openStripeDesk();
  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const subscription = (await desk.repository.findByReference(reference))!.subscription_id!;
  for (let month = 0; month < 3; month += 1) desk.fake.renewSubscription(subscription);
  assert.deepEqual(new Set(await desk.tell({ times: 3, order: 'shuffled' })), new Set([204]));
  await desk.tell({ order: 'reversed' });
  await waitUntil(async () => (await desk.gifts()).length === 4);
  const gifts = await desk.gifts();
  assert.deepEqual(gifts.map((gift) => gift.reference).sort(), [
    reference,
    `${reference}-2`,
    `${reference}-3`,
    `${reference}-4`,
  ]);
  assert.deepEqual(gifts.filter(({ parent }) => parent === reference).length, 3);
});

test('a failed renewal, the end of a recurring gift, refunds and disputes are told of the gift that they happened to', async () => {
  await using desk = await openStripeDesk();
  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const first = await desk.repository.findByReference(reference);
  const subscription = first!.subscription_id!;
  desk.fake.renewSubscription(subscription);
  await desk.tell();
  await waitUntil(async () => (await desk.gifts()).length === 2);
  desk.fake.changeCard(subscription, CARDS.declinedWhenCharged);
  desk.fake.renewSubscription(subscription);
  await desk.tell();
  const giftOf = async (wanted: string) =>
    (await desk.gifts()).find((gift) => gift.reference === wanted);
  await waitUntil(async () => (await giftOf(reference))?.recurringStatus === 6);
  desk.fake.createRefund(first!.payment_id!, 1_000);
  const renewal = (await desk.repository.outbox.findGiftEvent(`${reference}-2`))!.payment_id!;
  const { id } = desk.fake.openDispute(renewal);
  desk.fake.cancelSubscription(subscription);
  await desk.tell({ times: 2, order: 'shuffled' });
  await waitUntil(
    async () =>
      (await giftOf(reference))?.recurringStatus === 2 &&
      (await giftOf(reference))?.refunded === '10.00' &&
      (await giftOf(`${reference}-2`))?.status === 10,
  );
  assert.equal(
    (await giftOf(reference))?.status,
    1,
    'a part that is paid back leaves the gift approved',
  );
  desk.fake.createRefund(first!.payment_id!);
  desk.fake.closeDispute(id, 'lost');
  await desk.tell({ order: 'reversed' });
  await waitUntil(
    async () =>
      (await giftOf(reference))?.status === 4 && (await giftOf(`${reference}-2`))?.status === 11,
  );
});

test('where the platform has no call for changes, they are listed for entry by hand, and renewals are recorded all the same', async () => {
  await using desk = await openStripeDesk({
    platform: (platform) => ({
      createGift: (gift) => platform.createGift(gift),
      findGift: (reference) => platform.findGift!(reference),
    }),
  });
  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const first = await desk.repository.findByReference(reference);
  desk.fake.renewSubscription(first!.subscription_id!);
  desk.fake.createRefund(first!.payment_id!, 1_000);
  await desk.tell();
  await waitUntil(
    async () =>
      (await desk.gifts()).length === 2 &&
      (await desk.repository.outbox.listByStatus('manual', 10)).length === 1,
  );
  const [event] = await desk.repository.outbox.listByStatus('manual', 10);
  assert.deepEqual(
    [event?.kind, event?.reference, event?.last_error],
    ['refund', reference, 'the platform has no call for updates'],
  );
});

test('payments of the same account that are none of ours are passed over', async () => {
  await using desk = await openStripeDesk();
  await desk.give();
  await using other = await openStripeDesk({}, desk.fake);
  await other.give(CARDS.good, { frequency: 'monthly' });
  assert.deepEqual(new Set(await desk.tell()), new Set([204]));
  assert.equal((await desk.gifts()).length, 1);
});

test('a webhook with a false signature, none, an unknown provider or organisation is refused and changes nothing', async () => {
  await using desk = await openStripeDesk();
  const hook = async (path: string, headers: Record<string, string> = {}) =>
    problemOf(
      await desk.handler.fetch(
        new Request(`https://give.example/webhooks/${path}`, {
          method: 'POST',
          body: '{"id":"evt_1"}',
          headers,
        }),
      ),
    );
  assert.equal((await hook('stripe/lanternwell')).code, 'invalid-signature');
  assert.equal(
    (await hook('stripe/lanternwell', { 'Stripe-Signature': 't=1,v1=00' })).code,
    'invalid-signature',
  );
  assert.equal((await hook('sandbox/lanternwell')).code, 'invalid-signature');
  for (const path of ['offline/lanternwell', 'stripe/somebody', 'paypal/lanternwell'])
    assert.equal((await hook(path)).code, 'not-found', path);
});

test('a promised gift is pending with what to do, recorded as pending without a processor, and never asked about', async () => {
  await using desk = await openDesk({ form: paidForm });
  const outcome = await outcomeOf(
    await desk.post(await desk.request({ payment: { provider: 'offline' } })),
  );
  assert.deepEqual(
    [outcome.status, outcome.instructions, outcome.response],
    ['processing', `Send 51.81 USD to account 1 and write ${outcome.reference}.`, undefined],
  );
  await waitUntil(async () => (await desk.gifts()).length === 1);
  assert.deepEqual(
    (await desk.gifts()).map(({ status }) => status),
    [8],
  );
  const sent = JSON.parse(desk.sent.at(-1)!) as Record<string, unknown>;
  assert.deepEqual(
    [sent.paymentProviderType, 'paymentMethod' in sent, sent.giftStatus],
    [0, false, 8],
  );
  assert.deepEqual(
    desk.calls.filter((call) => call.includes('/processor/')),
    [],
  );
});

test("a way to pay that the form does not offer, a token where none belongs, and a return to a stranger's page are refused before anything is kept", async () => {
  await using desk = await openDesk({ form: paidForm });
  for (const [payment, code] of [
    [{ provider: 'paypal', token: 't' }, 'payment-method-not-available'],
    [{ provider: 'offline', token: 't' }, 'payment-method-not-available'],
    [{ provider: 'offline', method: 0 }, 'payment-method-not-available'],
    [
      { provider: 'sandbox', method: 0, token: 't', returnUrl: 'https://evil.example/' },
      'return-url-not-allowed',
    ],
    [
      { provider: 'sandbox', method: 0, token: 't', returnUrl: 'javascript:alert(1)' },
      'invalid-field',
    ],
  ] as const) {
    assert.equal(
      (await problemOf(await desk.post(await desk.request({ payment })))).code,
      code,
      JSON.stringify(payment),
    );
  }
  assert.equal(
    await desk.repository.findNextDueTime('lanternwell', [
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

test("digits that look like a card number in words of the donor's own are refused, without being repeated or logged", async () => {
  await using desk = await openDesk({
    form: { ...paidForm, allowComment: true, allowTribute: true },
  });
  const number = '4242 4242 4242 4242';
  for (const change of [
    { gift: { comment: `take it from ${number}` } },
    { gift: { comment: '٤٢٤٢-٤٢٤٢-٤٢٤٢-٤٢٤٢' } },
    { gift: { tribute: { kind: 'honor' as const, name: number.replaceAll(' ', '') } } },
    { donor: { lastName: number } },
  ]) {
    const problem = await problemOf(await desk.post(await desk.request(change)));
    assert.equal(problem.code, 'card-number-detected', JSON.stringify(change));
    assert.ok(!problem.detail.includes('4242'));
  }
  assert.ok(!desk.logged.join('').includes('4242'));
  assert.equal(
    (
      await outcomeOf(
        await desk.post(
          await desk.request({ gift: { comment: 'Member 4242 4242 4242 4241, call 4242 4242' } }),
        ),
      )
    ).status,
    'succeeded',
  );
});

test("who gives regularly is led to the processor's page, which says nothing of whom it knows", async () => {
  await using desk = await openStripeDesk();
  const lead = async (query: string) =>
    desk.handler.fetch(new Request(`https://give.example/manage${query}`));
  const stripe = await lead('?id=main&provider=stripe');
  const usual = await lead('');
  assert.deepEqual(
    [stripe.status, stripe.headers.get('Location')?.startsWith(desk.fake.url)],
    [302, true],
  );
  assert.deepEqual(
    [usual.status, usual.headers.get('Location')],
    [302, 'https://sandbox.test/processor/portal'],
  );
  assert.equal((await lead('?provider=offline')).status, 404);
  assert.equal((await lead('?id=nothing')).status, 404);
});

test('no card number stands in the database or in what is sent to the platform', async () => {
  await using desk = await openDesk({ form: paidForm });
  const { reference } = await outcomeOf(await desk.post(await desk.request()));
  const kept = JSON.stringify([
    await desk.repository.findByReference(reference),
    await desk.repository.outbox.findGiftEvent(reference),
    desk.sent,
    desk.logged,
  ]);
  assert.deepEqual(kept.match(/4242/g), null);
});
