import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { BANKS, CARDS } from '../../../../test/fake-stripe.ts';
import { captureError, listEventTypes, openFakeStripe, PAYMENT_PARAMS, test } from './support.ts';

const getLatestCharge = (intent: Stripe.PaymentIntent): Stripe.Charge =>
  intent.latest_charge as Stripe.Charge;

test('charges a valid card once and reports the payment method', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  const { id, status, client_secret } = await stripe.paymentIntents.create({
    ...PAYMENT_PARAMS,
    currency: 'USD',
    allowed_payment_method_types: ['card'],
    receipt_email: 'ana@example.org',
    description: 'Village wells',
  });
  assert.deepEqual(
    [status, client_secret?.startsWith(`${id}_secret_`)],
    ['requires_payment_method', true],
  );
  const paid = await confirm(id, CARDS.good, {
    return_url: 'https://give.example/thanks',
    expand: ['latest_charge'],
  });
  assert.deepEqual(
    [paid.status, paid.currency, paid.amount_received, paid.receipt_email, paid.description],
    ['succeeded', 'usd', 5_000, 'ana@example.org', 'Village wells'],
  );
  assert.deepEqual(
    [
      getLatestCharge(paid).payment_method_details?.type,
      getLatestCharge(paid).payment_method_details?.card?.last4,
      getLatestCharge(paid).payment_method_details?.card?.wallet,
    ],
    ['card', '4242', null],
  );
  assert.deepEqual(
    fake.listCharges('ABCDE-FGHJK').map(({ amount }) => amount),
    [5_000],
  );
  assert.deepEqual(listEventTypes(fake), [
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  assert.deepEqual(fake.calls, [
    'POST /v1/payment_intents',
    `POST /v1/payment_intents/${id}/confirm`,
  ]);
});

test('reports the wallet of a card', async ({ confirm, stripe }) => {
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  const paid = await confirm(id, CARDS.applePay, { expand: ['latest_charge'] });
  assert.equal(getLatestCharge(paid).payment_method_details?.card?.wallet?.type, 'apple_pay');
});

for (const [card, code, declineCode] of [
  [CARDS.declined, 'card_declined', 'generic_decline'],
  [CARDS.insufficientFunds, 'card_declined', 'insufficient_funds'],
  [CARDS.expired, 'expired_card', 'expired_card'],
  [CARDS.declinedWhenCharged, 'card_declined', 'generic_decline'],
] as const) {
  test(`declines card ${card} with ${declineCode} and accepts another card`, async (fixture) => {
    const { confirm, fake, stripe } = fixture;
    const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
    const error = await captureError(confirm(id, card));
    assert.deepEqual(
      [error.statusCode, error.type, error.code, error.decline_code, error.payment_intent?.status],
      [402, 'StripeCardError', code, declineCode, 'requires_payment_method'],
    );
    const { last_payment_error } = await stripe.paymentIntents.retrieve(id);
    assert.deepEqual([last_payment_error?.code, last_payment_error?.type], [code, 'card_error']);
    assert.deepEqual(fake.listCharges('ABCDE-FGHJK'), []);
    assert.ok(listEventTypes(fake).includes('payment_intent.payment_failed'));
    assert.equal((await confirm(id, CARDS.good)).status, 'succeeded');
  });
}

test('charges a card that requires authentication after confirmation', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  const { status, next_action } = await confirm(id, CARDS.authenticated);
  assert.deepEqual(
    [status, next_action?.type, fake.listCharges('ABCDE-FGHJK').length],
    ['requires_action', 'use_stripe_sdk', 0],
  );
  fake.completeAuthentication(id, true);
  assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
  assert.equal(fake.listCharges('ABCDE-FGHJK').length, 1);
});

test('delays the response for the slow test card', async () => {
  await using fixture = await openFakeStripe({ slowCardDelay: 300 });
  const { id } = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS);
  const start = performance.now();
  const { status } = await fixture.confirm(id, CARDS.slow);
  assert.equal(status, 'succeeded');
  assert.ok(performance.now() - start >= 290);
});

test('accepts one result of the authentication: a second one charges nothing', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  await confirm(id, CARDS.authenticated);
  fake.completeAuthentication(id, true);
  assert.throws(() => fake.completeAuthentication(id, true), /does not require action/);
  assert.equal(fake.listCharges('ABCDE-FGHJK').length, 1);
});

