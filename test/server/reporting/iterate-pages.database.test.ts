import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { ALL_TIME } from '../../../src/server/lib/period.ts';
import { iterateListPages } from '../../../src/server/reporting/iterate-pages.ts';
import { openTestDatabase } from '../test-database.ts';
import { addDonation } from './add-donation.ts';

test('reads renewals of the same time in the order of their IDs, each once', async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const reference = await addDonation(repository, { frequency: 'monthly' });
  const donation = (await repository.findByReference(reference))!;
  for (const id of ['e', 'a', 'd', 'b', 'c'])
    await repository.outbox.insertRenewal(donation, {
      id,
      paymentId: `pi_${id}`,
      payload: { at: Date.UTC(2026, 9, 1), amount: 5_000 },
    });
  const options = { organization: 'lanternwell', period: ALL_TIME, size: 2 };
  const pages: string[][] = [];
  for await (const page of iterateListPages(database.db, 'renewals', options))
    pages.push(page.map(({ id }) => id));
  assert.deepEqual(pages, [['a', 'b'], ['c', 'd'], ['e']]);
});
