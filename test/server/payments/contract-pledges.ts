import assert from 'node:assert/strict';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import type { AddTest } from './test-provider.ts';

/** Tests a provider without online payments: donors pledge, and staff record each payment. */
export function testPledges(add: AddTest): void {
  add(
    'rejects all calls with the certainty that nothing was charged',
    [],
    async ({ gateway }, createRequest) => {
      const request = createRequest();
      const payment = { paymentId: request.reference };
      for (const call of [
        () => gateway.createPayment(request),
        () => gateway.chargePayment(payment, request),
        () => gateway.retrievePayment(payment),
        () => gateway.cancelPayment(payment),
      ])
        await assert.rejects(call, NotChargedError);
    },
  );
}
