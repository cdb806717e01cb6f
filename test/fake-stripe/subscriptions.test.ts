import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import { BANKS, CARDS, type FakeStripe } from './index.ts';
import { errorOf, openDesk, typesOf, type Desk } from './support.ts';

const REFERENCE = 'ABCDE-FGHJK';

async function paramsOf(
  { stripe }: Desk,
  {
    currency = 'usd',
    types = ['card', 'us_bank_account'],
    unit_amount = 5_000,
  }: {
    currency?: string;
    types?: Stripe.SubscriptionCreateParams.PaymentSettings.PaymentMethodType[];
    unit_amount?: number;
  } = {},
): Promise<Stripe.SubscriptionCreateParams> {
  const { id: customer } = await stripe.customers.create({
    email: 'ana@example.org',
    name: 'Ana Souza',
  });
  const { id: product } = await stripe.products.create({ name: 'Monthly gift' });
  return {
    customer,
    items: [
      {
        price_data: {
          currency,
          product,
          recurring: { interval: 'month', interval_count: 1 },
          unit_amount,
        },
      },
    ],
    payment_behavior: 'default_incomplete',
    off_session: false,
    payment_settings: {
      save_default_payment_method: 'on_subscription',
      payment_method_types: types,
    },
    metadata: { reference: REFERENCE },
    description: 'Village wells',
    expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret'],
  };
}

/** A subscription, and the intent of its first invoice. */
async function subscribe(
  desk: Desk,
  options?: Parameters<typeof paramsOf>[1],
): Promise<{ id: string; intent: string; invoice: Stripe.Invoice }> {
  const made = await desk.stripe.subscriptions.create(await paramsOf(desk, options));
  const invoice = made.latest_invoice as Stripe.Invoice;
  return {
    id: made.id,
    intent: invoice.payments!.data[0]!.payment.payment_intent as string,
    invoice,
  };
}

async function subscribed(desk: Desk, card: string = CARDS.good): Promise<string> {
  const { id, intent } = await subscribe(desk);
  await desk.stripe.paymentIntents.confirm(intent, {
    confirmation_token: desk.fake.confirmationToken(card),
    return_url: 'https://give.example/back',
  });
  if (desk.fake.paymentIntents().at(-1)?.status === 'requires_action')
    desk.fake.authenticate(intent, true);
  return id;
}

const statusOf = async ({ stripe }: Desk, id: string): Promise<string> =>
  (await stripe.subscriptions.retrieve(id)).status;
const paidFor = (fake: FakeStripe): number => fake.charges(REFERENCE).length;

test('a subscription waits for its first payment, and is active with it', async () => {
  await using desk = await openDesk();
  const { id, intent, invoice } = await subscribe(desk);
  assert.deepEqual(
    [
      await statusOf(desk, id),
      invoice.status,
      invoice.billing_reason,
      invoice.parent?.subscription_details?.subscription,
      invoice.parent?.subscription_details?.metadata,
    ],
    ['incomplete', 'open', 'subscription_create', id, { reference: REFERENCE }],
  );
  assert.ok(invoice.confirmation_secret?.client_secret.startsWith(`${intent}_secret_`));
  assert.equal(
    (
      await errorOf(
        desk.stripe.paymentIntents.confirm(intent, {
          confirmation_token: desk.fake.confirmationToken(CARDS.declined),
        }),
      )
    ).code,
    'card_declined',
  );
  assert.equal(await statusOf(desk, id), 'incomplete');
  const paid = await desk.stripe.paymentIntents.confirm(intent, {
    confirmation_token: desk.fake.confirmationToken(CARDS.good),
  });
  assert.deepEqual(
    [paid.status, paid.metadata, paid.setup_future_usage],
    ['succeeded', {}, 'off_session'],
  );
  assert.deepEqual([await statusOf(desk, id), paidFor(desk.fake)], ['active', 1]);
  const settled = await desk.stripe.invoices.retrieve(invoice.id, { expand: ['payments'] });
  assert.deepEqual(
    [settled.status, settled.amount_paid, settled.payments?.data[0]?.status],
    ['paid', 5_000, 'paid'],
  );
  for (const filter of [
    { invoice: invoice.id },
    { payment: { type: 'payment_intent', payment_intent: intent } },
  ] as const) {
    assert.deepEqual(
      (await desk.stripe.invoicePayments.list(filter)).data.map(({ invoice, payment }) => [
        invoice,
        payment.payment_intent,
      ]),
      [[settled.id, intent]],
    );
  }
  assert.deepEqual(typesOf(desk.fake).slice(2), [
    'payment_intent.created',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'charge.failed',
    'payment_intent.payment_failed',
    'invoice.payment_failed',
    'charge.succeeded',
    'payment_intent.succeeded',
    'customer.subscription.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice_payment.paid',
  ]);
});

