import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { BANKS, CARDS, type FakeStripe } from '../../../../test/fake-stripe.ts';
import { listEventTypes, openFakeStripe, test } from './support.ts';

type Params = Stripe.Checkout.SessionCreateParams;

const METADATA = { donation_form_reference: 'ABCDE-FGHJK' };
const ONCE: Params = {
  mode: 'payment',
  line_items: [
    {
      price_data: { currency: 'usd', product_data: { name: 'Village wells' }, unit_amount: 5_000 },
      quantity: 1,
    },
  ],
  client_reference_id: METADATA.donation_form_reference,
  customer_email: 'ana@example.org',
  metadata: METADATA,
  payment_intent_data: {
    metadata: METADATA,
    description: 'Village wells',
    receipt_email: 'ana@example.org',
  },
  allowed_payment_method_types: ['card', 'us_bank_account'],
  success_url: 'https://give.example/thanks?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://give.example/give',
  locale: 'en',
  submit_type: 'donate',
};
const MONTHLY: Params = {
  mode: 'subscription',
  line_items: [
    {
      price_data: {
        currency: 'usd',
        product_data: { name: 'Monthly gift' },
        unit_amount: 5_000,
        recurring: { interval: 'month' },
      },
      quantity: 1,
    },
  ],
  client_reference_id: METADATA.donation_form_reference,
  customer_email: 'ana@example.org',
  metadata: METADATA,
  subscription_data: { metadata: METADATA, description: 'Village wells' },
  success_url: 'https://give.example/thanks',
  cancel_url: 'https://give.example/give',
};

/** Submits the payment page. */
const submitPayment = (url: string, number: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ number, expiry: '12 / 34', cvc: '123' }),
    redirect: 'manual',
  });
const countCharges = (fake: FakeStripe): number =>
  fake.listCharges(METADATA.donation_form_reference).length;

test("shows the payment page and redirects with the session's ID in the URL", async (fixture) => {
  const { fake, stripe } = fixture;
  const { id, url, payment_intent, status } = await stripe.checkout.sessions.create(ONCE);
  assert.deepEqual([status, payment_intent], ['open', null]);
  const page = await (await fetch(url!)).text();
  for (const part of [
    'Village wells',
    'ana@example.org',
    'name="number"',
    'Donate',
    'href="https://give.example/give"',
  ])
    assert.ok(page.includes(part), part);
  const paid = await submitPayment(url!, CARDS.good);
  assert.deepEqual(
    [paid.status, paid.headers.get('Location')],
    [303, `https://give.example/thanks?session=${id}`],
  );
  const session = await stripe.checkout.sessions.retrieve(id, {
    expand: ['payment_intent.latest_charge'],
  });
  const intent = session.payment_intent as Stripe.PaymentIntent;
  assert.deepEqual(
    [
      session.status,
      session.payment_status,
      session.url,
      session.client_reference_id,
      session.customer_details?.email,
    ],
    ['complete', 'paid', null, METADATA.donation_form_reference, 'ana@example.org'],
  );
  assert.deepEqual(
    [
      intent.metadata,
      intent.description,
      intent.receipt_email,
      (intent.latest_charge as Stripe.Charge).payment_method_details?.type,
    ],
    [METADATA, 'Village wells', 'ana@example.org', 'card'],
  );
  assert.deepEqual(
    [countCharges(fake), listEventTypes(fake).at(-1)],
    [1, 'checkout.session.completed'],
  );
});

test('shows a declined card on the page and accepts another card', async ({ fake, stripe }) => {
  const { id, url } = await stripe.checkout.sessions.create(ONCE);
  const declined = await submitPayment(url!, CARDS.insufficientFunds);
  assert.equal(declined.status, 402);
  assert.ok((await declined.text()).includes('Your card has insufficient funds.'));
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'open');
  assert.equal((await submitPayment(url!, CARDS.good)).status, 303);
  assert.equal(countCharges(fake), 1);
});

test('redirects to the authentication page and back', async ({ stripe }) => {
  const { url } = await stripe.checkout.sessions.create(ONCE);
  const authenticationUrl = (await submitPayment(url!, CARDS.authenticated)).headers.get(
    'Location',
  )!;
  const client_secret = new URL(authenticationUrl).searchParams.get('client_secret')!;
  assert.ok((await (await fetch(authenticationUrl)).text()).includes('Complete'));
  const completed = await fetch(authenticationUrl, {
    method: 'POST',
    body: new URLSearchParams({ client_secret, result: 'complete' }),
    redirect: 'manual',
  });
  const back = await fetch(completed.headers.get('Location')!, { redirect: 'manual' });
  assert.ok(
    back.headers.get('Location')?.startsWith('https://give.example/thanks?session=cs_test_'),
  );
});

