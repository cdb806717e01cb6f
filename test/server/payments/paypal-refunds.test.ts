import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createBody,
  listReportedRefunds,
  pay,
  receiveWebhook,
  startPayPalProvider,
} from './paypal-provider.ts';

/** Creates a clock that each reading moves on by a second. */
function createTickingClock(): () => Date {
  let time = Date.now() - 3_600_000;
  return () => new Date((time += 1_000));
}

test('reports a lost dispute as lost, and not also as a refund', async () => {
  for (const listsReversals of [false, true]) {
    await using provider = await startPayPalProvider({ listsReversals });
    const { gateway, fixture, listWebhooks } = provider;
    const { paypal } = fixture;
    const paymentId = await pay(provider);
    paypal.createRefund(paymentId, { currency: 'USD', units: 1_000 });
    paypal.closeDispute(paypal.openDispute(paymentId).id, 'lost');
    const ids = new Set<string>();
    for (const { body, headers } of await listWebhooks!())
      for (const event of await gateway.verifyAndFetchEvents!(body, headers)) {
        if (!('id' in event)) continue;
        ids.add(event.kind);
        if (event.kind === 'refund')
          assert.deepEqual([event.amount, event.refunded], [1_000, 1_000]);
      }
    assert.deepEqual(ids, new Set(['refund', 'dispute_opened', 'dispute_lost']));
    const { events } = await gateway.listEvents!(paymentId);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['payment', 'refund', 'dispute_opened', 'dispute_lost'],
    );
  }
});

test('reports a refund of the disputed amount that is older than the dispute', async () => {
  for (const listsReversals of [false, true]) {
    const now = createTickingClock();
    await using provider = await startPayPalProvider({ listsReversals, now });
    const { gateway, fixture } = provider;
    const paymentId = await pay(provider);
    const { id } = fixture.paypal.createRefund(paymentId);
    fixture.paypal.closeDispute(fixture.paypal.openDispute(paymentId).id, 'lost');
    const { events } = await gateway.listEvents!(paymentId);
    assert.deepEqual(
      events.flatMap((event) => ('id' in event && event.kind === 'refund' ? [event.id] : [])),
      [`refund ${id}`],
    );
  }
});

test('does not count a refund that failed as refunded', async () => {
  await using provider = await startPayPalProvider();
  const { gateway, fixture } = provider;
  const paymentId = await pay(provider);
  const { id: made } = fixture.paypal.createRefund(paymentId, { currency: 'USD', units: 1_000 });
  const { id: failed } = fixture.paypal.createRefund(paymentId, { currency: 'USD', units: 2_000 });
  fixture.paypal.failRefund(failed);
  const { events } = await gateway.listEvents!(paymentId);
  assert.deepEqual(
    events.flatMap((event) =>
      'refunded' in event ? [[event.id, event.amount, event.refunded]] : [],
    ),
    [
      [`refund ${made}`, 1_000, 1_000],
      [`refund_failed ${failed}`, 2_000, 1_000],
    ],
  );
  assert.deepEqual(
    await listReportedRefunds(provider),
    new Map([[`refund ${made}`, [1_000, 1_000]]]),
  );
});

test('reports a reversal without a dispute as a refund', async () => {
  await using provider = await startPayPalProvider();
  const { id } = provider.fixture.paypal.reversePayment(await pay(provider));
  const events = await receiveWebhook(provider, createBody('PAYMENT.CAPTURE.REVERSED', { id }));
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'refund' ? [event.amount] : [])),
    [5_181],
  );
});

test('reports charges and refunds even if the app may not read disputes', async () => {
  await using provider = await startPayPalProvider();
  const { paypal } = provider.fixture;
  const paymentId = await pay(provider);
  const { id: refundId } = paypal.createRefund(paymentId);
  paypal.failCalls(403, 2, /disputes/);
  for (const [type, id] of [
    ['PAYMENT.CAPTURE.COMPLETED', paymentId],
    ['PAYMENT.CAPTURE.REFUNDED', refundId],
  ] as const) {
    const events = await receiveWebhook(provider, createBody(type, { id }));
    assert.equal(events.filter(({ kind }) => kind === 'refund').length, 1, type);
  }
});

for (const frequency of ['once', 'monthly'] as const) {
  test(`counts no reversal as refunded if the refund's webhook arrives after a lost dispute, ${frequency}`, async () => {
    for (const listsReversals of [false, true]) {
      const now = createTickingClock();
      await using provider = await startPayPalProvider({ listsReversals, now });
      const { paypal } = provider.fixture;
      const paymentId = await pay(provider, frequency);
      const { id } = paypal.createRefund(paymentId, { currency: 'USD', units: 1_000 });
      paypal.closeDispute(paypal.openDispute(paymentId).id, 'lost');
      assert.deepEqual(
        await listReportedRefunds(provider),
        new Map([[`refund ${id}`, [1_000, 1_000]]]),
      );
    }
  });

  test(`reports a full refund during a dispute as a refund, and the dispute as lost, ${frequency}`, async () => {
    for (const listsReversals of [false, true]) {
      const now = createTickingClock();
      await using provider = await startPayPalProvider({ listsReversals, now });
      const { gateway, fixture } = provider;
      const paymentId = await pay(provider, frequency);
      const { id: disputeId } = fixture.paypal.openDispute(paymentId);
      const { id } = fixture.paypal.createRefund(paymentId);
      fixture.paypal.closeDispute(disputeId, 'lost');
      assert.deepEqual(
        await listReportedRefunds(provider),
        new Map([[`refund ${id}`, [5_181, 5_181]]]),
      );
      const { events } = await gateway.listEvents!(paymentId);
      assert.deepEqual(
        events.flatMap((event) => ('amount' in event ? [[event.id, event.amount]] : [])),
        [
          [`refund ${id}`, 5_181],
          [`dispute_opened ${disputeId}`, 5_181],
          [`dispute_lost ${disputeId}`, 5_181],
        ],
      );
    }
  });
}
