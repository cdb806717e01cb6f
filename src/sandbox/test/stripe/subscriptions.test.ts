import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { BANKS, CARDS, type FakeStripe } from '../../../../test/fake-stripe.ts';
import { getPeriodEnd } from '../../stripe/billing-objects.ts';
import {
  captureError,
  listEventTypes,
  openFakeStripe,
  type StripeFixture,
  test,
} from './support.ts';

const REFERENCE = 'ABCDE-FGHJK';

async function createParams(
  { stripe }: StripeFixture,
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
    metadata: { donation_form_reference: REFERENCE },
    description: 'Village wells',
    expand: ['latest_invoice.payments', 'latest_invoice.confirmation_secret'],
  };
}

/** Creates a subscription and returns its first invoice and payment intent. */
async function createSubscription(
  fixture: StripeFixture,
  options?: Parameters<typeof createParams>[1],
): Promise<{ id: string; intent: string; invoice: Stripe.Invoice }> {
  const made = await fixture.stripe.subscriptions.create(await createParams(fixture, options));
  const invoice = made.latest_invoice as Stripe.Invoice;
  return {
    id: made.id,
    intent: invoice.payments!.data[0]!.payment.payment_intent as string,
    invoice,
  };
}

async function createActiveSubscription(
  fixture: StripeFixture,
  card: string = CARDS.good,
): Promise<string> {
  const { id, intent } = await createSubscription(fixture);
  await fixture.confirmRecurring(intent, card, { return_url: 'https://give.example/back' });
  if (fixture.fake.listPaymentIntents().at(-1)?.status === 'requires_action')
    fixture.fake.completeAuthentication(intent, true);
  return id;
}

const fetchStatus = async ({ stripe }: StripeFixture, id: string): Promise<string> =>
  (await stripe.subscriptions.retrieve(id)).status;
const countCharges = (fake: FakeStripe): number => fake.listCharges(REFERENCE).length;

