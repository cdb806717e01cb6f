import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import { BANKS, CARDS } from './index.ts';
import { errorOf, GIFT, openDesk, typesOf } from './support.ts';

const charged = (intent: Stripe.PaymentIntent): Stripe.Charge =>
  intent.latest_charge as Stripe.Charge;

test('a good card is charged once, and its charge tells how', async () => {
  await using desk = await openDesk();
  const { id, status, client_secret } = await desk.stripe.paymentIntents.create({
    ...GIFT,
    currency: 'USD',
    allowed_payment_method_types: ['card'],
    receipt_email: 'ana@example.org',
    description: 'Village wells',
  });
  assert.deepEqual(
    [status, client_secret?.startsWith(`${id}_secret_`)],
    ['requires_payment_method', true],
  );
  const paid = await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken(CARDS.good),
    return_url: 'https://give.example/thanks',
    expand: ['latest_charge'],
  });
  assert.deepEqual(
    [paid.status, paid.currency, paid.amount_received, paid.receipt_email, paid.description],
    ['succeeded', 'usd', 5_000, 'ana@example.org', 'Village wells'],
  );
  assert.deepEqual(
    [
      charged(paid).payment_method_details?.type,
      charged(paid).payment_method_details?.card?.last4,
      charged(paid).payment_method_details?.card?.wallet,
    ],
    ['card', '4242', null],
  );
  assert.deepEqual(
    desk.fake.charges('ABCDE-FGHJK').map(({ amount }) => amount),
    [5_000],
  );
  assert.deepEqual(typesOf(desk.fake), [
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
  assert.deepEqual(desk.fake.calls, [
    'POST /v1/payment_intents',
    `POST /v1/payment_intents/${id}/confirm`,
  ]);
});

test('a wallet is a card that says so', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  const paid = await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken(CARDS.applePay),
    expand: ['latest_charge'],
  });
  assert.equal(charged(paid).payment_method_details?.card?.wallet?.type, 'apple_pay');
});

for (const [card, code, declineCode] of [
  [CARDS.declined, 'card_declined', 'generic_decline'],
  [CARDS.insufficientFunds, 'card_declined', 'insufficient_funds'],
  [CARDS.expired, 'expired_card', 'expired_card'],
  [CARDS.declinedWhenCharged, 'card_declined', 'generic_decline'],
] as const) {
  test(`card ${card} is declined with ${declineCode}, and another card may follow`, async () => {
    await using desk = await openDesk();
    const { id } = await desk.stripe.paymentIntents.create(GIFT);
    const error = await errorOf(
      desk.stripe.paymentIntents.confirm(id, {
        confirmation_token: desk.fake.confirmationToken(card),
      }),
    );
    assert.deepEqual(
      [error.statusCode, error.type, error.code, error.decline_code, error.payment_intent?.status],
      [402, 'StripeCardError', code, declineCode, 'requires_payment_method'],
    );
    const { last_payment_error } = await desk.stripe.paymentIntents.retrieve(id);
    assert.deepEqual([last_payment_error?.code, last_payment_error?.type], [code, 'card_error']);
    assert.deepEqual(desk.fake.charges('ABCDE-FGHJK'), []);
    assert.ok(typesOf(desk.fake).includes('payment_intent.payment_failed'));
    assert.equal(
      (
        await desk.stripe.paymentIntents.confirm(id, {
          confirmation_token: desk.fake.confirmationToken(CARDS.good),
        })
      ).status,
      'succeeded',
    );
  });
}

test('a card that asks for its holder is charged after they agreed', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  const { status, next_action } = await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken(CARDS.authenticated),
  });
  assert.deepEqual(
    [status, next_action?.type, desk.fake.charges('ABCDE-FGHJK').length],
    ['requires_action', 'use_stripe_sdk', 0],
  );
  desk.fake.authenticate(id, true);
  assert.equal((await desk.stripe.paymentIntents.retrieve(id)).status, 'succeeded');
  assert.equal(desk.fake.charges('ABCDE-FGHJK').length, 1);
});