test('charges nothing if authentication fails or the card is declined after it', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  for (const [card, agrees, code] of [
    [CARDS.authenticated, false, 'payment_intent_authentication_failure'],
    [CARDS.declinedAfterAuthentication, true, 'card_declined'],
  ] as const) {
    const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
    await confirm(id, card);
    fake.completeAuthentication(id, agrees);
    const { status, last_payment_error } = await stripe.paymentIntents.retrieve(id);
    assert.deepEqual([status, last_payment_error?.code], ['requires_payment_method', code]);
  }
  assert.deepEqual(fake.listCharges('ABCDE-FGHJK'), []);
});

test('requires a return URL for a redirect method and returns the URL to visit', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  const { id } = await stripe.paymentIntents.create({
    ...PAYMENT_PARAMS,
    currency: 'eur',
    allowed_payment_method_types: ['card', 'ideal'],
  });
  await assert.rejects(confirm(id, 'ideal'), { statusCode: 400, param: 'return_url' });
  const { next_action } = await confirm(id, 'ideal', { return_url: 'https://give.example/back' });
  assert.deepEqual(
    [next_action?.type, next_action?.redirect_to_url?.return_url],
    ['redirect_to_url', 'https://give.example/back'],
  );
  assert.ok(next_action?.redirect_to_url?.url?.startsWith(`${fake.url}/redirect/${id}`));
});

test('keeps a bank debit processing until it settles or fails', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  for (const [bank, currency, type, after] of [
    [BANKS.ach, 'usd', 'us_bank_account', 'succeeded'],
    [BANKS.sepa, 'eur', 'sepa_debit', 'succeeded'],
    [BANKS.achFailing, 'usd', 'us_bank_account', 'requires_payment_method'],
    [BANKS.sepaFailing, 'eur', 'sepa_debit', 'requires_payment_method'],
  ] as const) {
    const { id } = await stripe.paymentIntents.create({
      ...PAYMENT_PARAMS,
      currency,
      allowed_payment_method_types: ['card', type],
      metadata: { donation_form_reference: bank },
    });
    const waiting = await confirm(id, bank, {
      return_url: 'https://give.example/back',
      expand: ['latest_charge'],
    });
    assert.deepEqual(
      [
        waiting.status,
        waiting.amount_received,
        getLatestCharge(waiting).status,
        getLatestCharge(waiting).payment_method_details?.type,
      ],
      ['processing', 0, 'pending', type],
    );
    await assert.rejects(stripe.paymentIntents.cancel(id), {
      code: 'payment_intent_unexpected_state',
    });
    fake.settleDebit(id);
    assert.equal((await stripe.paymentIntents.retrieve(id)).status, after);
    assert.equal(fake.listCharges(bank).length, after === 'succeeded' ? 1 : 0);
  }
  assert.equal(
    listEventTypes(fake).filter((type) => type === 'payment_intent.processing').length,
    4,
  );
});

test('rejects confirming or canceling a succeeded intent, and confirming a canceled one', async (fixture) => {
  const { confirm, fake, stripe } = fixture;
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  await confirm(id, CARDS.good);
  for (const call of [confirm(id, CARDS.good), stripe.paymentIntents.cancel(id)]) {
    const { statusCode, code, payment_intent } = await captureError(call);
    assert.deepEqual(
      [statusCode, code, payment_intent?.status],
      [400, 'payment_intent_unexpected_state', 'succeeded'],
    );
  }
  const other = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  assert.equal(
    (await stripe.paymentIntents.cancel(other.id, { cancellation_reason: 'abandoned' })).status,
    'canceled',
  );
  await assert.rejects(confirm(other.id, CARDS.good), { code: 'payment_intent_unexpected_state' });
  assert.equal(fake.listCharges('ABCDE-FGHJK').length, 1);
});

