import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { listPaymentBadges } from '../../../src/server/admin/read-models/payment-outcomes.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { getDonationTotal } from '../../../src/server/donations/total.ts';
import { localizeInEachLanguage } from '../../../src/server/lib/localize.ts';
import type { Goal } from '../../../src/server/organizations/goal.ts';
import { loadPaidGift } from '../../../src/server/receipts/paid-gift.ts';
import { GoalTotalsCache } from '../../../src/server/reporting/goal-totals.ts';
import {
  loadLedgerEntries,
  sumRefundsByReference,
} from '../../../src/server/reporting/ledger-entries.ts';
import { toLedgerRow } from '../../../src/server/reporting/ledger-rows.ts';
import { openTestDatabase } from '../test-database.ts';
import { addDonation } from './add-donation.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const GOAL: Goal = {
  id: 'wells',
  names: localizeInEachLanguage('Wells'),
  currency: 'USD',
  decimals: 2,
  target: 1_000_000,
  offlineAmount: 0,
  period: { from: NOW - 1, to: NOW + 1 },
};

test('the export, the list, the donation’s page, the goal, and the receipt subtract the same refunds, even if an event is missing', async () => {
  await using database = await openTestDatabase(undefined, () => NOW);
  const repository = new DonationRepository(database);
  const reference = await addDonation(repository, { total: 5_000 });
  const payload = { at: NOW, amount: 1_000, refunded: 3_000 };
  await repository.outbox.insertEntries('lanternwell', [
    { id: 'refund re_2', kind: 'refund', reference, payload },
  ]);
  const { db } = database;
  const donation = (await repository.findByReference(reference))!;
  const [entry] = await loadLedgerEntries(db, [{ donation }]);
  const goals = new GoalTotalsCache({ database, log: pino({ level: 'silent' }), now: () => NOW });
  assert.deepEqual(
    {
      export: toLedgerRow(entry!, 'UTC').refunded,
      list: (await sumRefundsByReference(db, 'lanternwell')).get(reference),
      page: listPaymentBadges(entry!.events, getDonationTotal(donation))[0]!.note,
      goal: (await goals.getTotals('lanternwell', GOAL)).raised,
      receipt: (await loadPaidGift(db, reference, { locksDonation: false })).amountPaid,
    },
    { export: '30.00', list: 3_000, page: '30.00 USD refunded', goal: 2_000, receipt: 2_000 },
  );
});
