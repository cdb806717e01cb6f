import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields } from './processor-support.ts';
import { getMessage } from './support.ts';

test('refunds a payment in parts up to its amount', async () => {
  const { payWithCard, callControlApi } = openProcessor();
  const { id } = await payWithCard(CARDS.succeeding);
  const path = `/sandbox/payments/${String(id)}/refund`;
  const [first] = ((await callControlApi(path, { amount: 1_200 })).body as { refunds: Fields[] })
    .refunds;
  assert.match(String(first?.id), /^re_/);
  assert.deepEqual([first?.amount, first?.created], [1_200, '2026-11-21T12:00:00.000Z']);
  assert.match(getMessage(await callControlApi(path, { amount: 3_801 })), /from 1 to 3800/);
  const { refunds, state } = (await callControlApi(path, {})).body as {
    refunds: Fields[];
    state: string;
  };
  assert.deepEqual([refunds.map(({ amount }) => amount), state], [[1_200, 3_800], 'succeeded']);
  assert.equal((await callControlApi(path, {})).status, 409);
});

test('rejects an invalid refund', async () => {
  const { payWithCard, createPayment, callControlApi } = openProcessor();
  const { id } = await payWithCard(CARDS.succeeding);
  const path = `/sandbox/payments/${String(id)}/refund`;
  for (const fields of [{ amount: 0 }, { amount: 1.5 }, { amount: '100' }, { sum: 100 }])
    assert.equal((await callControlApi(path, fields)).status, 400, JSON.stringify(fields));
  assert.match(
    getMessage(
      await callControlApi(`/sandbox/payments/${String((await createPayment()).id)}/refund`, {}),
    ),
    /is open; only a succeeded payment/,
  );
  assert.equal((await callControlApi('/sandbox/payments/pay_none/refund', {})).status, 404);
});

test('opens a dispute once and closes it as won or lost', async () => {
  const { payWithCard, callControlApi } = openProcessor();
  for (const end of ['won', 'lost']) {
    const { id } = await payWithCard(CARDS.succeeding);
    const path = `/sandbox/payments/${String(id)}/dispute`;
    assert.equal((await callControlApi(`${path}/${end}`, {})).status, 409);
    const { dispute } = (await callControlApi(path, {})).body as { dispute: Fields };
    assert.match(String(dispute.id), /^dp_/);
    assert.equal(dispute.state, 'open');
    assert.match(
      getMessage(await callControlApi(`/sandbox/payments/${String(id)}/refund`, {})),
      /dispute .* is open/,
    );
    assert.deepEqual(((await callControlApi(`${path}/${end}`, {})).body as Fields).dispute, {
      id: dispute.id,
      state: end,
    });
    assert.equal((await callControlApi(path, {})).status, 409);
  }
});

test('opens a dispute one day after the charge of the dispute card, unless fully refunded', async () => {
  const { payWithCard, fetchPayment, advanceDays, callControlApi } = openProcessor();
  const first = await payWithCard(CARDS.disputed);
  const second = await payWithCard(CARDS.disputed);
  await callControlApi(`/sandbox/payments/${String(second.id)}/refund`, {});
  await advanceDays(0.9);
  assert.equal((await fetchPayment(first.id)).dispute, null);
  await advanceDays(0.2);
  assert.equal(((await fetchPayment(first.id)).dispute as Fields).state, 'open');
  assert.equal((await fetchPayment(second.id)).dispute, null);
});

test('suspends a subscription during a dispute, resumes it if won, and cancels it if lost', async () => {
  const { payWithCard, fetchSubscription, advanceDays, callControlApi } = openProcessor();
  const monthly = await payWithCard(CARDS.succeeding, { frequency: 'monthly' });
  const path = `/sandbox/payments/${String(monthly.id)}/dispute`;
  await callControlApi(path, {});
  await advanceDays(45);
  const suspended = await fetchSubscription(monthly.subscription);
  assert.deepEqual(
    [suspended.state, suspended.nextAt, suspended.payments],
    ['suspended', null, [monthly.id]],
  );
  await callControlApi(`${path}/won`, {});
  const { state, nextAt, payments } = await fetchSubscription(monthly.subscription);
  assert.deepEqual([state, nextAt, payments], ['active', '2027-01-21T12:00:00.000Z', [monthly.id]]);
  const other = await payWithCard(CARDS.succeeding, { frequency: 'monthly' });
  for (const end of ['dispute', 'dispute/lost'])
    await callControlApi(`/sandbox/payments/${String(other.id)}/${end}`, {});
  assert.equal((await fetchSubscription(other.subscription)).state, 'cancelled');
});

test('payment controls require a local request and the platform key', async () => {
  const { payWithCard, request } = openProcessor();
  const { id } = await payWithCard(CARDS.succeeding);
  const path = `/sandbox/payments/${String(id)}/refund`;
  assert.equal(
    (await request(path, {}, { headers: { Authorization: 'Bearer secret' } })).status,
    401,
  );
  assert.equal((await request(`https://sandbox.example${path}`, {})).status, 403);
});
