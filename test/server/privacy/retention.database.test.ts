import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scheduler } from '../../../src/server/jobs/scheduler.ts';
import { eraseExpiredDonors } from '../../../src/server/privacy/retention.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe/index.ts';
import { openStripeDesk } from '../payments/support.ts';
import { CARDS, openDesk, outcomeOf, type Desk } from '../support.ts';
import { copies, DAY, told } from '../reporting/support.ts';

const run = ({ records: { database, formRegistry, log, now } }: Desk): Promise<void> =>
  eraseExpiredDonors({ database, organizations: () => formRegistry.organizations, log, now });
const isKept = async (desk: Desk, reference: string): Promise<boolean> =>
  (await desk.repository.findByReference(reference))!.payload.donor.email !== undefined;

test("donors' data goes so many days after the gift was recorded or declined, and not before", async () => {
  let time = Date.now();
  let isDown = true;
  await using desk = await openDesk({
    now: () => time,
    donorDataDays: 30,
    between: (request, next) =>
      isDown && request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Promise.resolve(new Response('{}', { status: 503 }))
        : next(request),
  });
  const { reference: late } = await outcomeOf(await desk.post(await desk.request()));
  const { reference: declined } = await outcomeOf(
    await desk.post(await desk.request({ card: CARDS.declined })),
  );
  time += 10 * DAY;
  isDown = false;
  await told(desk);
  time += 20 * DAY - 1_000;
  await run(desk);
  assert.deepEqual([await isKept(desk, late), await isKept(desk, declined)], [true, true]);
  time += DAY;
  await run(desk);
  assert.deepEqual(
    [await isKept(desk, late), await isKept(desk, declined)],
    [true, false],
    'it was recorded ten days after it was given',
  );
  time += 10 * DAY;
  await run(desk);
  const row = (await desk.repository.findByReference(late))!;
  assert.deepEqual(
    [await isKept(desk, late), row.redacted_by, row.status],
    [false, 'retention', 'succeeded'],
  );
});

test('a recurring gift that goes on, an open dispute and what is not recorded are spared', async () => {
  let time = Date.now();
  let isDown = false;
  await using desk = await openStripeDesk({
    now: () => time,
    donorDataDays: 30,
    between: (request, next) =>
      isDown && request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Promise.resolve(new Response('{}', { status: 503 }))
        : next(request),
  });
  const { reference: monthly } = await desk.give(STRIPE_CARDS.good, { frequency: 'monthly' });
  const { reference: disputed } = await desk.give();
  const { reference: plain } = await desk.give();
  const { subscription_id: subscription } = (await desk.repository.findByReference(monthly))!;
  const dispute = desk.fake.openDispute(
    (await desk.repository.findByReference(disputed))!.payment_id!,
  );
  await desk.tell();
  await told(desk);
  isDown = true;
  const { reference: unrecorded } = await desk.give();
  time += 400 * DAY;
  await run(desk);
  assert.deepEqual(
    await Promise.all([monthly, disputed, unrecorded, plain].map((one) => isKept(desk, one))),
    [true, true, true, false],
  );
  isDown = false;
  desk.fake.cancelSubscription(subscription!);
  desk.fake.closeDispute(dispute.id, 'lost');
  await desk.tell();
  time += DAY;
  await told(desk);
  await run(desk);
  assert.deepEqual(
    await Promise.all([monthly, disputed, unrecorded].map((one) => isKept(desk, one))),
    [true, false, true],
    'the days of a recurring gift begin at its end',
  );
  time += 31 * DAY;
  await run(desk);
  assert.deepEqual(await Promise.all([monthly, unrecorded].map((one) => isKept(desk, one))), [
    false,
    false,
  ]);
});

test("the platform's webhooks are read once and not while other writes wait, which never wait for many gifts", async () => {
  let time = Date.now();
  let writes = 0;
  await using desk = await openDesk({ now: () => time, donorDataDays: 30 });
  const {
    records: { database, formRegistry, log, now },
    inboundWebhooks: { inbox },
  } = desk;
  const references = await copies(desk, 60);
  const reads: string[] = [];
  await inbox.insertIfNew({
    id: 'old',
    organization: 'lanternwell',
    source: 'fundraising',
    kind: null,
    format: 'json',
    body: `{"reference":"${references[41]}"}`,
    hasHook: false,
  });
  await inbox.insertIfNew({
    id: 'other',
    organization: 'lanternwell',
    source: 'fundraising',
    kind: null,
    format: 'json',
    body: '{"reference":"CRPYX-99999"}',
    hasHook: false,
  });
  time += 31 * DAY;
  const watched = <Db extends object>(db: Db, where: string): Db =>
    new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return typeof value !== 'function'
          ? value
          : (...given: unknown[]): unknown => {
              if (name === 'selectFrom' && given[0] === 'inbound_webhooks') reads.push(where);
              return Reflect.apply(value, target, given);
            };
      },
    });
  await eraseExpiredDonors({
    database: {
      ...database,
      db: watched(database.db, 'aside'),
      writer: {
        write: (work) => {
          writes += 1;
          return database.writer.write((transaction) => work(watched(transaction, 'in a write')));
        },
      },
    },
    organizations: () => formRegistry.organizations,
    log,
    now,
  });
  assert.deepEqual(
    [reads, writes, (await inbox.list(10)).map(({ id }) => id)],
    [['aside'], 3, ['other']],
  );
  assert.deepEqual(
    await Promise.all(references.map((reference) => isKept(desk, reference))),
    references.map(() => false),
  );
});

test('without a number of days nothing goes', async () => {
  let time = Date.now();
  await using desk = await openDesk({ now: () => time });
  const { reference } = await outcomeOf(await desk.post(await desk.request()));
  await told(desk);
  time += 4_000 * DAY;
  await run(desk);
  assert.equal(await isKept(desk, reference), true);
});

test('of several servers that share a database one does a daily job, once a day', async () => {
  let time = Date.now();
  let done = 0;
  await using desk = await openDesk({ now: () => time });
  const { database, log } = desk.records;
  const jobs = {
    count: async () => {
      done += 1;
    },
  };
  const servers = Array.from({ length: 3 }, () => new Scheduler({ database, log, jobs }));
  const wake = async (): Promise<number> => {
    await Promise.all(servers.map((server) => server.wake()));
    return done;
  };
  assert.deepEqual([await wake(), await wake()], [1, 1]);
  time += DAY - 1;
  assert.equal(await wake(), 1);
  time += 1;
  assert.equal(await wake(), 2);
  time += 365 * DAY;
  assert.equal(await wake(), 3);
  time -= 364 * DAY;
  assert.equal(await wake(), 4, 'the clock was ahead, and was put right');
  await Promise.all(servers.map((server) => server.stop()));
});
