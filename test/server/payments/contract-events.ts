import assert from 'node:assert/strict';
import {
  InvalidSignatureError,
  type PaymentEvent,
} from '../../../src/server/payments/payment-gateway.ts';
import { listPaymentEvents, removeTimes } from './payment-events.ts';
import { chargePayment, type AddTest, type TestProvider } from './test-provider.ts';

/** Tests the events that a provider reports by webhooks. */
export function testEvents(add: AddTest): void {
  add(
    'reports partial and full refunds by signed webhooks, in any order',
    ['charges', 'webhooks', 'refunds'],
    async (provider, createRequest) => {
      const refunded = await chargePayment(provider, createRequest());
      await provider.refund(refunded, 1_000);
      await provider.refund(refunded);
      const paymentEvents = await listPaymentEvents(provider);
      assert.deepEqual(listKinds(paymentEvents), ['refund', 'refund']);
      const refunds = [...paymentEvents.values()].filter(({ kind }) => kind === 'refund');
      assert.deepEqual(
        refunds
          .map(
            (refund) => 'refunded' in refund && [refund.paymentId, refund.amount, refund.refunded],
          )
          .sort(),
        [
          [refunded.paymentId, 1_000, 5_181],
          [refunded.paymentId, 4_181, 5_181],
        ],
      );
      await assertOrderIsIrrelevant(provider, paymentEvents);
    },
  );

  add(
    'reports opened, won, and lost disputes by signed webhooks, in any order',
    ['charges', 'webhooks', 'disputes'],
    async (provider, createRequest) => {
      const [won, lost] = [
        await chargePayment(provider, createRequest()),
        await chargePayment(provider, createRequest()),
      ];
      for (const payment of [won, lost]) await provider.dispute(payment);
      await provider.closeDispute(won, 'won');
      await provider.closeDispute(lost, 'lost');
      const paymentEvents = await listPaymentEvents(provider);
      assert.deepEqual(
        [...paymentEvents.values()]
          .flatMap((event) =>
            'amount' in event ? [[event.kind, event.paymentId, event.amount]] : [],
          )
          .sort(),
        [
          ['dispute_lost', lost.paymentId, 5_181],
          ...[won, lost].map(({ paymentId }) => ['dispute_opened', paymentId, 5_181]),
          ['dispute_won', won.paymentId, 5_181],
        ].sort(),
      );
      await assertOrderIsIrrelevant(provider, paymentEvents);
    },
  );

  add(
    'reports renewals, failed renewals, and canceled subscriptions',
    ['webhooks', 'renewals', 'charges'],
    async (provider, createRequest) => {
      const { renew, cancelSubscription, listCharges } = provider;
      const request = createRequest({ frequency: 'monthly' });
      const first = await chargePayment(provider, request);
      await renew(first);
      await renew(first);
      await cancelSubscription(first);
      const paymentEvents = await listPaymentEvents(provider);
      const renewals = [...paymentEvents.values()].filter(
        (paymentEvent) => paymentEvent.kind === 'renewal',
      );
      assert.deepEqual(
        renewals.map(({ subscriptionId, payment }) => [
          subscriptionId,
          payment.status,
          payment.total,
          payment.currency,
        ]),
        Array.from({ length: 2 }, () => [first.subscriptionId, 'succeeded', 5_181, 'USD']),
      );
      assert.ok(
        [...paymentEvents.values()].some(
          (paymentEvent) =>
            paymentEvent.kind === 'subscription' &&
            paymentEvent.status === 'canceled' &&
            paymentEvent.subscriptionId === first.subscriptionId,
        ),
      );
      assert.deepEqual(await listCharges(request.reference), [5_181, 5_181, 5_181]);
      await assertOrderIsIrrelevant(provider, paymentEvents);
      const failing = await chargePayment(
        provider,
        createRequest({ frequency: 'monthly' }),
        'fails when renewed',
      );
      assert.equal(failing.status, 'succeeded');
      await renew(failing);
      assert.ok(
        [...(await listPaymentEvents(provider)).values()].some(
          (paymentEvent) =>
            paymentEvent.kind === 'subscription' &&
            paymentEvent.status === 'retrying' &&
            paymentEvent.subscriptionId === failing.subscriptionId,
        ),
      );
    },
  );

  add(
    'rejects webhooks that are unsigned, too old, or altered',
    ['charges', 'webhooks'],
    async (provider, createRequest) => {
      const { gateway, listWebhooks, signWebhook } = provider;
      await chargePayment(provider, createRequest());
      const [{ body, headers } = { body: '', headers: new Headers() }] = await listWebhooks();
      assert.ok(body);
      await gateway.verifyAndFetchEvents!(body, headers);
      await assert.rejects(
        gateway.verifyAndFetchEvents!(`${body} `, headers),
        InvalidSignatureError,
      );
      await assert.rejects(
        gateway.verifyAndFetchEvents!(body, new Headers()),
        InvalidSignatureError,
      );
      await gateway.verifyAndFetchEvents!(body, await signWebhook(body, new Date()));
      const old = await signWebhook(body, new Date('2023-11-14T22:13:20Z'));
      await assert.rejects(gateway.verifyAndFetchEvents!(body, old), InvalidSignatureError);
    },
  );
}

function listKinds(paymentEvents: ReadonlyMap<string, PaymentEvent>): string[] {
  return [...paymentEvents.values()]
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'payment')
    .sort();
}

/** Asserts that webhooks in reverse order, each twice, report the same events. */
async function assertOrderIsIrrelevant(
  provider: TestProvider,
  expected: ReadonlyMap<string, PaymentEvent>,
): Promise<void> {
  assert.deepEqual(
    removeTimes(await listPaymentEvents(provider, 'reversed twice over')),
    removeTimes(expected),
  );
}
