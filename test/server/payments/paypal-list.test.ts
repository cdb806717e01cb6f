import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePayPalMoney } from '../../../src/server/payments/paypal/amounts.ts';
import type { ListedPayment } from '../../../src/server/payments/payment-gateway.ts';
import { startPayPalProvider, type PayPalProvider } from './paypal-provider.ts';
import { createPaymentRequest } from './paypal-support.ts';

async function listPayments({ gateway }: PayPalProvider, from: Date): Promise<ListedPayment[]> {
  const listed: ListedPayment[] = [];
  for await (const payment of gateway.iteratePayments!(from, new Date(Date.now() + 60_000)))
    listed.push(payment);
  return listed;
}

test('lists an eCheck as processing until it clears', async () => {
  await using provider = await startPayPalProvider();
  const { gateway, approve, settle } = provider;
  const request = createPaymentRequest();
  const created = await gateway.createPayment(request);
  await approve!(created, 'bank debit');
  const pending = await gateway.chargePayment(created, request);
  assert.equal(pending.status, 'processing');
  const from = new Date(Date.now() - 60_000);
  const findStatuses = async () =>
    (await listPayments(provider, from)).map(({ paymentId, reference, status, total }) => [
      paymentId,
      reference,
      status,
      total,
    ]);
  const { paymentId } = pending;
  assert.deepEqual(await findStatuses(), [[paymentId, request.reference, 'processing', 5_181]]);
  await settle!(pending);
  assert.deepEqual(await findStatuses(), [[paymentId, request.reference, 'succeeded', 5_181]]);
});

test('searches only the three years of transactions that PayPal keeps', async () => {
  await using provider = await startPayPalProvider();
  await listPayments(provider, new Date(0));
  const searches = provider.fixture.paypal.calls.filter((call) =>
    call.endsWith('/v1/reporting/transactions'),
  );
  assert.equal(searches.length, Math.ceil((3 * 365) / 31));
});

test('reads positive and negative amounts, with and without decimals', () => {
  for (const [value, currency, total] of [
    ['-1.52', 'USD', -152],
    ['.5', 'USD', 50],
    ['5000.00', 'JPY', 5_000],
    ['-500', 'HUF', -500],
  ] as const)
    assert.deepEqual(parsePayPalMoney({ value, currency_code: currency }), { total, currency });
});
