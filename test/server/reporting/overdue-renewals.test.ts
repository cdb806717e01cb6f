import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { iterateOverdueDonations } from '../../../src/server/reporting/overdue-renewals.ts';
import { startFakeStripe } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { RECURRING_FREQUENCIES } from '../payments/test-provider.ts';
import { openTestDatabase } from '../test-database.ts';
import { addDonation, addRenewal } from './add-donation.ts';
import { DAY, reconcile, waitForDelivery } from './support.ts';

test('finds a canceled recurring donation whose webhooks were lost once its renewal is overdue, and cancels it on the platform', async () => {
  let time = Date.now();
  const now = (): number => time;
  await using fakeStripe = await startFakeStripe({ now });
  await using server = await startServerWithStripe({ now }, fakeStripe);
  const canceled = await server.donateMonthly();
  const renewed = await server.donateMonthly();
  await waitForDelivery(server);
  fakeStripe.cancelSubscription(canceled.subscriptionId);
  time += 32 * DAY;
  fakeStripe.runScheduledTasks();
  await reconcile(server, { apply: true });
  await waitUntil(async () => {
    time += 31_000;
    server.handler.start();
    return (await server.listGifts()).length === 3;
  });
  assert.deepEqual((await reconcile(server)).differences, []);
  time += 2 * DAY;
  assert.deepEqual((await reconcile(server)).fullDifferences, [
    {
      type: 'mismatch',
      side: 'database',
      reference: canceled.reference,
      field: 'subscription',
      found: 'active',
      expected: 'canceled',
    },
  ]);
  assert.equal((await reconcile(server, { apply: true })).end.differences, 0);
  assert.deepEqual((await reconcile(server)).differences, []);
  await waitUntil(async () => {
    server.handler.start();
    const gifts = await server.listGifts();
    return (
      gifts.find(({ reference }) => reference === canceled.reference)?.recurringStatus === 2 &&
      gifts.find(({ reference }) => reference === renewed.reference)?.recurringStatus === 1
    );
  });
});

test('finds recurring donations two days after the longest period of their frequency, counted from the last renewal', async () => {
  const start = Date.UTC(2026, 0, 1);
  await using database = await openTestDatabase(undefined, () => start);
  const repository = new DonationRepository(database);
  const references = new Map<string, string>();
  for (const frequency of RECURRING_FREQUENCIES)
    references.set(frequency, await addDonation(repository, { frequency }));
  const renewed = await addDonation(repository, { frequency: 'weekly' });
  for (const day of [7, 14, 350])
    await addRenewal(repository, renewed, { at: start + day * DAY, amount: 5_000 });
  const listOverdue = async (days: number): Promise<string[]> => {
    const overdue: string[] = [];
    const now = start + days * DAY;
    for await (const { donation } of iterateOverdueDonations(database.db, 'lanternwell', now))
      overdue.push(donation.reference);
    return overdue;
  };
  for (const [frequency, days] of [
    ['weekly', 9],
    ['everyOtherWeek', 16],
    ['monthly', 33],
    ['quarterly', 94],
    ['biannual', 186],
    ['annually', 368],
  ] as const) {
    const reference = references.get(frequency)!;
    assert.deepEqual(
      [
        (await listOverdue(days)).includes(reference),
        (await listOverdue(days + 1)).includes(reference),
      ],
      [false, true],
      frequency,
    );
  }
  assert.deepEqual(
    [(await listOverdue(359)).includes(renewed), (await listOverdue(360)).includes(renewed)],
    [false, true],
  );
});
