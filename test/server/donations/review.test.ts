import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResolveResult } from '../../../src/server/admin/actions/staff-actions.ts';
import { CARDS } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  callAdmin,
  createDonationInReview,
  fetchDonationDetail,
  resolveDonation,
  startAdminServer,
} from '../admin/support.ts';
import {
  createLostResponse,
  isGiftCreation,
  Outage,
  removeFindGift,
  respondWith,
} from './faults.ts';
import {
  markForReview,
  retryDonation,
  waitForAttempt,
  waitForCreationStatus,
} from './review-support.ts';

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
  await waitForCreationStatus(server, reference, 'delivered');
  assert.equal((await server.pollOutcome(key)).status, 'succeeded');
  assert.deepEqual(await resolveDonation(server, reference, { decision: 'succeeded' }), {
    status: 409,
    message: `${reference} cannot be resolved as succeeded: the payment's status is succeeded, the status of 'donation ${reference}' is delivered. Nothing needs review.`,
  });
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
  assert.match(
    server.logLines.join(''),
    new RegExp(`${reference}.*review decision saved, but a later step failed`),
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
  const decision = { decision: 'entered', platformId: 1 };
  assert.equal((await resolveDonation(server, reference, decision)).donation?.platformId, '1');
  await waitUntil(async () => server.calls.includes('PATCH /sandbox/gifts/1'));
  assert.equal(server.sentGifts.length, 1);
});

test('notifies the platform of a pledge as decided, in review or not, before or after it was sent', async () => {
  for (const [isSent, isInReview, acceptsOnlySettledGifts, decision, before, after] of [
    [true, false, false, 'succeeded', [8], [1]],
    [true, false, false, 'failed', [8], [2]],
    [true, true, false, 'succeeded', [8], [1]],
    [true, true, false, 'failed', [8], [2]],
    [false, true, false, 'succeeded', [8], [1]],
    [false, true, false, 'failed', [8], [2]],
    [false, true, true, 'succeeded', [], [1]],
    [false, true, true, 'failed', [], []],
  ] as const) {
    await using server = await startAdminServer({
      hasBackgroundJobs: false,
      changePlatform: (platform) => ({
        ...platform,
        ...(acceptsOnlySettledGifts && { acceptsOnlySettledGifts, isCreateIdempotent: true }),
      }),
    });
    const listStatuses = async (): Promise<number[]> => {
      await server.handler.runJobs();
      return (await server.listGifts()).map(({ status }) => status);
    };
    const { reference } = await server.submitDonation({ payment: { provider: 'offline' } });
    if (isSent) await server.handler.runJobs();
    if (isInReview) await markForReview(server, reference);
    assert.deepEqual(await listStatuses(), before);
    const { reviewOptions } = await fetchDonationDetail(server, reference);
    const decisions = reviewOptions.map((option) => option.decision);
    if (!isInReview) assert.deepEqual(decisions, ['succeeded', 'failed']);
    const { donation: report } = await resolveDonation(server, reference, { decision });
    assert.deepEqual([report?.status, report?.reviewOptions], [decision, []]);
    assert.deepEqual(await listStatuses(), after);
    assert.ok(server.sentGifts.length <= 1);
  }
});

test('resolves an ambiguous gift by its platform gift ID, and sends later changes automatically', async () => {
  await using server = await startAdminServer({
    changePlatform: removeFindGift,
    intercept: createLostResponse(),
  });
  const { reference, response } = await server.donate();
  await waitForCreationStatus(server, reference, 'needs_review');
  server.fakeStripe.createRefund(response!.transactionId!);
  await server.deliverWebhooks();
  await waitUntil(
    async () =>
      (await fetchDonationDetail(server, reference)).events.at(-1)?.lastError ===
      'the gift is not on the platform yet',
  );
  const { events, reviewOptions } = await fetchDonationDetail(server, reference);
  assert.deepEqual(
    events.map(({ label, status }) => [label, status]),
    [
      ['Donation', 'needs_review'],
      ['Refund', 'pending'],
    ],
  );
  assert.deepEqual(
    reviewOptions.map(({ decision }) => decision),
    ['recorded'],
    'the call may still arrive, so "not recorded" is not offered',
  );
  const decision = { decision: 'recorded', platformId: 1 };
  assert.equal((await resolveDonation(server, reference, decision)).status, 200);
  await waitUntil(async () => (await server.listGifts())[0]?.status === 4);
  assert.equal(server.sentGifts.length, 1);
});

test('sends a change if the platform now has a call for it', async () => {
  let hasCall = false;
  await using server = await startAdminServer({
    changePlatform: (platform) => ({
      createGift: (gift) => platform.createGift(gift),
      get updateGift() {
        return hasCall ? platform.updateGift!.bind(platform) : undefined!;
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
  const { intercept } = new Outage(isGiftCreation, respondWith(400));
  await using server = await startAdminServer({ intercept });
  const { reference } = await server.donate();
  await waitUntil(
    async () => (await fetchDonationDetail(server, reference)).reviewOptions.length === 1,
  );
  const decision = { decision: 'entered', platformId: 7 };
  assert.equal((await resolveDonation(server, reference, decision)).donation?.platformId, '7');
  const sent = server.calls.length;
  assert.deepEqual(
    [await retryDonation(server, reference), server.calls.length],
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
    ...Array<number>(9).fill(409),
  ]);
  assert.equal((await fetchDonationDetail(server, reference)).decisions.length, 1);
});

test('retries a donation at the processor and the platform at once, and reports the result', async () => {
  let time = Date.now();
  const outage = new Outage(isGiftCreation, respondWith(400));
  await using server = await startAdminServer({ now: () => time, intercept: outage.intercept });
  const { reference } = await server.donate();
  await waitForAttempt(server, reference);
  assert.match(
    (await retryDonation(server, reference)).join(),
    /^Donation .*: still pending \(no\)\.$/,
  );
  outage.isDown = false;
  for (const result of [
    `Donation ${reference}: recorded on the platform.`,
    'Nothing was retried, because this donation has no pending work.',
  ])
    assert.deepEqual(await retryDonation(server, reference), [result]);
  const { reference: asked } = await server.donate(CARDS.authenticated);
  server.fakeStripe.completeAuthentication(server.fakeStripe.listPaymentIntents().at(-1)!.id, true);
  time += 1;
  assert.deepEqual(await retryDonation(server, asked), [
    'Checked the payment with the payment provider. Payment status: Received.',
  ]);
});

test('does not call a platform that asked to back off, and reports until when', async () => {
  const resetsAt = Math.floor(Date.now() / 1_000) + 600;
  const limited = respondWith(429, { 'X-RateLimit-Reset': String(resetsAt) });
  const { intercept } = new Outage(isGiftCreation, limited);
  await using server = await startAdminServer({ intercept });
  const { reference } = await server.donate();
  await waitForAttempt(server, reference);
  const calls = server.calls.length;
  assert.match(
    (await retryDonation(server, reference)).join(),
    /asked the server to back off\. The server will send pending updates after 20/,
  );
  assert.equal(server.calls.length, calls);
});
