import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { exampleForm } from '../../example-form.ts';
import { formDefinition } from '../../response-schemas.ts';
import { waitUntil } from '../../wait-until.ts';
import { assertRecordedInOrder } from '../platform/api-quota-support.ts';
import { waitForDelivery } from '../reporting/support.ts';
import {
  CARDS,
  createIdempotencyKey,
  ORIGIN,
  PLATFORM_KEY,
  readOutcome,
  readProblem,
  startServer,
  type TestServer,
  waitForStatus,
} from '../support.ts';
import {
  dropRequest,
  dropResponse,
  failToRecordSuccess,
  isCharge,
  isGiftCreation,
  Outage,
  refuseConnection,
  respondWith,
} from './faults.ts';

const countCalls = ({ calls }: TestServer, wanted: string): number =>
  calls.filter((call) => call === wanted).length;

test("charges and records a donation once, and responds with the specification's DonateResponse", async () => {
  await using server = await startServer();
  const { reference, status, provider, response } = await server.submitDonation({
    gift: { frequency: 'monthly' },
  });
  assert.deepEqual([status, provider], ['succeeded', 'stripe']);
  assert.match(reference, /^[2-9A-HJ-NP-TV-Z]{5}-[2-9A-HJ-NP-TV-Z]{5}$/);
  assert.match(response?.transactionId ?? '', /^pi_/);
  assert.deepEqual(
    { ...response, transactionId: null },
    {
      success: true,
      message: null,
      transactionId: null,
      amount: 51.81,
      frequency: 12,
      segment: 'MAIL26',
      giftId: 1,
      projectSplit: [
        { projectId: '2', projectName: 'Village wells', projectCode: 'WATER', amount: '50.00' },
      ],
    },
  );
  const charges = await server.listCharges(reference);
  assert.deepEqual(
    charges.map((charge) => [charge.amount, charge.currency, charge.payment_intent]),
    [[5_181, 'usd', response?.transactionId]],
  );
  assert.deepEqual(
    (await server.listActivities()).map(({ displayText }) => displayText),
    [`Ana Souza gave 51.81 USD monthly to Village wells (${reference})`],
  );
  assert.deepEqual(
    server.calls.filter((call) => /confirm|gifts/.test(call)),
    ['POST /stripe/v1/payment_intents/:id/confirm', 'POST /sandbox/gifts'],
  );
});

test('rule 29: omits the frequency of a one-time donation', async () => {
  await using server = await startServer();
  const { response } = await server.submitDonation();
  assert.ok(response && !('frequency' in response));
});

test('responds to a declined card with a final outcome for its key, without a charge', async () => {
  for (const card of [CARDS.declined, CARDS.insufficientFunds]) {
    await using server = await startServer();
    const key = createIdempotencyKey();
    const first = await server.postDonation(await server.createRequest({ card }), { key });
    assert.equal(first.status, 402);
    const { status, reason, reference } = await readOutcome(first);
    assert.deepEqual([status, reason], ['failed', 'card-declined']);
    const again = await server.submitDonation({}, key);
    assert.deepEqual([again.status, again.reference], ['failed', reference]);
    assert.deepEqual(
      [await server.listCharges(reference), await server.listActivities()],
      [[], []],
    );
    assert.equal((await server.submitDonation()).status, 'succeeded', 'with a new key');
  }
});

test('makes one charge and one gift for 50 parallel submissions of one key, with equal outcomes', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const requests = await Promise.all(Array.from({ length: 50 }, () => server.createRequest()));
  const [first, ...others] = await Promise.all(
    requests.map(async (request) => readOutcome(await server.postDonation(request, { key }))),
  );
  for (const { reference, status } of others)
    assert.deepEqual([reference, status], [first!.reference, 'succeeded']);
  assert.equal((await server.listCharges(first!.reference)).length, 1);
  assert.deepEqual(server.calls, [
    'POST /stripe/v1/payment_intents',
    'POST /stripe/v1/payment_intents/:id/confirm',
    'POST /sandbox/gifts',
  ]);
  assert.deepEqual(await server.pollOutcome(key), first);
});

test('responds with 422 to another donation, donor, or provider under the same key', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const { reference } = await server.submitDonation({}, key);
  for (const change of [
    { gift: { segment: 'OTHER' } },
    { gift: { amount: 5_001, projects: [{ id: '2', amount: 5_001 }] } },
    { donor: { lastName: 'Souza 1', email: 'ana.1@example.org' } },
    { payment: { provider: 'offline' } },
  ]) {
    const response = await server.postDonation(await server.createRequest(change), { key });
    assert.deepEqual(
      [response.status, (await readProblem(response)).code],
      [422, 'idempotency-key-reused'],
      JSON.stringify(change),
    );
  }
  assert.equal((await server.listCharges(reference)).length, 1);
});