test('a holder who does not agree is not charged, nor is a card that is declined after they agreed', async () => {
  await using desk = await openDesk();
  for (const [card, agrees, code] of [
    [CARDS.authenticated, false, 'payment_intent_authentication_failure'],
    [CARDS.declinedAfterAuthentication, true, 'card_declined'],
  ] as const) {
    const { id } = await desk.stripe.paymentIntents.create(GIFT);
    await desk.stripe.paymentIntents.confirm(id, {
      confirmation_token: desk.fake.confirmationToken(card),
    });
    desk.fake.authenticate(id, agrees);
    const { status, last_payment_error } = await desk.stripe.paymentIntents.retrieve(id);
    assert.deepEqual([status, last_payment_error?.code], ['requires_payment_method', code]);
  }
  assert.deepEqual(desk.fake.charges('ABCDE-FGHJK'), []);
});

test('a means that leads away says where to, and asks where to come back', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create({
    ...GIFT,
    currency: 'eur',
    allowed_payment_method_types: ['card', 'ideal'],
  });
  const refusal = await errorOf(
    desk.stripe.paymentIntents.confirm(id, {
      confirmation_token: desk.fake.confirmationToken('ideal'),
    }),
  );
  assert.deepEqual([refusal.statusCode, refusal.param], [400, 'return_url']);
  const { next_action } = await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken('ideal'),
    return_url: 'https://give.example/back',
  });
  assert.deepEqual(
    [next_action?.type, next_action?.redirect_to_url?.return_url],
    ['redirect_to_url', 'https://give.example/back'],
  );
  assert.ok(next_action?.redirect_to_url?.url?.startsWith(`${desk.fake.address}/redirect/${id}`));
});

test('a bank debit is under way until the bank has paid, or has not', async () => {
  await using desk = await openDesk();
  for (const [bank, currency, type, after] of [
    [BANKS.ach, 'usd', 'us_bank_account', 'succeeded'],
    [BANKS.sepa, 'eur', 'sepa_debit', 'succeeded'],
    [BANKS.achFailing, 'usd', 'us_bank_account', 'requires_payment_method'],
    [BANKS.sepaFailing, 'eur', 'sepa_debit', 'requires_payment_method'],
  ] as const) {
    const { id } = await desk.stripe.paymentIntents.create({
      ...GIFT,
      currency,
      allowed_payment_method_types: ['card', type],
      metadata: { reference: bank },
    });
    const waiting = await desk.stripe.paymentIntents.confirm(id, {
      confirmation_token: desk.fake.confirmationToken(bank),
      return_url: 'https://give.example/back',
      expand: ['latest_charge'],
    });
    assert.deepEqual(
      [
        waiting.status,
        waiting.amount_received,
        charged(waiting).status,
        charged(waiting).payment_method_details?.type,
      ],
      ['processing', 0, 'pending', type],
    );
    assert.equal(
      (await errorOf(desk.stripe.paymentIntents.cancel(id))).code,
      'payment_intent_unexpected_state',
    );
    desk.fake.settle(id);
    assert.equal((await desk.stripe.paymentIntents.retrieve(id)).status, after);
    assert.equal(desk.fake.charges(bank).length, after === 'succeeded' ? 1 : 0);
  }
  assert.equal(typesOf(desk.fake).filter((type) => type === 'payment_intent.processing').length, 4);
});

test('a paid intent is neither confirmed again nor canceled; an open one is canceled for good', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken(CARDS.good),
  });
  for (const call of [
    desk.stripe.paymentIntents.confirm(id, {
      confirmation_token: desk.fake.confirmationToken(CARDS.good),
    }),
    desk.stripe.paymentIntents.cancel(id),
  ]) {
    const { statusCode, code, payment_intent } = await errorOf(call);
    assert.deepEqual(
      [statusCode, code, payment_intent?.status],
      [400, 'payment_intent_unexpected_state', 'succeeded'],
    );
  }
  const other = await desk.stripe.paymentIntents.create(GIFT);
  assert.equal(
    (await desk.stripe.paymentIntents.cancel(other.id, { cancellation_reason: 'abandoned' }))
      .status,
    'canceled',
  );
  assert.equal(
    (
      await errorOf(
        desk.stripe.paymentIntents.confirm(other.id, {
          confirmation_token: desk.fake.confirmationToken(CARDS.good),
        }),
      )
    ).code,
    'payment_intent_unexpected_state',
  );
  assert.equal(desk.fake.charges('ABCDE-FGHJK').length, 1);
});

