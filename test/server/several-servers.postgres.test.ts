import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createSandbox } from '../../src/sandbox/index.ts';
import { openPostgres } from '../../src/server/database/postgres-database.ts';
import { DonationRepository } from '../../src/server/donations/donation-repository.ts';
import { startFakeStripe } from '../fake-stripe.ts';
import { waitUntil } from '../wait-until.ts';
import {
  createDonationInReview,
  fetchDonationDetail,
  resolveDonation,
  startAdminServer,
} from './admin/support.ts';
import { formWithPayments, startServerWithStripe } from './payments/support.ts';
import { countSentGifts, startServers } from './several-servers-support.ts';
import {
  createIdempotencyKey,
  PLATFORM_KEY,
  readOutcome,
  type TestServerOptions,
} from './support.ts';
import { createDatabaseUrl, testOverPostgres as test } from './test-database.ts';
import {
  createJsonBody,
  createXmlBody,
  listWebhooks,
  postWebhook,
  startServerWithHook,
} from './webhooks/inbound-support.ts';
import { listMessages, startWebhookListener } from './webhooks/outbound-support.ts';

const SECOND = 1_000;

function createPendingResponse(): { readonly answer: Promise<Response>; readonly end: () => void } {
  let end = (): void => undefined;
  const answer = new Promise<Response>((_resolve, reject) => {
    end = () => reject(new TypeError('the server is gone'));
  });
  answer.catch(() => undefined);
  return { answer, end: () => end() };
}

test('makes one charge and one gift for 50 parallel submissions of one key to two servers, with equal outcomes', async () => {
  await using fixture = await startServers();
  const { servers } = fixture;
  const request = await servers[0].createRequest();
  const key = createIdempotencyKey();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_one, index) =>
      readOutcome(await servers[index % 2]!.postDonation(request, { key })),
    ),
  );
  assert.deepEqual(
    [...new Set(outcomes.map(({ reference, status }) => `${reference} ${status}`))],
    [`${outcomes[0]!.reference} succeeded`],
  );
  assert.deepEqual(
    [
      (await servers[0].listCharges(outcomes[0]!.reference)).length,
      (await servers[0].listActivities()).length,
    ],
    [1, 1],
  );
});

test('charges and records each of 100 donations once, with one call, on two servers that both run the outbox', async () => {
  await using fixture = await startServers();
  const { servers } = fixture;
  for (const { handler } of servers) handler.start();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_one, index) =>
      servers[index % 2]!.makeDonation({ donor: { email: `${index}@example.org` } }),
    ),
  );
  assert.ok(outcomes.every(({ status }) => status === 'succeeded'));
  await waitUntil(async () => (await servers[0].listActivities()).length === 100);
  const times = countSentGifts(servers);
  assert.deepEqual([times.size, Math.max(...times.values())], [100, 1]);
  for (const { reference } of outcomes)
    assert.equal((await servers[0].listCharges(reference)).length, 1);
  assert.equal(
    servers.flatMap(({ calls }) => calls).filter((call) => call.startsWith('GET /sandbox/gifts'))
      .length,
    0,
  );
});

test('sends the waiting gifts of each donor in order, one at a time, from two servers', async () => {
  let time = Date.now();
  let isDown = true;
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const sent: string[] = [];
  const donorsInProgress = new Set<string>();
  const intercept: TestServerOptions['intercept'] = async (request, next) => {
    if (isDown) throw new TypeError('fetch failed', { cause: refused });
    if (request.method !== 'POST' || !request.url.endsWith('/sandbox/gifts')) return next(request);
    const { donor } = (await request.clone().json()) as {
      donor: { email: string; lastName: string };
    };
    if (donorsInProgress.has(donor.email)) sent.push(`during another call: ${donor.lastName}`);
    donorsInProgress.add(donor.email);
    sent.push(donor.lastName);
    await setTimeout(10);
    const response = await next(request);
    donorsInProgress.delete(donor.email);
    return response;
  };
  await using fixture = await startServers({ form: formWithPayments, now: () => time, intercept });
  const { servers } = fixture;
  const names = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((donor) =>
    [1, 2, 3, 4, 5].map((gift) => `${donor}${gift}`),
  );
  for (const lastName of names) {
    time += 10;
    const donor = { lastName, email: `${lastName[0]}@example.org` };
    await servers[0].postDonation(
      await servers[0].createRequest({ payment: { provider: 'offline' }, donor }),
    );
  }
  isDown = false;
  await waitUntil(async () => {
    time += 2 * SECOND;
    await Promise.all(servers.map(({ handler }) => handler.runJobs()));
    return sent.length >= names.length;
  });
  assert.deepEqual(
    sent.toSorted((a, b) => a.charCodeAt(0) - b.charCodeAt(0)),
    names,
  );
});

test('takes over a gift a minute after the other server died while recording it, looks it up, and records it once', async () => {
  let time = Date.now();
  const now = () => time;
  const death = createPendingResponse();
  const intercept: TestServerOptions['intercept'] = (request, next) =>
    request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
      ? death.answer
      : next(request);
  await using fixture = await startServers({ now, intercept }, { now });
  const [dying, other] = fixture.servers;
  const { status } = await dying.makeDonation();
  assert.equal(status, 'succeeded');
  await other.handler.runJobs();
  assert.deepEqual([other.sentGifts.length, (await other.listActivities()).length], [0, 0]);
  time += 61_000;
  other.handler.start();
  await waitUntil(async () => (await other.listActivities()).length === 1);
  assert.deepEqual(
    [
      other.sentGifts.length,
      other.calls.filter((call) => call.startsWith('GET /sandbox/gifts')).length,
    ],
    [1, 1],
  );
  death.end();
});

