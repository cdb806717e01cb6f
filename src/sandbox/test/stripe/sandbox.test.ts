import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import { BANKS, CARDS } from '../../../../test/fake-stripe.ts';
import { parseFault, type SandboxOptions } from '../../index.ts';
import { createDatabaseFile, fetchConsole } from '../support.ts';
import { startWebhookListener, type WebhookListener } from '../webhook-listener.ts';
import { openStripeSandbox, type StripeSandboxFixture } from './sandbox-support.ts';

const SECRET = 'whsec_test';

async function openWithListener(
  statuses: number[] = [],
  options: Partial<SandboxOptions> = {},
): Promise<WebhookListener & StripeSandboxFixture> {
  const listener = await startWebhookListener(statuses);
  const fixture = openStripeSandbox({
    webhookRetryDelays: [5, 5],
    stripe: { webhook: { url: `${listener.url}/in`, secret: SECRET } },
    ...options,
  });
  return {
    ...listener,
    ...fixture,
    async [Symbol.asyncDispose]() {
      fixture.sandbox.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

const listPaymentStatuses = async (stripe: Stripe): Promise<unknown[]> =>
  (await stripe.paymentIntents.list({ limit: 100 })).data.map(({ status }) => status).reverse();

test('keeps payments, subscriptions, and idempotency keys in the database file', async (t) => {
  const databaseFile = await createDatabaseFile(t);
  const first = openStripeSandbox({ databaseFile });
  const { id } = await first.createPayment(CARDS.good);
  const subscription = await first.createSubscription(CARDS.good);
  const params = { amount: 7_000, currency: 'usd' };
  const created = await first.stripe.paymentIntents.create(params, { idempotencyKey: 'key-1' });
  first.sandbox.close();

  const second = openStripeSandbox({ databaseFile });
  assert.equal((await second.stripe.paymentIntents.retrieve(id)).status, 'succeeded');
  assert.deepEqual(
    (await second.stripe.paymentIntents.create(params, { idempotencyKey: 'key-1' })).id,
    created.id,
  );
  await second.advanceDays(31);
  assert.deepEqual(
    (await second.stripe.subscriptions.retrieve(subscription)).items.data[0]?.current_period_start,
    Date.UTC(2026, 11, 21, 12) / 1_000,
  );
  second.sandbox.close();
});

test('delivers signed events in order, and retries until they are accepted', async () => {
  await using fixture = await openWithListener([500]);
  await fixture.createPayment(CARDS.good);
  const received = await fixture.waitForRequests(4);
  assert.deepEqual(
    received.map(({ body, headers }) => {
      const { type } = fixture.stripe.webhooks.constructEvent(
        body,
        headers['stripe-signature']!,
        SECRET,
      );
      return type;
    }),
    [
      'payment_intent.created',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
    ],
  );
});

test('delivers events twice or in a different order if a fault is active', async () => {
  await using fixture = await openWithListener([], {
    faults: [parseFault('duplicate-webhooks,times=1'), parseFault('reordered-webhooks,times=1')],
  });
  await fixture.createPayment(CARDS.good);
  const received = await fixture.waitForRequests(4);
  assert.deepEqual(
    received.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    [
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.created',
      'payment_intent.succeeded',
    ],
  );
});

test('sends events that an earlier run left undelivered', async (t) => {
  const databaseFile = await createDatabaseFile(t);
  const closed = openStripeSandbox({
    databaseFile,
    stripe: { webhook: { url: 'http://127.0.0.1:1/in', secret: SECRET } },
  });
  await closed.createPayment(CARDS.good);
  closed.sandbox.close();
  await using fixture = await openWithListener([], { databaseFile });
  await fixture.waitForRequests(3);
});

test('sends events to this machine only, unless remote webhooks are allowed', () => {
  const options = { stripe: { webhook: { url: 'https://give.example/in', secret: SECRET } } };
  assert.throws(() => openStripeSandbox(options), /expected a URL on this machine/);
  openStripeSandbox({ ...options, allowRemoteWebhooks: true }).sandbox.close();
});

test('runs scheduled tasks at startup and every five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const databaseFile = await createDatabaseFile(t);
  const first = openStripeSandbox({ databaseFile });
  await first.createSubscription(CARDS.good);
  first.advanceTime(32 * 86_400_000);
  assert.equal((await listPaymentStatuses(first.stripe)).length, 1);
  t.mock.timers.tick(5_000);
  assert.equal((await listPaymentStatuses(first.stripe)).length, 2);
  first.sandbox.close();
  const second = openStripeSandbox({
    databaseFile,
    now: () => new Date(Date.UTC(2027, 0, 22, 12)),
  });
  assert.equal((await listPaymentStatuses(second.stripe)).length, 3);
  second.sandbox.close();
});

test('bills each period when the clock is advanced, on the day of the first payment', async () => {
  const { stripe, createSubscription, advanceDays } = openStripeSandbox({
    now: () => new Date(Date.UTC(2027, 0, 31, 12)),
  });
  const id = await createSubscription(CARDS.good);
  await advanceDays(60);
  const invoices = (await stripe.paymentIntents.list({ limit: 100 })).data;
  assert.deepEqual(
    invoices.map(({ created }) => new Date(created * 1_000).toISOString().slice(0, 10)).reverse(),
    ['2027-01-31', '2027-02-28', '2027-03-31'],
  );
  assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
});

test('retries a declined renewal every three days, and ends the subscription', async () => {
  const { stripe, createSubscription, advanceDays } = openStripeSandbox();
  const id = await createSubscription(CARDS.declinedAtRenewal);
  await advanceDays(31);
  assert.equal((await stripe.subscriptions.retrieve(id)).status, 'past_due');
  await advanceDays(10);
  assert.equal((await stripe.subscriptions.retrieve(id)).status, 'canceled');
  assert.deepEqual(await listPaymentStatuses(stripe), ['succeeded', 'requires_payment_method']);
});

test('renews without authentication a card that requires it only at first', async () => {
  const { stripe, createSubscription, visitPage, advanceDays } = openStripeSandbox();
  const id = await createSubscription(CARDS.authenticatedOnce);
  assert.equal((await stripe.subscriptions.retrieve(id)).status, 'incomplete');
  const [intent] = (await stripe.paymentIntents.list({ limit: 1 })).data;
  const page = `/stripe/authenticate/${intent!.id}`;
  const client_secret = intent!.client_secret!;
  assert.equal((await visitPage(page, { client_secret, result: 'complete' })).status, 200);
  await advanceDays(31);
  assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
  assert.deepEqual(await listPaymentStatuses(stripe), ['succeeded', 'succeeded']);
});

test('settles or fails a bank debit after three days', async () => {
  const { stripe, createPayment, advanceDays } = openStripeSandbox();
  const paid = await createPayment(BANKS.ach);
  const failed = await createPayment(BANKS.achFailing);
  assert.deepEqual([paid.status, failed.status], ['processing', 'processing']);
  await advanceDays(3);
  assert.deepEqual(await listPaymentStatuses(stripe), ['succeeded', 'requires_payment_method']);
});

test('disputes the payment of a test card after a day', async () => {
  const { stripe, createPayment, advanceDays } = openStripeSandbox();
  const { id } = await createPayment(CARDS.disputed);
  await advanceDays(1);
  const { data } = await stripe.disputes.list({ payment_intent: id });
  assert.deepEqual(
    data.map(({ status }) => status),
    ['needs_response'],
  );
});

test('expires a Checkout Session after a day', async () => {
  await using fixture = await openWithListener();
  const { stripe, advanceDays } = fixture;
  const { id } = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      { price_data: { currency: 'usd', unit_amount: 5_000, product_data: { name: 'Gift' } } },
    ],
    success_url: 'https://give.example/thanks',
  });
  await advanceDays(1);
  const received = await fixture.waitForRequests(1);
  assert.match(received.at(-1)!.body, /"type": "checkout.session.expired"/);
  assert.equal((await stripe.checkout.sessions.retrieve(id)).status, 'expired');
});

