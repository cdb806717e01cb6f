import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { DonorDeletion, DonorRecord } from '../../../src/server/privacy/donor-requests.ts';
import { createRequestFingerprint } from '../../../src/server/donations/request-fingerprint.ts';
import { mentionsEmail } from '../../../src/server/privacy/match-email.ts';
import { getRetentionReason } from '../../../src/server/privacy/delete-donor-data.ts';
import { waitUntil } from '../../wait-until.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe.ts';
import { startServerWithStripe } from '../payments/support.ts';
import {
  createDonationInReview,
  startAdminServer,
  fetchDonationDetail,
  resolveDonation,
} from '../admin/support.ts';
import {
  createIdempotencyKey,
  startServer,
  readOutcome,
  readProblem,
  type TestServer,
} from '../support.ts';
import { exampleForm } from '../../example-form.ts';
import { createFullForm, fullDonation } from '../full-form.ts';
import {
  DONOR_EMAIL,
  createDonorKey,
  MINUTE,
  callReportingApi,
  readAllTables,
  waitForDelivery,
} from '../reporting/support.ts';

const EMAIL = 'Ana.Souza@example.org';
/** Everything that identifies the donor of the full donation, or that the donor wrote. */
const CANARIES = ['canary', 'Ana', 'Souza', 'example.org', 'João', 'utm-canary'];

const deleteDonor = async (server: TestServer, email: string): Promise<DonorDeletion> =>
  (await (
    await callReportingApi(server, '/donors/delete', { email, by: 'Mara' })
  ).json()) as DonorDeletion;
const exportDonor = async (server: TestServer, email: string): Promise<DonorRecord> =>
  (await (await callReportingApi(server, '/donors/export', { email })).json()) as DonorRecord;

async function storeWebhooks(
  { inboundWebhooks: { inbox } }: TestServer,
  ...bodies: string[]
): Promise<void> {
  for (const [index, body] of bodies.entries())
    await inbox.insertIfNew({
      id: `id ${index}`,
      organization: 'lanternwell',
      source: 'fundraising',
      kind: null,
      format: body.startsWith('<') ? 'xml' : 'json',
      body,
      hasHook: true,
    });
}

async function listWebhooks({ inboundWebhooks: { inbox } }: TestServer): Promise<string[]> {
  return (await inbox.listWebhooks(100)).map(({ id }) => id);
}

