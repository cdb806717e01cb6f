import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPayPalProvider } from './paypal-provider.ts';
import {
  createBody,
  listReportedRefunds,
  payAndGetPaymentId,
  payMonthlyAndGetPaymentId,
  createSignedHeaders,
} from './paypal-webhook-support.ts';

test('reports a lost dispute as lost, and not also as a refund', async () => {
  for (const listsReversals of [false, true]) {
    await using provider = await startPayPalProvider({ listsReversals });
    const { gateway, fixture, listWebhooks } = provider;
    const { paypal } = fixture;
    const paymentId = await payAndGetPaymentId(provider, 'AAAAA-22222');
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
    let time = Date.now();
    const now = (): Date => new Date((time += 1_000));
    await using provider = await startPayPalProvider({ listsReversals, now });
    const { gateway, fixture } = provider;
    const paymentId = await payAndGetPaymentId(provider, 'AAAAA-44444');
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
  const paymentId = await payAndGetPaymentId(provider, 'AAAAA-77777');
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
  const { gateway, fixture } = provider;
  const paymentId = await payAndGetPaymentId(provider, 'AAAAA-33333');
  const { id } = fixture.paypal.reversePayment(paymentId);
  const body = createBody('PAYMENT.CAPTURE.REVERSED', { id });
  const events = await gateway.verifyAndFetchEvents!(body, createSignedHeaders(provider, body));
  assert.deepEqual(
    events.flatMap((event) => (event.kind === 'refund' ? [event.amount] : [])),
    [5_181],
  );
});

test('reports charges and refunds even if the app may not read disputes', async () => {
  await using provider = await startPayPalProvider();
  const { gateway, fixture } = provider;
  const paymentId = await payAndGetPaymentId(provider, 'AAAAA-44444');
  const { id: refundId } = fixture.paypal.createRefund(paymentId);
  fixture.paypal.failCalls(403, 2, /disputes/);
  for (const [type, id] of [
    ['PAYMENT.CAPTURE.COMPLETED', paymentId],
    ['PAYMENT.CAPTURE.REFUNDED', refundId],
  ] as const) {
    const body = createBody(type, { id });
    const events = await gateway.verifyAndFetchEvents!(body, createSignedHeaders(provider, body));
    assert.equal(events.filter(({ kind }) => kind === 'refund').length, 1, type);
  }
});

for (const [name, charge] of [
  ['a single donation', payAndGetPaymentId],
  ['a recurring donation', payMonthlyAndGetPaymentId],
] as const) {
  test(`counts no reversal as refunded if the refund's webhook arrives after a lost dispute of ${name}`, async () => {
    for (const listsReversals of [false, true]) {
      let time = Date.now() - 3_600_000;
      const now = (): Date => new Date((time += 1_000));
      await using provider = await startPayPalProvider({ listsReversals, now });
      const { paypal } = provider.fixture;
      const paymentId = await charge(provider, 'AAAAA-55555');
      const { id } = paypal.createRefund(paymentId, { currency: 'USD', units: 1_000 });
      paypal.closeDispute(paypal.openDispute(paymentId).id, 'lost');
      assert.deepEqual(
        await listReportedRefunds(provider),
        new Map([[`refund ${id}`, [1_000, 1_000]]]),
      );
    }
  });

  test(`reports a full refund during a dispute of ${name} as a refund, and the dispute as lost`, async () => {
    for (const listsReversals of [false, true]) {
      let time = Date.now() - 3_600_000;
      const now = (): Date => new Date((time += 1_000));
      await using provider = await startPayPalProvider({ listsReversals, now });
      const { gateway, fixture } = provider;
      const paymentId = await charge(provider, 'AAAAA-66666');
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
