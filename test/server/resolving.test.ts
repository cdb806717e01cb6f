import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resolved } from '../../src/server/admin/donation-actions.ts';
import { CARDS } from '../fake-stripe/index.ts';
import {
  askOperator,
  heldGift,
  openOperatorDesk,
  reportOf,
  resolveGift,
} from './operator-support.ts';
import { until } from '../until.ts';
import { isRecording, losingOneReply, withoutLookUp } from './resolving-support.ts';
import { outcomeOf } from './support.ts';

test('a held charge that is accepted counts as charged, is told once, and its donor reads thanks', async () => {
  await using desk = await openOperatorDesk();
  const { reference, key } = await heldGift(desk);
  assert.deepEqual(
    (await reportOf(desk, reference)).ways.map(({ as }) => as),
    ['charged', 'entered', 'declined'],
  );
  const { status, report } = await resolveGift(desk, reference, {
    as: 'charged',
    note: 'seen in the dashboard',
  });
  assert.deepEqual([status, report?.state, report?.ways], [200, 'charged', []]);
  assert.deepEqual(
    report?.resolutions.map(({ by, from, to, note }) => [by, from, to, note]),
    [['Ana', 'held', 'charged', 'seen in the dashboard']],
  );
  await until(
    async () => (await desk.repository.outbox.findGiftEvent(reference))?.state === 'recorded',
  );
  assert.equal((await outcomeOf(await desk.ask(key))).state, 'succeeded');
  const again = await resolveGift(desk, reference, { as: 'charged' });
  assert.deepEqual(
    [again.status, again.message],
    [
      409,
      `${reference} cannot be resolved as charged: its payment is charged, 'gift ${reference}' is recorded. Nothing of it waits for a decision now.`,
    ],
  );
  assert.equal((await desk.gifts()).length, 1);
});

test('what fails after a decision was kept does not hide it, and what follows from it is told all the same', async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const { outbox: events } = desk.repository;
  const dueNow = events.makeDue.bind(events);
  events.makeDue = () => Promise.reject(new Error('Connection terminated'));
  const response = await askOperator(desk, `/api/gifts/${reference}/resolve`, {
    by: 'Ana',
    as: 'charged',
  });
  const { resolution, report } = (await response.json()) as Resolved;
  assert.deepEqual(
    [
      response.status,
      resolution.to,
      resolution.about,
      report,
      (await desk.repository.findByReference(reference))?.state,
    ],
    [200, 'charged', 'the payment', undefined, 'charged'],
  );
  assert.ok(
    desk.logged.some((line) => line.includes('a decision was kept') && line.includes(reference)),
  );
  events.makeDue = dueNow;
  desk.handler.start();
  await until(async () => (await desk.gifts()).length === 1);
});

test('a failure of the server does not say that nothing was done', async () => {
  await using desk = await openOperatorDesk();
  desk.repository.reviewDecisions.family = () => Promise.reject(new Error('Connection terminated'));
  const response = await askOperator(desk, '/api/gifts/ABCDE-FGHJK');
  assert.deepEqual(
    [response.status, await response.json()],
    [
      500,
      {
        message:
          'The server failed; its log says where. What you asked for may have been done: look at the gift before you try again.',
      },
    ],
  );
});

test('a held charge that was entered by hand is not sent, and its refund is told under the id that was given', async () => {
  await using desk = await openOperatorDesk();
  await desk.give();
  await until(async () => (await desk.gifts()).length === 1);
  const { reference } = await heldGift(desk);
  const payment = (await desk.repository.findByReference(reference))!.payment_id!;
  desk.fake.refund(payment, 1_000);
  await desk.tell();
  assert.match(
    (await resolveGift(desk, reference, { as: 'entered' })).message ?? '',
    /name the id that the platform shows/,
  );
  assert.equal(
    (await resolveGift(desk, reference, { as: 'entered', platformId: 1 })).report?.platformId,
    1,
  );
  await until(async () => desk.calls.includes('PATCH /sandbox/gifts/1'));
  assert.equal(desk.sent.length, 1);
});

test('of a promised gift a person says that its money came, or that it will not, and the platform is told', async () => {
  for (const [as, status, state] of [
    ['charged', 1, 'charged'],
    ['declined', 2, 'declined'],
  ] as const) {
    await using desk = await openOperatorDesk();
    const { reference } = await outcomeOf(
      await desk.post(await desk.request({ payment: { provider: 'offline' } })),
    );
    await until(async () => (await desk.gifts())[0]?.status === 8);
    assert.deepEqual(
      (await reportOf(desk, reference)).ways.map(({ as: one }) => one),
      ['charged', 'declined'],
    );
    const { report } = await resolveGift(desk, reference, { as });
    await until(async () => (await desk.gifts())[0]?.status === status);
    assert.deepEqual([report?.state, report?.ways, desk.sent.length], [state, [], 1]);
  }
});

