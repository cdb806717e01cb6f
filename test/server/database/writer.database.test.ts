import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDatabaseError } from '../../../src/server/database/database-error.ts';
import { createIdempotencyKey } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';
import { buildRows } from './new-donation-rows.ts';

test('inserts one of two concurrent donations with the same key, with its event and message', async () => {
  await using database = await openTestDatabase();
  const key = createIdempotencyKey();
  const donations = [buildRows({ key }), buildRows({ key }), buildRows()];
  const areNew = await Promise.all(donations.map((rows) => database.writer.insertDonation(rows)));
  assert.deepEqual(areNew, [true, false, true]);
  const inserted = [donations[0]!, donations[2]!];
  for (const table of ['donations', 'outbox', 'webhookMessages'] as const)
    assert.equal((await database.db.selectFrom(table).selectAll().execute()).length, 2, table);
  assert.deepEqual(
    (await database.db.selectFrom('donations').select('reference').execute())
      .map(({ reference }) => reference)
      .sort(),
    inserted.map(({ donations: [{ reference }] }) => reference).sort(),
  );
});

test('a donation that cannot be saved does not affect concurrent donations', async () => {
  await using database = await openTestDatabase();
  const rows = buildRows();
  const [{ reference }] = rows.donations;
  const results = await Promise.allSettled(
    [rows, buildRows({ reference }), buildRows()].map((one) => database.writer.insertDonation(one)),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const [, rejected] = results;
  assert.ok(isDatabaseError((rejected as PromiseRejectedResult).reason));
  assert.equal((await database.db.selectFrom('donations').selectAll().execute()).length, 2);
});

test('saves donations and other writes together, and rejects only the write that fails', async () => {
  await using database = await openTestDatabase();
  const insertInfo = (id: string) =>
    database.writer.write((transaction) =>
      transaction
        .insertInto('serverInfo')
        .values({ name: id, value: '' })
        .executeTakeFirstOrThrow(),
    );
  await insertInfo('one');
  const results = await Promise.allSettled([
    database.writer.insertDonation(buildRows()),
    insertInfo('one'),
    insertInfo('two'),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.equal((await database.db.selectFrom('donations').selectAll().execute()).length, 1);
});

test('rejects a donation with a database error after the database was closed', async () => {
  const database = await openTestDatabase();
  await database.close();
  await assert.rejects(database.writer.insertDonation(buildRows()), isDatabaseError);
});
