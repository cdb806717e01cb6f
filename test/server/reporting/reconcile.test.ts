import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Stripe } from 'stripe';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { GiftNotCreatedError } from '../../../src/server/platform/platform-adapter.ts';
import { BANKS, CARDS as STRIPE_CARDS } from '../../fake-stripe.ts';
import { createDonationInReview, resolveDonation, startAdminServer } from '../admin/support.ts';
import { isGiftCreation, Outage, respondWith } from '../donations/faults.ts';
import { formWithPayments, startServerWithStripe } from '../payments/support.ts';
import { CARDS, PLATFORM_KEY, startServer } from '../support.ts';
import {
  callPlatform,
  callReportingApi,
  DAY,
  donateAndGetReference,
  MINUTE,
  reconcile,
  waitForDelivery,
} from './support.ts';

test('reports no difference if processor, database, and platform agree, and one row per donation with its fee', async () => {
  let time = Date.parse('2026-11-20T23:30:00Z');
  await using server = await startServer({
    now: () => time,
    form: formWithPayments,
    timeZone: 'Europe/Berlin',
  });
  const card = await donateAndGetReference(server);
  time += 1_000;
  const promised = await donateAndGetReference(server, { payment: { provider: 'offline' } });
  assert.equal((await server.submitDonation({ card: CARDS.declined })).status, 'failed');
  await waitForDelivery(server);
  time += DAY;
  const { rows, differences, end, notCompared, inProgress } = await reconcile(server, {
    from: '2026-11-21',
    to: '2026-11-21',
  });
  assert.deepEqual(
    [differences, notCompared, inProgress, end],
    [[], [], [], { kind: 'end', donations: 2, differences: 0 }],
  );
  const [first, second] = rows;
  assert.deepEqual(first, {
    reference: card,
    parent_reference: '',
    created_utc: '2026-11-20T23:30:00.000Z',
    created_local: '2026-11-21 00:30:00',
    time_zone: 'Europe/Berlin',
    status: 'Approved',
    frequency: 'once',
    amount: '50.00',
    covered_fees: '1.81',
    total: '51.81',
    currency: 'USD',
    fee: '1.80',
    net: '50.01',
    payout_currency: 'USD',
    refunded: '0.00',
    provider: 'stripe',
    payment_id: (await server.repository.findByReference(card))!.paymentId,
    platform_gift_id: '1',
    projects: 'WATER 50.00',
    segment: 'MAIL26',
  });
  assert.deepEqual(
    [second?.reference, second?.status, second?.fee, second?.provider],
    [promised, 'Pending', '', 'offline'],
  );
  assert.deepEqual(
    (await reconcile(server, { from: '2026-11-20', to: '2026-11-20' })).end.donations,
    0,
    "the day is in the organization's time zone, not in UTC",
  );
});

test('finds gifts that are missing, duplicate, different in amount or status, or unknown to the database', async () => {
  let time = Date.now();
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY, now: () => new Date(time) });
  await using server = await startServer({
    now: () => time,
    sandbox,
    changePlatform: (platform) => ({
      ...platform,
      async createGift(gift) {
        if (gift.gift.segment === 'LOST') return '1000';
        const isLess = gift.gift.segment === 'LESS';
        return platform.createGift(isLess ? { ...gift, total: '1.00' } : gift);
      },
    }),
  });
  const less = await donateAndGetReference(server, { gift: { segment: 'LESS' } });
  const missing = await donateAndGetReference(server, { gift: { segment: 'LOST' } });
  const twice = await donateAndGetReference(server);
  const voided = await donateAndGetReference(server);
  await waitForDelivery(server);
  const gifts = await server.listGifts();
  const { id } = gifts.find(({ reference }) => reference === voided)!;
  await callPlatform(sandbox, 'PATCH', `/sandbox/gifts/${id}`, { status: 3 });
  for (const gift of [
    { reference: twice, summary: 'again', total: '51.81', gift: { currency: 'USD' } },
    { reference: 'XXXXX-YYYYY', summary: 'one that the database lost', total: '5.00' },
    { reference: 'CHEQUE-12', summary: 'one that was entered manually', total: '5.00' },
  ])
    await callPlatform(sandbox, 'POST', '/sandbox/gifts', gift);
  time += DAY;
  const { differences, fullDifferences: full } = await reconcile(server);
  assert.deepEqual(
    differences.toSorted(),
    [
      `mismatch platform amount ${less}`,
      `mismatch platform status ${voided}`,
      `duplicate platform donation ${twice}`,
      'missing database donation XXXXX-YYYYY',
      `missing platform donation ${missing}`,
    ].toSorted(),
  );
  assert.deepEqual(
    full
      .filter(({ field }) => field === 'amount' || field === 'status')
      .map(({ found, expected }) => `${found}, not ${expected}`)
      .toSorted(),
    ['1.00, not 51.81', 'Voided, not Approved'],
  );
});

