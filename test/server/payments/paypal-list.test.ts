import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedPayment } from '../../../src/server/payments/payment-gateway.ts';
import { type PayPalProvider, startPayPalProvider } from './paypal-provider.ts';
import { createPaymentRequest } from './test-provider.ts';

const listPayments = ({ gateway }: PayPalProvider, from: Date): Promise<ListedPayment[]> =>
  Array.fromAsync(gateway.iteratePayments!(from, new Date(Date.now() + 60_000)));

test('lists an eCheck as processing until it clears', async () => {
  await using provider = await startPayPalProvider();
  const { gateway, approve, settle } = provider;
  const request = createPaymentRequest();
  const created = await gateway.createPayment(request);
  await approve!(created, 'bank debit');
  const pending = await gateway.chargePayment(created, request);
  assert.equal(pending.status, 'processing');
  const from = new Date(Date.now() - 60_000);
  for (const status of ['processing', 'succeeded']) {
    const listed = await listPayments(provider, from);
    assert.deepEqual(
      listed.map((payment) => [
        payment.paymentId,
        payment.reference,
        payment.status,
        payment.total,
      ]),
      [[pending.paymentId, request.reference, status, 5_181]],
    );
    if (status === 'processing') await settle!(pending);
  }
});

test('searches only the three years of transactions that PayPal keeps', async () => {
  await using provider = await startPayPalProvider();
  await listPayments(provider, new Date(0));
  const searches = provider.fixture.paypal.calls.filter((call) =>
    call.endsWith('/v1/reporting/transactions'),
  );
  assert.equal(searches.length, Math.ceil((3 * 365) / 31));
});
