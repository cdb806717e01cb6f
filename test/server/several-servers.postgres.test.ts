/** Several servers over one PostgreSQL. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createSandbox } from '../../src/sandbox/index.ts';
import { DonationRepository } from '../../src/server/donations/donation-repository.ts';
import { openPostgres } from '../../src/server/database/database.ts';
import { startFakeStripe } from '../fake-stripe/index.ts';
import { until } from '../until.ts';
import { heldGift, openOperatorDesk, reportOf, resolveGift } from './operator-support.ts';
import { openStripeDesk } from './payments-support.ts';
import { asJson, asXml, kept, openHookedDesk, send } from './platform-webhooks-support.ts';
import { openServers, sentBy } from './several-servers-support.ts';
import { give, openReceiver, rowsOf } from './site-webhooks-support.ts';
import { databaseUrl, openTestStore, testOverPostgres as test } from './store.ts';
import { newKey, openDesk, outcomeOf, PLATFORM_KEY, SECRET_KEY } from './support.ts';
import type { DonationPayload } from '../../src/server/database/schema.ts';

/** An answer that never comes, until the test is over. */
function silence(): { readonly answer: Promise<Response>; readonly end: () => void } {
  let end = (): void => undefined;
  const answer = new Promise<Response>((_resolve, reject) => {
    end = () => {
      reject(new TypeError('the server is gone'));
    };
  });
  answer.catch(() => undefined);
  return { answer, end };
}

test('50 parallel submissions of one key over two servers: 1 charge, 1 gift, 50 equal outcomes', async () => {
  await using servers = await openServers();
  const { formRegistry } = servers;
  const request = await formRegistry[0].request();
  const key = newKey();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_one, index) =>
      outcomeOf(await formRegistry[index % 2]!.post(request, { key })),
    ),
  );
  assert.deepEqual(
    [...new Set(outcomes.map(({ reference, state }) => `${reference} ${state}`))],
    [`${outcomes[0]!.reference} succeeded`],
  );
  assert.deepEqual(
    [
      (await formRegistry[0].charges(outcomes[0]!.reference)).length,
      (await formRegistry[0].activities()).length,
    ],
    [1, 1],
  );
});

test('100 gifts over two servers, whose outboxes both run: each is charged once and recorded once, with one call', async () => {
  await using servers = await openServers();
  const { formRegistry } = servers;
  for (const { handler } of formRegistry) handler.start();
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, async (_one, index) =>
      outcomeOf(
        await formRegistry[index % 2]!.post(
          await formRegistry[index % 2]!.request({ donor: { email: `${index}@example.org` } }),
        ),
      ),
    ),
  );
  assert.ok(outcomes.every(({ state }) => state === 'succeeded'));
  await until(async () => (await formRegistry[0].activities()).length === 100);
  const times = sentBy(formRegistry);
  assert.deepEqual([times.size, Math.max(...times.values())], [100, 1]);
  for (const { reference } of outcomes)
    assert.equal((await formRegistry[0].charges(reference)).length, 1);
  assert.equal(
    formRegistry
      .flatMap(({ calls }) => calls)
      .filter((call) => call.startsWith('GET /sandbox/gifts')).length,
    0,
  );
});

test('a server that dies while it records a gift: the other leaves it alone for a minute, then looks it up and records it once', async () => {
  let time = Date.now();
  const death = silence();
  await using servers = await openServers(
    {
      now: () => time,
      between: (request, next) =>
        request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
          ? death.answer
          : next(request),
    },
    { now: () => time },
  );
  const [dying, other] = servers.formRegistry;
  const { state } = await outcomeOf(await dying.post(await dying.request()));
  assert.equal(state, 'succeeded');
  await other.handler.drain();
  assert.deepEqual([other.sent.length, (await other.activities()).length], [0, 0]);
  time += 61_000;
  other.handler.start();
  await until(async () => (await other.activities()).length === 1);
  assert.deepEqual(
    [other.sent.length, other.calls.filter((call) => call.startsWith('GET /sandbox/gifts')).length],
    [1, 1],
  );
  death.end();
});

test('a server that dies before it charges: the other goes on when its donor comes back, and charges once', async () => {
  let time = Date.now();
  const death = silence();
  await using servers = await openServers(
    {
      now: () => time,
      between: (request, next) =>
        request.url.endsWith('/processor/payments') ? death.answer : next(request),
    },
    { now: () => time },
  );
  const [dying, other] = servers.formRegistry;
  const key = newKey();
  const request = await dying.request();
  const lost = dying.post(request, { key });
  await until(async () => (await other.ask(key)).status === 202);
  time += 21_000;
  const { state, reference } = await outcomeOf(await other.post(request, { key }));
  assert.deepEqual([state, (await other.charges(reference)).length], ['succeeded', 1]);
  death.end();
  assert.equal((await outcomeOf(await lost)).state, 'succeeded');
  assert.equal((await other.charges(reference)).length, 1);
});