test('treats a renewal whose webhook may still arrive as in progress, and does not apply it', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const { reference, subscriptionId } = await server.donateMonthly();
  server.fakeStripe.renewSubscription(subscriptionId);
  await waitForDelivery(server);
  const young = await reconcile(server, { apply: true });
  assert.deepEqual([young.applied, young.inProgress, young.differences], [[], [reference], []]);
  time += 20 * MINUTE;
  assert.deepEqual((await reconcile(server, { apply: true })).applied, [`${reference}-2 renewal`]);
});

test('reports no difference for a bank debit until it is paid, and looks it up if its webhook was lost', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const { reference } = await server.donate(BANKS.ach);
  await waitForDelivery(server);
  time += MINUTE * 60;
  assert.deepEqual((await reconcile(server)).fullDifferences, []);
  server.fakeStripe.settleDebit(server.fakeStripe.listPaymentIntents()[0]!.id);
  assert.deepEqual((await reconcile(server)).differences, [
    `mismatch database status ${reference}`,
  ]);
  assert.deepEqual((await reconcile(server, { apply: true })).applied, [
    `${reference} processing → succeeded`,
  ]);
  await waitForDelivery(server);
  assert.deepEqual((await reconcile(server)).differences, []);
});

test('finds donations missing from the database and duplicate payments at the processor, and ignores unrelated payments', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const { reference } = await server.donate();
  await using lost = await startServerWithStripe({}, server.fakeStripe);
  const { reference: once } = await lost.donate();
  const { reference: monthly } = await lost.donateMonthly();
  const { secretKey, host, port } = server.fakeStripe;
  const stripe = new Stripe(secretKey, { host, port, protocol: 'http', telemetry: false });
  const { id: customer } = await stripe.customers.create({ name: 'Bram' });
  for (const terms of [
    { metadata: { donation_form_reference: reference } },
    { metadata: { ticket: 'A12' } },
    { metadata: { reference: '7K4M9-QXD2P' } },
    { metadata: { reference: '8K4M9-QXD2P' }, description: 'Lanternwell 8K4M9-QXD2P' },
    { customer },
  ]) {
    const { id } = await stripe.paymentIntents.create({ amount: 5_181, currency: 'usd', ...terms });
    await stripe.paymentIntents.confirm(id, {
      confirmation_token: server.fakeStripe.createConfirmationToken(STRIPE_CARDS.good),
    });
  }
  await waitForDelivery(server);
  time += DAY;
  const { differences, fullDifferences } = await reconcile(server);
  assert.deepEqual(
    differences.toSorted(),
    [
      `duplicate payment-provider donation ${reference}`,
      `missing database donation ${monthly}`,
      `missing database donation ${once}`,
      'missing database donation 8K4M9-QXD2P',
    ].toSorted(),
  );
  assert.match(
    fullDifferences.find((difference) => difference.reference === once)!.expected,
    /^51\.81 USD succeeded \(pi_\w+\)$/,
  );
  const tomorrow = new Date(time).toISOString().slice(0, 10);
  assert.deepEqual(
    (await reconcile(server, { from: tomorrow, to: tomorrow })).differences.filter((words) =>
      words.startsWith('missing'),
    ),
    [],
    "a donation of another day appears only in that day's report",
  );
});