test('declines cards while the fault decline is active', async () => {
  const { createPayment } = openStripeSandbox({ faults: [parseFault('decline,times=1')] });
  const declined = await createPayment(CARDS.good);
  const paid = await createPayment(CARDS.good);
  assert.deepEqual(
    [declined.status, declined.last_payment_error?.decline_code, paid.status],
    ['requires_payment_method', 'generic_decline', 'succeeded'],
  );
});

test('does not apply the fault decline to bank debits', async () => {
  const { createPayment } = openStripeSandbox({ faults: [parseFault('decline')] });
  assert.equal((await createPayment(BANKS.ach)).status, 'processing');
});

test("fails calls with Stripe's error for too-many and server-error", async () => {
  const { stripe } = openStripeSandbox({
    faults: [parseFault('too-many,times=1'), parseFault('server-error,times=1,status=502')],
  });
  const statuses: unknown[] = [];
  for (let count = 0; count < 3; count += 1)
    statuses.push(
      await stripe.balance.retrieve().then(
        () => 200,
        (error: unknown) => {
          const { statusCode, type } = error as Stripe.errors.StripeError;
          return [statusCode, type];
        },
      ),
    );
  assert.deepEqual(statuses, [[429, 'StripeRateLimitError'], [502, 'StripeAPIError'], 200]);
});