test('rejects a confirmation token that is used, unknown, or of a method that is not allowed', async (fixture) => {
  const { fake, stripe } = fixture;
  const confirmationToken = fake.createConfirmationToken(CARDS.declined);
  const [first, second] = [
    await stripe.paymentIntents.create(PAYMENT_PARAMS),
    await stripe.paymentIntents.create({
      ...PAYMENT_PARAMS,
      allowed_payment_method_types: ['card'],
    }),
  ];
  await captureError(
    stripe.paymentIntents.confirm(first.id, { confirmation_token: confirmationToken }),
  );
  assert.equal(
    (await stripe.confirmationTokens.retrieve(confirmationToken)).payment_intent,
    first.id,
  );
  for (const [token, code] of [
    [confirmationToken, 'token_already_used'],
    ['ctoken_nowhere', 'resource_missing'],
    [fake.createConfirmationToken(BANKS.ach), 'payment_intent_incompatible_payment_method'],
  ] as const) {
    await assert.rejects(stripe.paymentIntents.confirm(second.id, { confirmation_token: token }), {
      statusCode: 400,
      code,
      param: 'confirmation_token',
    });
  }
});

test('emits an event for each step of refunds and disputes', async ({ confirm, fake, stripe }) => {
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  await confirm(id, CARDS.good);
  const made = fake.createRefund(id, 2_000);
  assert.equal((await stripe.refunds.retrieve(made.id)).amount, 2_000);
  fake.createRefund(id);
  assert.deepEqual(
    (await stripe.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount),
    [3_000, 2_000],
  );
  const charge = await stripe.charges.retrieve(made.charge as string);
  assert.deepEqual([charge.amount_refunded, charge.refunded], [5_000, true]);
  const { id: dispute } = fake.openDispute(id);
  assert.equal((await stripe.disputes.retrieve(dispute)).status, 'needs_response');
  fake.closeDispute(dispute, 'lost');
  assert.equal((await stripe.disputes.retrieve(dispute)).status, 'lost');
  assert.deepEqual(listEventTypes(fake).slice(3), [
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.closed',
  ]);
});

test('returns the public fields of an intent to a browser with its client secret', async (fixture) => {
  const { fake, stripe } = fixture;
  const { id, client_secret } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  const fetchIntent = (query: string): Promise<Response> =>
    fetch(`${fake.url}/v1/payment_intents/${id}${query}`, {
      headers: {
        Authorization: `Bearer ${fake.publishableKey}`,
        Origin: 'https://give.example',
      },
    });
  assert.equal((await fetchIntent('')).status, 404);
  assert.equal((await fetchIntent('?client_secret=other')).status, 404);
  const response = await fetchIntent(`?client_secret=${client_secret ?? ''}`);
  assert.equal(response.headers.get('Access-Control-Allow-Origin'), '*');
  assert.equal('metadata' in ((await response.json()) as object), false);
});

test('lists charges newest first, paginated, by time, and with expanded balance transactions', async () => {
  let time = 1_700_000_000_000;
  await using fixture = await openFakeStripe({ now: () => time });
  const { confirm, stripe } = fixture;
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    const { id } = await stripe.paymentIntents.create({ ...PAYMENT_PARAMS, amount: 1_000 + index });
    await confirm(id, CARDS.good);
    ids.unshift(id);
    time += 1_000;
  }
  const page = await stripe.charges.list({ limit: 3 });
  assert.deepEqual(
    [
      page.data.map(({ payment_intent: id }) => id),
      page.has_more,
      typeof page.data[0]!.balance_transaction,
    ],
    [ids.slice(0, 3), true, 'string'],
  );
  const all: string[] = [];
  const brought: number[] = [];
  for await (const { payment_intent: id, balance_transaction: transaction } of stripe.charges.list({
    limit: 3,
    expand: ['data.balance_transaction'],
  })) {
    all.push(id as string);
    brought.push((transaction as { net: number }).net);
  }
  assert.deepEqual([all, brought[0]], [ids, 1_006 - 29 - 30]);
  assert.deepEqual(
    (await stripe.charges.list({ created: { gte: 1_700_000_002, lt: 1_700_000_004 } })).data.map(
      ({ payment_intent: id }) => id,
    ),
    ids.slice(3, 5),
  );
  const last = page.data.at(-1)!.id;
  assert.deepEqual(
    (await stripe.charges.list({ ending_before: last, limit: 1 })).data.map(({ id }) => id),
    [page.data[1]!.id],
  );
  await assert.rejects(stripe.charges.list({ limit: 101 }), { param: 'limit' });
  assert.equal((await stripe.charges.list()).data.length, 7, 'the default page size is ten');
});
