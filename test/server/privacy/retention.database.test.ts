import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DailyScheduler } from '../../../src/server/jobs/daily-scheduler.ts';
import { deleteExpiredDonorData } from '../../../src/server/privacy/retention.ts';
import { isGiftCreation, Outage, respondWith } from '../donations/faults.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { DAY, donateOften, waitForDelivery } from '../reporting/support.ts';
import { CARDS, startServer, type TestServer } from '../support.ts';
import { storeWebhooks } from './support.ts';

const deleteExpired = ({ database, organizations, log, now }: TestServer): Promise<void> =>
  deleteExpiredDonorData({ database, organizations: () => organizations.all, log, now });
const haveDonors = (
  { repository }: TestServer,
  ...references: readonly string[]
): Promise<boolean[]> =>
  Promise.all(
    references.map(async (reference) => {
      const { payload } = (await repository.findByReference(reference))!;
      return payload.donor.email !== undefined;
    }),
  );

test('deletes donor data after the retention period, counted from recording or decline', async () => {
  let time = Date.now();
  const outage = new Outage(isGiftCreation, respondWith(503));
  await using server = await startServer({
    now: () => time,
    donorDataDays: 30,
    intercept: outage.intercept,
  });
  const { reference: late } = await server.submitDonation();
  const { reference: declined } = await server.submitDonation({ card: CARDS.declined });
  time += 10 * DAY;
  outage.isDown = false;
  await waitForDelivery(server);
  // The first donation was recorded ten days after the decline of the second.
  for (const [wait, expected] of [
    [20 * DAY - 1_000, [true, true]],
    [DAY, [true, false]],
    [10 * DAY, [false, false]],
  ] as const) {
    time += wait;
    await deleteExpired(server);
    assert.deepEqual(await haveDonors(server, late, declined), expected);
  }
  const row = (await server.repository.findByReference(late))!;
  assert.deepEqual([row.donorDeletedBy, row.status], ['retention', 'succeeded']);
});

test('spares active subscriptions, open disputes, and unrecorded donations', async () => {
  let time = Date.now();
  const outage = new Outage(isGiftCreation, respondWith(503));
  outage.isDown = false;
  await using server = await startServerWithStripe({
    now: () => time,
    donorDataDays: 30,
    intercept: outage.intercept,
  });
  const { reference: monthly, subscriptionId } = await server.donateMonthly();
  const { reference: disputed, response } = await server.donate();
  const { reference: plain } = await server.donate();
  const dispute = server.fakeStripe.openDispute(response!.transactionId!);
  await server.deliverWebhooks();
  await waitForDelivery(server);
  outage.isDown = true;
  const { reference: unrecorded } = await server.donate();
  time += 400 * DAY;
  await deleteExpired(server);
  assert.deepEqual(await haveDonors(server, monthly, disputed, unrecorded, plain), [
    true,
    true,
    true,
    false,
  ]);
  outage.isDown = false;
  server.fakeStripe.cancelSubscription(subscriptionId);
  server.fakeStripe.closeDispute(dispute.id, 'lost');
  await server.deliverWebhooks();
  time += DAY;
  await waitForDelivery(server);
  await deleteExpired(server);
  assert.deepEqual(
    await haveDonors(server, monthly, disputed, unrecorded),
    [true, false, true],
    'the period of a recurring gift starts when it ends',
  );
  time += 31 * DAY;
  await deleteExpired(server);
  assert.deepEqual(await haveDonors(server, monthly, unrecorded), [false, false]);
});

test('reads platform webhooks once and in small batches that do not delay other writes', async () => {
  let time = Date.now();
  let writes = 0;
  await using server = await startServer({ now: () => time, donorDataDays: 30 });
  const { database, organizations, log, now } = server;
  const { inbox } = server.inboundWebhooks;
  const references = await donateOften(server, 60);
  const reads: string[] = [];
  await storeWebhooks(server, {
    old: `{"reference":"${references[41]}"}`,
    other: '{"reference":"CRPYX-99999"}',
  });
  time += 31 * DAY;
  const watchReads = <Db extends object>(db: Db, where: string): Db =>
    new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return typeof value !== 'function'
          ? value
          : (...options: unknown[]): unknown => {
              if (name === 'selectFrom' && options[0] === 'inboundWebhooks') reads.push(where);
              return Reflect.apply(value, target, options);
            };
      },
    });
  await deleteExpiredDonorData({
    database: {
      ...database,
      db: watchReads(database.db, 'aside'),
      writer: {
        ...database.writer,
        write: (work) => {
          writes += 1;
          return database.writer.write((transaction) =>
            work(watchReads(transaction, 'in a write')),
          );
        },
      },
    },
    organizations: () => organizations.all,
    log,
    now,
  });
  assert.deepEqual(
    [reads, writes, (await inbox.listWebhooks(10)).map(({ id }) => id)],
    [['aside'], 3, ['other']],
  );
  assert.ok(!(await haveDonors(server, ...references)).includes(true));
});

test('deletes nothing if no retention period is configured', async () => {
  let time = Date.now();
  await using server = await startServer({ now: () => time });
  const { reference } = await server.submitDonation();
  await waitForDelivery(server);
  time += 4_000 * DAY;
  await deleteExpired(server);
  assert.deepEqual(await haveDonors(server, reference), [true]);
});

test('runs a daily job once a day on one of several servers with one database', async () => {
  let time = Date.now();
  let done = 0;
  await using server = await startServer({ now: () => time });
  const { database, log } = server;
  const jobs = {
    count: async () => {
      done += 1;
    },
  };
  const servers = Array.from({ length: 3 }, () => new DailyScheduler({ database, log, jobs }));
  for (const [wait, expected] of [
    [0, 1],
    [0, 1],
    [DAY - 1, 1],
    [1, 2],
    [365 * DAY, 3],
    // The clock was ahead and has been corrected.
    [-364 * DAY, 4],
  ] as const) {
    time += wait;
    await Promise.all(servers.map((server) => server.wake()));
    assert.equal(done, expected);
  }
  await Promise.all(servers.map((server) => server.stop()));
});