test('a server that was held up while it had a gift, and lost it to another, no longer sends it', async () => {
  let time = 1_000;
  await using store = await openTestStore();
  const [one, other] = [
    new DonationRepository(store, { now: () => time }),
    new DonationRepository(store, { now: () => time }),
  ];
  await one.insert({
    reference: 'A',
    idempotency_key_hash: 'k',
    fingerprint: 'f',
    organization: 'o',
    payload: {} as DonationPayload,
    dueAt: 0,
  });
  await one.markSucceeded('A', { payment_id: 'pi_1', subscription_id: null, payment_method: 0 });
  const [due] = await one.outbox.listDue('o', 10);
  const mine = (await one.outbox.claim(due!))!;
  assert.equal(await other.outbox.claim(due!), undefined);
  time += 61_000;
  const theirs = (await other.outbox.claim((await other.outbox.listDue('o', 10))[0]!))!;
  assert.equal(await one.outbox.markDispatched(mine), false);
  assert.equal(await other.outbox.markDispatched(theirs), true);
  await one.outbox.postpone(mine, { dueAt: 0, error: 'late', sendingBeganAt: null });
  const {
    next_run_at: dueAt,
    dispatched_at: beganAt,
    last_error: error,
  } = (await one.outbox.findById('gift A'))!;
  assert.deepEqual([dueAt, beganAt, error], [theirs.next_run_at, time, null]);
});

test('renewals that the processor tells to both servers at once, three times each: each is one gift, numbered once', async () => {
  const store = randomUUID();
  const fake = await startFakeStripe();
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY, secretKey: SECRET_KEY });
  await using one = await openStripeDesk({ store, sandbox }, fake);
  await using other = await openStripeDesk({ store, sandbox }, fake);
  const { reference } = await one.give(undefined, { frequency: 'monthly' });
  const subscription = (await one.repository.findByReference(reference))!.subscription_id!;
  for (let month = 0; month < 3; month += 1) fake.renew(subscription);
  const statuses = await Promise.all(
    [one, other].flatMap((desk) => [
      desk.tell({ times: 2, order: 'shuffled' }),
      desk.tell({ order: 'reversed' }),
    ]),
  );
  assert.deepEqual([...new Set(statuses.flat())], [204]);
  const expected = [reference, ...[2, 3, 4].map((number) => `${reference}-${number}`)];
  await until(async () => (await one.repository.outbox.listByState('waiting', 1)).length === 0);
  const times = sentBy([one, other]);
  assert.deepEqual([[...times.keys()].sort(), Math.max(...times.values())], [expected, 1]);
  await fake.close();
});

test('four servers that start at once over an empty database all find its tables', async () => {
  const { DATABASE_URL: url } = await databaseUrl();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url!)));
  for (const store of stores) {
    assert.equal(await new DonationRepository(store).findByReference('A'), undefined);
    await store.close();
  }
});

test('what two servers count of ignored settings at the same moment is counted in full', async () => {
  await using servers = await openServers();
  const { formRegistry } = servers;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (let round = 0; round < 5; round += 1) {
    formRegistry.forEach(({ ignoredSettings }, index) => {
      for (const name of index === 0 ? names : names.toReversed())
        ignoredSettings.add({
          form: 'main',
          ignored: [{ name: `${name} ${round}`, reason: 'not-offered' }],
        });
    });
    await Promise.all(formRegistry.map(({ ignoredSettings }) => ignoredSettings.flush()));
  }
  const counted = await formRegistry[0].ignoredSettings.report(1);
  assert.deepEqual([counted.length, counted.filter(({ count }) => count !== 2).length], [30, 0]);
});

test('ten people who decide at once on two servers: one decision counts, nine are told what is', async () => {
  const store = randomUUID();
  await using desk = await openOperatorDesk({ store });
  await using other = await openOperatorDesk({ store }, desk.fake);
  const { reference } = await heldGift(desk);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_one, index) =>
      resolveGift(index % 2 ? other : desk, reference, {
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

test('of two servers over one store one sends each message', async () => {
  await using receiver = await openReceiver();
  const store = randomUUID();
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    secretKey: SECRET_KEY,
    hourlyLimit: 10_000,
  });
  await using one = await openDesk({ store, sandbox, webhooks: [receiver.address] });
  await using other = await openDesk({ store, sandbox, webhooks: [receiver.address] });
  for (let gift = 0; gift < 8; gift += 1) {
    await give(one, { donor: { email: `${gift}@example.org` } });
    other.siteWebhooks.wake('lanternwell');
  }
  await until(async () => (await rowsOf(one)).length === 0);
  assert.deepEqual(
    [receiver.received.length, new Set(receiver.received.map(({ id }) => id)).size],
    [8, 8],
  );
});

test('an event that is told to two servers at once, 100 times: one effect, and the one that lives tells the hook what the other had taken', async () => {
  const store = randomUUID();
  let time = Date.now();
  let isTaken = false;
  let release = (): void => undefined;
  const hang = (): Promise<void> =>
    new Promise((resolve) => {
      isTaken = true;
      release = resolve;
    });
  await using one = await openHookedDesk(hang, { store, now: () => time, hookTime: 60_000 });
  await using other = await openHookedDesk(undefined, { store, now: () => time });
  await send(one, asJson(1));
  await until(() => isTaken);
  const statuses = await Promise.all(
    Array.from(
      { length: 99 },
      async (_one, index) =>
        (
          await send(index % 4 < 2 ? one : other, index % 2 === 0 ? asJson(1) : asXml(1), {
            type: index % 2 === 0 ? 'application/json' : 'application/xml',
          })
        ).status,
    ),
  );
  assert.deepEqual([...new Set(statuses)], [204]);
  await other.handler.drain();
  assert.deepEqual(
    [(await kept(one)).map(({ state }) => state), other.heard.length],
    [['waiting'], 0],
  );
  time += 61_000;
  other.handler.start();
  await until(async () => (await kept(other))[0]?.state === 'handled');
  assert.deepEqual([one.heard.length, other.heard.length], [0, 1]);
  release();
});
