import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProcessor, type Fields, type ProcessorFixture } from './processor-support.ts';

const SUCCEEDING_ACCOUNT = '000123456789';
const CLOSED_ACCOUNT = '000111111113';

async function payByBankDebit(
  { createPayment, callProcessor, createBankToken }: ProcessorFixture,
  account: string,
  terms: Fields = {},
): Promise<Fields> {
  return (
    await callProcessor(`/payments/${String((await createPayment(terms)).id)}/confirm`, {
      token: await createBankToken(account),
    })
  ).body as Fields;
}

test('settles a pending bank debit after three days', async () => {
  const fixture = openProcessor();
  const { id, state, method, lastFour, declineCode } = await payByBankDebit(
    fixture,
    SUCCEEDING_ACCOUNT,
  );
  assert.deepEqual([state, method, lastFour, declineCode], ['pending', 'bank', '6789', null]);
  await fixture.advanceDays(2.9);
  assert.equal((await fixture.fetchPayment(id)).state, 'pending');
  assert.equal((await fixture.callProcessor(`/payments/${String(id)}/cancel`, {})).status, 409);
  await fixture.advanceDays(0.2);
  assert.equal((await fixture.fetchPayment(id)).state, 'succeeded');
});

test('declines the debit of a closed account after three days', async () => {
  const fixture = openProcessor();
  const { id, state } = await payByBankDebit(fixture, CLOSED_ACCOUNT);
  assert.equal(state, 'pending');
  await fixture.advanceDays(3);
  const { state: after, declineCode } = await fixture.fetchPayment(id);
  assert.deepEqual([after, declineCode], ['declined', 'account-closed']);
});

test('activates a bank debit subscription at settlement and settles each renewal later', async () => {
  const fixture = openProcessor();
  const { id, subscription } = await payByBankDebit(fixture, SUCCEEDING_ACCOUNT, {
    frequency: 'monthly',
  });
  assert.equal((await fixture.fetchSubscription(subscription)).state, 'inactive');
  await fixture.advanceDays(3);
  const { state, nextAt } = await fixture.fetchSubscription(subscription);
  assert.deepEqual([state, nextAt], ['active', '2026-12-24T12:00:00.000Z']);
  await fixture.advanceDays(31);
  const {
    payments: [, renewal],
    nextAt: next,
  } = (await fixture.fetchSubscription(subscription)) as { payments: string[]; nextAt: string };
  const renewed = await fixture.fetchPayment(renewal);
  assert.deepEqual(
    [renewed.state, renewed.renewalOf, next],
    ['pending', id, '2027-01-24T12:00:00.000Z'],
  );
  await fixture.advanceDays(3);
  assert.equal((await fixture.fetchPayment(renewal)).state, 'succeeded');
});

test('the decline fault does not affect bank debits', async () => {
  const fixture = openProcessor();
  await fixture.callControlApi('/sandbox/faults', { kind: 'decline' });
  assert.equal((await payByBankDebit(fixture, SUCCEEDING_ACCOUNT)).state, 'pending');
});

test('accepts account numbers of 8 to 17 digits and routing numbers of 9 or 6 digits', async () => {
  const { callProcessor } = openProcessor();
  for (const [account, routing, status] of [
    ['12345678', '108800', 200],
    ['12345678901234567', '110000000', 200],
    ['1234567', '110000000', 400],
    ['12345678', '1234567', 400],
    ['12345678', undefined, 400],
  ] as const) {
    assert.equal(
      (await callProcessor('/tokens', { publicKey: 'pk_sandbox', account, routing })).status,
      status,
      `${account} ${routing}`,
    );
  }
});