test('creates a customer, a subscription, and its invoice for a monthly session', async (fixture) => {
  const { fake, stripe } = fixture;
  const { id, url } = await stripe.checkout.sessions.create(MONTHLY);
  await submitPayment(url!, CARDS.good);
  const { subscription, invoice, customer, payment_intent } =
    await stripe.checkout.sessions.retrieve(id, {
      expand: ['subscription', 'invoice.payments', 'customer'],
    });
  assert.deepEqual(
    [
      (subscription as Stripe.Subscription).status,
      (subscription as Stripe.Subscription).metadata,
      (invoice as Stripe.Invoice).payments?.data[0]?.status,
      (customer as Stripe.Customer).email,
      payment_intent,
    ],
    ['active', METADATA, 'paid', 'ana@example.org', null],
  );
  fake.renewSubscription((subscription as Stripe.Subscription).id);
  assert.equal(countCharges(fake), 2);
});

test('completes a session with a bank debit before it is paid', async ({ fake, stripe }) => {
  for (const [bank, type, status] of [
    [BANKS.ach, 'checkout.session.async_payment_succeeded', 'paid'],
    [BANKS.achFailing, 'checkout.session.async_payment_failed', 'unpaid'],
  ] as const) {
    const { id } = await stripe.checkout.sessions.create(ONCE);
    fake.payCheckoutSession(id, bank);
    const { payment_status, payment_intent } = await stripe.checkout.sessions.retrieve(id);
    assert.equal(payment_status, 'unpaid');
    fake.settleDebit(payment_intent as string);
    assert.deepEqual(
      [listEventTypes(fake).at(-1), (await stripe.checkout.sessions.retrieve(id)).payment_status],
      [type, status],
    );
  }
});

test('rejects payment of an expired session and expiration of a completed one', async () => {
  let now = Date.now();
  await using fixture = await openFakeStripe({ now: () => now });
  const [first, second, third] = [
    await fixture.stripe.checkout.sessions.create(ONCE),
    await fixture.stripe.checkout.sessions.create(ONCE),
    await fixture.stripe.checkout.sessions.create(ONCE),
  ];
  assert.equal((await fixture.stripe.checkout.sessions.expire(first.id)).status, 'expired');
  assert.equal((await fetch(first.url!)).status, 410);
  await assert.rejects(fixture.stripe.checkout.sessions.expire(first.id), { statusCode: 400 });
  fixture.fake.payCheckoutSession(second.id, CARDS.good);
  await assert.rejects(fixture.stripe.checkout.sessions.expire(second.id), { statusCode: 400 });
  now += 25 * 3_600_000;
  assert.equal((await fixture.stripe.checkout.sessions.retrieve(third.id)).status, 'expired');
  assert.throws(() => fixture.fake.payCheckoutSession(third.id, CARDS.good));
  assert.deepEqual(
    [
      countCharges(fixture.fake),
      listEventTypes(fixture.fake).filter((type) => type === 'checkout.session.expired').length,
    ],
    [1, 2],
  );
});

test('rejects contradictory parameters', async ({ stripe }) => {
  const { subscription_data } = MONTHLY;
  const { payment_intent_data } = ONCE;
  for (const [params, param] of [
    [{ ...ONCE, line_items: MONTHLY.line_items }, 'line_items[0][price_data][recurring]'],
    [{ ...MONTHLY, line_items: ONCE.line_items }, 'line_items[0][price_data][recurring]'],
    [{ ...ONCE, subscription_data }, 'subscription_data'],
    [{ ...MONTHLY, payment_intent_data }, 'payment_intent_data'],
    [{ ...ONCE, payment_method_types: ['card'] }, 'payment_method_types'],
    [{ ...ONCE, locale: 'ar' }, 'locale'],
    [{ ...ONCE, customer_email: 'ana' }, 'customer_email'],
    [{ ...ONCE, success_url: 'thanks' }, 'success_url'],
  ] as const)
    await assert.rejects(stripe.checkout.sessions.create(params as never), { param });
});
