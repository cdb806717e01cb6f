import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CARDS,
  openProcessor,
  TERMS,
  type Fields,
  type OpenedProcessor,
} from './processor-support.ts';

const day = (moment: unknown): string => String(moment).slice(0, 10);

test('a subscription is inactive until its first payment succeeded', async () => {
  const { open, confirm, subscription } = openProcessor();
  const payment = await open({ frequency: 'monthly' });
  assert.match(String(payment.subscription), /^sub_/);
  assert.deepEqual(await subscription(payment.subscription), {
    id: payment.subscription,
    state: 'inactive',
    frequency: 'monthly',
    reference: 'R1',
    nextAt: null,
    payments: [payment.id],
    failures: 0,
  });
  await confirm(payment.id, CARDS.good);
  const { state, nextAt } = await subscription(payment.subscription);
  assert.deepEqual([state, nextAt], ['active', '2026-12-21T12:00:00.000Z']);
});

test('a declined or canceled first payment starts no renewals', async () => {
  const { pay, open, call, subscription, days } = openProcessor();
  const declined = await pay(CARDS.declined, { frequency: 'weekly' });
  const opened = await open({ frequency: 'weekly' });
  await call(`/payments/${String(opened.id)}/cancel`, {});
  await days(30);
  const [first, second] = [
    await subscription(declined.subscription),
    await subscription(opened.subscription),
  ];
  assert.deepEqual(
    [first.state, first.payments, second.state, second.payments],
    ['inactive', [declined.id], 'cancelled', [opened.id]],
  );
});

test('every frequency has its own period', async () => {
  const { pay, subscription } = openProcessor();
  for (const [frequency, next] of [
    ['weekly', '2026-11-28'],
    ['everyOtherWeek', '2026-12-05'],
    ['monthly', '2026-12-21'],
    ['quarterly', '2027-02-21'],
    ['biannual', '2027-05-21'],
    ['annually', '2027-11-21'],
  ] as const) {
    assert.equal(
      day((await subscription((await pay(CARDS.good, { frequency })).subscription)).nextAt),
      next,
      frequency,
    );
  }
});

test('a moved clock charges every period that passed, each as a payment of its own, at its own time', async () => {
  const { pay, call, subscription, days } = openProcessor();
  const first = await pay(CARDS.good, { frequency: 'monthly' });
  await days(100);
  const {
    payments: [, ...renewals],
  } = (await call('/payments?reference=R1')).body as { payments: Fields[] };
  assert.deepEqual(
    renewals.map(({ created }) => day(created)),
    ['2026-12-21', '2027-01-21', '2027-02-21'],
  );
  for (const renewal of renewals)
    assert.deepEqual(
      [renewal.renewalOf, renewal.subscription, renewal.state, renewal.amount, renewal.lastFour],
      [first.id, first.subscription, 'succeeded', TERMS.amount, '4242'],
    );
  assert.deepEqual((await subscription(first.subscription)).payments, [
    first.id,
    ...renewals.map(({ id }) => id),
  ]);
});

test('what is due comes by itself while the sandbox runs, and when it starts again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openProcessor({ file });
  const { subscription: id } = await before.pay(CARDS.good, { frequency: 'weekly' });
  const count = async ({ subscription }: OpenedProcessor): Promise<number> =>
    ((await subscription(id)).payments as unknown[]).length;
  before.pass(8 * 86_400_000);
  assert.equal(await count(before), 1);
  t.mock.timers.tick(5_000);
  assert.equal(await count(before), 2);
  before.sandbox.close();
  const after = openProcessor({ file, now: () => new Date('2026-12-06T12:00:00Z') });
  assert.equal(await count(after), 3);
  after.sandbox.close();
  await rm(folder, { recursive: true });
});

test('months keep their day, and the last one where they have none such', async () => {
  const { pay, call, days } = openProcessor({ now: () => new Date('2027-01-31T12:00:00Z') });
  await pay(CARDS.good, { frequency: 'monthly' });
  await days(90);
  const { payments } = (await call('/payments?reference=R1')).body as { payments: Fields[] };
  assert.deepEqual(
    payments.map(({ created }) => day(created)),
    ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
  );
});

