import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPreparedInsert } from '../../../src/server/database/compiled-queries.ts';
import type { NewDonationRows } from '../../../src/server/database/database.ts';
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

function buildRowsWithUndefinedColumn(): NewDonationRows {
  const { donations, ...dependent } = buildRows();
  return { ...dependent, donations: [{ ...donations[0], lastError: undefined as never }] };
}

function buildRowsWithoutColumn(): NewDonationRows {
  const rows = buildRowsWithUndefinedColumn();
  delete (rows.donations[0] as { lastError?: unknown }).lastError;
  return rows;
}

for (const [name, buildInvalid, problem] of [
  ['the reference of another', (reference: string) => buildRows({ reference }), /./],
  ['an undefined column', buildRowsWithUndefinedColumn, /^donations\.last_error is undefined/],
  ['a missing column', buildRowsWithoutColumn, /^donations\.last_error is undefined/],
] as const)
  test(`a donation with ${name} does not affect concurrent donations`, async () => {
    await using database = await openTestDatabase();
    const rows = buildRows();
    const invalid = buildInvalid(rows.donations[0].reference);
    const [first, rejected, last] = await Promise.allSettled(
      [rows, invalid, buildRows()].map((one) => database.writer.insertDonation(one)),
    );
    assert.deepEqual(
      [first?.status, rejected?.status, last?.status],
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    const reason: unknown = (rejected as PromiseRejectedResult).reason;
    assert.ok(isDatabaseError(reason));
    assert.match((reason as Error).message, problem);
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

test('names the undefined column of an event or message', async () => {
  await using database = await openTestDatabase();
  const {
    outbox: [event],
    webhookMessages: [message],
  } = buildRows();
  const insertEvent = createPreparedInsert('outbox');
  const insertMessage = createPreparedInsert('webhookMessages');
  for (const row of [{ ...event!, lastError: undefined as never }, event!])
    await database.writer.write((transaction) => insertEvent(transaction, row)).catch(assertNamed);
  for (const row of [message!, { ...message!, id: 'other', lastError: undefined as never }])
    await database.writer
      .write((transaction) => insertMessage(transaction, row))
      .catch(assertNamed);
  assert.equal((await database.db.selectFrom('outbox').selectAll().execute()).length, 1);
  assert.equal((await database.db.selectFrom('webhookMessages').selectAll().execute()).length, 1);

  function assertNamed(error: Error): void {
    assert.ok(isDatabaseError(error));
    assert.match(error.message, /^(outbox|webhook_messages)\.last_error is undefined/);
  }
});

test('rejects a query with an undefined parameter', async () => {
  await using database = await openTestDatabase();
  await assert.rejects(
    database.db
      .selectFrom('donations')
      .select('reference')
      .where('lastError', '=', undefined as never)
      .execute(),
    (error: Error) =>
      isDatabaseError(error) && /^parameter 1 of "select .* is undefined/.test(error.message),
  );
});
