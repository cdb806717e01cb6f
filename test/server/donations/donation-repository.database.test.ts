import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Donation, DonationPayload } from '../../../src/server/database/schema.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { openTestDatabase } from '../test-database.ts';

const promisedDonation = {
  reference: 'A',
  idempotencyKeyHash: 'k',
  fingerprint: 'f',
  organization: 'o',
  payload: { donor: {}, gift: {} } as DonationPayload,
};
const otherDonation = { ...promisedDonation, reference: 'B', idempotencyKeyHash: 'other' };
const unconfirmedDonation = { ...promisedDonation, dueAt: 0 };
const createPaymentFields = (paymentId: string) => ({
  paymentId,
  subscriptionId: null,
  paymentMethod: 0,
});

const ACTION_REQUIRED = { type: 'action_required' } as const;
const SUCCEEDED = { type: 'succeeded' } as const;
const NOT_CHARGED = { type: 'not_charged', reason: 'payment-failed' } as const;

const insertDonation = async (repository: DonationRepository): Promise<Donation> =>
  (await repository.insertDonation(unconfirmedDonation))!;
const listDueIds = async ({ outbox }: Pick<DonationRepository, 'outbox'>): Promise<string[]> =>
  (await outbox.listDueEntries('o', 10)).map(({ id }) => id);

test('accepts an idempotency key once', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const insertedReferences = [
    await repository.insertDonation(unconfirmedDonation),
    await repository.insertDonation({ ...unconfirmedDonation, reference: 'B' }),
    await repository.findByKeyHash('k'),
  ].map((donation) => donation?.reference);
  assert.deepEqual(insertedReferences, ['A', undefined, 'A']);
});

test('lets only one of two servers fail or charge a donation', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const row = await insertDonation(repository);
  const columns = createPaymentFields('order-1');
  const read = await repository.applyTrigger(row, ACTION_REQUIRED, { columns });
  const { donation: approved, isFirst } = await repository.markApproved(read, columns, 0);
  assert.deepEqual([approved.status, isFirst], ['unconfirmed', true]);
  assert.equal(
    (await repository.applyTrigger(read, { type: 'failed', reason: 'not-confirmed' })).status,
    'unconfirmed',
  );
  assert.equal(
    (await repository.applyTrigger(row, { type: 'failed', reason: 'card-declined' })).status,
    'failed',
  );
  assert.equal((await repository.markApproved(read, columns, 0)).donation.status, 'failed');
});

test('rejects a transition that the status of the donation does not allow', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const row = await insertDonation(repository);
  for (const { status, paymentId } of [
    await repository.applyTrigger(row, SUCCEEDED, { columns: createPaymentFields('ch_1') }),
    await repository.applyTrigger(row, { type: 'failed', reason: 'card-declined' }),
    await repository.applyTrigger(row, SUCCEEDED, { columns: createPaymentFields('ch_2') }),
  ])
    assert.deepEqual([status, paymentId], ['succeeded', 'ch_1']);
  const [event, ...others] = await repository.outbox.listDueEntries('o', 10);
  assert.deepEqual([event?.id, event?.status, others], ['donation A', 'pending', []]);
  for (const id of ['7', '8']) await repository.outbox.markDelivered(event!, id);
  assert.deepEqual(
    [
      (await repository.findByReference('A'))?.platformGiftId,
      (await repository.outbox.findById('donation A'))?.status,
    ],
    ['7', 'delivered'],
  );
});

test('stores integer gift IDs where the previous release reads and writes them, and others as text', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  await insertDonation(repository);
  await repository.outbox.insertEntries('o', [{ id: 'gift A', reference: 'A', kind: 'donation' }]);
  const plain = database.db.withoutPlugins();
  const readColumns = () =>
    plain
      .selectFrom('outbox')
      .select([
        sql<number | null>`platform_gift_id`.as('integer'),
        sql<string | null>`platform_gift_id_text`.as('text'),
      ])
      .executeTakeFirstOrThrow();
  for (const id of ['7', '123456789012345', '12345678901234567', '007', '0065g00000ABC100']) {
    await plain.updateTable('outbox').set({ status: 'pending' }).execute();
    const [event] = await repository.outbox.listDueEntries('o', 10);
    await repository.outbox.markDelivered(event!, id);
    const isInteger = ['7', '123456789012345'].includes(id);
    assert.deepEqual(
      [
        { ...(await readColumns()) },
        (await repository.outbox.findById('gift A'))?.platformGiftId,
        (await repository.findByReference('A'))?.platformGiftId,
      ],
      [{ integer: isInteger ? Number(id) : null, text: isInteger ? null : id }, id, id],
    );
  }
  await database.db
    .updateTable('outbox')
    .set({ platformGiftId: 42, platformGiftIdText: null })
    .execute();
  assert.equal((await repository.outbox.findById('gift A'))?.platformGiftId, '42');
});

test('commits the other writes of a group if one fails', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const failing = database.writer.write(async (transaction) => {
    await transaction.insertInto('dailySecrets').values({ day: 1, secret: 'half done' }).execute();
    throw new Error('no');
  });
  const results = await Promise.allSettled([
    repository.insertDonation(unconfirmedDonation),
    failing,
    repository.insertPledge(otherDonation),
  ]);
  assert.deepEqual(
    [
      ...results.map(({ status }) => status),
      (await repository.findByReference('A'))?.status,
      (await repository.findByReference('B'))?.status,
      await database.db.selectFrom('dailySecrets').selectAll().execute(),
    ],
    ['fulfilled', 'rejected', 'fulfilled', 'unconfirmed', 'processing', []],
  );
});

