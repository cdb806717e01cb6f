import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../wait-until.ts';
import {
  createDonationInReview,
  startAdminServer,
  fetchDonationDetail,
  resolveDonation,
} from '../admin/support.ts';
import {
  isGiftCreation,
  createLostResponse,
  removeUpdateGift,
  removeFindGift,
} from './review-support.ts';
import { readOutcome } from '../support.ts';

test('marks a reviewed charge that was refunded as failed, sends no notification, and ignores later events about it', async () => {
  await using server = await startAdminServer();
  const { reference, key } = await createDonationInReview(server);
  const payment = (await server.repository.findByReference(reference))!.paymentId!;
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'failed' })).donation?.status,
    'failed',
  );
  server.fakeStripe.createRefund(payment);
  await server.deliverWebhooks({ times: 2 });
  await waitUntil(
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  const { status, events } = await fetchDonationDetail(server, reference);
  assert.deepEqual(
    [status, events.map((event) => [event.label, event.status, event.lastError])],
    ['failed', [['Refund', 'delivered', 'the donation failed before the platform received it']]],
  );
  assert.deepEqual(
    [(await readOutcome(await server.fetchOutcome(key))).reason, server.sentGifts],
    ['not-confirmed', []],
  );
});

test('notifies the platform of a reviewed processing donation as paid or failed, as decided', async () => {
  for (const [decision, status] of [
    ['succeeded', 1],
    ['failed', 2],
  ] as const) {
    await using server = await startAdminServer();
    const { reference } = await readOutcome(
      await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } })),
    );
    await waitUntil(async () => (await server.listGifts())[0]?.status === 8);
    const row = await server.repository.findByReference(reference);
    const { paymentId, subscriptionId, paymentMethod } = row!;
    await server.repository.markNeedsReview(
      row!,
      { paymentId, subscriptionId, paymentMethod },
      'the payment provider charged 41.81 USD (pay_1) instead of the agreed 50.00 USD',
    );
    assert.equal((await resolveDonation(server, reference, { decision })).status, 200);
    await waitUntil(async () => (await server.listGifts())[0]?.status === status);
    assert.equal(server.sentGifts.length, 1, decision);
  }
});

test('resends a gift once after the decision that the platform does not have it', async () => {
  let time = Date.now();
  await using server = await startAdminServer({
    now: () => time,
    changePlatform: removeFindGift,
    intercept: createLostResponse(),
  });
  const { reference } = await server.donate();
  await waitUntil(async () => {
    time += 1_000;
    server.handler.start();
    return (await server.repository.outbox.findGiftCreation(reference))?.status === 'needs_review';
  });
  const { status, message = '' } = await resolveDonation(server, reference, {
    decision: 'not-recorded',
  });
  assert.equal(status, 409);
  assert.match(message, /not-recorded yet, because .* in progress\. Try again in a minute\.$/);
  time += 60_000;
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'not-recorded' })).status,
    200,
  );
  await waitUntil(
    async () =>
      (await server.repository.outbox.findGiftCreation(reference))?.status === 'delivered',
  );
  assert.equal(server.sentGifts.length, 2);
});

test('lists each change for which the platform has no call, for manual entry', async () => {
  await using server = await startAdminServer({ changePlatform: removeUpdateGift });
  const { reference, response } = await server.donate();
  await waitUntil(async () => (await server.listGifts()).length === 1);
  server.fakeStripe.createRefund(response!.transactionId!, 1_000);
  server.fakeStripe.createRefund(response!.transactionId!, 500);
  await server.deliverWebhooks();
  await waitUntil(
    async () => (await fetchDonationDetail(server, reference)).reviewOptions.length === 4,
  );
  const several = await resolveDonation(server, reference, { decision: 'entered' });
  const [first, second] = (await fetchDonationDetail(server, reference)).events.filter(
    ({ status }) => status === 'manual',
  );
  assert.deepEqual(
    [several.status, several.message?.includes(`Specify one: '${first!.id}', '${second!.id}'`)],
    [409, true],
  );
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'entered', event: first!.id })).status,
    200,
  );
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'entered', event: first!.id })).status,
    409,
  );
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'entered' })).donation?.reviewOptions
      .length,
    0,
  );
});

test('does not send a gift that was entered manually while it was next in the outbox', async () => {
  const sent: string[] = [];
  let time = Date.now();
  let enter = undefined as (() => Promise<unknown>) | undefined;
  await using server = await startAdminServer({
    now: () => time,
    intercept: async (request, next) => {
      if (!isGiftCreation(request)) return next(request);
      if (!enter) return Response.json({ message: 'no' }, { status: 400 });
      sent.push(((await request.clone().json()) as { reference: string }).reference);
      await enter();
      return next(request);
    },
  });
  const { reference: first } = await server.donate();
  time += 1;
  const { reference: second } = await server.donate();
  await waitUntil(
    async () => (await fetchDonationDetail(server, second)).reviewOptions.length === 1,
  );
  time += 60_000;
  enter = () => resolveDonation(server, second, { decision: 'entered', platformId: 7 });
  server.handler.start();
  await waitUntil(
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.deepEqual(
    [
      sent,
      (await fetchDonationDetail(server, first)).platformId,
      (await fetchDonationDetail(server, second)).platformId,
    ],
    [[first], '1', '7'],
  );
});