test('reports that nothing was charged if the processor is unreachable', async () => {
  await using server = await startServer({ intercept: refuseConnection });
  const { status, reason } = await server.submitDonation();
  assert.deepEqual([status, reason], ['failed', 'payment-failed']);
});

test('responds with 202 while the outcome of a charge is unknown, and looks it up in the background', async () => {
  let time = Date.now();
  const outage = new Outage(isCharge, dropResponse);
  await using server = await startServer({ intercept: outage.intercept, now: () => time });
  const key = createIdempotencyKey();
  const response = await server.postDonation(await server.createRequest(), { key });
  const { status, reference } = await readOutcome(response);
  assert.deepEqual([response.status, status], [202, 'unconfirmed']);
  outage.isDown = false;
  time += 19_900;
  await waitUntil(async () => {
    time += 10;
    return (await server.listActivities()).length === 1;
  });
  assert.equal((await server.pollOutcome(key)).status, 'succeeded');
  assert.equal((await server.listCharges(reference)).length, 1);
});

test('records a charge later if the database fails after it, and never charges again', async () => {
  let time = Date.now();
  await using server = await startServer({ now: () => time });
  const { repository } = server;
  const key = createIdempotencyKey();
  const repairDatabase = failToRecordSuccess(repository);
  for (const attempt of ['first', 'repeated']) {
    const { status } = await server.postDonation(await server.createRequest(), { key });
    assert.equal(status, 500, attempt);
  }
  const { status, reference } = await server.pollOutcome(key);
  assert.equal(status, 'unconfirmed');
  assert.doesNotMatch(server.logLines.join(''), /payment call failed/);
  repairDatabase();
  time += 21_000;
  await waitForStatus(server, key, 'succeeded');
  assert.equal((await server.listCharges(reference)).length, 1);
  assert.equal(server.calls.filter((call) => call.endsWith('/confirm')).length, 1);
  await waitUntil(async () => (await server.listActivities()).length === 1);
});

test('marks a charge of a different amount or currency for review, and never reports success', async () => {
  for (const [agreed, changed, charged] of [
    ['5181', '51810', '518.10 USD'],
    ['"usd"', '"jpy"', '5181 JPY'],
  ] as const) {
    await using server = await startServer({
      intercept: async (request, next) => {
        const response = await next(request);
        return request.url.includes('/stripe/v1/payment_intents')
          ? new Response((await response.text()).replaceAll(agreed, changed), response)
          : response;
      },
    });
    const { status, reference } = await server.submitDonation();
    assert.equal(status, 'unconfirmed');
    const row = await server.repository.findByReference(reference);
    assert.deepEqual(
      [row?.status, row?.lastError?.replace(/pi_\w+/, 'pi_1')],
      [
        'needs_review',
        `the payment provider charged ${charged} (pi_1) instead of the agreed 51.81 USD`,
      ],
    );
    assert.deepEqual(await server.listActivities(), []);
  }
});

test('does not fail a donation on a rejected retry while the first charge may still arrive', async () => {
  let calls = 0;
  const outage = new Outage(isCharge, async (request, next) => {
    calls += 1;
    // The charge and its lookup, each with a retry of Stripe's library.
    if (calls <= 4) return dropRequest(request, next);
    return request.method === 'POST' ? refuseConnection(request, next) : next(request);
  });
  await using server = await startServer({ intercept: outage.intercept });
  const key = createIdempotencyKey();
  for (const attempt of ['first', 'repeated'])
    assert.equal((await server.submitDonation({}, key)).status, 'unconfirmed', attempt);
});

test('does not resend a gift while the first call may still reach the platform', async () => {
  let time = Date.now();
  const late: (() => Promise<unknown>)[] = [];
  const outage = new Outage(isGiftCreation, (request, next) => {
    late.push(() => next(request));
    return dropRequest(request, next);
  });
  await using server = await startServer({ now: () => time, intercept: outage.intercept });
  await server.submitDonation();
  outage.isDown = false;
  time += 5_000;
  server.handler.start();
  await waitUntil(() => server.calls.includes('GET /sandbox/gifts'));
  for (const arrive of late) await arrive();
  time += 60_000;
  await waitForDelivery(server);
  assert.equal((await server.listActivities()).length, 1);
});

test('records charged donations while the outcome of other charges is unknown', async () => {
  let time = Date.now();
  const answered = Promise.withResolvers<undefined>();
  const outage = new Outage(isCharge);
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      if (!outage.isDown && request.method === 'GET' && isCharge(request)) await answered.promise;
      return outage.intercept(request, next);
    },
  });
  for (let index = 0; index < 30; index += 1) await server.submitDonation();
  outage.isDown = false;
  time += 21_000;
  server.handler.start();
  const key = createIdempotencyKey();
  await server.submitDonation({}, key);
  await waitUntil(async () => (await server.pollOutcome(key)).response?.giftId === 1);
  answered.resolve(undefined);
});

