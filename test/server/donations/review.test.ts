import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResolveResult } from '../../../src/server/admin/actions/staff-actions.ts';
import { CARDS } from '../../fake-stripe.ts';
import {
  callAdmin,
  createDonationInReview,
  startAdminServer,
  fetchDonationDetail,
  resolveDonation,
} from '../admin/support.ts';
import { waitUntil } from '../../wait-until.ts';
import { isGiftCreation, createLostResponse, removeFindGift } from './review-support.ts';
import { readOutcome } from '../support.ts';

test('accepts a charge in review: notifies the platform once, and thanks the donor', async () => {
  await using server = await startAdminServer();
  const { reference, key } = await createDonationInReview(server);
  assert.deepEqual(
    (await fetchDonationDetail(server, reference)).reviewOptions.map(({ decision }) => decision),
    ['succeeded', 'entered', 'failed'],
  );
  const { status, donation: report } = await resolveDonation(server, reference, {
    decision: 'succeeded',
    note: 'seen in the dashboard',
  });
  assert.deepEqual([status, report?.status, report?.reviewOptions], [200, 'succeeded', []]);
  assert.deepEqual(
    report?.decisions.map(({ by, from, to, note }) => [by, from, to, note]),
    [['Ana', 'needs_review', 'succeeded', 'seen in the dashboard']],
  );
  await waitUntil(
    async () =>
      (await server.repository.outbox.findGiftCreation(reference))?.status === 'delivered',
  );
  assert.equal((await readOutcome(await server.fetchOutcome(key))).status, 'succeeded');
  const again = await resolveDonation(server, reference, { decision: 'succeeded' });
  assert.deepEqual(
    [again.status, again.message],
    [
      409,
      `${reference} cannot be resolved as succeeded: the payment's status is succeeded, the status of 'donation ${reference}' is delivered. Nothing needs review.`,
    ],
  );
  assert.equal((await server.listGifts()).length, 1);
});

test('keeps a saved decision if a later step fails, and still sends its updates', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const { outbox: events } = server.repository;
  const dueNow = events.makePendingEntriesDue.bind(events);
  events.makePendingEntriesDue = () => Promise.reject(new Error('Connection terminated'));
  const response = await callAdmin(server, `/api/donations/${reference}/resolve`, {
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
      (await server.repository.findByReference(reference))?.status,
    ],
    [200, 'succeeded', 'the payment', undefined, 'succeeded'],
  );
  assert.ok(
    server.logLines.some(
      (line) =>
        line.includes('review decision saved, but a later step failed') && line.includes(reference),
    ),
  );
  events.makePendingEntriesDue = dueNow;
  server.handler.start();
  await waitUntil(async () => (await server.listGifts()).length === 1);
});

test('does not report after a server error that nothing was changed', async () => {
  await using server = await startAdminServer();
  const fail = (): Promise<never> => Promise.reject(new Error('Connection terminated'));
  Object.assign(server.repository.reviewDecisions, {
    findDonationHistory: fail,
    applyAndSaveDecision: fail,
  });
  const read = await callAdmin(server, '/api/donations/ABCDE-FGHJK');
  assert.deepEqual(
    [read.status, await read.json()],
    [500, { message: 'An unexpected error occurred (see the server log).' }],
  );
  assert.deepEqual(await resolveDonation(server, 'ABCDE-FGHJK', { decision: 'succeeded' }), {
    status: 500,
    message:
      'An unexpected error occurred (see the server log). Your change may have been saved, so ' +
      'check the current state before you try again.',
  });
});

test('does not send a manually entered charge, and sends its refund under the given gift ID', async () => {
  await using server = await startAdminServer();
  await server.donate();
  await waitUntil(async () => (await server.listGifts()).length === 1);
  const { reference } = await createDonationInReview(server);
  const payment = (await server.repository.findByReference(reference))!.paymentId!;
  server.fakeStripe.createRefund(payment, 1_000);
  await server.deliverWebhooks();
  assert.match(
    (await resolveDonation(server, reference, { decision: 'entered' })).message ?? '',
    /requires the platform's gift ID\. Enter it, in a terminal with --platform-gift-id\.$/,
  );
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'entered', platformId: 1 })).donation
      ?.platformId,
    '1',
  );
  await waitUntil(async () => server.calls.includes('PATCH /sandbox/gifts/1'));
  assert.equal(server.sentGifts.length, 1);
});