test('resumes a donation on the other server after the first died before charging, and charges once', async () => {
  let time = Date.now();
  const now = () => time;
  const death = createPendingResponse();
  const intercept: TestServerOptions['intercept'] = (request, next) =>
    request.url.endsWith('/stripe/v1/payment_intents') ? death.answer : next(request);
  await using fixture = await startServers({ now, intercept }, { now });
  const [dying, other] = fixture.servers;
  const key = createIdempotencyKey();
  const request = await dying.createRequest();
  const lost = dying.postDonation(request, { key });
  await waitUntil(async () => (await other.fetchOutcome(key)).status === 202);
  time += 21_000;
  const { status, reference } = await readOutcome(await other.postDonation(request, { key }));
  assert.deepEqual([status, (await other.listCharges(reference)).length], ['succeeded', 1]);
  death.end();
  assert.equal((await readOutcome(await lost)).status, 'succeeded');
  assert.equal((await other.listCharges(reference)).length, 1);
});

test('records each renewal once under one number if both servers receive its event three times', async () => {
  const database = randomUUID();
  const fakeStripe = await startFakeStripe();
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY });
  await using one = await startServerWithStripe({ database, sandbox }, fakeStripe);
  await using other = await startServerWithStripe({ database, sandbox }, fakeStripe);
  const { reference } = await one.donate(undefined, { frequency: 'monthly' });
  const subscription = (await one.repository.findByReference(reference))!.subscriptionId!;
  for (let month = 0; month < 3; month += 1) fakeStripe.renewSubscription(subscription);
  const statuses = await Promise.all(
    [one, other].flatMap((server) => [
      server.deliverWebhooks({ times: 2, order: 'shuffled' }),
      server.deliverWebhooks({ order: 'reversed' }),
    ]),
  );
  assert.deepEqual([...new Set(statuses.flat())], [204]);
  const expected = [reference, ...[2, 3, 4].map((number) => `${reference}-${number}`)];
  await waitUntil(
    async () => (await one.repository.outbox.listByStatus('pending', 1)).length === 0,
  );
  const times = countSentGifts([one, other]);
  assert.deepEqual([[...times.keys()].sort(), Math.max(...times.values())], [expected, 1]);
  await fakeStripe.close();
});

test('creates the tables once if four servers start concurrently with an empty database', async () => {
  const { DATABASE_URL: url } = await createDatabaseUrl();
  const databases = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url!)));
  for (const database of databases) {
    assert.equal(await new DonationRepository(database).findByReference('A'), undefined);
    await database.close();
  }
});

test('counts all ignored settings if two servers write concurrently', async () => {
  await using fixture = await startServers();
  const { servers } = fixture;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (let round = 0; round < 5; round += 1) {
    servers.forEach(({ ignoredSettingStats }, index) => {
      for (const name of index === 0 ? names : names.toReversed())
        ignoredSettingStats.countIgnoredSettings({
          form: 'main',
          ignored: [{ name: `${name} ${round}`, reason: 'not-offered' }],
        });
    });
    await Promise.all(
      servers.map(({ ignoredSettingStats }) => ignoredSettingStats.writePendingCounts()),
    );
  }
  const counts = await servers[0].ignoredSettingStats.listCounts(1);
  assert.deepEqual([counts.length, counts.filter(({ count }) => count !== 2).length], [30, 0]);
});

test('applies one of ten concurrent decisions on two servers, and shows the result to the other nine', async () => {
  const database = randomUUID();
  await using server = await startAdminServer({ database });
  await using other = await startAdminServer({ database }, server.fakeStripe);
  const { reference } = await createDonationInReview(server);
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_one, index) =>
      resolveDonation(index % 2 ? other : server, reference, {
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

test('sends each webhook message once from two servers with one database', async () => {
  await using receiver = await startWebhookListener();
  await using fixture = await startServers({ webhookEndpoints: [receiver.endpoint] });
  const [one, other] = fixture.servers;
  for (let gift = 0; gift < 8; gift += 1) {
    await one.makeDonation({ donor: { email: `${gift}@example.org` } });
    other.outboundWebhooks.wakeWorkers('lanternwell');
  }
  await waitUntil(async () => (await listMessages(one)).length === 0);
  assert.deepEqual(
    [receiver.received.length, new Set(receiver.received.map(({ id }) => id)).size],
    [8, 8],
  );
});

test('calls the hook once for 100 deliveries to two servers, even if the server that claimed the event hangs', async () => {
  const database = randomUUID();
  let time = Date.now();
  let isTaken = false;
  let releaseHook = (): void => undefined;
  const waitForRelease = (): Promise<void> =>
    new Promise((resolve) => {
      isTaken = true;
      releaseHook = resolve;
    });
  await using one = await startServerWithHook(waitForRelease, {
    database,
    now: () => time,
    hookTimeout: 60_000,
  });
  await using other = await startServerWithHook(undefined, { database, now: () => time });
  await postWebhook(one, createJsonBody(1));
  await waitUntil(() => isTaken);
  const responses = await Promise.all(
    Array.from({ length: 99 }, (_one, index) => {
      const server = index % 4 < 2 ? one : other;
      return index % 2 === 0
        ? postWebhook(server, createJsonBody(1))
        : postWebhook(server, createXmlBody(1), { type: 'application/xml' });
    }),
  );
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [204]);
  await other.handler.runJobs();
  assert.deepEqual(
    [(await listWebhooks(one)).map(({ status }) => status), other.hookCalls.length],
    [['pending'], 0],
  );
  time += 61_000;
  other.handler.start();
  await waitUntil(async () => (await listWebhooks(other))[0]?.status === 'handled');
  assert.deepEqual([one.hookCalls.length, other.hookCalls.length], [0, 1]);
  releaseHook();
});
