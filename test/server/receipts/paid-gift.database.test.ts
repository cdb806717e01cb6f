import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { OutboxPayload } from '../../../src/server/database/schema.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import type { NewEntry } from '../../../src/server/donations/outbox-entries.ts';
import type { PaymentService } from '../../../src/server/donations/payment-service.ts';
import { recordPaymentEvents } from '../../../src/server/donations/record-payment-events.ts';
import { parsePeriod } from '../../../src/server/lib/period.ts';
import { loadPaidGift } from '../../../src/server/receipts/paid-gift.ts';
import { createGiftAidClaim } from '../../../src/server/reporting/gift-aid-claim.ts';
import { addDonation, type AddedDonation } from '../reporting/add-donation.ts';
import { openTestDatabase } from '../test-database.ts';

const GIFT_AID = { scope: 'all', text: 'Yes', house: '12', postcode: 'S19 2BD' } as const;

async function openLedger() {
  const world = { time: Date.UTC(2026, 10, 29, 12) };
  const database = await openTestDatabase(undefined, () => world.time);
  const repository = new DonationRepository(database);
  const claim = ([from, to]: readonly [string, string]) =>
    createGiftAidClaim(
      database.db,
      'lanternwell',
      parsePeriod(from, to, 'Europe/London'),
      'Europe/London',
    );
  return {
    world,
    repository,
    claim,
    donate: (donation: AddedDonation = {}) =>
      addDonation(repository, { currency: 'GBP', giftAid: GIFT_AID, ...donation }),
    async report(
      reference: string,
      kind: NewEntry['kind'],
      subject = 'of 1',
      payload: OutboxPayload = {},
    ): Promise<void> {
      const id = `${kind} ${subject}`;
      await repository.outbox.insertEntries('lanternwell', [
        { id, reference, kind, payload: { at: world.time, ...payload } },
      ]);
    },
    async contradictAndDecide(
      reference: string,
      decision: 'succeeded' | 'entered',
      day: string,
    ): Promise<void> {
      const donation = (await repository.findByReference(reference))!;
      if (donation.payload.payment.provider !== 'offline')
        await repository.applyTrigger(donation, { type: 'contradicted' });
      world.time = Date.parse(`${day}T12:00:00Z`);
      const command = { reference, decision, by: 'Mara', note: '' };
      await repository.reviewDecisions.applyAndSaveDecision(
        decision === 'entered' ? { ...command, platformId: '7' } : command,
      );
    },
    /** Reads the day and amount in a claim and in a receipt, such as `2026-11-29 50.00`. */
    async describe(
      reference: string,
      period: readonly [string, string] = ['2026-11-01', '2026-12-31'],
    ): Promise<{ readonly claims: readonly string[]; readonly receipt: string }> {
      const { rows } = await claim(period);
      const { amountPaid, paidAt } = await loadPaidGift(database.db, reference, {
        locksDonation: false,
      });
      const day = new Date(paidAt).toISOString().slice(0, 10);
      return {
        claims: rows.map((row) => {
          const [date, month, year] = row['Donation date'].split('/');
          return `20${year}-${month}-${date} ${row.Amount}`;
        }),
        receipt: `${day} ${(amountPaid / 100).toFixed(2)}`,
      };
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const both = (text: string) => ({ claims: [text], receipt: text });

test('claims and receipts subtract a refund that only the provider’s total contains', async () => {
  await using ledger = await openLedger();
  const reference = await ledger.donate();
  await ledger.report(reference, 'refund', 're_2', { amount: 1_000, refunded: 3_000 });
  assert.deepEqual(await ledger.describe(reference), both('2026-11-29 20.00'));
});

test('claims and receipts confirm a disputed payment only if all its disputes are won', async () => {
  await using ledger = await openLedger();
  const reference = await ledger.donate();
  const nothing = { claims: [], receipt: '2026-11-29 0.00' };
  await ledger.report(reference, 'dispute_opened', 'dp_1');
  assert.deepEqual(await ledger.describe(reference), nothing);
  await ledger.report(reference, 'dispute_won', 'dp_1');
  assert.deepEqual(await ledger.describe(reference), both('2026-11-29 50.00'));
  await ledger.report(reference, 'dispute_opened', 'dp_2');
  await ledger.report(reference, 'dispute_opened', 'dp_3');
  await ledger.report(reference, 'dispute_lost', 'dp_2');
  await ledger.report(reference, 'dispute_won', 'dp_3');
  assert.deepEqual(await ledger.describe(reference), nothing);
});

test('lists a disputed payment as an adjustment, and claims it again once the dispute is won', async () => {
  await using ledger = await openLedger();
  const reference = await ledger.donate();
  ledger.world.time = Date.UTC(2026, 11, 10);
  await ledger.report(reference, 'dispute_opened', 'dp_1');
  ledger.world.time = Date.UTC(2027, 0, 10);
  await ledger.report(reference, 'dispute_won', 'dp_1');
  const { adjustments } = await ledger.claim(['2026-12-01', '2026-12-31']);
  assert.deepEqual(adjustments, [{ reference, amount: '50.00' }]);
  const { claims } = await ledger.describe(reference, ['2027-01-01', '2027-01-31']);
  assert.deepEqual(claims, ['2026-11-29 50.00']);
});

test('claims and receipts count a renewal whose amount the provider does not report as the donation’s total', async () => {
  await using ledger = await openLedger();
  const { repository, world } = ledger;
  const first = await ledger.donate({ frequency: 'monthly' });
  world.time = Date.UTC(2026, 11, 29, 12);
  await recordPaymentEvents(
    [
      {
        kind: 'renewal',
        id: 'renewal in_1',
        subscriptionId: `sub_${first}`,
        payment: { paymentId: 'pi_2', status: 'succeeded' },
        at: new Date(world.time),
      },
    ],
    {
      organization: 'lanternwell',
      provider: 'stripe',
      repository,
      paymentService: {} as PaymentService,
      log: pino({ level: 'silent' }),
    },
  );
  const { reference } = (await repository.outbox.findRenewal('lanternwell', 'pi_2'))!;
  assert.deepEqual(
    await ledger.describe(reference, ['2026-12-01', '2026-12-31']),
    both('2026-12-29 50.00'),
  );
});

test('claims and receipts have the day on which the staff confirmed the payment', async () => {
  for (const [donation, decision] of [
    [{ outcome: 'promised' }, 'succeeded'],
    [{ outcome: 'settling' }, 'succeeded'],
    [{ outcome: 'settling', platformId: 7 }, 'entered'],
    [{ outcome: 'failed' }, 'entered'],
  ] satisfies [AddedDonation, 'succeeded' | 'entered'][]) {
    await using ledger = await openLedger();
    const reference = await ledger.donate(donation);
    await ledger.contradictAndDecide(reference, decision, '2026-12-03');
    assert.deepEqual(await ledger.describe(reference), both('2026-12-03 50.00'), decision);
  }
});

test('claims a payment once, even if the provider’s record contradicts it later', async () => {
  await using ledger = await openLedger();
  const reference = await ledger.donate();
  const donation = (await ledger.repository.findByReference(reference))!;
  ledger.world.time = Date.UTC(2026, 11, 10);
  await ledger.repository.applyTrigger(donation, { type: 'contradicted' });
  const { reviewDecisions } = ledger.repository;
  const decision = { reference, decision: 'succeeded', by: 'Mara', note: '' } as const;
  await reviewDecisions.applyAndSaveDecision(decision).catch(() => undefined);
  for (const [period, expected] of [
    [['2026-11-01', '2026-11-30'], ['2026-11-29 50.00']],
    [['2026-12-01', '2026-12-31'], []],
  ] as const)
    assert.deepEqual((await ledger.describe(reference, period)).claims, expected);
});