test('charges once if the response is lost and the call is repeated', async () => {
  const { stripe, createToken } = openStripeSandbox({
    faults: [parseFault('lost-reply,times=1,on=stripe')],
  });
  const idempotencyKey = 'key-2';
  const params = { amount: 5_000, currency: 'usd' };
  await assert.rejects(stripe.paymentIntents.create(params, { idempotencyKey }));
  const { id } = await stripe.paymentIntents.create(params, { idempotencyKey });
  assert.equal((await stripe.paymentIntents.list()).data.length, 1);
  const confirmation_token = await createToken(CARDS.lostResponse);
  await assert.rejects(stripe.paymentIntents.confirm(id, { confirmation_token }));
  assert.equal((await stripe.paymentIntents.retrieve(id)).status, 'succeeded');
});

test('lists a receipt for each payment that requests one among the emails', async () => {
  const fixture = openStripeSandbox();
  const { createPayment } = fixture;
  await createPayment(CARDS.good, {
    receipt_email: 'ana@example.org',
    metadata: { donation_form_reference: 'R7' },
  });
  await createPayment(CARDS.good);
  await createPayment(CARDS.declined, { receipt_email: 'declined@example.org' });
  const page = await fetchConsole(fixture);
  assert.equal([...page.matchAll(/Receipt for \$50\.00/g)].length, 1);
  assert.match(page, /to ana@example\.org[^]*payment of \$50\.00\. Reference: R7/);
  assert.doesNotMatch(page, /to declined@/);
});

test('rejects request bodies larger than 64 kB', async () => {
  const { stripe } = openStripeSandbox();
  await assert.rejects(
    stripe.customers.create({ description: 'x'.repeat(65_536) }),
    (error: Stripe.errors.StripeError) => error.statusCode === 413,
  );
});

test('rejects a payment method type that the fault method-inactive names', async () => {
  const { stripe } = openStripeSandbox({
    faults: [parseFault('method-inactive,method=us_bank_account')],
  });
  const intent = await stripe.paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    allowed_payment_method_types: ['card', 'us_bank_account'],
  });
  assert.deepEqual(intent.payment_method_types, ['card']);
});

test('the control API requires a local request and the platform key', async () => {
  const { request, createPayment } = openStripeSandbox();
  const { id } = await createPayment(CARDS.good);
  const path = `/sandbox/payments/${id}/refund`;
  assert.equal((await request(path, {}, { headers: {} })).status, 401);
  assert.equal((await request(`https://sandbox.example${path}`, {})).status, 403);
});

test('the control API refunds and disputes a payment', async () => {
  const { request, stripe, createPayment } = openStripeSandbox();
  const { id } = await createPayment(CARDS.good);
  const callControl = async (path: string, body: object = {}): Promise<number> =>
    (await request(`/sandbox/payments/${id}/${path}`, body)).status;
  assert.equal(await callControl('refund', { amount: 1_000 }), 200);
  assert.equal(await callControl('refund', { amount: 5_000 }), 409);
  assert.equal(await callControl('dispute'), 200);
  assert.equal(await callControl('dispute/won'), 200);
  assert.equal(await callControl('fail-debit'), 409);
  const { latest_charge } = await stripe.paymentIntents.retrieve(id, {
    expand: ['latest_charge.refunds'],
  });
  const { amount_refunded, refunds, disputed } = latest_charge as Stripe.Charge;
  assert.deepEqual([amount_refunded, refunds?.data[0]?.amount, disputed], [1_000, 1_000, true]);
});
