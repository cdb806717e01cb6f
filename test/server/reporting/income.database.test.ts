import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { countIncome, type Income, sumReceived } from '../../../src/server/reporting/income.ts';
import { openTestDatabase } from '../test-database.ts';
import { addDonation, addEvent, addRenewal } from './add-donation.ts';

const HOUR = 3_600_000;
/** A Wednesday, 12:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 11);
const OPTIONS = { organization: 'lanternwell', timeZone: 'Europe/Berlin', isTest: false, now: NOW };

test('subtracts a failed refund only if it had succeeded before', async () => {
  await using database = await openTestDatabase(undefined, () => NOW);
  const repository = new DonationRepository(database);
  const reference = await addDonation(repository, { total: 5_000 });
  const payload = { at: NOW - HOUR, amount: 1_000 };
  for (const id of ['refund re_1', 'refund re_2', 'refund_failed re_2', 'refund_failed re_3']) {
    const kind = id.startsWith('refund ') ? 'refund' : 'refund_failed';
    await repository.outbox.insertEntries('lanternwell', [{ id, kind, reference, payload }]);
  }
  const { today } = await countIncome(database.db, OPTIONS);
  assert.deepEqual(today.current[0]!.refunded, { count: 1, total: 1_000 });
});

test('counts what came in today, this week, and this month, and in the same part of the period before', async () => {
  let time = NOW;
  await using database = await openTestDatabase(undefined, () => time);
  const repository = new DonationRepository(database);
  const addAt = (at: number, donation: Parameters<typeof addDonation>[1]): Promise<string> => {
    time = at;
    return addDonation(repository, donation);
  };
  // Just after midnight in Berlin, which is the day before in UTC.
  await addAt(Date.UTC(2026, 10, 24, 23, 5), { total: 1_000 });
  // Yesterday, before and after this time of day.
  await addAt(NOW - 24 * HOUR, { total: 200 });
  await addAt(NOW - 23 * HOUR, { total: 30 });
  // Sunday, which is last week, but later than this weekday.
  await addAt(NOW - 3 * 24 * HOUR, { total: 4 });
  const monthly = await addAt(Date.UTC(2026, 9, 20), { total: 50_000, frequency: 'monthly' });
  await addRenewal(repository, monthly, { at: NOW - HOUR, amount: 60_000 });
  await addEvent(repository, monthly, 'refund', { at: NOW - HOUR, amount: 8_999.5 });
  const promised = { outcome: 'promised', total: 700 } as const;
  await addAt(NOW - HOUR, promised);
  await addAt(NOW - HOUR, { total: 25, currency: 'EUR' });
  for (const ignored of [
    { outcome: 'failed' },
    { organization: 'other' },
    { isTest: true, total: 11 },
  ] as const)
    await addAt(NOW - HOUR, ignored);

  const { today, week, month, days } = await countIncome(database.db, OPTIONS);
  assert.deepEqual(today.current, [
    {
      currency: 'USD',
      decimals: 2,
      once: { count: 1, total: 1_000 },
      recurring: { count: 1, total: 60_000 },
      outstanding: { count: 1, total: 700 },
      refunded: { count: 1, total: 8_999.5 },
    },
    {
      currency: 'EUR',
      decimals: 2,
      once: { count: 1, total: 25 },
      recurring: { count: 0, total: 0 },
      outstanding: { count: 0, total: 0 },
      refunded: { count: 0, total: 0 },
    },
  ]);
  const sum = ([usd]: Income): number => (usd ? sumReceived(usd) : 0);
  assert.deepEqual(
    [today, week, month].map(({ current, previous }) => [sum(current), sum(previous)]),
    [
      [61_000, 200],
      [61_230, 0],
      [61_234, 50_000],
    ],
  );
  assert.deepEqual(
    days.filter(({ income }) => sum(income) > 0).map(({ date, income }) => [date, sum(income)]),
    [
      ['2026-11-22', 4],
      ['2026-11-24', 230],
      ['2026-11-25', 61_000],
    ],
  );
  assert.equal(days.length, 30);
  const tests = await countIncome(database.db, { ...OPTIONS, isTest: true });
  assert.equal(sum(tests.today.current), 11);
});
