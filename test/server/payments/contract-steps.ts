import assert from 'node:assert/strict';
import { type AddTest, chargePayment } from './test-provider.ts';

/** Tests payments that wait for the donor or a bank. */
export function testSteps(add: AddTest): void {
  add(
    "lets a donor pay on the provider's hosted page without a token",
    ['charges', 'hosted page'],
    async (provider, createRequest) => {
      const { gateway, payOnPage, listCharges } = provider;
      for (const frequency of ['once', 'monthly'] as const) {
        const request = createRequest({ token: undefined, frequency });
        const opened = await gateway.createPayment(request);
        assert.equal(opened.status, 'requires_action');
        assert.ok(opened.action?.kind === 'redirect');
        assert.equal((await gateway.retrievePayment(opened)).status, 'requires_action');
        await payOnPage(opened.action.url);
        const paid = await gateway.retrievePayment(opened);
        assert.deepEqual(
          [
            paid.status,
            paid.total,
            paid.currency,
            await listCharges(request.reference),
            paid.subscriptionId !== undefined,
          ],
          ['succeeded', 5_181, 'USD', [5_181], frequency === 'monthly'],
        );
        const left = await gateway.createPayment(createRequest({ token: undefined, frequency }));
        assert.equal((await gateway.cancelPayment(left)).status, 'failed');
      }
    },
  );

  add(
    'charges only after authentication, and never if the donor refuses it',
    ['charges', 'authentication'],
    async (provider, createRequest) => {
      const { gateway, authenticate, listCharges } = provider;
      for (const [agrees, status, taken] of [
        [true, 'succeeded', [5_181]],
        [false, 'failed', []],
      ] as const) {
        const request = createRequest();
        const asked = await chargePayment(provider, request, 'asks');
        assert.equal(asked.status, 'requires_action');
        assert.deepEqual(await listCharges(request.reference), []);
        assert.deepEqual((await gateway.retrievePayment(asked)).action, asked.action);
        await authenticate(asked, agrees);
        assert.deepEqual(
          [(await gateway.retrievePayment(asked)).status, await listCharges(request.reference)],
          [status, taken],
        );
      }
      const request = createRequest();
      const left = await chargePayment(provider, request, 'asks');
      assert.deepEqual(
        [(await gateway.cancelPayment(left)).status, await listCharges(request.reference)],
        ['failed', []],
      );
    },
  );

  add(
    'keeps a bank debit processing until the bank pays or rejects it',
    ['charges', 'bank debits'],
    async (provider, createRequest) => {
      const { gateway, settle, listCharges } = provider;
      for (const [method, status, taken] of [
        ['bank debit', 'succeeded', [5_181]],
        ['failing bank debit', 'failed', []],
      ] as const) {
        const request = createRequest();
        const payment = await chargePayment(provider, request, method);
        assert.deepEqual([payment.status, payment.total], ['processing', 5_181]);
        await settle(payment);
        const settled = await gateway.retrievePayment(payment);
        assert.deepEqual([settled.status, await listCharges(request.reference)], [status, taken]);
        if (status === 'succeeded') assert.equal(settled.method, provider.methodType ?? 1);
      }
    },
  );
}
