import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDatabaseError } from '../../../src/server/database/database-error.ts';
import { createPreparedInsert } from '../../../src/server/database/compiled-queries.ts';
import { openTestDatabase } from '../test-database.ts';
import { buildRows } from './new-donation-rows.ts';

test('a donation with an undefined column does not affect concurrent donations', async () => {
  await using database = await openTestDatabase();
  const { donations, ...dependent } = buildRows();
  const [first, rejected, last] = await Promise.allSettled(
    [
      buildRows(),
      { ...dependent, donations: [{ ...donations[0], lastError: undefined as never }] as const },
      buildRows(),
    ].map((rows) => database.writer.insertDonation(rows)),
  );
  assert.deepEqual(
    [first?.status, rejected?.status, last?.status],
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const reason: unknown = (rejected as PromiseRejectedResult).reason;
  assert.ok(isDatabaseError(reason));
  assert.match((reason as Error).message, /^donations\.last_error is undefined/);
  assert.equal((await database.db.selectFrom('donations').selectAll().execute()).length, 2);
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
