import assert from 'node:assert/strict';
import { createActiveSubscription, createCapture, createOrderBody } from './payments-support.ts';
import { type Json, type PayPalFixture, startPayPal, test } from './support.ts';

const NOON = Date.UTC(2026, 0, 10, 12);

async function searchTransactions(
  { call }: PayPalFixture,
  query = '',
): Promise<{ total: unknown; transactions: Json[] }> {
  const period = 'start_date=2026-01-01T00:00:00Z&end_date=2026-01-31T00:00:00Z';
  const { body } = await call('GET', `/v1/reporting/transactions?${period}${query}`);
  const details = (body.transaction_details ?? []) as { transaction_info: Json }[];
  return {
    total: body.total_items,
    transactions: details.map(({ transaction_info }) => transaction_info),
  };
}

test('lists payments and refunds with their fees, references, and status', async () => {
  let time = NOON;
  await using fixture = await startPayPal({ now: () => new Date((time += 1_000)) });
  const { paypal } = fixture;
  assert.deepEqual(await searchTransactions(fixture), { total: 0, transactions: [] });
  const { id } = await createCapture(fixture);
  await createActiveSubscription(fixture);
  const refund = paypal.createRefund(id, { currency: 'USD', units: 1_000 });
  const { transactions } = await searchTransactions(fixture);
  assert.deepEqual(
    transactions.map((transaction) => [
      transaction.transaction_event_code,
      transaction.transaction_status,
      transaction.custom_field,
      (transaction.transaction_amount as Json).value,
      (transaction.fee_amount as Json | undefined)?.value,
      transaction.paypal_reference_id,
    ]),
    [
      ['T0006', 'S', 'ABCDE-FGHJK', '50.00', '-1.49', undefined],
      ['T0002', 'S', 'ABCDE-FGHJK', '20.00', '-0.89', undefined],
      ['T1107', 'S', 'ABCDE-FGHJK', '-10.00', undefined, id],
    ],
  );
  const [found] = (await searchTransactions(fixture, `&transaction_id=${refund.id}`)).transactions;
  assert.equal(found?.transaction_id, refund.id);
  const second = await searchTransactions(fixture, '&page_size=1&page=2');
  assert.deepEqual([second.total, second.transactions[0]?.transaction_event_code], [3, 'T0002']);
});

test('lists pending payments only among all records', async () => {
  await using fixture = await startPayPal({ now: () => new Date(NOON) });
  const { paypal, call } = fixture;
  const { body } = await call('POST', '/v2/checkout/orders', {
    body: createOrderBody(),
  });
  paypal.approveOrder(body.id, { funding: 'echeck' });
  await call('POST', `/v2/checkout/orders/${body.id}/capture`, { body: {} });
  assert.equal((await searchTransactions(fixture)).total, 0);
  const all = await searchTransactions(fixture, '&balance_affecting_records_only=N');
  assert.equal(all.transactions[0]?.transaction_status, 'P');
});

test('lists a payment only after the delay', async () => {
  let time = NOON;
  await using fixture = await startPayPal({
    now: () => new Date(time),
    reportingDelay: 3 * 3_600_000,
  });
  await createCapture(fixture);
  assert.equal((await searchTransactions(fixture)).total, 0);
  time += 3 * 3_600_000;
  assert.equal((await searchTransactions(fixture)).total, 1);
});

test('rejects periods of more than 31 days', async ({ call }) => {
  const { status } = await call(
    'GET',
    '/v1/reporting/transactions?start_date=2026-01-01T00:00:00Z&end_date=2026-02-02T00:00:00Z',
  );
  assert.equal(status, 400);
});