test('responds to a retry of an accepted donation even if the form has changed', async () => {
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY });
  await using folder = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
  const database = join(folder.path, 'database.sqlite');
  const key = createIdempotencyKey();
  const before = await startServer({ sandbox, database });
  const request = await before.createRequest();
  const { reference } = await before.submitDonation(request, key);
  await before[Symbol.asyncDispose]();
  const form: FormDefinition = { ...exampleForm, frequencies: ['monthly'] };
  await using after = await startServer({ sandbox, database, form });
  const repeated = await after.submitDonation(request, key);
  assert.equal(repeated.reference, reference);
  assert.equal((await readProblem(await after.postDonation(request))).code, 'form-outdated');
});

test('does not charge a donation whose organization is no longer configured', async () => {
  const outage = new Outage(isCharge);
  await using server = await startServer({ intercept: outage.intercept });
  const key = createIdempotencyKey();
  const { reference } = await server.submitDonation({}, key);
  await server.database.db.updateTable('donations').set({ organization: 'former' }).execute();
  outage.isDown = false;
  const repeated = await server.submitDonation({}, key);
  assert.deepEqual([repeated.status, repeated.reference], ['unconfirmed', reference]);
  assert.deepEqual(await server.listCharges(reference), []);
});

test('accepts an ETag that a proxy has weakened', async () => {
  await using server = await startServer();
  assert.equal(
    (await server.submitDonation({ definition: `W/${server.etag}` })).status,
    'succeeded',
  );
});

test('looks up the gift if the platform responds with anything but 200', async () => {
  let time = Date.now();
  const outage = new Outage(isGiftCreation, async (request, next) =>
    Response.json(await (await next(request)).json(), { status: 201 }),
  );
  await using server = await startServer({ now: () => time, intercept: outage.intercept });
  await server.submitDonation();
  time += 61_000;
  await waitForDelivery(server);
  assert.equal((await server.listActivities()).length, 1);
});

test("logs that the processor's key is wrong", async () => {
  const outage = new Outage(({ url }) => url.includes('/stripe/'), respondWith(401));
  await using server = await startServer({ intercept: outage.intercept });
  assert.equal((await server.submitDonation()).reason, 'payment-failed');
  assert.match(server.logLines.join(''), /"level":50.*payment call failed/);
});

test('backs off for a minute after a 429 without a time, or with a time in the past', async () => {
  let time = Date.now();
  const outage = new Outage(isGiftCreation, async (request, next) => {
    await next(request);
    return respondWith(429, { 'X-RateLimit-Reset': '1000' })(request, next);
  });
  await using server = await startServer({ now: () => time, intercept: outage.intercept });
  for (let index = 0; index < 20; index += 1) await server.submitDonation();
  for (const [wait, calls] of [
    [59_000, 1],
    [1_000, 2],
  ] as const) {
    time += wait;
    await server.handler.runJobs();
    assert.equal(countCalls(server, 'POST /sandbox/gifts'), calls);
  }
});

test('sends a request ID and nosniff with every response, including errors', async () => {
  await using server = await startServer();
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['POST', '/healthz'],
    ['GET', '/%E2%80%AEnothing'],
    ['POST', '/donations'],
    ['GET', '/form'],
  ] as const) {
    const { headers } = await server.fetch(path, { method });
    assert.match(headers.get('X-Request-Id') ?? '', /^[\w-]{36}$/, path);
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff', path);
  }
  assert.ok(!server.logLines.join('').includes('\u202e') && server.logLines.length === 5);
});

test('abandons a charge that never reached the processor after a minute, and charges its key at most once', async () => {
  let time = Date.now();
  const outage = new Outage(isCharge);
  await using server = await startServer({ intercept: outage.intercept, now: () => time });
  const key = createIdempotencyKey();
  assert.equal((await server.submitDonation({}, key)).status, 'unconfirmed');
  outage.isDown = false;
  time += 21_000;
  server.handler.start();
  await waitUntil(() => server.calls.includes('GET /stripe/v1/payment_intents/:id'));
  assert.equal((await server.pollOutcome(key)).status, 'unconfirmed');
  time += 60_000;
  await waitForStatus(server, key, 'failed');
  const { reference, reason } = await server.pollOutcome(key);
  assert.equal(reason, 'payment-failed');
  assert.deepEqual(await server.listCharges(reference), []);
});

