import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { createRequestFingerprint } from '../../../src/server/donations/request-fingerprint.ts';
import { getRetentionReason } from '../../../src/server/privacy/delete-donor-data.ts';
import type { DonorDeletion, DonorRecord } from '../../../src/server/privacy/donor-requests.ts';
import { exampleForm } from '../../example-form.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  createDonationInReview,
  fetchDonationDetail,
  resolveDonation,
  startAdminServer,
} from '../admin/support.ts';
import { isGiftCreation, Outage, respondWith } from '../donations/faults.ts';
import { createFullForm, fullDonation } from '../full-form.ts';
import { startServerWithStripe } from '../payments/support.ts';
import {
  callReportingApi,
  createDonorKey,
  DONOR_EMAIL,
  MINUTE,
  readAllTables,
  waitForDelivery,
} from '../reporting/support.ts';
import {
  createIdempotencyKey,
  readJson,
  readProblem,
  startServer,
  type TestServer,
} from '../support.ts';
import { storeWebhooks } from './support.ts';

const EMAIL = 'Ana.Souza@example.org';
/** Everything that identifies the donor of the full donation, or that the donor wrote. */
const CANARIES = ['canary', 'Ana', 'Souza', 'example.org', 'João', 'utm-canary'];

const DONATION = {
  ...fullDonation,
  donor: { ...fullDonation.donor, email: EMAIL },
  tracking: { utmSource: 'utm-canary' },
};
/** Creates a donation by another donor in a tribute that mentions the email. */
const createMention = (kind: 'honor' | 'memory', name: string) => ({
  ...fullDonation,
  gift: { ...fullDonation.gift, tribute: { kind, name, notifyEmail: EMAIL } },
});

const deleteDonor = (server: TestServer, email: string): Promise<DonorDeletion> =>
  readJson(callReportingApi(server, '/donors/delete', { email, by: 'Mara' }));
const exportDonor = (server: TestServer, email: string): Promise<DonorRecord> =>
  readJson(callReportingApi(server, '/donors/export', { email }));

const listWebhooks = async ({ inboundWebhooks: { inbox } }: TestServer): Promise<string[]> =>
  (await inbox.listWebhooks(100)).map(({ id }) => id);

test('exports everything about a donor: donations with all parts, events, mentions of the email, and platform webhooks', async () => {
  await using server = await startServer({ form: createFullForm });
  const { reference } = await server.submitDonation(DONATION);
  const { reference: named } = await server.submitDonation(createMention('honor', 'Ana'));
  await waitForDelivery(server);
  await storeWebhooks(server, {
    first: `<event><donor>ana.souza&#64;EXAMPLE.org</donor></event>`,
    second: `{"gift":{"reference":"${reference}"}}`,
    other: '{"donorEmail":"somebody@else.example"}',
  });
  const { donations, tributeNotifications, inboundWebhooks } = (await exportDonor(
    server,
    EMAIL.toUpperCase(),
  )) as unknown as {
    donations: [DonationRequest & { reference: string; events: { kind: string }[] }];
    tributeNotifications: { reference: string }[];
    inboundWebhooks: { body: string }[];
  };
  const [donation] = donations;
  const { customFields, consents, tracking } = DONATION;
  const expected = { reference, customFields, consents, tracking };
  assert.deepEqual({ ...donation, ...expected }, donation);
  assert.equal(donation.donor.email, EMAIL);
  assert.deepEqual(
    [
      donations.length,
      donation.events.map(({ kind }) => kind),
      tributeNotifications.map((other) => other.reference),
      inboundWebhooks.length,
    ],
    [1, ['donation'], [named], 2],
  );
  assert.ok(!JSON.stringify(donations).includes('idempotencyKeyHash'));
  assert.deepEqual(
    (await exportDonor(server, 'anasouza@example.org')).donations,
    [],
    'dots distinguish addresses',
  );
});