test('settles or fails a pledge as decided, and notifies the platform', async () => {
  for (const [decision, giftStatus, status] of [
    ['succeeded', 1, 'succeeded'],
    ['failed', 2, 'failed'],
  ] as const) {
    await using server = await startAdminServer();
    const { reference } = await readOutcome(
      await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } })),
    );
    await waitUntil(async () => (await server.listGifts())[0]?.status === 8);
    assert.deepEqual(
      (await fetchDonationDetail(server, reference)).reviewOptions.map((option) => option.decision),
      ['succeeded', 'failed'],
    );
    const { donation: report } = await resolveDonation(server, reference, { decision });
    await waitUntil(async () => (await server.listGifts())[0]?.status === giftStatus);
    assert.deepEqual(
      [report?.status, report?.reviewOptions, server.sentGifts.length],
      [status, [], 1],
    );
  }
});

test('sends the gift of a donation in review as pending until a person decides', async () => {
  for (const [acceptsOnlySettledGifts, decision, before, after] of [
    [false, 'succeeded', [8], [1]],
    [false, 'failed', [8], [2]],
    [true, 'succeeded', [], [1]],
    [true, 'failed', [], []],
  ] as const) {
    await using server = await startAdminServer({
      hasBackgroundJobs: false,
      changePlatform: (platform) => ({
        ...platform,
        ...(acceptsOnlySettledGifts && { acceptsOnlySettledGifts, isCreateIdempotent: true }),
      }),
    });
    const listStatuses = async (): Promise<number[]> =>
      (await server.listGifts()).map(({ status }) => status);
    const { reference } = await readOutcome(
      await server.postDonation(await server.createRequest({ payment: { provider: 'offline' } })),
    );
    const row = (await server.repository.findByReference(reference))!;
    const { paymentId, subscriptionId, paymentMethod } = row;
    await server.repository.markNeedsReview(
      row,
      { paymentId, subscriptionId, paymentMethod },
      'the payment provider charged 41.81 USD (pay_1) instead of the agreed 50.00 USD',
    );
    await server.handler.runJobs();
    assert.deepEqual(await listStatuses(), before);
    await resolveDonation(server, reference, { decision });
    await server.handler.runJobs();
    assert.deepEqual(await listStatuses(), after);
  }
});

test('resolves an ambiguous gift by its platform gift ID, and sends later changes automatically', async () => {
  await using server = await startAdminServer({
    changePlatform: removeFindGift,
    intercept: createLostResponse(),
  });
  const { reference, response } = await server.donate();
  await waitUntil(
    async () =>
      (await server.repository.outbox.findGiftCreation(reference))?.status === 'needs_review',
  );
  server.fakeStripe.createRefund(response!.transactionId!);
  await server.deliverWebhooks();
  await waitUntil(
    async () =>
      (await fetchDonationDetail(server, reference)).events.at(-1)?.lastError ===
      'the gift is not on the platform yet',
  );
  assert.deepEqual(
    (await fetchDonationDetail(server, reference)).events.map(({ label: what, status }) => [
      what,
      status,
    ]),
    [
      ['Donation', 'needs_review'],
      ['Refund', 'pending'],
    ],
  );
  assert.deepEqual(
    (await fetchDonationDetail(server, reference)).reviewOptions.map(({ decision }) => decision),
    ['recorded'],
    'the call may still arrive, so "not recorded" is not offered',
  );
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'recorded', platformId: 1 })).status,
    200,
  );
  await waitUntil(async () => (await server.listGifts())[0]?.status === 4);
  assert.equal(server.sentGifts.length, 1);
});