test('ignores payments and renewals of another organization in the same account and database', async () => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  await server.donate();
  const { subscriptionId } = await server.donateMonthly();
  server.fakeStripe.renewSubscription(subscriptionId);
  await waitForDelivery(server);
  await server.database.db.updateTable('donations').set({ organization: 'other' }).execute();
  time += DAY;
  const { differences } = await reconcile(server);
  assert.deepEqual(
    differences.filter((difference) => difference.startsWith('missing database')),
    [],
  );
});

test("looks up a payment by ID before reporting it as missing from the processor's list", async (t) => {
  let time = Date.now();
  await using server = await startServerWithStripe({ now: () => time });
  const { gateway } = server;
  const paid = await server.donate();
  await waitForDelivery(server);
  const retrievePayment = gateway.retrievePayment.bind(gateway);
  const retrieve = t.mock.method(gateway, 'retrievePayment');
  Object.assign(gateway, {
    async *iteratePayments() {
      /* lists nothing */
    },
  });
  time += DAY;
  assert.deepEqual((await reconcile(server)).differences, []);
  assert.deepEqual(
    retrieve.mock.calls.map(({ arguments: [ids] }) => ids.paymentId),
    [paid.response!.transactionId],
  );
  retrieve.mock.mockImplementation(() => retrievePayment({ paymentId: 'pi_unknown' }));
  const { differences, fullDifferences } = await reconcile(server);
  assert.deepEqual(differences, [`missing payment-provider donation ${paid.reference}`]);
  assert.equal(fullDifferences[0]!.found, 'no such payment');
});

test('treats pending updates as in progress for some minutes, then as differences, and ignores donations that wait for the donor', async () => {
  let time = Date.now();
  const outage = new Outage(isGiftCreation, respondWith(503));
  await using server = await startServer({ now: () => time, intercept: outage.intercept });
  const waiting = await donateAndGetReference(server);
  const { status, reference: asking } = await server.submitDonation({ card: '4000002760003184' });
  assert.equal(status, 'requires_action');
  time += 2 * MINUTE;
  const now = await reconcile(server);
  assert.deepEqual(
    [now.differences, now.inProgress.toSorted()],
    [[], [waiting, asking].toSorted()],
  );
  time += 20 * MINUTE;
  const later = await reconcile(server);
  assert.deepEqual(
    [later.differences, later.inProgress],
    [[`missing platform donation ${waiting}`], [asking]],
  );
  outage.isDown = false;
  await waitForDelivery(server);
  assert.deepEqual((await reconcile(server)).differences, []);
});

test('treats a gift that the lookup may not find yet as in progress', async () => {
  for (const [findDelay, delay] of [
    [undefined, 20_000],
    [60 * MINUTE, 60 * MINUTE],
  ] as const) {
    let time = Date.now();
    await using server = await startServer({
      now: () => time,
      changePlatform: (platform) => ({
        createGift: (gift) => platform.createGift(gift),
        findGiftId: () => Promise.resolve(undefined),
        findDelay,
      }),
    });
    const reference = await donateAndGetReference(server);
    await waitForDelivery(server);
    time += delay - 1;
    const early = await reconcile(server);
    assert.deepEqual([early.differences, early.inProgress], [[], [reference]]);
    time += 1;
    const late = await reconcile(server);
    assert.deepEqual(
      [late.differences, late.inProgress],
      [[`missing platform donation ${reference}`], []],
    );
  }
});

