import assert from 'node:assert/strict';
import { NotChargedError, type Payment } from '../../../src/server/payments/payment-gateway.ts';
import {
  type AddTest,
  chargePayment,
  preparePayment,
  RECURRING_FREQUENCIES,
} from './test-provider.ts';

/** Tests the charges of a provider. */
export function testPayments(add: AddTest): void {
  add(
    'creates one payment for each reference without charging it',
    ['charges'],
    async ({ gateway, approve, listCharges }, createRequest) => {
      const request = createRequest();
      const first = await gateway.createPayment(request);
      const second = await gateway.createPayment(request);
      assert.deepEqual(
        [first.status, first.total, first.currency, second.paymentId],
        [approve ? 'requires_action' : 'unconfirmed', 5_181, 'USD', first.paymentId],
      );
      assert.notEqual((await gateway.createPayment(createRequest())).paymentId, first.paymentId);
      assert.deepEqual(await listCharges(request.reference), []);
    },
  );

  add(
    'charges a valid card the agreed amount, and retrieves the same payment',
    ['charges'],
    async (provider, createRequest) => {
      const request = createRequest();
      const payment = await chargePayment(provider, request);
      assert.deepEqual(
        [payment.status, payment.total, payment.currency, payment.method],
        ['succeeded', 5_181, 'USD', provider.methodType ?? 0],
      );
      assert.deepEqual(await provider.gateway.retrievePayment(payment), payment);
      assert.deepEqual(await provider.listCharges(request.reference), [5_181]);
    },
  );

  add(
    'charges once if it is confirmed ten times concurrently with different cards',
    ['charges'],
    async (provider, createRequest) => {
      const { gateway, createToken } = provider;
      const [payment, request] = await preparePayment(provider, createRequest());
      const tokens = await Promise.all(
        Array.from({ length: 10 }, async () => createToken?.('good')),
      );
      const responses = await Promise.allSettled(
        tokens.map((token) => gateway.chargePayment(payment, { ...request, token })),
      );
      const statuses = responses.map((answer) => 'value' in answer && answer.value.status);
      assert.ok(statuses.includes('succeeded'));
      assert.deepEqual(await provider.listCharges(request.reference), [5_181]);
      assert.equal((await gateway.retrievePayment(payment)).status, 'succeeded');
    },
  );

  for (const method of ['declined', 'insufficient funds', 'expired'] as const) {
    add(`declines a card with ${method}`, ['charges'], async (provider, createRequest) => {
      const request = createRequest();
      const payment = await chargePayment(provider, request, method);
      assert.deepEqual([payment.status, payment.reason], ['failed', 'card-declined']);
      assert.deepEqual(await provider.listCharges(request.reference), []);
    });

    add(
      `does not charge another card after a card with ${method}`,
      ['charges', 'tokens'],
      async (provider, createRequest) => {
        const { gateway, createToken, listCharges } = provider;
        const request = createRequest();
        const payment = await chargePayment(provider, request, method);
        assert.equal((await gateway.retrievePayment(payment)).status, 'failed');
        const again = await gateway
          .chargePayment(payment, { ...request, token: await createToken('good') })
          .catch((error: unknown) => error);
        assert.ok(again instanceof NotChargedError || (again as Payment).status === 'failed');
        assert.deepEqual(await listCharges(request.reference), []);
      },
    );
  }

  add(
    'rejects an unknown token or a missing approval with the certainty that nothing was charged',
    ['charges'],
    async ({ gateway, createToken, listCharges }, createRequest) => {
      for (const frequency of ['once', 'monthly'] as const) {
        const request = createRequest({ frequency });
        const token = createToken && 'ctoken_unknown';
        await assert.rejects(
          gateway
            .chargePayment(await gateway.createPayment(request), { ...request, token })
            .then((payment) => {
              // Retrieved after the rejection: still to be approved by the donor.
              if (payment.status === 'requires_action') throw new NotChargedError(payment.status);
            }),
          NotChargedError,
        );
        assert.deepEqual(await listCharges(request.reference), []);
      }
    },
  );

  add(
    'never charges a canceled payment',
    ['charges'],
    async ({ gateway, createToken, listCharges }, createRequest) => {
      const request = createRequest();
      const payment = await gateway.createPayment(request);
      assert.equal((await gateway.cancelPayment(payment)).status, 'failed');
      const late = await gateway
        .chargePayment(payment, { ...request, token: await createToken?.('good') })
        .catch((error: unknown) => error);
      // The donor can no longer pay with a token. The server does not confirm an approval.
      assert.ok(
        late instanceof NotChargedError ||
          (late as Payment).status === (createToken ? 'failed' : 'requires_action'),
      );
      assert.deepEqual(await listCharges(request.reference), []);
    },
  );

  add(
    'returns succeeded when canceling a payment that was already charged',
    ['charges'],
    async (provider, createRequest) => {
      const payment = await chargePayment(provider, createRequest());
      assert.equal((await provider.gateway.cancelPayment(payment)).status, 'succeeded');
    },
  );

  add(
    'charges the first payment of a recurring donation once, and links it to a subscription',
    ['charges'],
    async (provider, createRequest) => {
      for (const frequency of RECURRING_FREQUENCIES) {
        const request = createRequest({ frequency });
        const payment = await chargePayment(provider, request);
        assert.deepEqual(
          [payment.status, typeof payment.subscriptionId],
          ['succeeded', 'string'],
          frequency,
        );
        assert.deepEqual(await provider.listCharges(request.reference), [5_181], frequency);
      }
    },
  );

  add(
    'starts no subscription if the first payment is declined',
    ['charges'],
    async (provider, createRequest) => {
      const request = createRequest({ frequency: 'monthly' });
      const payment = await chargePayment(provider, request, 'declined');
      assert.deepEqual(
        [payment.status, (await provider.gateway.retrievePayment(payment)).status],
        ['failed', 'failed'],
      );
      assert.deepEqual(await provider.listCharges(request.reference), []);
    },
  );
}
