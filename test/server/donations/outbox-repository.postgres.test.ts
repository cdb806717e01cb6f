import assert from 'node:assert/strict';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { openTestDatabase, testOverPostgres as test } from '../test-database.ts';

test('saves the other gifts of a batch if PostgreSQL does not accept the ID of one', async () => {
  await using database = await openTestDatabase();
  const { outbox } = new DonationRepository(database);
  const ids = ['a', 'b', 'c'];
  await outbox.insertEntries(
    'o',
    ids.map((id) => ({ id, kind: 'donation', reference: id })),
  );
  const events = await outbox.listDueEntries('o', 3);
  const results = await Promise.allSettled(
    events.map((event, index) =>
      outbox.markDelivered(event, index === 1 ? 'a\0b' : `${index + 1}`),
    ),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const saved = await Promise.all(ids.map((id) => outbox.findById(id)));
  assert.deepEqual(
    saved.map((event) => [event?.status, event?.platformGiftId]),
    [
      ['delivered', '1'],
      ['pending', null],
      ['delivered', '3'],
    ],
  );
});
