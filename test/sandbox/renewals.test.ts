import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CARDS,
  openProcessor,
  PAYMENT_REQUEST,
  type Fields,
  type ProcessorFixture,
} from './processor-support.ts';

const toDate = (moment: unknown): string => String(moment).slice(0, 10);

test('a subscription is inactive until its first payment succeeds', async () => {
  const { createPayment, confirmWithCard, fetchSubscription } = openProcessor();
  const payment = await createPayment({ frequency: 'monthly' });
  assert.match(String(payment.subscription), /^sub_/);
  assert.deepEqual(await fetchSubscription(payment.subscription), {
    id: payment.subscription,
    state: 'inactive',
    frequency: 'monthly',
    reference: 'R1',
    nextAt: null,
    payments: [payment.id],
    failures: 0,
  });
  await confirmWithCard(payment.id, CARDS.succeeding);
  const { state, nextAt } = await fetchSubscription(payment.subscription);
  assert.deepEqual([state, nextAt], ['active', '2026-12-21T12:00:00.000Z']);
});

test('does not renew after a declined or canceled first payment', async () => {
  const { payWithCard, createPayment, callProcessor, fetchSubscription, advanceDays } =
    openProcessor();
  const declined = await payWithCard(CARDS.declined, { frequency: 'weekly' });
  const fixture = await createPayment({ frequency: 'weekly' });
  await callProcessor(`/payments/${String(fixture.id)}/cancel`, {});
  await advanceDays(30);
  const [first, second] = [
    await fetchSubscription(declined.subscription),
    await fetchSubscription(fixture.subscription),
  ];
  assert.deepEqual(
    [first.state, first.payments, second.state, second.payments],
    ['inactive', [declined.id], 'cancelled', [fixture.id]],
  );
});

test('schedules the next payment by frequency', async () => {
  const { payWithCard, fetchSubscription } = openProcessor();
  for (const [frequency, next] of [
    ['weekly', '2026-11-28'],
    ['everyOtherWeek', '2026-12-05'],
    ['monthly', '2026-12-21'],
    ['quarterly', '2027-02-21'],
    ['biannual', '2027-05-21'],
    ['annually', '2027-11-21'],
  ] as const) {
    assert.equal(
      toDate(
        (await fetchSubscription((await payWithCard(CARDS.succeeding, { frequency })).subscription))
          .nextAt,
      ),
      next,
      frequency,
    );
  }
});

test('charges every period that the moved clock passes, each as its own payment with its own date', async () => {
  const { payWithCard, callProcessor, fetchSubscription, advanceDays } = openProcessor();
  const first = await payWithCard(CARDS.succeeding, { frequency: 'monthly' });
  await advanceDays(100);
  const {
    payments: [, ...renewals],
  } = (await callProcessor('/payments?reference=R1')).body as { payments: Fields[] };
  assert.deepEqual(
    renewals.map(({ created }) => toDate(created)),
    ['2026-12-21', '2027-01-21', '2027-02-21'],
  );
  for (const renewal of renewals)
    assert.deepEqual(
      [renewal.renewalOf, renewal.subscription, renewal.state, renewal.amount, renewal.lastFour],
      [first.id, first.subscription, 'succeeded', PAYMENT_REQUEST.amount, '4242'],
    );
  assert.deepEqual((await fetchSubscription(first.subscription)).payments, [
    first.id,
    ...renewals.map(({ id }) => id),
  ]);
});

test('runs scheduled tasks periodically and at startup', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openProcessor({ databaseFile: file });
  const { subscription: id } = await before.payWithCard(CARDS.succeeding, { frequency: 'weekly' });
  const count = async ({ fetchSubscription }: ProcessorFixture): Promise<number> =>
    ((await fetchSubscription(id)).payments as unknown[]).length;
  before.advanceTime(8 * 86_400_000);
  assert.equal(await count(before), 1);
  t.mock.timers.tick(5_000);
  assert.equal(await count(before), 2);
  before.sandbox.close();
  const after = openProcessor({ databaseFile: file, now: () => new Date('2026-12-06T12:00:00Z') });
  assert.equal(await count(after), 3);
  after.sandbox.close();
  await rm(folder, { recursive: true });
});

test('renews on the same day of the month, or on its last day', async () => {
  const { payWithCard, callProcessor, advanceDays } = openProcessor({
    now: () => new Date('2027-01-31T12:00:00Z'),
  });
  await payWithCard(CARDS.succeeding, { frequency: 'monthly' });
  await advanceDays(90);
  const { payments } = (await callProcessor('/payments?reference=R1')).body as {
    payments: Fields[];
  };
  assert.deepEqual(
    payments.map(({ created }) => toDate(created)),
    ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
  );
});

