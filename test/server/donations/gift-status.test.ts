import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboxEntry, OutboxEntryKind } from '../../../src/server/database/schema.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { getGiftStatus, isPartialRefund } from '../../../src/server/donations/to-gift-change.ts';
import {
  getExpectedGiftStatus,
  loadLedgerEntries,
} from '../../../src/server/reporting/ledger-entries.ts';
import { addDonation, addRenewal } from '../reporting/add-donation.ts';
import { openTestDatabase } from '../test-database.ts';

const [APPROVED, REFUNDED, DISPUTED, LOST, WON] = [1, 4, 10, 11, 9];

const toEvent = (text: string) => {
  const [kind, subject, amount = '0'] = text.split(' ');
  return {
    kind: kind as OutboxEntryKind,
    id: `${kind} ${subject}`,
    payload: { amount: Number(amount) },
  };
};

test("derives a gift's status from its total, refunds, and disputes, in any order", () => {
  const cases: readonly (readonly [status: number | undefined, ...events: string[]])[] = [
    [APPROVED],
    [APPROVED, 'refund a 40'],
    [REFUNDED, 'refund a 40', 'refund b 60'],
    [APPROVED, 'refund a 40', 'refund b 60', 'refund_failed b 60'],
    [DISPUTED, 'dispute_opened d 100'],
    [DISPUTED, 'dispute_opened d 100', 'refund a 40', 'refund_failed a 40'],
    [DISPUTED, 'dispute_opened d 100', 'refund a 100'],
    [LOST, 'dispute_opened d 100', 'dispute_lost d 100'],
    [LOST, 'dispute_opened d 100', 'dispute_lost d 100', 'refund_failed a 40'],
    [WON, 'dispute_opened d 100', 'dispute_won d 100'],
    [WON, 'dispute_opened d 100', 'dispute_won d 100', 'refund a 40', 'refund_failed a 40'],
    [REFUNDED, 'dispute_opened d 100', 'dispute_won d 100', 'refund a 100'],
    [DISPUTED, 'dispute_opened d 50', 'dispute_won d 50', 'dispute_opened e 50'],
  ];
  for (const [status, ...events] of cases)
    for (const order of permute(events.map(toEvent)))
      assert.equal(getGiftStatus({ total: 100, events: order }), status, events.join(', '));
});

test("uses the provider's refund total if the event of an earlier refund is missing", () => {
  const last = { ...toEvent('refund b 20'), payload: { amount: 20, refunded: 50 } };
  const failed = toEvent('refund_failed a 30');
  const before = { ...toEvent('refund a 30'), payload: { amount: 30, refunded: 30 } };
  for (const [status, isPartial, ...events] of [
    [REFUNDED, false, last],
    [REFUNDED, false, before, last],
    [APPROVED, true, before, last, failed],
    [APPROVED, true, before],
  ] as const) {
    const gift = { total: 50, events };
    assert.equal(getGiftStatus(gift), status);
    assert.equal(isPartialRefund(events[0] as unknown as OutboxEntry, gift), isPartial);
  }
});

test("compares refunds of a renewal with the renewal's own total", async () => {
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const reference = await addDonation(repository, { total: 5_000, frequency: 'monthly' });
  await addRenewal(repository, reference, { at: 1, amount: 10_000 });
  const donation = (await repository.findByReference(reference))!;
  const renewal = (await repository.outbox.findGiftCreation(`${reference}-2`))!;
  const statuses = [];
  for (const refunded of [5_000, 10_000]) {
    const refund = {
      id: `refund ${refunded}`,
      kind: 'refund',
      reference: renewal.reference,
      parentReference: reference,
      payload: { at: 2, amount: 5_000, refunded },
    } as const;
    await repository.outbox.insertEntries(donation.organization, [refund]);
    const [entry] = await loadLedgerEntries(database.db, [{ donation, renewal }]);
    statuses.push(getExpectedGiftStatus(entry!));
  }
  assert.deepEqual(statuses, [APPROVED, REFUNDED]);
});

test('sends events about one gift in the order of their insertion, even within one millisecond', async () => {
  await using database = await openTestDatabase(undefined, () => 1_000);
  const { outbox } = new DonationRepository(database);
  const kinds: readonly OutboxEntryKind[] = [
    'payment_settled',
    'refund',
    'refund_failed',
    'dispute_opened',
    'dispute_won',
    'dispute_lost',
    'subscription_canceled',
  ];
  for (const first of kinds)
    for (const second of kinds.filter((kind) => kind !== first)) {
      const reference = `donation ${first} ${second}`;
      for (const kind of ['donation', first, second] as const)
        await outbox.insertEntries('lanternwell', [
          { id: `${kind}: ${reference}`, kind, reference },
        ]);
    }
  const sent = await outbox.listDueEntries('lanternwell', 1_000);
  assert.equal(sent.length, 126);
  for (const [reference, events] of Map.groupBy(sent, (event) => event.reference))
    assert.equal(events.map(({ kind }) => kind).join(' '), reference);
});

function permute<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) =>
    permute(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}
