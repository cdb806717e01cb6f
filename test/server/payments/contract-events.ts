import assert from 'node:assert/strict';
import {
  InvalidSignatureError,
  type Payment,
  type PaymentEvent,
} from '../../../src/server/payments/payment-gateway.ts';
import {
  type AddTest,
  chargePayment,
  listPaymentEvents,
  type TestProvider,
} from './test-provider.ts';

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
      assert.deepEqual(
        [...paymentEvents.values()]
          .flatMap((event) =>
            event.kind === 'refund' ? [[event.paymentId, event.amount, event.refunded]] : [],
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
      const won = await chargePayment(provider, createRequest());
      const lost = await chargePayment(provider, createRequest());
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
      const renewals = [...paymentEvents.values()].filter((event) => event.kind === 'renewal');
      assert.equal(renewals.length, 2);
      for (const { subscriptionId, payment } of renewals)
        assert.deepEqual(
          [subscriptionId, payment.status, payment.total, payment.currency],
          [first.subscriptionId, 'succeeded', 5_181, 'USD'],
        );
      assert.ok(hasSubscriptionStatus(paymentEvents, first, 'canceled'));
      assert.deepEqual(await listCharges(request.reference), [5_181, 5_181, 5_181]);
      await assertOrderIsIrrelevant(provider, paymentEvents);
      const failing = await chargePayment(
        provider,
        createRequest({ frequency: 'monthly' }),
        'fails when renewed',
      );
      assert.equal(failing.status, 'succeeded');
      await renew(failing);
      assert.ok(hasSubscriptionStatus(await listPaymentEvents(provider), failing, 'retrying'));
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
      for (const valid of [headers, await signWebhook(body, new Date())])
        await gateway.verifyAndFetchEvents!(body, valid);
      const old = await signWebhook(body, new Date('2023-11-14T22:13:20Z'));
      for (const [text, invalid] of [
        [`${body} `, headers],
        [body, new Headers()],
        [body, old],
      ] as const)
        await assert.rejects(gateway.verifyAndFetchEvents!(text, invalid), InvalidSignatureError);
    },
  );
}

const hasSubscriptionStatus = (
  events: ReadonlyMap<string, PaymentEvent>,
  { subscriptionId }: Payment,
  status: 'canceled' | 'retrying',
): boolean =>
  [...events.values()].some(
    (event) =>
      event.kind === 'subscription' &&
      event.status === status &&
      event.subscriptionId === subscriptionId,
  );

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

/** Sorts events by ID, without times, which depend on the first delivery. */
function removeTimes(paymentEvents: ReadonlyMap<string, PaymentEvent>): object[] {
  return [...paymentEvents]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, paymentEvent]) => ({ ...paymentEvent, at: undefined }));
}