test('deletes everything that identifies a donor, and keeps amounts, references, statuses, days, and projects', async () => {
  await using server = await startServer({ form: createFullForm });
  const key = createIdempotencyKey();
  const request = await server.createRequest(DONATION);
  const { reference } = await server.submitDonation(request, key);
  await server.submitDonation({
    ...fullDonation,
    gift: { ...fullDonation.gift, tribute: undefined },
    donor: { firstName: 'Bram', lastName: 'Bos', email: 'bram@post.example', country: 'NL' },
  });
  await waitForDelivery(server);
  await storeWebhooks(server, {
    first: `{"donorEmail":"${EMAIL.toLowerCase()}"}`,
    second: `{"reference":"${reference}"}`,
    other: '{"donorEmail":"bram@post.example"}',
  });
  const before = (await server.repository.findByReference(reference))!;
  await server.database.writer.write((transaction) =>
    transaction
      .updateTable('outbox')
      .set({ lastError: `400: ${EMAIL} is odd` })
      .where('reference', '=', reference)
      .execute(),
  );
  assert.deepEqual(await deleteDonor(server, EMAIL.toLowerCase()), {
    deleted: [reference],
    notifyEmailRemoved: [],
    retained: [],
  });
  const text = await readAllTables(server);
  const row = (await server.repository.findByReference(reference))!;
  assert.ok(before.donorKey && before.notifyKey);
  assert.deepEqual(
    [...CANARIES, before.donorKey, before.notifyKey].filter((canary) => text.includes(canary)),
    [],
  );
  assert.ok(text.includes('bram@post.example'), 'another donor stays');
  assert.deepEqual(
    [
      row.donorDeletedBy,
      typeof row.donorDeletedAt,
      row.status,
      row.paymentId,
      row.createdAt,
      row.platformGiftId,
    ],
    ['Mara', 'number', 'succeeded', before.paymentId, before.createdAt, before.platformGiftId],
  );
  assert.deepEqual(await listWebhooks(server), ['other']);
  const again = await server.pollOutcome(key);
  assert.deepEqual(
    [again.status, again.response?.amount, again.response?.projectSplit.length],
    ['succeeded', 103.3, 3],
    'the outcome still has the amounts and the split',
  );
  assert.equal(
    (await readProblem(await server.postDonation(request, { key }))).code,
    'idempotency-key-reused',
    'a late retry is not charged as a new donation',
  );
  assert.equal((await server.listCharges(reference)).length, 1);
  assert.deepEqual(
    [await deleteDonor(server, EMAIL), (await exportDonor(server, EMAIL)).donations],
    [{ deleted: [], notifyEmailRemoved: [], retained: [] }, []],
  );
  assert.ok(!server.logLines.join('').includes('example.org'));
});

test('keeps the project that received the covered fees when donor data is deleted', async () => {
  const [usd] = exampleForm.currencies;
  await using server = await startServer({
    form: {
      ...exampleForm,
      currencies: [{ ...usd, feeCover: { ...usd.feeCover!, projectId: '1' } }],
    },
  });
  const key = createIdempotencyKey();
  const request = await server.createRequest();
  const before = await server.submitDonation(request, key);
  await waitForDelivery(server);
  await deleteDonor(server, request.donor.email!);
  const after = await server.pollOutcome(key);
  assert.deepEqual(after.response?.projectSplit, before.response?.projectSplit);
  assert.equal(after.response?.projectSplit.length, 2);
});