test('sends a change if the platform now has a call for it', async () => {
  let hasCall = false;
  await using server = await startAdminServer({
    changePlatform: (platform) => ({
      createGift: (gift) => platform.createGift(gift),
      get updateGift() {
        return hasCall
          ? (change: Parameters<NonNullable<typeof platform.updateGift>>[0]) =>
              platform.updateGift!(change)
          : undefined!;
      },
    }),
  });
  const { reference, response } = await server.donate();
  await waitUntil(async () => (await server.listGifts()).length === 1);
  server.fakeStripe.createRefund(response!.transactionId!);
  await server.deliverWebhooks();
  await waitUntil(
    async () => (await fetchDonationDetail(server, reference)).reviewOptions.length === 2,
  );
  hasCall = true;
  assert.equal((await resolveDonation(server, reference, { decision: 'send' })).status, 200);
  await waitUntil(async () => (await server.listGifts())[0]?.status === 4);
});

test('stops sending a rejected gift after it was entered manually', async () => {
  await using server = await startAdminServer({
    intercept: async (request, next) =>
      isGiftCreation(request) ? Response.json({ message: 'no' }, { status: 400 }) : next(request),
  });
  const { reference } = await server.donate();
  await waitUntil(
    async () => (await fetchDonationDetail(server, reference)).reviewOptions.length === 1,
  );
  assert.equal(
    (await resolveDonation(server, reference, { decision: 'entered', platformId: 7 })).donation
      ?.platformId,
    '7',
  );
  const sent = server.calls.length;
  const { results } = (await (
    await callAdmin(server, `/api/donations/${reference}/retry`, {})
  ).json()) as {
    results: string[];
  };
  assert.deepEqual(
    [results, server.calls.length],
    [['Nothing was retried, because this donation has no pending work.'], sent],
  );
});

test('applies one of ten concurrent decisions, and shows the result to the other nine', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_one, index) =>
      resolveDonation(server, reference, {
        decision: index % 3 ? 'failed' : 'succeeded',
        by: `person ${index}`,
      }),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: 9 }, () => 409),
  ]);
  assert.equal((await fetchDonationDetail(server, reference)).decisions.length, 1);
});

test('retries a donation at the processor and the platform at once, and reports the result', async () => {
  let isUp = false;
  let time = Date.now();
  await using server = await startAdminServer({
    now: () => time,
    intercept: async (request, next) =>
      isUp || !isGiftCreation(request)
        ? next(request)
        : Response.json({ message: 'no' }, { status: 400 }),
  });
  const { reference } = await server.donate();
  const retryDonation = async (): Promise<string[]> =>
    (
      (await (await callAdmin(server, `/api/donations/${reference}/retry`, {})).json()) as {
        results: string[];
      }
    ).results;
  await waitUntil(
    async () => ((await server.repository.outbox.findGiftCreation(reference))?.attempts ?? 0) > 0,
  );
  assert.match((await retryDonation()).join(), /^Donation .*: still pending \(no\)\.$/);
  isUp = true;
  assert.deepEqual(await retryDonation(), [`Donation ${reference}: recorded on the platform.`]);
  assert.deepEqual(await retryDonation(), [
    'Nothing was retried, because this donation has no pending work.',
  ]);
  const { reference: asked } = await server.donate(CARDS.authenticated);
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents().at(-1)!.id, true);
  time += 1;
  const { results } = (await (
    await callAdmin(server, `/api/donations/${asked}/retry`, {})
  ).json()) as {
    results: string[];
  };
  assert.deepEqual(results, [
    'Checked the payment with the payment provider. Payment status: Received.',
  ]);
});

test('does not call a platform that asked to back off, and reports until when', async () => {
  await using server = await startAdminServer({
    intercept: async (request, next) =>
      isGiftCreation(request)
        ? Response.json(
            {},
            {
              status: 429,
              headers: { 'X-RateLimit-Reset': String(Math.floor(Date.now() / 1_000) + 600) },
            },
          )
        : next(request),
  });
  const { reference } = await server.donate();
  await waitUntil(
    async () => ((await server.repository.outbox.findGiftCreation(reference))?.attempts ?? 0) > 0,
  );
  const calls = server.calls.length;
  const { results } = (await (
    await callAdmin(server, `/api/donations/${reference}/retry`, {})
  ).json()) as {
    results: string[];
  };
  assert.match(
    results.join(),
    /asked the server to back off\. The server will send pending updates after 20/,
  );
  assert.equal(server.calls.length, calls);
});
