import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResolveResult } from '../../../src/server/admin/donation-actions.ts';
import { CARDS } from '../../fake-stripe/index.ts';
import {
  callAdmin,
  createHeldDonation,
  openAdminDesk,
  fetchDonationDetail,
  resolveDonation,
} from '../admin/support.ts';
import { waitUntil } from '../../wait-until.ts';
import { isRecording, losingOneReply, withoutLookUp } from './review-support.ts';
import { outcomeOf } from '../support.ts';

test('a held charge that is accepted counts as charged, is told once, and its donor reads thanks', async () => {
  await using desk = await openAdminDesk();
  const { reference, key } = await createHeldDonation(desk);
  assert.deepEqual(
    (await fetchDonationDetail(desk, reference)).reviewOptions.map(({ decision }) => decision),
    ['succeeded', 'entered', 'failed'],
  );
  const { status, donation: report } = await resolveDonation(desk, reference, {
    decision: 'succeeded',
    note: 'seen in the dashboard',
  });
  assert.deepEqual([status, report?.status, report?.reviewOptions], [200, 'succeeded', []]);
  assert.deepEqual(
    report?.decisions.map(({ by, from, to, note }) => [by, from, to, note]),
    [['Ana', 'needs_review', 'succeeded', 'seen in the dashboard']],
  );
  await waitUntil(
    async () => (await desk.repository.outbox.findGiftEvent(reference))?.status === 'delivered',
  );
  assert.equal((await outcomeOf(await desk.ask(key))).status, 'succeeded');
  const again = await resolveDonation(desk, reference, { decision: 'succeeded' });
  assert.deepEqual(
    [again.status, again.message],
    [
      409,
      `${reference} cannot be resolved as succeeded: its payment is succeeded, 'donation ${reference}' is delivered. It has nothing to review.`,
    ],
  );
  assert.equal((await desk.gifts()).length, 1);
});

test('what fails after a decision was kept does not hide it, and what follows from it is told all the same', async () => {
  await using desk = await openAdminDesk();
  const { reference } = await createHeldDonation(desk);
  const { outbox: events } = desk.repository;
  const dueNow = events.makeDue.bind(events);
  events.makeDue = () => Promise.reject(new Error('Connection terminated'));
  const response = await callAdmin(desk, `/api/donations/${reference}/resolve`, {
    by: 'Ana',
    decision: 'succeeded',
  });
  const { decision: resolution, donation: report } = (await response.json()) as ResolveResult;
  assert.deepEqual(
    [
      response.status,
      resolution.to,
      resolution.subject,
      report,
      (await desk.repository.findByReference(reference))?.status,
    ],
    [200, 'succeeded', 'the payment', undefined, 'succeeded'],
  );
  assert.ok(
    desk.logged.some(
      (line) =>
        line.includes('review decision saved, but a later step failed') && line.includes(reference),
    ),
  );
  events.makeDue = dueNow;
  desk.handler.start();
  await waitUntil(async () => (await desk.gifts()).length === 1);
});

test('a failure of the server does not say that nothing was done', async () => {
  await using desk = await openAdminDesk();
  desk.repository.reviewDecisions.findHistory = () =>
    Promise.reject(new Error('Connection terminated'));
  const response = await callAdmin(desk, '/api/donations/ABCDE-FGHJK');
  assert.deepEqual(
    [response.status, await response.json()],
    [
      500,
      {
        message:
          'The server failed; see its log. The change may have been made: check the donation before you try again.',
      },
    ],
  );
});

test('a held charge that was entered by hand is not sent, and its refund is told under the id that was given', async () => {
  await using desk = await openAdminDesk();
  await desk.give();
  await waitUntil(async () => (await desk.gifts()).length === 1);
  const { reference } = await createHeldDonation(desk);
  const payment = (await desk.repository.findByReference(reference))!.payment_id!;
  desk.fake.createRefund(payment, 1_000);
  await desk.tell();
  assert.match(
    (await resolveDonation(desk, reference, { decision: 'entered' })).message ?? '',
    /enter its ID on the platform/,
  );
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'entered', platformId: 1 })).donation
      ?.platformId,
    1,
  );
  await waitUntil(async () => desk.calls.includes('PATCH /sandbox/gifts/1'));
  assert.equal(desk.sent.length, 1);
});

test('of a promised gift a person says that its money came, or that it will not, and the platform is told', async () => {
  for (const [decision, giftStatus, status] of [
    ['succeeded', 1, 'succeeded'],
    ['failed', 2, 'failed'],
  ] as const) {
    await using desk = await openAdminDesk();
    const { reference } = await outcomeOf(
      await desk.post(await desk.request({ payment: { provider: 'offline' } })),
    );
    await waitUntil(async () => (await desk.gifts())[0]?.status === 8);
    assert.deepEqual(
      (await fetchDonationDetail(desk, reference)).reviewOptions.map((option) => option.decision),
      ['succeeded', 'failed'],
    );
    const { donation: report } = await resolveDonation(desk, reference, { decision });
    await waitUntil(async () => (await desk.gifts())[0]?.status === giftStatus);
    assert.deepEqual([report?.status, report?.reviewOptions, desk.sent.length], [status, [], 1]);
  }
});