test('saves a pledge with its outbox event, once for each key', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  assert.equal((await repository.insertPledge(promisedDonation))?.status, 'processing');
  assert.equal(await repository.insertPledge({ ...promisedDonation, reference: 'B' }), undefined);
  assert.deepEqual(await listDueIds(repository), ['donation A']);
});

test('settles or fails a processing donation later, and notifies the platform', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const first = (await repository.insertPledge(promisedDonation))!;
  const second = (await repository.insertPledge(otherDonation))!;
  assert.deepEqual(
    [
      (await repository.applyTrigger(first, SUCCEEDED, { columns: createPaymentFields('ch_1') }))
        .status,
      (
        await repository.applyTrigger(
          { ...second, status: 'unconfirmed' },
          { type: 'failed', reason: 'not-confirmed' },
        )
      ).status,
    ],
    ['succeeded', 'failed'],
  );
  assert.deepEqual(
    (await repository.outbox.listByStatus('pending', 10)).map(({ id }) => id).sort(),
    ['donation A', 'donation B', 'payment_failed B', 'payment_settled A'],
  );
});

test('finds a payment or subscription only in its own organization', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const row = await insertDonation(repository);
  await repository.applyTrigger(row, SUCCEEDED, {
    columns: { paymentId: 'pi_1', subscriptionId: 'sub_1' },
  });
  for (const [organization, reference] of [
    ['o', 'A'],
    ['other', undefined],
  ] as const)
    assert.deepEqual(
      [
        (await repository.findByPayment(organization, 'pi_1'))?.reference,
        (await repository.findBySubscription(organization, 'sub_1'))?.reference,
      ],
      [reference, reference],
    );
});

test('does not abandon a donation if a charge started after its row was read', async () => {
  let time = 1_000;
  await using database = await openTestDatabase(undefined, () => time);
  const repository = new DonationRepository(database);
  const before = await insertDonation(repository);
  time = 2_000;
  const now = await repository.applyTrigger(
    before,
    { type: 'charge_started', paymentId: 'pi_1' },
    { columns: { paymentId: 'pi_1' } },
  );
  assert.equal((await repository.applyTrigger(before, NOT_CHARGED)).status, 'unconfirmed');
  assert.equal((await repository.applyTrigger(now, NOT_CHARGED)).status, 'failed');
});

test('does not fail an approved donation that another server has begun to charge', async () => {
  await using database = await openTestDatabase(undefined, () => 1_000);
  const repository = new DonationRepository(database);
  const row = await insertDonation(repository);
  const columns = createPaymentFields('order-1');
  const waiting = await repository.applyTrigger(row, ACTION_REQUIRED, { columns });
  const one = await repository.markApproved(waiting, columns, 0);
  const two = await repository.markApproved(waiting, columns, 0);
  assert.deepEqual([one.isFirst, two.isFirst], [true, false]);
  const statuses = [
    (await repository.applyTrigger(one.donation, NOT_CHARGED)).status,
    (await repository.applyTrigger(row, ACTION_REQUIRED, { columns })).status,
    (await repository.applyTrigger(two.donation, NOT_CHARGED)).status,
  ];
  assert.deepEqual(statuses, ['unconfirmed', 'unconfirmed', 'failed']);
});

test('works with a database that a later release has migrated', async () => {
  const file = join(tmpdir(), `donation-form-${randomUUID()}`);
  await using newer = await openTestDatabase(file);
  await sql`ALTER TABLE donations ADD COLUMN of_a_later_release text`.execute(newer.db);
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('2027-01-later', '2027-01-01T00:00:00.000Z')`.execute(
    newer.db,
  );
  await using older = await openTestDatabase(file);
  const row = await insertDonation(new DonationRepository(older));
  assert.equal(
    (
      await new DonationRepository(newer).applyTrigger(row, SUCCEEDED, {
        columns: createPaymentFields('ch_1'),
      })
    ).status,
    'succeeded',
  );
  assert.equal((await new DonationRepository(older).findByReference('A'))?.status, 'succeeded');
});

test('makes rows due that were scheduled while the clock was ahead, but not rows that are never due', async () => {
  const YEAR = 365 * 86_400_000;
  let time = 1_000_000 + YEAR;
  await using database = await openTestDatabase(undefined, () => time);
  const repository = new DonationRepository(database);
  await repository.insertDonation({ ...promisedDonation, dueAt: time + 20_000 });
  await repository.insertPledge(otherDonation);
  time -= YEAR;
  const statuses = ['unconfirmed', 'processing'] as const;
  const [gift, ...others] = await repository.listDueForPaymentCheck('o', [...statuses], 10);
  assert.deepEqual([gift?.reference, others], ['A', []]);
  assert.equal((await repository.claimForPaymentCheck(gift!))?.nextRunAt, time + 60_000);
  assert.deepEqual(await listDueIds(repository), ['donation B']);
});

test('does not make an event due on request while another server delivers it', async () => {
  const now = 1_000_000;
  await using database = await openTestDatabase(undefined, () => now);
  const { outbox: events } = new DonationRepository(database);
  await events.insertEntries('o', [
    { id: 'refund 1', reference: 'A', kind: 'refund' },
    { id: 'refund 2', reference: 'B', kind: 'refund' },
  ]);
  const [claimed, free] = await events.listDueEntries('o', 10);
  const held = await events.claimEntry(claimed!);
  const failure = { dueAt: now + 3_600_000, error: 'no', dispatchedAt: null };
  await events.postponeEntry(free!, failure);
  await events.makePendingEntriesDue([claimed!.id, free!.id]);
  assert.deepEqual(await listDueIds({ outbox: events }), ['refund 2']);
  await events.postponeEntry(held!, failure);
  await events.makePendingEntriesDue([held!.id]);
  assert.equal((await events.listDueEntries('o', 10)).length, 2);
});
