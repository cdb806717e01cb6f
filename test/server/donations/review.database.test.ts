import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../wait-until.ts';
import {
  createHeldDonation,
  openAdminDesk,
  fetchDonationDetail,
  resolveDonation,
} from '../admin/support.ts';
import { isRecording, losingOneReply, withoutChanges, withoutLookUp } from './review-support.ts';
import { outcomeOf } from '../support.ts';

test('a held charge whose money is paid back counts as declined, is told to nobody, and is not held again when the processor tells of it', async () => {
  await using desk = await openAdminDesk();
  const { reference, key } = await createHeldDonation(desk);
  const payment = (await desk.repository.findByReference(reference))!.payment_id!;
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'failed' })).donation?.status,
    'failed',
  );
  desk.fake.createRefund(payment);
  await desk.tell({ times: 2 });
  await waitUntil(
    async () => (await desk.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  const { status, events } = await fetchDonationDetail(desk, reference);
  assert.deepEqual(
    [status, events.map((event) => [event.label, event.status, event.lastError])],
    ['failed', [['Refund', 'delivered', 'the platform never received the donation, which failed']]],
  );
  assert.deepEqual(
    [(await outcomeOf(await desk.ask(key))).reason, desk.sent],
    ['not-confirmed', []],
  );
});

test('a pending gift that the platform knows and that is held is told as paid or as failed, whichever a person says', async () => {
  for (const [decision, status] of [
    ['succeeded', 1],
    ['failed', 2],
  ] as const) {
    await using desk = await openAdminDesk();
    const { reference } = await outcomeOf(
      await desk.post(await desk.request({ payment: { provider: 'offline' } })),
    );
    await waitUntil(async () => (await desk.gifts())[0]?.status === 8);
    const row = await desk.repository.findByReference(reference);
    const { payment_id, subscription_id, payment_method } = row!;
    await desk.repository.markNeedsReview(
      row!,
      { payment_id, subscription_id, payment_method },
      'the provider charged 4181 minor units of USD (pay_1)',
    );
    assert.equal((await resolveDonation(desk, reference, { decision })).status, 200);
    await waitUntil(async () => (await desk.gifts())[0]?.status === status);
    assert.equal(desk.sent.length, 1, decision);
  }
});

test('a gift of which a person says that it is not at the platform is sent again, once', async () => {
  let time = Date.now();
  await using desk = await openAdminDesk({
    now: () => time,
    platform: withoutLookUp,
    between: losingOneReply(),
  });
  const { reference } = await desk.give();
  await waitUntil(async () => {
    time += 1_000;
    desk.handler.start();
    return (await desk.repository.outbox.findGiftEvent(reference))?.status === 'needs_review';
  });
  time += 60_000;
  assert.equal((await resolveDonation(desk, reference, { decision: 'not-recorded' })).status, 200);
  await waitUntil(
    async () => (await desk.repository.outbox.findGiftEvent(reference))?.status === 'delivered',
  );
  assert.equal(desk.sent.length, 2);
});

test('a change that the platform takes no call for is entered by a person, each of several by its name', async () => {
  await using desk = await openAdminDesk({ platform: withoutChanges });
  const { reference, response } = await desk.give();
  await waitUntil(async () => (await desk.gifts()).length === 1);
  desk.fake.createRefund(response!.transactionId!, 1_000);
  desk.fake.createRefund(response!.transactionId!, 500);
  await desk.tell();
  await waitUntil(
    async () => (await fetchDonationDetail(desk, reference)).reviewOptions.length === 4,
  );
  const several = await resolveDonation(desk, reference, { decision: 'entered' });
  const [first, second] = (await fetchDonationDetail(desk, reference)).events.filter(
    ({ status }) => status === 'manual',
  );
  assert.deepEqual(
    [several.status, several.message?.includes(`Name one of '${first!.id}', '${second!.id}'`)],
    [409, true],
  );
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'entered', event: first!.id })).status,
    200,
  );
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'entered', event: first!.id })).status,
    409,
  );
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'entered' })).donation?.reviewOptions
      .length,
    0,
  );
});

test('a gift that a person enters while it stands next in line to be sent is not sent', async () => {
  const sent: string[] = [];
  let time = Date.now();
  let enter = undefined as (() => Promise<unknown>) | undefined;
  await using desk = await openAdminDesk({
    now: () => time,
    between: async (request, next) => {
      if (!isRecording(request)) return next(request);
      if (!enter) return Response.json({ message: 'no' }, { status: 400 });
      sent.push(((await request.clone().json()) as { reference: string }).reference);
      await enter();
      return next(request);
    },
  });
  const { reference: first } = await desk.give();
  time += 1;
  const { reference: second } = await desk.give();
  await waitUntil(async () => (await fetchDonationDetail(desk, second)).reviewOptions.length === 1);
  time += 60_000;
  enter = () => resolveDonation(desk, second, { decision: 'entered', platformId: 7 });
  desk.handler.start();
  await waitUntil(
    async () => (await desk.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.deepEqual(
    [
      sent,
      (await fetchDonationDetail(desk, first)).platformId,
      (await fetchDonationDetail(desk, second)).platformId,
    ],
    [[first], 1, 7],
  );
});