test('activates a subscription with its first payment', async (fixture) => {
  const { confirmRecurring, fake, stripe } = fixture;
  const { id, intent, invoice } = await createSubscription(fixture);
  assert.deepEqual(
    [
      await fetchStatus(fixture, id),
      invoice.status,
      invoice.billing_reason,
      invoice.parent?.subscription_details?.subscription,
      invoice.parent?.subscription_details?.metadata,
    ],
    ['incomplete', 'open', 'subscription_create', id, { donation_form_reference: REFERENCE }],
  );
  assert.ok(invoice.confirmation_secret?.client_secret.startsWith(`${intent}_secret_`));
  await assert.rejects(confirmRecurring(intent, CARDS.declined), { code: 'card_declined' });
  assert.equal(await fetchStatus(fixture, id), 'incomplete');
  const paid = await confirmRecurring(intent, CARDS.good);
  assert.deepEqual(
    [paid.status, paid.metadata, paid.setup_future_usage],
    ['succeeded', {}, 'off_session'],
  );
  assert.deepEqual([await fetchStatus(fixture, id), countCharges(fake)], ['active', 1]);
  const settled = await stripe.invoices.retrieve(invoice.id, { expand: ['payments'] });
  assert.deepEqual(
    [settled.status, settled.amount_paid, settled.payments?.data[0]?.status],
    ['paid', 5_000, 'paid'],
  );
  for (const filter of [
    { invoice: invoice.id },
    { payment: { type: 'payment_intent', payment_intent: intent } },
  ] as const) {
    assert.deepEqual(
      (await stripe.invoicePayments.list(filter)).data.map(({ invoice, payment }) => [
        invoice,
        payment.payment_intent,
      ]),
      [[settled.id, intent]],
    );
  }
  assert.deepEqual(listEventTypes(fake).slice(2), [
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

test('omits the payments of an invoice unless expanded', async (fixture) => {
  const { stripe } = fixture;
  const { invoice } = await createSubscription(fixture);
  const plain = await stripe.invoices.retrieve(invoice.id);
  assert.deepEqual(
    ['payments' in plain, 'confirmation_secret' in plain, 'payment_intent' in plain],
    [false, false, false],
  );
});

test("cancels an invoice's intent only with its subscription, which voids the invoice", async (fixture) => {
  const { fake, stripe } = fixture;
  const { id, intent, invoice } = await createSubscription(fixture);
  await assert.rejects(stripe.paymentIntents.cancel(intent), {
    code: 'payment_intent_unexpected_state',
  });
  assert.equal((await stripe.subscriptions.cancel(id)).status, 'incomplete_expired');
  assert.deepEqual(
    [
      (await stripe.invoices.retrieve(invoice.id)).status,
      (await stripe.paymentIntents.retrieve(intent)).status,
    ],
    ['void', 'canceled'],
  );
  await assert.rejects(stripe.subscriptions.cancel(id), { code: 'resource_missing' });
  assert.ok(listEventTypes(fake).includes('customer.subscription.deleted'));
});

test('voids the invoice of a subscription that expires without a payment', async (fixture) => {
  const { confirmRecurring, fake } = fixture;
  const { id, intent } = await createSubscription(fixture);
  assert.equal(fake.expireSubscription(id).status, 'incomplete_expired');
  await assert.rejects(confirmRecurring(intent, CARDS.good), {
    code: 'payment_intent_unexpected_state',
  });
});

test('charges each period to the saved card', async (fixture) => {
  const { fake, stripe } = fixture;
  const id = await createActiveSubscription(fixture);
  const {
    items: {
      data: [before],
    },
  } = await stripe.subscriptions.retrieve(id);
  const { billing_reason, status } = fake.renewSubscription(id);
  assert.deepEqual([billing_reason, status, countCharges(fake)], ['subscription_cycle', 'paid', 2]);
  const {
    items: {
      data: [after],
    },
  } = await stripe.subscriptions.retrieve(id);
  assert.equal(after?.current_period_start, before?.current_period_end);
});

test("charges on a shorter month's last day, and later on the anchor's day, as Stripe's documentation shows", () => {
  for (const [interval, interval_count, ...dates] of [
    ['week', 1, '2022-06-03', '2022-06-10', '2022-06-17'],
    ['month', 1, '2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'],
    ['month', 1, '2028-01-30', '2028-02-29', '2028-03-30'],
    ['month', 3, '2027-11-30', '2028-02-29', '2028-05-30'],
    ['year', 1, '2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  ] as const) {
    const times = dates.map((date) => Date.parse(`${date}T23:59:59Z`) / 1_000);
    for (const [index, time] of times.slice(1).entries())
      assert.equal(getPeriodEnd(times[index]!, { interval, interval_count }, times[0]), time);
  }
});

test('ends a subscription after four failed attempts', async (fixture) => {
  const { fake, stripe } = fixture;
  const id = await createActiveSubscription(fixture);
  fake.changeCard(id, CARDS.declinedWhenCharged);
  for (const [attempt, status] of [
    [1, 'past_due'],
    [2, 'past_due'],
    [3, 'past_due'],
    [4, 'canceled'],
  ] as const) {
    assert.deepEqual(
      [fake.renewSubscription(id).attempt_count, await fetchStatus(fixture, id)],
      [attempt, status],
    );
  }
  assert.equal(
    (await stripe.subscriptions.retrieve(id)).cancellation_details?.reason,
    'payment_failed',
  );
  assert.deepEqual(
    [
      countCharges(fake),
      listEventTypes(fake).filter((type) => type === 'invoice.payment_failed').length,
      listEventTypes(fake).at(-1),
    ],
    [1, 4, 'customer.subscription.deleted'],
  );
});

test('voids the invoices of a subscription whose payment collection is paused, and charges the next one after it is resumed', async (fixture) => {
  const { fake } = fixture;
  const id = await createActiveSubscription(fixture);
  fake.setCollectionPaused(id, true);
  assert.deepEqual(
    [
      fake.renewSubscription(id).status,
      fake.renewSubscription(id).status,
      await fetchStatus(fixture, id),
      countCharges(fake),
    ],
    ['void', 'void', 'active', 1],
  );
  fake.setCollectionPaused(id, false);
  assert.deepEqual([fake.renewSubscription(id).status, countCharges(fake)], ['paid', 2]);
});

test('pays an open invoice with a new card', async (fixture) => {
  const { fake } = fixture;
  const id = await createActiveSubscription(fixture);
  fake.changeCard(id, CARDS.declinedWhenCharged);
  const open = fake.renewSubscription(id).id;
  fake.changeCard(id, CARDS.good);
  assert.equal(fake.renewSubscription(id).id, open);
  assert.deepEqual([await fetchStatus(fixture, id), countCharges(fake)], ['active', 2]);
});

test('fails the renewal of a card that always requires authentication', async (fixture) => {
  const { fake } = fixture;
  assert.equal(
    fake.renewSubscription(await createActiveSubscription(fixture, CARDS.authenticatedOnce)).status,
    'paid',
  );
  const id = await createActiveSubscription(fixture, CARDS.authenticated);
  assert.equal(fake.renewSubscription(id).status, 'open');
  assert.equal(await fetchStatus(fixture, id), 'past_due');
  assert.ok(listEventTypes(fake).includes('invoice.payment_action_required'));
});

test('keeps the invoice open until the first bank debit settles', async () => {
  for (const whileProcessing of ['active', 'incomplete'] as const) {
    await using fixture = await openFakeStripe({ statusWhileProcessing: whileProcessing });
    const { id, intent, invoice } = await createSubscription(fixture);
    await fixture.confirmRecurring(intent, BANKS.ach);
    assert.deepEqual(
      [
        await fetchStatus(fixture, id),
        (await fixture.stripe.invoices.retrieve(invoice.id)).status,
        countCharges(fixture.fake),
      ],
      [whileProcessing, 'open', 0],
    );
    fixture.fake.settleDebit(intent);
    assert.deepEqual(
      [
        await fetchStatus(fixture, id),
        (await fixture.stripe.invoices.retrieve(invoice.id)).status,
        countCharges(fixture.fake),
      ],
      ['active', 'paid', 1],
    );
    fixture.fake.renewSubscription(id);
    const { id: renewal } = fixture.fake.listPaymentIntents().at(-1)!;
    fixture.fake.failDebit(renewal);
    assert.deepEqual([await fetchStatus(fixture, id), countCharges(fixture.fake)], ['past_due', 1]);
  }
});

test('cancels a subscription immediately or at the end of its period', async (fixture) => {
  const { fake, stripe } = fixture;
  const [first, second] = [
    await createActiveSubscription(fixture),
    await createActiveSubscription(fixture),
  ];
  assert.equal(fake.cancelSubscription(first).status, 'canceled');
  assert.equal(fake.cancelSubscription(second, { atPeriodEnd: true }).status, 'active');
  assert.equal((await stripe.subscriptions.retrieve(second)).cancel_at_period_end, true);
  fake.renewSubscription(second);
  assert.deepEqual([await fetchStatus(fixture, second), countCharges(fake)], ['canceled', 2]);
});

test('rejects a second product with the same ID', async ({ stripe }) => {
  await stripe.products.create({ id: 'gift-monthly', name: 'Monthly gift' });
  const error = await captureError(
    stripe.products.create({ id: 'gift-monthly', name: 'Monthly gift' }),
  );
  assert.deepEqual(
    [error.statusCode, error.code, (await stripe.products.retrieve('gift-monthly')).name],
    [400, 'resource_already_exists', 'Monthly gift'],
  );
});

test('rejects invalid parameters of a subscription by name', async (fixture) => {
  const { stripe } = fixture;
  const params = await createParams(fixture);
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
    await assert.rejects(stripe.subscriptions.create({ ...params, ...change } as never), {
      statusCode: 400,
      code,
      param,
    });
  }
});

test('rejects a confirmation token that is not for future use', async (fixture) => {
  const { confirm } = fixture;
  const { intent } = await createSubscription(fixture);
  const { param, message } = await captureError(confirm(intent, CARDS.good));
  assert.equal(param, 'setup_future_usage');
  assert.match(message, /\(off_session\) does not match .* confirmation_token \(null\)/);
});

test('rejects the whole list of payment methods because of one that is not activated', async (fixture) => {
  const { fake, stripe } = fixture;
  fake.deactivatePaymentMethodType('us_bank_account');
  await assert.rejects(createSubscription(fixture), {
    statusCode: 400,
    param: 'payment_settings[payment_method_types][1]',
  });
  const intent = await stripe.paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    allowed_payment_method_types: ['card', 'us_bank_account'],
  });
  assert.deepEqual(intent.payment_method_types, ['card']);
});

test('renews a payment by iDEAL with a SEPA debit, if the subscription allows it', async () => {
  for (const [types, renewalStatus] of [
    [['ideal', 'sepa_debit'], 'processing'],
    [['ideal'], 'requires_payment_method'],
  ] as const) {
    await using fixture = await openFakeStripe();
    const { id, intent } = await createSubscription(fixture, {
      currency: 'eur',
      types: [...types],
    });
    await fixture.confirmRecurring(intent, 'ideal', { return_url: 'https://give.example/back' });
    fixture.fake.completeAuthentication(intent, true);
    fixture.fake.renewSubscription(id);
    assert.equal(fixture.fake.listPaymentIntents().at(-1)?.status, renewalStatus);
  }
});

test('rejects a subscription to an archived product', async (fixture) => {
  const { fake, stripe } = fixture;
  const params = await createParams(fixture);
  fake.archiveProduct(params.items![0]!.price_data!.product);
  await assert.rejects(stripe.subscriptions.create(params), {
    param: 'items[0][price_data][product]',
  });
});