test('a gift of which the platform may know is settled by its id there, and what happened to it meanwhile is told by itself', async () => {
  await using desk = await openOperatorDesk({ recorder: withoutLookUp, between: losingOneReply() });
  const { reference, response } = await desk.give();
  await until(
    async () => (await desk.repository.outbox.findGiftEvent(reference))?.state === 'held',
  );
  desk.fake.refund(response!.transactionId!);
  await desk.tell();
  await until(
    async () =>
      (await reportOf(desk, reference)).events.at(-1)?.lastError ===
      'the platform does not know the gift yet',
  );
  assert.deepEqual(
    (await reportOf(desk, reference)).events.map(({ what, state }) => [what, state]),
    [
      ['Gift', 'held'],
      ['Refund', 'waiting'],
    ],
  );
  assert.deepEqual(
    (await reportOf(desk, reference)).ways.map(({ as }) => as),
    ['recorded'],
    'while the lost call may still arrive nobody can say that it did not',
  );
  assert.equal((await resolveGift(desk, reference, { as: 'recorded', platformId: 1 })).status, 200);
  await until(async () => (await desk.gifts())[0]?.status === 4);
  assert.equal(desk.sent.length, 1);
});

test('a change for which the platform has a call by now is sent by it', async () => {
  let hasCall = false;
  await using desk = await openOperatorDesk({
    recorder: (recorder) => ({
      createGift: (gift) => recorder.createGift(gift),
      get updateGift() {
        return hasCall
          ? (change: Parameters<NonNullable<typeof recorder.updateGift>>[0]) =>
              recorder.updateGift!(change)
          : undefined!;
      },
    }),
  });
  const { reference, response } = await desk.give();
  await until(async () => (await desk.gifts()).length === 1);
  desk.fake.refund(response!.transactionId!);
  await desk.tell();
  await until(async () => (await reportOf(desk, reference)).ways.length === 2);
  hasCall = true;
  assert.equal((await resolveGift(desk, reference, { as: 'send' })).status, 200);
  await until(async () => (await desk.gifts())[0]?.status === 4);
});

test('a gift that the platform refuses is entered by a person, and not sent any more', async () => {
  await using desk = await openOperatorDesk({
    between: async (request, next) =>
      isRecording(request) ? Response.json({ message: 'no' }, { status: 400 }) : next(request),
  });
  const { reference } = await desk.give();
  await until(async () => (await reportOf(desk, reference)).ways.length === 1);
  assert.equal(
    (await resolveGift(desk, reference, { as: 'entered', platformId: 7 })).report?.platformId,
    7,
  );
  const sent = desk.calls.length;
  const { said } = (await (
    await askOperator(desk, `/api/gifts/${reference}/retry`, {})
  ).json()) as { said: string[] };
  assert.deepEqual([said, desk.calls.length], [['Nothing of it waits.'], sent]);
});

test('ten people who decide at once: one decision counts, nine are told what is', async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_one, index) =>
      resolveGift(desk, reference, {
        as: index % 3 ? 'declined' : 'charged',
        by: `person ${index}`,
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  assert.equal((await reportOf(desk, reference)).resolutions.length, 1);
});

test('retry asks the processor and tells the platform now, and says what came of it', async () => {
  let isUp = false;
  let time = Date.now();
  await using desk = await openOperatorDesk({
    now: () => time,
    between: async (request, next) =>
      isUp || !isRecording(request)
        ? next(request)
        : Response.json({ message: 'no' }, { status: 400 }),
  });
  const { reference } = await desk.give();
  const retry = async (): Promise<string[]> =>
    (
      (await (await askOperator(desk, `/api/gifts/${reference}/retry`, {})).json()) as {
        said: string[];
      }
    ).said;
  await until(
    async () => ((await desk.repository.outbox.findGiftEvent(reference))?.attempts ?? 0) > 0,
  );
  assert.match((await retry()).join(), /^Gift .*: still waiting \(no\)\.$/);
  isUp = true;
  assert.deepEqual(await retry(), [`Gift ${reference}: the platform knows.`]);
  assert.deepEqual(await retry(), ['Nothing of it waits.']);
  const { reference: asked } = await desk.give(CARDS.authenticated);
  desk.fake.authenticate(desk.fake.paymentIntents().at(-1)!.id, true);
  time += 1;
  const { said } = (await (await askOperator(desk, `/api/gifts/${asked}/retry`, {})).json()) as {
    said: string[];
  };
  assert.deepEqual(said, ['The processor was asked: the payment is charged.']);
});

test('retry does not call a platform that asked for silence, and says until when', async () => {
  await using desk = await openOperatorDesk({
    between: async (request, next) =>
      isRecording(request)
        ? Response.json(
            {},
            {
              status: 429,
              headers: { 'X-RateLimit-Reset': String(Math.floor(Date.now() / 1_000) + 600) },
            },
          )
        : next(request),
  });
  const { reference } = await desk.give();
  await until(
    async () => ((await desk.repository.outbox.findGiftEvent(reference))?.attempts ?? 0) > 0,
  );
  const calls = desk.calls.length;
  const { said } = (await (
    await askOperator(desk, `/api/gifts/${reference}/retry`, {})
  ).json()) as { said: string[] };
  assert.match(said.join(), /asked for silence: it is not called before 20/);
  assert.equal(desk.calls.length, calls);
});