test('resumes the same donation on a retry after a broken connection, and looks up the charge first', async () => {
  for (const [disturb, confirmations] of [
    [dropRequest, 1],
    // The charge, and the retry by Stripe's library.
    [dropResponse, 2],
  ] as const) {
    const outage = new Outage(isCharge, disturb);
    await using server = await startServer({ intercept: outage.intercept });
    const key = createIdempotencyKey();
    const first = await server.submitDonation({}, key);
    assert.equal(first.status, 'unconfirmed');
    outage.isDown = false;
    const second = await server.submitDonation({}, key);
    assert.deepEqual([second.status, second.reference], ['succeeded', first.reference]);
    assert.equal((await server.listCharges(first.reference)).length, 1);
    assert.equal(countCalls(server, 'POST /stripe/v1/payment_intents/:id/confirm'), confirmations);
  }
});

test('succeeds while the platform is down, and records the gift when it is back', async () => {
  const outage = new Outage(({ url }) => url.includes('/sandbox/gifts'));
  let time = Date.now();
  await using server = await startServer({ now: () => time, intercept: outage.intercept });
  for (let index = 0; index < 20; index += 1) {
    time += 10;
    const donor = { lastName: `Souza ${index}` };
    const { status, response } = await server.submitDonation({ donor });
    assert.deepEqual([status, response?.giftId], ['succeeded', null]);
  }
  assert.deepEqual(await server.listActivities(), []);
  outage.isDown = false;
  time += 3_600_000;
  server.handler.start();
  await waitUntil(async () => (await server.listActivities()).length === 20);
  await assertRecordedInOrder(server, 20);
});

test('calls no platform whose quota is used up until the next hour', async () => {
  let time = Date.UTC(2026, 10, 21, 10, 59, 0);
  await using server = await startServer({ now: () => time, hourlyLimit: 2 });
  for (const giftId of [1, 2, null, null])
    assert.equal((await server.submitDonation()).response?.giftId, giftId);
  assert.equal(countCalls(server, 'POST /sandbox/gifts'), 2);
  time += 61_000;
  await waitForDelivery(server);
  assert.equal(countCalls(server, 'POST /sandbox/gifts'), 4);
});

test('responds with 404 donation-not-found for an unknown key', async () => {
  await using server = await startServer();
  const response = await server.fetchOutcome(createIdempotencyKey());
  assert.deepEqual(
    [response.status, (await readProblem(response)).code],
    [404, 'donation-not-found'],
  );
});

test('sends the form definition with an ETag, and responds with 304 if it is unchanged', async () => {
  await using server = await startServer();
  const headers = { Origin: ORIGIN };
  const first = await server.fetch('/form', { headers });
  assert.deepEqual(formDefinition.parse(await first.json()).id, 'main');
  assert.equal(first.headers.get('ETag'), server.etag);
  assert.match(first.headers.get('Access-Control-Expose-Headers') ?? '', /ETag/);
  const second = await server.fetch('/form', {
    headers: { ...headers, 'If-None-Match': server.etag },
  });
  assert.equal(second.status, 304);
});

test('sends custom fields and tracking to the platform', async () => {
  await using server = await startServer();
  const customFields = [{ id: '12', value: 'Event' }];
  const tracking = { utmSource: 'mail', adClickId: 'x'.repeat(300) };
  assert.equal((await server.submitDonation({ customFields, tracking })).status, 'succeeded');
  const sent = JSON.parse(server.sentGifts[0]!) as Record<string, unknown>;
  assert.deepEqual([sent.customFields, sent.tracking], [customFields, tracking]);
});

test('keeps keys, tokens, card numbers, and donor data out of logs and unrelated rows', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const request = await server.createRequest();
  const { reference } = await server.submitDonation(request, key);
  const row = JSON.stringify(await server.repository.findByReference(reference));
  const logs = server.logLines.join('');
  assert.ok(logs.includes('"route":"/donations"'));
  for (const secret of [key, request.payment.token!, 'canary-platform-key', 'canary-secret-key'])
    assert.ok(!row.includes(secret) && !logs.includes(secret), secret);
  assert.doesNotMatch(logs, /canary@|Souza/);
  const entry = JSON.stringify(await server.repository.outbox.findGiftCreation(reference));
  // Four digits alone could be part of a time.
  assert.doesNotMatch([row, entry, logs, server.sentGifts].join(), /4242\D?4242/);
});

test('rule 63: sends covered fees as a split to the configured project, and splits that add up to the total', async () => {
  const [usd, ...others] = exampleForm.currencies;
  for (const [projectId, expected] of [
    ['1', ['2: 50.00', '1: 1.81']],
    ['2', ['2: 51.81']],
  ] as const) {
    const feeCover = { ...usd.feeCover!, projectId };
    await using server = await startServer({
      form: { ...exampleForm, currencies: [{ ...usd, feeCover }, ...others] },
    });
    const { response } = await server.submitDonation();
    assert.deepEqual(
      [response?.amount, response?.projectSplit.map((part) => `${part.projectId}: ${part.amount}`)],
      [51.81, expected],
    );
  }
});