test('exports everything about a donor: donations with all parts, events, mentions of the email, and platform webhooks', async () => {
  await using server = await startServer({ form: createFullForm });
  const whole = {
    ...fullDonation,
    donor: { ...fullDonation.donor, email: EMAIL },
    tracking: { utmSource: 'utm-canary' },
  };
  const { reference } = await readOutcome(
    await server.postDonation(await server.createRequest(whole)),
  );
  const { reference: named } = await readOutcome(
    await server.postDonation(
      await server.createRequest({
        ...fullDonation,
        gift: { ...fullDonation.gift, tribute: { kind: 'honor', name: 'Ana', notifyEmail: EMAIL } },
      }),
    ),
  );
  await waitForDelivery(server);
  await storeWebhooks(
    server,
    `<event><donor>ana.souza&#64;EXAMPLE.org</donor></event>`,
    `{"gift":{"reference":"${reference}"}}`,
    '{"donorEmail":"somebody@else.example"}',
  );
  const { donations, tributeNotifications, inboundWebhooks } = (await exportDonor(
    server,
    EMAIL.toUpperCase(),
  )) as unknown as {
    donations: (DonationRequest & { reference: string; events: { kind: string }[] })[];
    tributeNotifications: { reference: string }[];
    inboundWebhooks: { body: string }[];
  };
  assert.deepEqual(
    donations.map((donation) => [
      donation.reference,
      donation.customFields,
      donation.consents,
      donation.tracking,
      donation.donor.email,
      donation.events.map(({ kind }) => kind),
    ]),
    [
      [
        reference,
        fullDonation.customFields,
        fullDonation.consents,
        { utmSource: 'utm-canary' },
        EMAIL,
        ['donation'],
      ],
    ],
  );
  assert.deepEqual(
    [tributeNotifications.map(({ reference: other }) => other), inboundWebhooks.length],
    [[named], 2],
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
  const request = await server.createRequest({
    ...fullDonation,
    donor: { ...fullDonation.donor, email: EMAIL },
    tracking: { utmSource: 'utm-canary' },
  });
  const { reference } = await readOutcome(await server.postDonation(request, { key }));
  const other = await readOutcome(
    await server.postDonation(
      await server.createRequest({
        ...fullDonation,
        gift: { ...fullDonation.gift, tribute: undefined },
        donor: { firstName: 'Bram', lastName: 'Bos', email: 'bram@post.example', country: 'NL' },
      }),
    ),
  );
  await waitForDelivery(server);
  await storeWebhooks(
    server,
    `{"donorEmail":"${EMAIL.toLowerCase()}"}`,
    `{"reference":"${reference}"}`,
    '{"donorEmail":"bram@post.example"}',
  );
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
  assert.deepEqual(
    CANARIES.filter((canary) => text.includes(canary)),
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
  assert.deepEqual(await listWebhooks(server), ['id 2']);
  const again = await readOutcome(await server.fetchOutcome(key));
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
  assert.ok(other.reference);
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
  const before = await readOutcome(await server.postDonation(request, { key }));
  await waitForDelivery(server);
  await deleteDonor(server, request.donor.email!);
  const after = await readOutcome(await server.fetchOutcome(key));
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
  await storeWebhooks(server, '{"gift":1}', '{"gift":2}');
  await server.inboundWebhooks.inbox.postponeHookCall(
    (await server.inboundWebhooks.inbox.findById('id 0'))!,
    `no ${email} here`,
    0,
  );
  for (const [id, notice] of [
    ['one', `Gift ${reference}: still waiting (400: canary is odd).`],
    ['two', `Gift ${other}: the platform knows.`],
  ] as const)
    await db
      .insertInto('adminSessions')
      .values({ id, name: 'Ana', notice, createdAt: Date.now(), lastUsedAt: Date.now() })
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
    [[['succeeded', 'Ana', '']], ['id 1']],
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

test("keeps another donor's donation, but removes the deleted email from it", async () => {
  await using server = await startServer({ form: createFullForm });
  const { reference } = await readOutcome(
    await server.postDonation(
      await server.createRequest({
        ...fullDonation,
        gift: {
          ...fullDonation.gift,
          tribute: { kind: 'memory', name: 'João', notifyEmail: EMAIL },
        },
      }),
    ),
  );
  await waitForDelivery(server);
  assert.deepEqual(await deleteDonor(server, EMAIL), {
    deleted: [],
    notifyEmailRemoved: [reference],
    retained: [],
  });
  const { gift, donor } = (await server.repository.findByReference(reference))!.payload;
  assert.deepEqual(
    [gift.tribute, donor.organization, donor.lastName],
    [{ kind: 'memory', name: 'João' }, 'Souza & Daughters', 'Souza'],
  );
});

test('responds to a retry of a donation whose email was deleted, but rejects another donation under its key', async () => {
  await using server = await startServer({ form: createFullForm });
  const key = createIdempotencyKey();
  const request = await server.createRequest({
    ...fullDonation,
    gift: { ...fullDonation.gift, tribute: { kind: 'honor', name: 'Bo', notifyEmail: EMAIL } },
  });
  const { reference } = await readOutcome(await server.postDonation(request, { key }));
  await waitForDelivery(server);
  assert.deepEqual((await deleteDonor(server, EMAIL)).notifyEmailRemoved, [reference]);
  const again = await readOutcome(await server.postDonation(request, { key }));
  assert.deepEqual(
    [again.reference, again.status, (await server.listCharges(reference)).length],
    [reference, 'succeeded', 1],
  );
  assert.equal(
    (
      await readProblem(
        await server.postDonation(
          { ...request, donor: { ...request.donor, lastName: 'Bos' } },
          { key },
        ),
      )
    ).code,
    'idempotency-key-reused',
  );
  const { fingerprint } = (await server.repository.findByReference(reference))!;
  assert.ok(
    !(await readAllTables(server)).includes(EMAIL) &&
      fingerprint !== createRequestFingerprint(request),
    'no hash allows guessing the email',
  );
});

test('keeps data that subscriptions, disputes, payments in progress, or the platform still need, and explains why', async () => {
  let isDown = false;
  let time = Date.now();
  await using server = await startServerWithStripe({
    now: () => {
      time += 1;
      return time;
    },
    intercept: (request, next) =>
      isDown && request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Promise.resolve(new Response('{}', { status: 503 }))
        : next(request),
  });
  const { reference: monthly } = await server.donate(
    STRIPE_CARDS.good,
    { frequency: 'monthly' },
    createDonorKey(),
  );
  const { reference: disputed } = await server.donate(STRIPE_CARDS.good, {}, createDonorKey());
  const { reference: plain } = await server.donate(STRIPE_CARDS.good, {}, createDonorKey());
  const { reference: asking } = await server.donate(
    STRIPE_CARDS.authenticated,
    {},
    createDonorKey(),
  );
  const findDonation = async (reference: string) =>
    (await server.repository.findByReference(reference))!;
  const dispute = server.fakeStripe.openDispute((await findDonation(disputed)).paymentId!);
  await server.deliverWebhooks();
  await waitForDelivery(server);
  isDown = true;
  const { reference: unrecorded } = await server.donate(STRIPE_CARDS.good, {}, createDonorKey());
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
  isDown = false;
  server.fakeStripe.closeDispute(dispute.id, 'won');
  server.fakeStripe.cancelSubscription((await findDonation(monthly)).subscriptionId!);
  await server.deliverWebhooks();
  time += 5 * MINUTE;
  await waitForDelivery(server);
  assert.deepEqual(
    (await deleteDonor(server, DONOR_EMAIL)).deleted.toSorted(),
    [monthly, disputed, unrecorded].toSorted(),
  );
});

test('deletes the data of a donation that the platform rejects once a person has entered it', async () => {
  await using server = await startServerWithStripe({
    intercept: (request, next) =>
      request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Promise.resolve(new Response('{}', { status: 400 }))
        : next(request),
  });
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
  const { reference } = await server.donate(
    STRIPE_CARDS.good,
    { frequency: 'monthly' },
    createDonorKey(),
  );
  const { subscriptionId: subscription } = (await server.repository.findByReference(reference))!;
  await waitForDelivery(server);
  server.fakeStripe.renewSubscription(subscription!);
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

test('finds an email in any case and in any encoding of JSON, XML, or forms', () => {
  for (const text of [
    'ana@example.org',
    'ANA@Example.org',
    'ana\\u0040example.org',
    'ana&#64;example.org',
    'ana&#x40;example.org',
    'email=ana%40example.org',
  ])
    assert.ok(mentionsEmail(`{"a":"${text}"}`, 'Ana@example.org'), text);
  for (const text of ['an.a@example.org', 'ana@example.com', ''])
    assert.ok(!mentionsEmail(text, 'ana@example.org'), text);
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