test('a gift of which the platform may know is settled by its id there, and what happened to it meanwhile is told by itself', async () => {
  await using desk = await openAdminDesk({ platform: withoutLookUp, between: losingOneReply() });
  const { reference, response } = await desk.give();
  await waitUntil(
    async () => (await desk.repository.outbox.findGiftEvent(reference))?.status === 'needs_review',
  );
  desk.fake.createRefund(response!.transactionId!);
  await desk.tell();
  await waitUntil(
    async () =>
      (await fetchDonationDetail(desk, reference)).events.at(-1)?.lastError ===
      'the gift is not on the platform yet',
  );
  assert.deepEqual(
    (await fetchDonationDetail(desk, reference)).events.map(({ label: what, status }) => [
      what,
      status,
    ]),
    [
      ['Donation', 'needs_review'],
      ['Refund', 'pending'],
    ],
  );
  assert.deepEqual(
    (await fetchDonationDetail(desk, reference)).reviewOptions.map(({ decision }) => decision),
    ['recorded'],
    'while the lost call may still arrive nobody can say that it did not',
  );
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'recorded', platformId: 1 })).status,
    200,
  );
  await waitUntil(async () => (await desk.gifts())[0]?.status === 4);
  assert.equal(desk.sent.length, 1);
});

test('a change for which the platform has a call by now is sent by it', async () => {
  let hasCall = false;
  await using desk = await openAdminDesk({
    platform: (platform) => ({
      createGift: (gift) => platform.createGift(gift),
      get updateGift() {
        return hasCall
          ? (change: Parameters<NonNullable<typeof platform.updateGift>>[0]) =>
              platform.updateGift!(change)
          : undefined!;
      },
    }),
  });
  const { reference, response } = await desk.give();
  await waitUntil(async () => (await desk.gifts()).length === 1);
  desk.fake.createRefund(response!.transactionId!);
  await desk.tell();
  await waitUntil(
    async () => (await fetchDonationDetail(desk, reference)).reviewOptions.length === 2,
  );
  hasCall = true;
  assert.equal((await resolveDonation(desk, reference, { decision: 'send' })).status, 200);
  await waitUntil(async () => (await desk.gifts())[0]?.status === 4);
});

test('a gift that the platform refuses is entered by a person, and not sent any more', async () => {
  await using desk = await openAdminDesk({
    between: async (request, next) =>
      isRecording(request) ? Response.json({ message: 'no' }, { status: 400 }) : next(request),
  });
  const { reference } = await desk.give();
  await waitUntil(
    async () => (await fetchDonationDetail(desk, reference)).reviewOptions.length === 1,
  );
  assert.equal(
    (await resolveDonation(desk, reference, { decision: 'entered', platformId: 7 })).donation
      ?.platformId,
    7,
  );
  const sent = desk.calls.length;
  const { results } = (await (
    await callAdmin(desk, `/api/donations/${reference}/retry`, {})
  ).json()) as {
    results: string[];
  };
  assert.deepEqual(
    [results, desk.calls.length],
    [['Nothing was retried: this donation has no pending work.'], sent],
  );
});

test('ten people who decide at once: one decision counts, nine are told what is', async () => {
  await using desk = await openAdminDesk();
  const { reference } = await createHeldDonation(desk);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_one, index) =>
      resolveDonation(desk, reference, {
        decision: index % 3 ? 'failed' : 'succeeded',
        by: `person ${index}`,
      }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  assert.equal((await fetchDonationDetail(desk, reference)).decisions.length, 1);
});

test('retry asks the processor and tells the platform now, and says what came of it', async () => {
  let isUp = false;
  let time = Date.now();
  await using desk = await openAdminDesk({
    now: () => time,
    between: async (request, next) =>
      isUp || !isRecording(request)
        ? next(request)
        : Response.json({ message: 'no' }, { status: 400 }),
  });
  const { reference } = await desk.give();
  const retry = async (): Promise<string[]> =>
    (
      (await (await callAdmin(desk, `/api/donations/${reference}/retry`, {})).json()) as {
        results: string[];
      }
    ).results;
  await waitUntil(
    async () => ((await desk.repository.outbox.findGiftEvent(reference))?.attempts ?? 0) > 0,
  );
  assert.match((await retry()).join(), /^Donation .*: still pending \(no\)\.$/);
  isUp = true;
  assert.deepEqual(await retry(), [`Donation ${reference}: recorded at the platform.`]);
  assert.deepEqual(await retry(), ['Nothing was retried: this donation has no pending work.']);
  const { reference: asked } = await desk.give(CARDS.authenticated);
  desk.fake.completeAuthentication(desk.fake.listPaymentIntents().at(-1)!.id, true);
  time += 1;
  const { results } = (await (
    await callAdmin(desk, `/api/donations/${asked}/retry`, {})
  ).json()) as {
    results: string[];
  };
  assert.deepEqual(results, ['Checked with the payment provider. Payment status: succeeded.']);
});

test('retry does not call a platform that asked for silence, and says until when', async () => {
  await using desk = await openAdminDesk({
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
  await waitUntil(
    async () => ((await desk.repository.outbox.findGiftEvent(reference))?.attempts ?? 0) > 0,
  );
  const calls = desk.calls.length;
  const { results } = (await (
    await callAdmin(desk, `/api/donations/${reference}/retry`, {})
  ).json()) as {
    results: string[];
  };
  assert.match(results.join(), /asked us to back off\. Pending updates will be sent after 20/);
  assert.equal(desk.calls.length, calls);
});