test('a confirmation token works once; an unknown one never, nor one of a means that was not offered', async () => {
  await using desk = await openDesk();
  const confirmationToken = desk.fake.confirmationToken(CARDS.declined);
  const [first, second] = [
    await desk.stripe.paymentIntents.create(GIFT),
    await desk.stripe.paymentIntents.create({ ...GIFT, allowed_payment_method_types: ['card'] }),
  ];
  await errorOf(
    desk.stripe.paymentIntents.confirm(first.id, { confirmation_token: confirmationToken }),
  );
  assert.equal(
    (await desk.stripe.confirmationTokens.retrieve(confirmationToken)).payment_intent,
    first.id,
  );
  for (const [token, code] of [
    [confirmationToken, 'token_already_used'],
    ['ctoken_nowhere', 'resource_missing'],
    [desk.fake.confirmationToken(BANKS.ach), 'payment_intent_incompatible_payment_method'],
  ] as const) {
    const {
      statusCode,
      code: given,
      param,
    } = await errorOf(desk.stripe.paymentIntents.confirm(second.id, { confirmation_token: token }));
    assert.deepEqual([statusCode, given, param], [400, code, 'confirmation_token']);
  }
});

test('refunds and disputes are told step by step', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken(CARDS.good),
  });
  const made = desk.fake.refund(id, 2_000);
  assert.equal((await desk.stripe.refunds.retrieve(made.id)).amount, 2_000);
  desk.fake.refund(id);
  assert.deepEqual(
    (await desk.stripe.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount),
    [3_000, 2_000],
  );
  const charge = await desk.stripe.charges.retrieve(made.charge as string);
  assert.deepEqual([charge.amount_refunded, charge.refunded], [5_000, true]);
  const { id: dispute } = desk.fake.dispute(id);
  assert.equal((await desk.stripe.disputes.retrieve(dispute)).status, 'needs_response');
  desk.fake.closeDispute(dispute, 'lost');
  assert.equal((await desk.stripe.disputes.retrieve(dispute)).status, 'lost');
  assert.deepEqual(typesOf(desk.fake).slice(3), [
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

test('a browser sees an intent by its client secret only, and not all of it', async () => {
  await using desk = await openDesk();
  const { id, client_secret } = await desk.stripe.paymentIntents.create(GIFT);
  const ask = (query: string): Promise<Response> =>
    fetch(`${desk.fake.address}/v1/payment_intents/${id}${query}`, {
      headers: {
        Authorization: `Bearer ${desk.fake.publishableKey}`,
        Origin: 'https://give.example',
      },
    });
  assert.equal((await ask('')).status, 404);
  assert.equal((await ask('?client_secret=other')).status, 404);
  const seen = await ask(`?client_secret=${client_secret ?? ''}`);
  assert.equal(seen.headers.get('Access-Control-Allow-Origin'), '*');
  assert.equal('metadata' in ((await seen.json()) as object), false);
});

test('charges are listed the newest first, page by page, by time, and with what each brought where that is asked for', async () => {
  let time = 1_700_000_000_000;
  await using desk = await openDesk({ now: () => time });
  const { fake, stripe } = desk;
  const ids: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    const { id } = await stripe.paymentIntents.create({ ...GIFT, amount: 1_000 + index });
    await stripe.paymentIntents.confirm(id, {
      confirmation_token: fake.confirmationToken(CARDS.good),
    });
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
  assert.equal((await errorOf(stripe.charges.list({ limit: 101 }))).param, 'limit');
  assert.equal((await stripe.charges.list()).data.length, 7, 'ten, unless a number is named');
});
