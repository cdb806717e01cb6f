import assert from 'node:assert/strict';
import { DONATION_FREQUENCIES } from '../../../src/core/donation/frequency.ts';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import type { AddTest } from './test-provider.ts';

/** Tests a provider without online payments: donors pledge, and staff record each payment. */
export function testPledges(add: AddTest): void {
  add(
    'creates one pledge of the agreed amount for each reference',
    [],
    async ({ gateway }, createRequest) => {
      for (const frequency of DONATION_FREQUENCIES) {
        const request = createRequest({ frequency });
        const pledge = await gateway.createPayment(request);
        assert.deepEqual(
          [pledge.status, pledge.awaiting, pledge.total, pledge.currency, pledge.subscriptionId],
          ['processing', 'donor', 5_181, 'USD', undefined],
          frequency,
        );
        assert.deepEqual(await gateway.createPayment(request), pledge);
        assert.notEqual((await gateway.createPayment(createRequest())).paymentId, pledge.paymentId);
      }
    },
  );

  add(
    'rejects to confirm a pledge with the certainty that nothing was charged',
    [],
    async ({ gateway }, createRequest) => {
      const request = createRequest();
      await assert.rejects(
        gateway.chargePayment(await gateway.createPayment(request), request),
        NotChargedError,
      );
    },
  );

  add(
    'rejects to retrieve or cancel a pledge, whose result only a person knows',
    [],
    async ({ gateway }, createRequest) => {
      const pledge = await gateway.createPayment(createRequest());
      await assert.rejects(
        gateway.retrievePayment(pledge),
        /is not made through a payment provider/,
      );
      await assert.rejects(gateway.cancelPayment(pledge), /is not made through a payment provider/);
    },
  );
}