test('deletes notes, pauses, hook errors, and page data that mention the donor, and keeps other notes', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const { reference: other } = await createDonationInReview(server);
  const { db } = server.database;
  const email = (await server.repository.findByReference(reference))!.payload.donor.email!;
  await resolveDonation(server, reference, {
    decision: 'succeeded',
    note: 'canary called on Monday',
  });
  await resolveDonation(server, other, {
    decision: 'failed',
    note: `also given by ${email.toUpperCase()}`,
  });
  for (const [note, resumed] of [
    ['the bank is down', 'it is up'],
    [`until ${email} has answered`, 'she has'],
  ] as const) {
    await server.repository.pauses.pauseOrganization('lanternwell', 'Ana', note);
    await server.repository.pauses.resumeOrganization('lanternwell', 'Ana', resumed);
  }
  await storeWebhooks(server, { first: '{"gift":1}', other: '{"gift":2}' });
  const { inbox } = server.inboundWebhooks;
  await inbox.postponeHookCall((await inbox.findById('first'))!, `no ${email} here`, 0);
  for (const [id, notice] of [
    ['one', `Gift ${reference}: still waiting (400: canary is odd).`],
    ['two', `Gift ${other}: the platform knows.`],
  ] as const)
    await db
      .insertInto('adminSessions')
      .values({
        id,
        name: 'Ana',
        notice,
        person: null,
        authenticatedAt: 0,
        device: '',
        createdAt: Date.now(),
        lastUsedAt: Date.now(),
      })
      .execute();
  await waitForDelivery(server);
  const exported = (await exportDonor(server, email)) as unknown as {
    donations: { decisions: { decision: string; note: string }[] }[];
    notes: { text: string }[];
    inboundWebhooks: { lastError: string }[];
  };
  assert.deepEqual(
    [
      exported.donations[0]?.decisions.map(({ decision, note }) => [decision, note]),
      exported.notes.map(({ text }) => text),
      exported.inboundWebhooks.map(({ lastError }) => lastError),
    ],
    [
      [['succeeded', 'canary called on Monday']],
      [`also given by ${email.toUpperCase()}`, `until ${email} has answered\nshe has`],
      [`no ${email} here`],
    ],
  );
  assert.deepEqual((await deleteDonor(server, email)).deleted, [reference]);
  const text = await readAllTables(server);
  const pauses = await db.selectFrom('pauses').selectAll().orderBy('pausedAt').execute();
  const decided = await server.repository.reviewDecisions.listDecisions(reference);
  assert.deepEqual(
    ['canary', email, email.toUpperCase()].filter((word) => text.includes(word)),
    [],
  );
  assert.deepEqual(
    pauses.map(({ note, resumeNote: resumed }) => [note, resumed]),
    [
      ['the bank is down', 'it is up'],
      ['', null],
    ],
  );
  assert.deepEqual(
    [decided.map((one) => [one.decision, one.decidedBy, one.note]), await listWebhooks(server)],
    [[['succeeded', 'Ana', '']], ['other']],
  );
  assert.deepEqual(
    (await db.selectFrom('adminSessions').selectAll().orderBy('id').execute()).map(
      ({ notice }) => notice,
    ),
    [null, `Gift ${other}: the platform knows.`],
  );
  const report = await fetchDonationDetail(server, reference);
  assert.deepEqual(
    [
      report.donorName,
      report.status,
      report.donorFields.map(([name, value]) => [name, value.slice(10)]),
    ],
    ['', 'succeeded', [['Data deleted', ' by Mara']]],
    'shows when the data was deleted, and by whom',
  );
});

test("keeps another donor's donation without the deleted email, and responds to its retry, but rejects another donation under its key", async () => {
  await using server = await startServer({ form: createFullForm });
  const key = createIdempotencyKey();
  const request = await server.createRequest(createMention('memory', 'João'));
  const { reference } = await server.submitDonation(request, key);
  await waitForDelivery(server);
  assert.deepEqual(await deleteDonor(server, EMAIL), {
    deleted: [],
    notifyEmailRemoved: [reference],
    retained: [],
  });
  const { payload, fingerprint, ...row } = (await server.repository.findByReference(reference))!;
  assert.deepEqual(
    [payload.gift.tribute, payload.donor.organization, payload.donor.lastName, row.notifyKey],
    [{ kind: 'memory', name: 'João' }, 'Souza & Daughters', 'Souza', null],
  );
  const again = await server.submitDonation(request, key);
  assert.deepEqual(
    [again.reference, again.status, (await server.listCharges(reference)).length],
    [reference, 'succeeded', 1],
  );
  const changed = { ...request, donor: { ...request.donor, lastName: 'Bos' } };
  const { code } = await readProblem(await server.postDonation(changed, { key }));
  assert.equal(code, 'idempotency-key-reused');
  assert.ok(
    !(await readAllTables(server)).includes(EMAIL) &&
      fingerprint !== createRequestFingerprint(request),
    'no hash allows guessing the email',
  );
});

