import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields } from './processor-support.ts';
import { messageOf } from './support.ts';

test('a payment is refunded in parts and then no further', async () => {
  const { pay, steer } = openProcessor();
  const { id } = await pay(CARDS.good);
  const path = `/sandbox/payments/${String(id)}/refund`;
  const [first] = ((await steer(path, { amount: 1_200 })).body as { refunds: Fields[] }).refunds;
  assert.match(String(first?.id), /^re_/);
  assert.deepEqual([first?.amount, first?.created], [1_200, '2026-11-21T12:00:00.000Z']);
  assert.match(messageOf(await steer(path, { amount: 3_801 })), /from 1 to 3800/);
  const { refunds, state } = (await steer(path, {})).body as { refunds: Fields[]; state: string };
  assert.deepEqual([refunds.map(({ amount }) => amount), state], [[1_200, 3_800], 'succeeded']);
  assert.equal((await steer(path, {})).status, 409);
});

test('refunds refuse what makes no sense', async () => {
  const { pay, open, steer } = openProcessor();
  const { id } = await pay(CARDS.good);
  const path = `/sandbox/payments/${String(id)}/refund`;
  for (const fields of [{ amount: 0 }, { amount: 1.5 }, { amount: '100' }, { sum: 100 }])
    assert.equal((await steer(path, fields)).status, 400, JSON.stringify(fields));
  assert.match(
    messageOf(await steer(`/sandbox/payments/${String((await open()).id)}/refund`, {})),
    /is open; only one that succeeded/,
  );
  assert.equal((await steer('/sandbox/payments/pay_none/refund', {})).status, 404);
});

test('a dispute is opened, and won or lost, once', async () => {
  const { pay, steer } = openProcessor();
  for (const end of ['won', 'lost']) {
    const { id } = await pay(CARDS.good);
    const path = `/sandbox/payments/${String(id)}/dispute`;
    assert.equal((await steer(`${path}/${end}`, {})).status, 409);
    const { dispute } = (await steer(path, {})).body as { dispute: Fields };
    assert.match(String(dispute.id), /^dp_/);
    assert.equal(dispute.state, 'open');
    assert.match(
      messageOf(await steer(`/sandbox/payments/${String(id)}/refund`, {})),
      /dispute .* is open/,
    );
    assert.deepEqual(((await steer(`${path}/${end}`, {})).body as Fields).dispute, {
      id: dispute.id,
      state: end,
    });
    assert.equal((await steer(path, {})).status, 409);
  }
});

test('one card is disputed a day later, unless all was refunded before', async () => {
  const { pay, payment, days, steer } = openProcessor();
  const first = await pay(CARDS.disputed);
  const second = await pay(CARDS.disputed);
  await steer(`/sandbox/payments/${String(second.id)}/refund`, {});
  await days(0.9);
  assert.equal((await payment(first.id)).dispute, null);
  await days(0.2);
  assert.equal(((await payment(first.id)).dispute as Fields).state, 'open');
  assert.equal((await payment(second.id)).dispute, null);
});

test('a subscription is suspended while a dispute is open, goes on when it is won and ends when it is lost', async () => {
  const { pay, subscription, days, steer } = openProcessor();
  const monthly = await pay(CARDS.good, { frequency: 'monthly' });
  const path = `/sandbox/payments/${String(monthly.id)}/dispute`;
  await steer(path, {});
  await days(45);
  const suspended = await subscription(monthly.subscription);
  assert.deepEqual(
    [suspended.state, suspended.nextAt, suspended.payments],
    ['suspended', null, [monthly.id]],
  );
  await steer(`${path}/won`, {});
  const { state, nextAt, payments } = await subscription(monthly.subscription);
  assert.deepEqual([state, nextAt, payments], ['active', '2027-01-21T12:00:00.000Z', [monthly.id]]);
  const other = await pay(CARDS.good, { frequency: 'monthly' });
  for (const end of ['dispute', 'dispute/lost'])
    await steer(`/sandbox/payments/${String(other.id)}/${end}`, {});
  assert.equal((await subscription(other.subscription)).state, 'cancelled');
});

test("payments are steered from this machine only, with the platform's key", async () => {
  const { pay, ask } = openProcessor();
  const { id } = await pay(CARDS.good);
  const path = `/sandbox/payments/${String(id)}/refund`;
  assert.equal((await ask(path, {}, { headers: { Authorization: 'Bearer secret' } })).status, 401);
  assert.equal((await ask(`https://sandbox.example${path}`, {})).status, 403);
});