test('60 renewals come in one go at most, the others in the next one', async () => {
  const { pay, subscription, days } = openProcessor();
  const { subscription: id } = await pay(CARDS.good, { frequency: 'weekly' });
  const count = async (): Promise<number> =>
    ((await subscription(id)).payments as unknown[]).length;
  await days(7 * 70);
  assert.equal(await count(), 61);
  await days(0);
  assert.equal(await count(), 71);
});

test('several subscriptions are charged in the order of time', async () => {
  const { pay, call, days } = openProcessor();
  for (const frequency of ['everyOtherWeek', 'weekly']) await pay(CARDS.good, { frequency });
  await days(15);
  const { payments } = (await call('/payments?reference=R1')).body as { payments: Fields[] };
  assert.deepEqual(
    payments.slice(2).map(({ frequency, created }) => [frequency, day(created)]),
    [
      ['weekly', '2026-11-28'],
      ['everyOtherWeek', '2026-12-05'],
      ['weekly', '2026-12-05'],
    ],
  );
});

test('a renewal that fails is tried again 3, 5 and 7 days later, and then the subscription ends', async () => {
  const { pay, payment, subscription, days } = openProcessor();
  const { subscription: id } = await pay(CARDS.failingLater, { frequency: 'monthly' });
  const seen: unknown[] = [];
  for (const step of [30, 3, 5, 7]) {
    await days(step);
    const { state, failures, nextAt, payments } = await subscription(id);
    seen.push([
      state,
      failures,
      nextAt === null ? null : day(nextAt),
      (payments as unknown[]).length,
    ]);
  }
  assert.deepEqual(seen, [
    ['retrying', 1, '2026-12-24', 2],
    ['retrying', 2, '2026-12-29', 3],
    ['retrying', 3, '2027-01-05', 4],
    ['cancelled', 4, null, 5],
  ]);
  const last = await payment(((await subscription(id)).payments as unknown[]).at(-1));
  assert.deepEqual([last.state, last.declineCode], ['declined', 'decline']);
});

test('a renewal that succeeds at a later try brings its subscription back to its days', async () => {
  const { pay, subscription, days, steer } = openProcessor();
  const { subscription: id } = await pay(CARDS.good, { frequency: 'monthly' });
  await steer('/sandbox/faults', { kind: 'decline', times: 1 });
  await days(30);
  assert.equal((await subscription(id)).state, 'retrying');
  await days(3);
  const { state, failures, nextAt } = await subscription(id);
  assert.deepEqual([state, failures, day(nextAt)], ['active', 0, '2027-01-21']);
});

test('a canceled subscription is charged no more, and canceling it again changes nothing', async () => {
  const { pay, call, subscription, days } = openProcessor();
  const { id, subscription: name } = await pay(CARDS.good, { frequency: 'weekly' });
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await call(`/subscriptions/${String(name)}/cancel`, {});
    assert.deepEqual(
      [status, (body as Fields).state, (body as Fields).nextAt],
      [200, 'cancelled', null],
    );
  }
  await days(30);
  assert.deepEqual((await subscription(name)).payments, [id]);
});

test("renewals of a card that asks for more at first need nobody's answer", async () => {
  const { pay, visit, subscription, payment, days } = openProcessor();
  const { subscription: id, action } = await pay(CARDS.asking, { frequency: 'weekly' });
  assert.equal((await subscription(id)).state, 'inactive');
  await visit((action as { url: string }).url, { answer: 'confirm' });
  await days(8);
  assert.equal(
    (await payment(((await subscription(id)).payments as unknown[])[1])).state,
    'succeeded',
  );
});

test('a restart loses nothing: payments, keys, unused tokens and what is to come', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'sandbox.sqlite');
  const before = openProcessor({ file });
  const monthly = await before.pay(CARDS.good, { frequency: 'monthly' });
  const opened = await before.open({ reference: 'R2' }, 'kept key');
  const token = await before.token(CARDS.good);
  before.sandbox.close();
  const after = openProcessor({ file });
  assert.deepEqual(await after.payment(monthly.id), monthly);
  assert.deepEqual(await after.open({ reference: 'R2' }, 'kept key'), opened);
  assert.equal(
    ((await after.call(`/payments/${String(opened.id)}/confirm`, { token })).body as Fields).state,
    'succeeded',
  );
  await after.days(31);
  assert.equal(((await after.subscription(monthly.subscription)).payments as unknown[]).length, 2);
  after.sandbox.close();
  await rm(folder, { recursive: true });
});
