import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../until.ts';
import { heldGift, openOperatorDesk, reportOf, resolveGift } from './operator-support.ts';
import { isRecording, losingOneReply, withoutChanges, withoutLookUp } from './resolving-support.ts';
import { outcomeOf } from './support.ts';

test('a held charge whose money is paid back counts as declined, is told to nobody, and is not held again when the processor tells of it', async () => {
  await using desk = await openOperatorDesk();
  const { reference, key } = await heldGift(desk);
  const payment = (await desk.repository.findByReference(reference))!.payment_id!;
  assert.equal((await resolveGift(desk, reference, { as: 'declined' })).report?.state, 'declined');
  desk.fake.refund(payment);
  await desk.tell({ times: 2 });
  await until(
    async () => (await desk.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  const { state, events } = await reportOf(desk, reference);
  assert.deepEqual(
    [state, events.map((event) => [event.what, event.state, event.lastError])],
    [
      'declined',
      [['Refund', 'recorded', 'the platform was never told of its gift, which counts as declined']],
    ],
  );
  assert.deepEqual(
    [(await outcomeOf(await desk.ask(key))).reason, desk.sent],
    ['not-confirmed', []],
  );
});

test('a pending gift that the platform knows and that is held is told as paid or as failed, whichever a person says', async () => {
  for (const [as, status] of [
    ['charged', 1],
    ['declined', 2],
  ] as const) {
    await using desk = await openOperatorDesk();
    const { reference } = await outcomeOf(
      await desk.post(await desk.request({ payment: { provider: 'offline' } })),
    );
    await until(async () => (await desk.gifts())[0]?.status === 8);
    const row = await desk.repository.findByReference(reference);
    const { payment_id, subscription_id, payment_method } = row!;
    await desk.repository.markNeedsReview(
      row!,
      { payment_id, subscription_id, payment_method },
      'the processor says 4181 USD (pay_1)',
    );
    assert.equal((await resolveGift(desk, reference, { as })).status, 200);
    await until(async () => (await desk.gifts())[0]?.status === status);
    assert.equal(desk.sent.length, 1, as);
  }
});

test('a gift of which a person says that it is not at the platform is sent again, once', async () => {
  let time = Date.now();
  await using desk = await openOperatorDesk({
    now: () => time,
    recorder: withoutLookUp,
    between: losingOneReply(),
  });
  const { reference } = await desk.give();
  await until(async () => {
    time += 1_000;
    desk.handler.start();
    return (await desk.repository.outbox.findGiftEvent(reference))?.state === 'held';
  });
  time += 60_000;
  assert.equal((await resolveGift(desk, reference, { as: 'not-recorded' })).status, 200);
  await until(
    async () => (await desk.repository.outbox.findGiftEvent(reference))?.state === 'recorded',
  );
  assert.equal(desk.sent.length, 2);
});

test('a change that the platform takes no call for is entered by a person, each of several by its name', async () => {
  await using desk = await openOperatorDesk({ recorder: withoutChanges });
  const { reference, response } = await desk.give();
  await until(async () => (await desk.gifts()).length === 1);
  desk.fake.refund(response!.transactionId!, 1_000);
  desk.fake.refund(response!.transactionId!, 500);
  await desk.tell();
  await until(async () => (await reportOf(desk, reference)).ways.length === 4);
  const several = await resolveGift(desk, reference, { as: 'entered' });
  const [first, second] = (await reportOf(desk, reference)).events.filter(
    ({ state }) => state === 'by-hand',
  );
  assert.deepEqual(
    [
      several.status,
      several.message?.includes(`Name the one that you mean: '${first!.id}', '${second!.id}'`),
    ],
    [409, true],
  );
  assert.equal(
    (await resolveGift(desk, reference, { as: 'entered', about: first!.id })).status,
    200,
  );
  assert.equal(
    (await resolveGift(desk, reference, { as: 'entered', about: first!.id })).status,
    409,
  );
  assert.equal((await resolveGift(desk, reference, { as: 'entered' })).report?.ways.length, 0);
});

test('a gift that a person enters while it stands next in line to be sent is not sent', async () => {
  const sent: string[] = [];
  let time = Date.now();
  let enter = undefined as (() => Promise<unknown>) | undefined;
  await using desk = await openOperatorDesk({
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
  await until(async () => (await reportOf(desk, second)).ways.length === 1);
  time += 60_000;
  enter = () => resolveGift(desk, second, { as: 'entered', platformId: 7 });
  desk.handler.start();
  await until(
    async () => (await desk.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.deepEqual(
    [sent, (await reportOf(desk, first)).platformId, (await reportOf(desk, second)).platformId],
    [[first], 1, 7],
  );
});