test('keeps data that subscriptions, disputes, payments in progress, or the platform still need, and explains why', async () => {
  const outage = new Outage(isGiftCreation, respondWith(503));
  outage.isDown = false;
  let time = Date.now();
  await using server = await startServerWithStripe({
    now: () => (time += 1),
    intercept: outage.intercept,
  });
  const donate = (card: string) => server.donate(card, {}, createDonorKey());
  const { reference: monthly, subscriptionId } = await server.donateMonthly(createDonorKey());
  const { reference: disputed, response } = await donate(STRIPE_CARDS.good);
  const { reference: plain } = await donate(STRIPE_CARDS.good);
  const { reference: asking } = await donate(STRIPE_CARDS.authenticated);
  const dispute = server.fakeStripe.openDispute(response!.transactionId!);
  await server.deliverWebhooks();
  await waitForDelivery(server);
  outage.isDown = true;
  const { reference: unrecorded } = await donate(STRIPE_CARDS.good);
  const first = await deleteDonor(server, DONOR_EMAIL);
  const reasons = Object.fromEntries(
    first.retained.map(({ reference, reason }) => [reference, reason]),
  );
  assert.deepEqual(
    [first.deleted, Object.keys(reasons).toSorted()],
    [[plain], [monthly, disputed, asking, unrecorded].toSorted()],
  );
  for (const [reference, reason] of [
    [
      monthly,
      /next renewal requires the donor data\. Cancel the recurring donation at the payment provider first/,
    ],
    [disputed, /dispute is open/],
    [asking, /payment is in progress/],
    [unrecorded, /platform has not recorded .* yet/],
  ] as const)
    assert.match(reasons[reference]!, reason);
  outage.isDown = false;
  server.fakeStripe.closeDispute(dispute.id, 'won');
  server.fakeStripe.cancelSubscription(subscriptionId);
  await server.deliverWebhooks();
  time += 5 * MINUTE;
  await waitForDelivery(server);
  assert.deepEqual(
    (await deleteDonor(server, DONOR_EMAIL)).deleted.toSorted(),
    [monthly, disputed, unrecorded].toSorted(),
  );
});

test('deletes the data of a donation that the platform rejects once a person has entered it', async () => {
  const { intercept } = new Outage(isGiftCreation, respondWith(400));
  await using server = await startServerWithStripe({ intercept });
  const { outbox, reviewDecisions } = server.repository;
  const { reference } = await server.donate(STRIPE_CARDS.good, {}, createDonorKey());
  await waitUntil(async () => (await outbox.findGiftCreation(reference))?.lastError != null);
  const { deleted, retained } = await deleteDonor(server, DONOR_EMAIL);
  assert.deepEqual(deleted, []);
  assert.match(
    retained[0]!.reason,
    new RegExp(`keeps rejecting it.* resolve ${reference} --decision entered --platform-gift-id`),
  );
  const decision = { decision: 'entered', platformId: '5', by: 'Ana', note: '' } as const;
  await reviewDecisions.applyAndSaveDecision({ reference, ...decision });
  assert.deepEqual((await deleteDonor(server, DONOR_EMAIL)).deleted, [reference]);
});

test('leaves a renewal after the deletion for manual entry', async () => {
  await using server = await startServerWithStripe();
  const { reference, subscriptionId } = await server.donateMonthly(createDonorKey());
  await waitForDelivery(server);
  server.fakeStripe.renewSubscription(subscriptionId);
  await server.database.writer.write((transaction) =>
    transaction.updateTable('donations').set({ subscriptionStatus: 'canceled' }).execute(),
  );
  assert.deepEqual((await deleteDonor(server, DONOR_EMAIL)).deleted, [reference]);
  await server.deliverWebhooks();
  await waitForDelivery(server);
  const [left] = await server.repository.outbox.listByStatus('manual', 10);
  assert.deepEqual(
    [left?.reference, left?.lastError, server.sentGifts.length],
    [
      `${reference}-2`,
      'the donor data was deleted before the platform received the donation; enter the donation without a donor',
      1,
    ],
  );
});

test('keeps the donor of a bank debit until it settles or fails, but not the donor of a pledge', () => {
  const gift = {
    reference: 'A',
    status: 'processing',
    subscriptionId: null,
    subscriptionStatus: null,
  } as const;
  assert.match(
    getRetentionReason({ ...gift, paymentId: 'pi_1' }, [])!,
    /money \(for example, from a bank debit\) has not arrived yet/,
  );
  assert.equal(getRetentionReason({ ...gift, paymentId: 'A' }, []), undefined);
});
