import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../wait-until.ts';
import {
  createDonationInReview,
  fetchDonationDetail,
  resolveDonation,
  startAdminServer,
} from '../admin/support.ts';
import { waitForDelivery } from '../reporting/support.ts';
import {
  createLostResponse,
  isGiftCreation,
  Outage,
  removeFindGift,
  removeUpdateGift,
  respondWith,
} from './faults.ts';
import { waitForCreationStatus } from './review-support.ts';

test('marks a reviewed charge that was refunded as failed, sends no notification, and ignores later events about it', async () => {
  await using server = await startAdminServer();
  const { reference, key } = await createDonationInReview(server);
  const payment = (await server.repository.findByReference(reference))!.paymentId!;
  const { donation } = await resolveDonation(server, reference, { decision: 'failed' });
  assert.equal(donation?.status, 'failed');
  server.fakeStripe.createRefund(payment);
  await server.deliverWebhooks({ times: 2 });
  await waitForDelivery(server);
  const { status, events } = await fetchDonationDetail(server, reference);
  assert.deepEqual(
    [status, events.map((event) => [event.label, event.status, event.lastError])],
    ['failed', [['Refund', 'delivered', 'the donation failed before the platform received it']]],
  );
  assert.deepEqual(
    [(await server.pollOutcome(key)).reason, server.sentGifts],
    ['not-confirmed', []],
  );
});

test('resends a gift once after the decision that the platform does not have it', async () => {
  let time = Date.now();
  await using server = await startAdminServer({
    now: () => time,
    changePlatform: removeFindGift,
    intercept: createLostResponse(),
  });
  const { reference } = await server.donate();
  await waitForCreationStatus(server, reference, 'needs_review', () => (time += 1_000));
  const decision = { decision: 'not-recorded' };
  const { status, message = '' } = await resolveDonation(server, reference, decision);
  assert.equal(status, 409);
  assert.match(message, /not-recorded yet, because .* in progress\. Try again in a minute\.$/);
  time += 60_000;
  assert.equal((await resolveDonation(server, reference, decision)).status, 200);
  await waitForCreationStatus(server, reference, 'delivered');
  assert.equal(server.sentGifts.length, 2);
});

test('lists each change for which the platform has no call, for manual entry, and still records renewals', async () => {
  await using server = await startAdminServer({ changePlatform: removeUpdateGift });
  const { reference } = await server.donate(undefined, { frequency: 'monthly' });
  const { paymentId, subscriptionId } = (await server.repository.findByReference(reference))!;
  await waitForDelivery(server);
  server.fakeStripe.renewSubscription(subscriptionId!);
  server.fakeStripe.createRefund(paymentId!, 1_000);
  server.fakeStripe.createRefund(paymentId!, 500);
  await server.deliverWebhooks();
  await waitUntil(
    async () => (await fetchDonationDetail(server, reference)).reviewOptions.length === 4,
  );
  const several = await resolveDonation(server, reference, { decision: 'entered' });
  const [first, second] = await server.repository.outbox.listByStatus('manual', 10);
  for (const event of [first, second])
    assert.deepEqual(
      [event?.kind, event?.reference, event?.lastError],
      ['refund', reference, 'the platform adapter does not support gift updates'],
    );
  assert.deepEqual(
    [several.status, several.message?.includes(`Specify one: '${first!.id}', '${second!.id}'`)],
    [409, true],
  );
  for (const status of [200, 409])
    assert.equal(
      (await resolveDonation(server, reference, { decision: 'entered', event: first!.id })).status,
      status,
    );
  const { donation } = await resolveDonation(server, reference, { decision: 'entered' });
  assert.deepEqual(donation?.reviewOptions, []);
  assert.equal((await server.listGifts()).length, 2);
});

test('does not send a gift that was entered manually while it was next in the outbox', async () => {
  const sent: string[] = [];
  let time = Date.now();
  let enter = undefined as (() => Promise<unknown>) | undefined;
  const outage = new Outage(isGiftCreation, async (request, next) => {
    if (!enter) return respondWith(400)(request, next);
    sent.push(((await request.clone().json()) as { reference: string }).reference);
    await enter();
    return next(request);
  });
  await using server = await startAdminServer({ now: () => time, intercept: outage.intercept });
  const { reference: first } = await server.donate();
  time += 1;
  const { reference: second } = await server.donate();
  await waitUntil(
    async () => (await fetchDonationDetail(server, second)).reviewOptions.length === 1,
  );
  time += 60_000;
  enter = () => resolveDonation(server, second, { decision: 'entered', platformId: 7 });
  await waitForDelivery(server);
  assert.deepEqual(
    [
      sent,
      (await fetchDonationDetail(server, first)).platformId,
      (await fetchDonationDetail(server, second)).platformId,
    ],
    [[first], '1', '7'],
  );
});
