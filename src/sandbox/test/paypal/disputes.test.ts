import assert from 'node:assert/strict';
import { createCapture } from './payments-support.ts';
import { getIssue, startPayPal, test } from './support.ts';

test('opens a dispute, and returns the money if the seller loses it', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const { id } = await createCapture(fixture);
  const dispute = paypal.openDispute(id);
  const opened = await call('GET', `/v1/customer/disputes/${dispute.id}`);
  assert.equal(opened.body.status, 'WAITING_FOR_SELLER_RESPONSE');
  const [transaction] = opened.body.disputed_transactions as [{ seller_transaction_id: string }];
  assert.equal(transaction.seller_transaction_id, id);
  const partial = await call('POST', `/v2/payments/captures/${id}/refund`, {
    body: { amount: { currency_code: 'USD', value: '1.00' } },
  });
  assert.equal(getIssue(partial), 'TRANSACTION_DISPUTED');
  paypal.closeDispute(dispute.id, 'lost');
  const closed = await call('GET', `/v1/customer/disputes/${dispute.id}`);
  assert.deepEqual(closed.body.dispute_outcome, {
    outcome_code: 'RESOLVED_BUYER_FAVOUR',
    amount_refunded: { currency_code: 'USD', value: '50.00' },
  });
  const capture = await call('GET', `/v2/payments/captures/${id}`);
  assert.equal(capture.body.status, 'REFUNDED');
  assert.deepEqual(getEventTypes().slice(-3), [
    'CUSTOMER.DISPUTE.CREATED',
    'PAYMENT.CAPTURE.REVERSED',
    'CUSTOMER.DISPUTE.RESOLVED',
  ]);
});

test('keeps the money if the seller wins a dispute', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const { id } = await createCapture(fixture);
  paypal.closeDispute(paypal.openDispute(id).id, 'won');
  assert.equal((await call('GET', `/v2/payments/captures/${id}`)).body.status, 'COMPLETED');
  assert.ok(!getEventTypes().includes('PAYMENT.CAPTURE.REVERSED'));
});

test('lists disputes by transaction and time', async () => {
  let time = Date.UTC(2026, 0, 1);
  await using fixture = await startPayPal({ now: () => new Date(time) });
  const { paypal, call } = fixture;
  const listDisputes = async (query: string): Promise<unknown[]> => {
    const { body } = await call('GET', `/v1/customer/disputes?${query}`);
    return ((body.items ?? []) as { dispute_id: string }[]).map(({ dispute_id }) => dispute_id);
  };
  assert.deepEqual(await listDisputes(''), []);
  const first = await createCapture(fixture);
  const second = await createCapture(fixture);
  const older = paypal.openDispute(first.id);
  time += 3_600_000;
  const newer = paypal.openDispute(second.id);
  assert.deepEqual(await listDisputes(''), [newer.id, older.id]);
  assert.deepEqual(await listDisputes(`disputed_transaction_id=${first.id}`), [older.id]);
  assert.deepEqual(await listDisputes('update_time_after=2026-01-01T00:30:00Z'), [newer.id]);
  assert.deepEqual(await listDisputes('update_time_before=2026-01-01T00:30:00Z'), [older.id]);
});