test('reports a platform that cannot be compared, and looks up gifts one by one within the quota if it has no list', async () => {
  let time = Date.now();
  await using none = await startServer({
    now: () => time,
    changePlatform: (platform) => ({ createGift: (gift) => platform.createGift(gift) }),
  });
  await donateAndGetReference(none);
  await waitForDelivery(none);
  const silent = await reconcile(none);
  assert.deepEqual(
    [silent.notCompared.map(({ side, isFailure }) => [side, isFailure]), silent.end.differences],
    [[['platform', false]], 0],
  );
  const isLimited = { cause: undefined, isLimited: true };
  const lookUp = mock.fn((): Promise<string | undefined> =>
    Promise.reject(new GiftNotCreatedError('no', isLimited)),
  );
  lookUp.mock.mockImplementationOnce(async () => undefined);
  await using looking = await startServer({
    now: () => time,
    changePlatform: (platform) => ({
      createGift: (gift) => platform.createGift(gift),
      findGiftId: lookUp,
    }),
  });
  const missing = [await donateAndGetReference(looking), await donateAndGetReference(looking)].map(
    (reference) => `missing platform donation ${reference}`,
  );
  await waitForDelivery(looking);
  time += DAY;
  const looked = await reconcile(looking);
  assert.equal(looked.differences.length, 1);
  assert.ok(missing.includes(looked.differences[0]!));
  assert.match(looked.notCompared[0]!.reason, /^1 gift \(the report reached the lookup limit\)$/);
});

test('reports an unavailable processor or platform as a difference, and compares the others', async () => {
  let time = Date.now();
  const outage = new Outage(({ method }) => method === 'GET', respondWith(500));
  outage.isDown = false;
  await using server = await startServer({ now: () => time, intercept: outage.intercept });
  await donateAndGetReference(server);
  await waitForDelivery(server);
  time += DAY;
  outage.isDown = true;
  const { notCompared, end, rows } = await reconcile(server);
  assert.deepEqual(
    [notCompared.map(({ side, isFailure }) => [side, isFailure]), end.differences, rows.length],
    [
      [
        ['payment-provider', true],
        ['platform', true],
      ],
      2,
      1,
    ],
  );
});

test('reports a donation that needs review as a difference until the decision', async () => {
  let ahead = 0;
  await using server = await startAdminServer({ now: () => Date.now() + ahead });
  const { reference } = await createDonationInReview(server);
  const { paymentId } = (await server.repository.findByReference(reference))!;
  ahead += DAY;
  assert.deepEqual((await reconcile(server)).differences, [
    `mismatch database status ${reference}`,
  ]);
  server.fakeStripe.createRefund(paymentId!, 5_181);
  await server.deliverWebhooks();
  await resolveDonation(server, reference, { decision: 'failed' });
  await waitForDelivery(server);
  ahead += DAY;
  assert.deepEqual((await reconcile(server, { apply: true })).differences, []);
});

test('leaves a fifth of the quota for gifts, and reports when to run it again', async () => {
  const time = Date.now();
  await using server = await startServer({ now: () => time });
  await donateAndGetReference(server);
  await waitForDelivery(server);
  await server.database.db.updateTable('apiQuotas').set({ used: 1_200 }).execute();
  const before = server.calls.length;
  const { notCompared, end } = await reconcile(server);
  assert.deepEqual(
    [server.calls.slice(before).filter((call) => call.includes('/sandbox/')), end.differences],
    [[], 1],
  );
  assert.match(
    notCompared[0]!.reason,
    /^listing gifts failed: the hourly API quota is exhausted. Try again after 20\d\d-/,
  );
  await donateAndGetReference(server);
  await waitForDelivery(server);
  assert.equal(server.sentGifts.length, 2);
});

test('requires days, an organization, and a key, and names the invalid one', async () => {
  await using server = await startServer();
  for (const [body, problem] of [
    [{ from: '2026-13-01', to: '2026-12-01' }, /--from is '2026-13-01'; expected a date/],
    [{ from: '2026-02-30', to: '2026-12-01' }, /--from is '2026-02-30'/],
    [{ from: '2026-12-02', to: '2026-12-01' }, /after --to/],
    [{ from: '2026-12-01' }, /"message":"to: /],
    [
      { from: '2026-12-01', to: '2026-12-01', organization: 'nobody' },
      /Unknown organization 'nobody'; expected one of lanternwell/,
    ],
  ] as const)
    assert.match(await (await callReportingApi(server, '/reconciliation', body)).text(), problem);
  const paths = [
    '/reconciliation',
    '/donations/export',
    '/donors/export',
    '/donors/delete',
    '/backup',
  ];
  for (const path of paths)
    for (const key of [null, 'another'])
      assert.equal((await callReportingApi(server, path, {}, key)).status, 401, path);
});
