import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProcessor, type Fields, type OpenedProcessor } from './processor-support.ts';

const GOOD = '000123456789';
const CLOSED = '000111111113';

async function debit(
  { open, call, bankToken }: OpenedProcessor,
  account: string,
  terms: Fields = {},
): Promise<Fields> {
  return (
    await call(`/payments/${String((await open(terms)).id)}/confirm`, {
      token: await bankToken(account),
    })
  ).body as Fields;
}

test('a bank debit is pending, and succeeds three days later', async () => {
  const opened = openProcessor();
  const { id, state, method, lastFour, declineCode } = await debit(opened, GOOD);
  assert.deepEqual([state, method, lastFour, declineCode], ['pending', 'bank', '6789', null]);
  await opened.days(2.9);
  assert.equal((await opened.payment(id)).state, 'pending');
  assert.equal((await opened.call(`/payments/${String(id)}/cancel`, {})).status, 409);
  await opened.days(0.2);
  assert.equal((await opened.payment(id)).state, 'succeeded');
});

test('the debit of a closed account fails three days later', async () => {
  const opened = openProcessor();
  const { id, state } = await debit(opened, CLOSED);
  assert.equal(state, 'pending');
  await opened.days(3);
  const { state: after, declineCode } = await opened.payment(id);
  assert.deepEqual([after, declineCode], ['declined', 'account-closed']);
});

test('a subscription by bank debit begins with the settlement, and each renewal settles later too', async () => {
  const opened = openProcessor();
  const { id, subscription } = await debit(opened, GOOD, { frequency: 'monthly' });
  assert.equal((await opened.subscription(subscription)).state, 'inactive');
  await opened.days(3);
  const { state, nextAt } = await opened.subscription(subscription);
  assert.deepEqual([state, nextAt], ['active', '2026-12-24T12:00:00.000Z']);
  await opened.days(31);
  const {
    payments: [, renewal],
    nextAt: next,
  } = (await opened.subscription(subscription)) as { payments: string[]; nextAt: string };
  const renewed = await opened.payment(renewal);
  assert.deepEqual(
    [renewed.state, renewed.renewalOf, next],
    ['pending', id, '2027-01-24T12:00:00.000Z'],
  );
  await opened.days(3);
  assert.equal((await opened.payment(renewal)).state, 'succeeded');
});

test('the fault decline is one of cards', async () => {
  const opened = openProcessor();
  await opened.steer('/sandbox/faults', { kind: 'decline' });
  assert.equal((await debit(opened, GOOD)).state, 'pending');
});

test('an account has 8 to 17 digits, a routing number or sort code 9 or 6', async () => {
  const { call } = openProcessor();
  for (const [account, routing, status] of [
    ['12345678', '108800', 200],
    ['12345678901234567', '110000000', 200],
    ['1234567', '110000000', 400],
    ['12345678', '1234567', 400],
    ['12345678', undefined, 400],
  ] as const) {
    assert.equal(
      (await call('/tokens', { publicKey: 'pk_sandbox', account, routing })).status,
      status,
      `${account} ${routing}`,
    );
  }
});
