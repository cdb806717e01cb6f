import assert from 'node:assert/strict';
import type { ListedPayment, Payment } from '../../../src/server/payments/payment-gateway.ts';
import { type AddTest, chargePayment, listPaymentEvents } from './test-provider.ts';

/** Tests the payments that a provider lists. */
export function testLists(add: AddTest): void {
  add(
    'lists each payment of a period once, with its reference, fee, refunds, and disputes',
    ['lists'],
    async (provider, createRequest) => {
      const { gateway, refund, dispute } = provider;
      const startedAt = new Date(Date.now() - 60_000);
      const request = createRequest();
      const paid = await chargePayment(provider, request);
      const declined = await chargePayment(provider, createRequest(), 'declined');
      const disputed = await chargePayment(provider, createRequest());
      const unconfirmed = await gateway.createPayment(createRequest());
      const others = await Promise.all(
        Array.from({ length: 9 }, async () => chargePayment(provider, createRequest())),
      );
      await refund?.(paid, 1_000);
      await dispute?.(disputed);
      const own = [paid, declined, disputed, unconfirmed, ...others].map(
        ({ paymentId }) => paymentId,
      );
      const isOwn = ({ paymentId }: ListedPayment): boolean => own.includes(paymentId);
      const listed = (
        await Array.fromAsync(gateway.iteratePayments!(startedAt, new Date(Date.now() + 60_000)))
      ).filter(isOwn);
      const filterByPayment = ({ paymentId }: Payment) =>
        listed.filter((payment) => payment.paymentId === paymentId);
      assert.deepEqual(
        listed.map(({ paymentId }) => paymentId).sort(),
        [paid, disputed, ...others].map(({ paymentId }) => paymentId).sort(),
      );
      const [found] = filterByPayment(paid);
      const expected = {
        reference: request.reference,
        status: 'succeeded',
        total: 5_181,
        currency: 'USD',
        cost: provider.expectedCost ?? { fee: '1.80', net: '50.01', currency: 'USD' },
        refunded: refund ? 1_000 : 0,
      };
      assert.deepEqual({ ...found, ...expected }, found);
      assert.deepEqual(
        [filterByPayment(declined), filterByPayment(disputed)[0]?.dispute],
        [[], dispute ? 'open' : undefined],
      );
      assert.deepEqual(
        (await Array.fromAsync(gateway.iteratePayments!(new Date(0), startedAt))).filter(isOwn),
        [],
      );
      const traced = await gateway.listEvents!(paid.paymentId);
      assert.deepEqual(
        [traced.reference, traced.events.map(({ kind }) => kind)],
        [request.reference, ['payment', ...(refund ? ['refund'] : [])]],
      );
    },
  );

  add(
    'lists a renewal with the reference of its donation and the same events as the webhooks',
    ['lists', 'renewals', 'webhooks'],
    async (provider, createRequest) => {
      const { gateway, renew } = provider;
      const request = createRequest({ frequency: 'monthly' });
      const first = await chargePayment(provider, request);
      const before = new Date(Date.now() - 60_000);
      await renew(first);
      const listed = await Array.fromAsync(
        gateway.iteratePayments!(before, new Date(Date.now() + 40 * 86_400_000)),
      );
      const renewal = listed.find(({ paymentId }) => paymentId !== first.paymentId);
      assert.deepEqual([listed.length, renewal?.total, renewal?.reference], [2, 5_181, undefined]);
      const { reference, events: paymentEvents } = await gateway.listEvents!(renewal!.paymentId);
      assert.equal(reference, request.reference);
      const renewed = paymentEvents.find(({ kind }) => kind === 'renewal');
      const reported = [...(await listPaymentEvents(provider)).values()].find(
        ({ kind }) => kind === 'renewal',
      );
      assert.deepEqual({ ...renewed, at: undefined }, { ...reported, at: undefined });
      assert.equal((await gateway.listEvents!(first.paymentId)).reference, request.reference);
    },
  );
}