test('the payments of an invoice are told only to those who ask', async () => {
  await using desk = await openDesk();
  const { invoice } = await subscribe(desk);
  const plain = await desk.stripe.invoices.retrieve(invoice.id);
  assert.deepEqual(
    ['payments' in plain, 'confirmation_secret' in plain, 'payment_intent' in plain],
    [false, false, false],
  );
});

test('the intent of an invoice is not canceled by itself; ending the subscription voids the one and cancels the other', async () => {
  await using desk = await openDesk();
  const { id, intent, invoice } = await subscribe(desk);
  assert.equal(
    (await errorOf(desk.stripe.paymentIntents.cancel(intent))).code,
    'payment_intent_unexpected_state',
  );
  assert.equal((await desk.stripe.subscriptions.cancel(id)).status, 'incomplete_expired');
  assert.deepEqual(
    [
      (await desk.stripe.invoices.retrieve(invoice.id)).status,
      (await desk.stripe.paymentIntents.retrieve(intent)).status,
    ],
    ['void', 'canceled'],
  );
  assert.equal((await errorOf(desk.stripe.subscriptions.cancel(id))).code, 'resource_missing');
  assert.ok(typesOf(desk.fake).includes('customer.subscription.deleted'));
});

test('a first payment that never comes ends in a void invoice', async () => {
  await using desk = await openDesk();
  const { id, intent } = await subscribe(desk);
  assert.equal(desk.fake.expireSubscription(id).status, 'incomplete_expired');
  assert.equal(
    (
      await errorOf(
        desk.stripe.paymentIntents.confirm(intent, {
          confirmation_token: desk.fake.confirmationToken(CARDS.good),
        }),
      )
    ).code,
    'payment_intent_unexpected_state',
  );
});

test('each period is paid by the card that was kept', async () => {
  await using desk = await openDesk();
  const id = await subscribed(desk);
  const {
    items: {
      data: [before],
    },
  } = await desk.stripe.subscriptions.retrieve(id);
  const { billing_reason, status } = desk.fake.renew(id);
  assert.deepEqual([billing_reason, status, paidFor(desk.fake)], ['subscription_cycle', 'paid', 2]);
  const {
    items: {
      data: [after],
    },
  } = await desk.stripe.subscriptions.retrieve(id);
  assert.equal(after?.current_period_start, before?.current_period_end);
});

test('a card that fails later is tried four times, then the subscription ends', async () => {
  await using desk = await openDesk();
  const id = await subscribed(desk);
  desk.fake.changeCard(id, CARDS.declinedWhenCharged);
  for (const [attempt, status] of [
    [1, 'past_due'],
    [2, 'past_due'],
    [3, 'past_due'],
    [4, 'canceled'],
  ] as const) {
    assert.deepEqual(
      [desk.fake.renew(id).attempt_count, await statusOf(desk, id)],
      [attempt, status],
    );
  }
  assert.equal(
    (await desk.stripe.subscriptions.retrieve(id)).cancellation_details?.reason,
    'payment_failed',
  );
  assert.deepEqual(
    [
      paidFor(desk.fake),
      typesOf(desk.fake).filter((type) => type === 'invoice.payment_failed').length,
      typesOf(desk.fake).at(-1),
    ],
    [1, 4, 'customer.subscription.deleted'],
  );
});

test('another card pays what was open', async () => {
  await using desk = await openDesk();
  const id = await subscribed(desk);
  desk.fake.changeCard(id, CARDS.declinedWhenCharged);
  const open = desk.fake.renew(id).id;
  desk.fake.changeCard(id, CARDS.good);
  assert.equal(desk.fake.renew(id).id, open);
  assert.deepEqual([await statusOf(desk, id), paidFor(desk.fake)], ['active', 2]);
});

