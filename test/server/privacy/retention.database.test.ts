import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DailyScheduler } from '../../../src/server/jobs/daily-scheduler.ts';
import { deleteExpiredDonorData } from '../../../src/server/privacy/retention.ts';
import { CARDS as STRIPE_CARDS } from '../../fake-stripe.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { CARDS, startServer, readOutcome, type TestServer } from '../support.ts';
import { insertCopies, DAY, waitForDelivery } from '../reporting/support.ts';

const deleteExpired = ({ database, organizations, log, now }: TestServer): Promise<void> =>
  deleteExpiredDonorData({ database, organizations: () => organizations.all, log, now });
const hasDonor = async (server: TestServer, reference: string): Promise<boolean> =>
  (await server.repository.findByReference(reference))!.payload.donor.email !== undefined;

test('deletes donor data after the retention period, counted from recording or decline', async () => {
  let time = Date.now();
  let isDown = true;
  await using server = await startServer({
    now: () => time,
    donorDataDays: 30,
    intercept: (request, next) =>
      isDown && request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Promise.resolve(new Response('{}', { status: 503 }))
        : next(request),
  });
  const { reference: late } = await readOutcome(
    await server.postDonation(await server.createRequest()),
  );
  const { reference: declined } = await readOutcome(
    await server.postDonation(await server.createRequest({ card: CARDS.declined })),
  );
  time += 10 * DAY;
  isDown = false;
  await waitForDelivery(server);
  time += 20 * DAY - 1_000;
  await deleteExpired(server);
  assert.deepEqual([await hasDonor(server, late), await hasDonor(server, declined)], [true, true]);
  time += DAY;
  await deleteExpired(server);
  assert.deepEqual(
    [await hasDonor(server, late), await hasDonor(server, declined)],
    [true, false],
    'it was recorded ten days after the donation',
  );
  time += 10 * DAY;
  await deleteExpired(server);
  const row = (await server.repository.findByReference(late))!;
  assert.deepEqual(
    [await hasDonor(server, late), row.donorDeletedBy, row.status],
    [false, 'retention', 'succeeded'],
  );
});

test('spares active subscriptions, open disputes, and unrecorded donations', async () => {
  let time = Date.now();
  let isDown = false;
  await using server = await startServerWithStripe({
    now: () => time,
    donorDataDays: 30,
    intercept: (request, next) =>
      isDown && request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Promise.resolve(new Response('{}', { status: 503 }))
        : next(request),
  });
  const { reference: monthly } = await server.donate(STRIPE_CARDS.good, { frequency: 'monthly' });
  const { reference: disputed } = await server.donate();
  const { reference: plain } = await server.donate();
  const { subscriptionId: subscription } = (await server.repository.findByReference(monthly))!;
  const dispute = server.fakeStripe.openDispute(
    (await server.repository.findByReference(disputed))!.paymentId!,
  );
  await server.deliverWebhooks();
  await waitForDelivery(server);
  isDown = true;
  const { reference: unrecorded } = await server.donate();
  time += 400 * DAY;
  await deleteExpired(server);
  assert.deepEqual(
    await Promise.all([monthly, disputed, unrecorded, plain].map((one) => hasDonor(server, one))),
    [true, true, true, false],
  );
  isDown = false;
  server.fakeStripe.cancelSubscription(subscription!);
  server.fakeStripe.closeDispute(dispute.id, 'lost');
  await server.deliverWebhooks();
  time += DAY;
  await waitForDelivery(server);
  await deleteExpired(server);
  assert.deepEqual(
    await Promise.all([monthly, disputed, unrecorded].map((one) => hasDonor(server, one))),
    [true, false, true],
    'the period of a recurring gift starts when it ends',
  );
  time += 31 * DAY;
  await deleteExpired(server);
  assert.deepEqual(await Promise.all([monthly, unrecorded].map((one) => hasDonor(server, one))), [
    false,
    false,
  ]);
});

test('reads platform webhooks once and in small batches that do not delay other writes', async () => {
  let time = Date.now();
  let writes = 0;
  await using server = await startServer({ now: () => time, donorDataDays: 30 });
  const {
    database,
    organizations,
    log,
    now,
    inboundWebhooks: { inbox },
  } = server;
  const references = await insertCopies(server, 60);
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
  assert.deepEqual(
    await Promise.all(references.map((reference) => hasDonor(server, reference))),
    references.map(() => false),
  );
});

test('deletes nothing if no retention period is configured', async () => {
  let time = Date.now();
  await using server = await startServer({ now: () => time });
  const { reference } = await readOutcome(await server.postDonation(await server.createRequest()));
  await waitForDelivery(server);
  time += 4_000 * DAY;
  await deleteExpired(server);
  assert.equal(await hasDonor(server, reference), true);
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
  const wakeServers = async (): Promise<number> => {
    await Promise.all(servers.map((server) => server.wake()));
    return done;
  };
  assert.deepEqual([await wakeServers(), await wakeServers()], [1, 1]);
  time += DAY - 1;
  assert.equal(await wakeServers(), 1);
  time += 1;
  assert.equal(await wakeServers(), 2);
  time += 365 * DAY;
  assert.equal(await wakeServers(), 3);
  time -= 364 * DAY;
  assert.equal(await wakeServers(), 4, 'the clock was ahead and has been corrected');
  await Promise.all(servers.map((server) => server.stop()));
});