test('charges at most 60 renewals per run and continues in the next run', async () => {
  const { payWithCard, fetchSubscription, advanceDays } = openProcessor();
  const { subscription: id } = await payWithCard(CARDS.succeeding, { frequency: 'weekly' });
  const count = async (): Promise<number> =>
    ((await fetchSubscription(id)).payments as unknown[]).length;
  await advanceDays(7 * 70);
  assert.equal(await count(), 61);
  await advanceDays(0);
  assert.equal(await count(), 71);
});

test('charges several subscriptions in chronological order', async () => {
  const { payWithCard, callProcessor, advanceDays } = openProcessor();
  for (const frequency of ['everyOtherWeek', 'weekly'])
    await payWithCard(CARDS.succeeding, { frequency });
  await advanceDays(15);
  const { payments } = (await callProcessor('/payments?reference=R1')).body as {
    payments: Fields[];
  };
  assert.deepEqual(
    payments.slice(2).map(({ frequency, created }) => [frequency, toDate(created)]),
    [
      ['weekly', '2026-11-28'],
      ['everyOtherWeek', '2026-12-05'],
      ['weekly', '2026-12-05'],
    ],
  );
});

test('retries a failed renewal after 3, 5, and 7 days, then cancels the subscription', async () => {
  const { payWithCard, fetchPayment, fetchSubscription, advanceDays } = openProcessor();
  const { subscription: id } = await payWithCard(CARDS.failingRenewals, { frequency: 'monthly' });
  const states: unknown[] = [];
  for (const step of [30, 3, 5, 7]) {
    await advanceDays(step);
    const { state, failures, nextAt, payments } = await fetchSubscription(id);
    states.push([
      state,
      failures,
      nextAt === null ? null : toDate(nextAt),
      (payments as unknown[]).length,
    ]);
  }
  assert.deepEqual(states, [
    ['retrying', 1, '2026-12-24', 2],
    ['retrying', 2, '2026-12-29', 3],
    ['retrying', 3, '2027-01-05', 4],
    ['cancelled', 4, null, 5],
  ]);
  const last = await fetchPayment(((await fetchSubscription(id)).payments as unknown[]).at(-1));
  assert.deepEqual([last.state, last.declineCode], ['declined', 'decline']);
});

test('returns to the original schedule after a successful retry', async () => {
  const { payWithCard, fetchSubscription, advanceDays, callControlApi } = openProcessor();
  const { subscription: id } = await payWithCard(CARDS.succeeding, { frequency: 'monthly' });
  await callControlApi('/sandbox/faults', { kind: 'decline', times: 1 });
  await advanceDays(30);
  assert.equal((await fetchSubscription(id)).state, 'retrying');
  await advanceDays(3);
  const { state, failures, nextAt } = await fetchSubscription(id);
  assert.deepEqual([state, failures, toDate(nextAt)], ['active', 0, '2027-01-21']);
});

test('stops charging a canceled subscription, and canceling is idempotent', async () => {
  const { payWithCard, callProcessor, fetchSubscription, advanceDays } = openProcessor();
  const { id, subscription: name } = await payWithCard(CARDS.succeeding, { frequency: 'weekly' });
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await callProcessor(`/subscriptions/${String(name)}/cancel`, {});
    assert.deepEqual(
      [status, (body as Fields).state, (body as Fields).nextAt],
      [200, 'cancelled', null],
    );
  }
  await advanceDays(30);
  assert.deepEqual((await fetchSubscription(name)).payments, [id]);
});

test('renews without authentication a card that required it at first', async () => {
  const { payWithCard, visitPage, fetchSubscription, fetchPayment, advanceDays } = openProcessor();
  const { subscription: id, action } = await payWithCard(CARDS.requiringAuthentication, {
    frequency: 'weekly',
  });
  assert.equal((await fetchSubscription(id)).state, 'inactive');
  await visitPage((action as { url: string }).url, { answer: 'confirm' });
  await advanceDays(8);
  assert.equal(
    (await fetchPayment(((await fetchSubscription(id)).payments as unknown[])[1])).state,
    'succeeded',
  );
});

test('keeps payments, idempotency keys, unused tokens, and scheduled tasks across a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openProcessor({ databaseFile: file });
  const monthly = await before.payWithCard(CARDS.succeeding, { frequency: 'monthly' });
  const fixture = await before.createPayment({ reference: 'R2' }, 'key before restart');
  const token = await before.createCardToken(CARDS.succeeding);
  before.sandbox.close();
  const after = openProcessor({ databaseFile: file });
  assert.deepEqual(await after.fetchPayment(monthly.id), monthly);
  assert.deepEqual(await after.createPayment({ reference: 'R2' }, 'key before restart'), fixture);
  assert.equal(
    (
      (await after.callProcessor(`/payments/${String(fixture.id)}/confirm`, { token }))
        .body as Fields
    ).state,
    'succeeded',
  );
  await after.advanceDays(31);
  assert.equal(
    ((await after.fetchSubscription(monthly.subscription)).payments as unknown[]).length,
    2,
  );
  after.sandbox.close();
  await rm(folder, { recursive: true });
});