test('nobody is there to agree to a renewal: some cards need it, others only the first time', async () => {
  await using desk = await openDesk();
  assert.equal(desk.fake.renew(await subscribed(desk, CARDS.authenticatedOnce)).status, 'paid');
  const id = await subscribed(desk, CARDS.authenticated);
  assert.equal(desk.fake.renew(id).status, 'open');
  assert.equal(await statusOf(desk, id), 'past_due');
  assert.ok(typesOf(desk.fake).includes('invoice.payment_action_required'));
});

test("a bank's first debit leaves the invoice open until it has settled", async () => {
  for (const whileProcessing of ['active', 'incomplete'] as const) {
    await using desk = await openDesk({ whileProcessing });
    const { id, intent, invoice } = await subscribe(desk);
    await desk.stripe.paymentIntents.confirm(intent, {
      confirmation_token: desk.fake.confirmationToken(BANKS.ach),
    });
    assert.deepEqual(
      [
        await statusOf(desk, id),
        (await desk.stripe.invoices.retrieve(invoice.id)).status,
        paidFor(desk.fake),
      ],
      [whileProcessing, 'open', 0],
    );
    desk.fake.settle(intent);
    assert.deepEqual(
      [
        await statusOf(desk, id),
        (await desk.stripe.invoices.retrieve(invoice.id)).status,
        paidFor(desk.fake),
      ],
      ['active', 'paid', 1],
    );
    desk.fake.renew(id);
    const { id: renewal } = desk.fake.paymentIntents().at(-1)!;
    desk.fake.fail(renewal);
    assert.deepEqual([await statusOf(desk, id), paidFor(desk.fake)], ['past_due', 1]);
  }
});

test('a donor ends a subscription at once or with its period', async () => {
  await using desk = await openDesk();
  const [first, second] = [await subscribed(desk), await subscribed(desk)];
  assert.equal(desk.fake.cancelSubscription(first).status, 'canceled');
  assert.equal(desk.fake.cancelSubscription(second, { atPeriodEnd: true }).status, 'active');
  assert.equal((await desk.stripe.subscriptions.retrieve(second)).cancel_at_period_end, true);
  desk.fake.renew(second);
  assert.deepEqual([await statusOf(desk, second), paidFor(desk.fake)], ['canceled', 2]);
});

test('a product is made once under its own id', async () => {
  await using desk = await openDesk();
  await desk.stripe.products.create({ id: 'gift-monthly', name: 'Monthly gift' });
  const error = await errorOf(
    desk.stripe.products.create({ id: 'gift-monthly', name: 'Monthly gift' }),
  );
  assert.deepEqual(
    [error.statusCode, error.code, (await desk.stripe.products.retrieve('gift-monthly')).name],
    [400, 'resource_already_exists', 'Monthly gift'],
  );
});

test('what a subscription must not be is refused by name', async () => {
  await using desk = await openDesk();
  const params = await paramsOf(desk);
  const priceData = params.items![0]!.price_data!;
  for (const [change, code, param] of [
    [{ customer: 'cus_nobody' }, 'resource_missing', 'customer'],
    [
      { items: [{ price_data: { ...priceData, product: 'prod_nothing' } }] },
      'resource_missing',
      'items[0][price_data][product]',
    ],
    [
      { items: [{ price_data: { ...priceData, currency: 'kwd', unit_amount: 5_001 } }] },
      'parameter_invalid_integer',
      'items[0][price_data][unit_amount]',
    ],
    [
      {
        items: [
          { price_data: { ...priceData, recurring: { interval: 'month', interval_count: 37 } } },
        ],
      },
      undefined,
      'items[0][price_data][recurring][interval_count]',
    ],
    [{ donor: 'Ana' }, 'parameter_unknown', 'donor'],
    [{ expand: ['latest_invoice.payment_intent'] }, undefined, 'expand[0]'],
  ] as const) {
    const error = await errorOf(
      desk.stripe.subscriptions.create({ ...params, ...change } as never),
    );
    assert.deepEqual([error.statusCode, error.code, error.param], [400, code, param]);
  }
});
