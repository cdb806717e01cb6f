import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedPayment } from '../../../src/server/payments/payment-gateway.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { startServer } from '../support.ts';
import { DAY, donateAndGetReference, insertCopies, reconcile, waitForDelivery } from './support.ts';

test('counts a donation just before midnight once if processor and platform date it on the next day', async () => {
  const midnight = Date.parse('2026-12-01T05:00:00Z');
  let time = midnight - 1_000;
  await using server = await startServer({
    now: () => time,
    timeZone: 'America/New_York',
    intercept: (request, next) => {
      if (request.method === 'POST' && request.url.endsWith('/stripe/v1/payment_intents'))
        time = midnight + 2_000;
      return next(request);
    },
  });
  const reference = await donateAndGetReference(server);
  await waitForDelivery(server);
  time += DAY;
  const november = await reconcile(server, { from: '2026-11-01', to: '2026-11-30' });
  const december = await reconcile(server, { from: '2026-12-01', to: '2026-12-31' });
  assert.deepEqual(
    [
      november.rows.map((row) => [row.reference, row.created_local]),
      november.differences,
      december.rows,
      december.differences,
    ],
    [[[reference, '2026-11-30 23:59:59']], [], [], []],
  );
});

test('lists renewals, refunds, and disputes whose webhooks were lost, and applies them like webhooks', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({
    now: () => (time += 1),
  });
  const { reference, subscriptionId } = await server.donateMonthly();
  const { reference: single, response } = await server.donate();
  const { reference: disputed, response: disputedResponse } = await server.donate();
  server.fakeStripe.renewSubscription(subscriptionId);
  server.fakeStripe.createRefund(response!.transactionId!, 1_000);
  const dispute = server.fakeStripe.openDispute(disputedResponse!.transactionId!);
  server.fakeStripe.closeDispute(dispute.id, 'lost');
  await waitForDelivery(server);
  assert.deepEqual(
    (await reconcile(server)).inProgress.toSorted(),
    [reference, single].toSorted(),
    'the webhooks of recent changes may still arrive',
  );
  time += DAY;
  const lost = await reconcile(server);
  assert.deepEqual(
    [lost.differences.toSorted(), lost.end.differences],
    [
      [
        `missing database dispute_lost ${disputed}`,
        `missing database dispute_opened ${disputed}`,
        `missing database refund ${single}`,
        `missing database renewal ${reference}`,
      ].toSorted(),
      4,
    ],
  );
  const taking = await reconcile(server, { apply: true });
  assert.deepEqual(
    taking.applied.toSorted(),
    [
      `${disputed} dispute_lost`,
      `${disputed} dispute_opened`,
      `${reference}-2 renewal`,
      `${single} refund`,
    ].toSorted(),
  );
  await waitForDelivery(server);
  const gifts = await server.listGifts();
  assert.deepEqual(
    [
      gifts.length,
      gifts.find((gift) => gift.reference === single)?.refunded,
      gifts.find((gift) => gift.reference === disputed)?.status,
    ],
    [4, '10.00', 11],
  );
  const after = await reconcile(server);
  assert.deepEqual(
    [
      after.differences,
      after.rows
        .map((row) => [
          row.reference,
          row.parent_reference,
          row.status,
          row.total,
          row.refunded,
          row.fee,
        ])
        .map((columns) => columns.join())
        .toSorted(),
    ],
    [
      [],
      [
        `${reference},,Approved,51.81,0.00,1.80`,
        `${reference}-2,${reference},Approved,51.81,0.00,1.80`,
        `${single},,Approved,51.81,10.00,1.80`,
        `${disputed},,DisputedLost,51.81,0.00,1.80`,
      ].toSorted(),
    ],
  );
  assert.deepEqual(
    (await reconcile(server, { apply: true })).applied,
    [],
    'each change is applied once',
  );
});

test('compares 1,250 donations page by page, each once', async () => {
  const time = Date.now();
  await using server = await startServer({
    now: () => time,
    changePlatform: () => ({
      isNone: true,
      createGift: () => Promise.reject(new Error('unexpected call')),
    }),
  });
  const reference = await donateAndGetReference(server);
  const [first, ...rows] = await insertCopies(server, reference, 1_250, (index) => ({
    createdAt: time - DAY * 3 + (index % 3 === 0 ? 0 : index),
  }));
  const charge = { status: 'succeeded', total: 5_181, currency: 'USD', refunded: 0 } as const;
  const payments: ListedPayment[] = [
    ...rows.map((row) => ({
      ...charge,
      paymentId: row.paymentId,
      reference: row.reference,
      at: new Date(row.createdAt),
    })),
    { ...charge, paymentId: 'pay_unknown', at: new Date(time - 2 * DAY), total: 100 },
  ];
  Object.assign(server.organizations.all[0]!.payments.get('stripe')!.gateway, {
    async *iteratePayments() {
      yield* payments;
    },
    listEvents: () => Promise.resolve({ reference: 'KSTXX-KSTXX', events: [] }),
    retrievePayment: () => Promise.resolve({ paymentId: '', status: 'failed' }),
  });
  const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const report = await reconcile(server, { from: toDay(time - 4 * DAY), to: toDay(time - DAY) });
  assert.deepEqual(
    [report.end.donations, new Set(report.rows.map((row) => row.reference)).size],
    [1_250, 1_250],
  );
  assert.deepEqual(
    report.fullDifferences
      .map(({ type, side, reference }) => `${type} ${side} ${reference}`)
      .toSorted(),
    [`mismatch payment-provider ${first!.reference}`, 'missing database KSTXX-KSTXX'],
  );
});
