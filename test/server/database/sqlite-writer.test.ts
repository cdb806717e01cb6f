import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDatabaseError } from '../../../src/server/database/database-error.ts';
import { openTestDatabase } from '../test-database.ts';
import { buildRows } from './new-donation-rows.ts';

test('a donation with an undefined column does not affect concurrent donations', async () => {
  await using database = await openTestDatabase();
  const { donations, ...dependent } = buildRows();
  const [first, rejected, last] = await Promise.allSettled(
    [
      buildRows(),
      { ...dependent, donations: [{ ...donations[0], status: undefined as never }] as const },
      buildRows(),
    ].map((rows) => database.writer.insertDonationIfNew(rows)),
  );
  assert.deepEqual(
    [first?.status, rejected?.status, last?.status],
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.ok(isDatabaseError((rejected as PromiseRejectedResult).reason));
  assert.equal((await database.db.selectFrom('donations').selectAll().execute()).length, 2);
});
