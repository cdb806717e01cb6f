import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { cancelDeclarations } from '../../../src/server/donations/gift-aid-declarations.ts';
import { parsePeriod } from '../../../src/server/lib/period.ts';
import { createGiftAidClaim } from '../../../src/server/reporting/gift-aid-claim.ts';
import { openTestDatabase } from '../test-database.ts';
import { addDonation, type AddedDonation, addEvent, addRenewal } from './add-donation.ts';

const SINGLE = { scope: 'single', text: 'Yes', house: '12', postcode: 'S19 2BD' } as const;
const ALL = { ...SINGLE, scope: 'all', house: 'Rose Cottage' } as const;
const DONOR = { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org' };
const NOVEMBER = ['2026-11-01', '2026-11-30'] as const;
const DECEMBER = ['2026-12-01', '2026-12-31'] as const;

async function openLedger() {
  const world = { time: 0 };
  const database = await openTestDatabase(undefined, () => world.time);
  const repository = new DonationRepository(database);
  return {
    database,
    repository,
    setDay(day: string): void {
      world.time = Date.parse(`${day}T12:00:00Z`);
    },
    async donateOn(day: string, donation: AddedDonation = {}): Promise<string> {
      this.setDay(day);
      return addDonation(repository, { currency: 'GBP', giftAid: SINGLE, ...donation });
    },
    async refundOn(day: string, reference: string, amount: number): Promise<void> {
      this.setDay(day);
      await addEvent(repository, reference, 'refund', { at: world.time, amount });
    },
    async cancelOn(day: string, reference: string, from = day): Promise<string[]> {
      this.setDay(day);
      const donation = (await repository.findByReference(reference))!;
      return cancelDeclarations(database, donation, {
        canceledFrom: Date.parse(`${from}T00:00:00Z`),
        canceledBy: 'Mara',
        canceledAt: world.time,
      });
    },
    claim: ([from, to]: readonly [string, string]) =>
      createGiftAidClaim(
        database.db,
        'lanternwell',
        parsePeriod(from, to, 'Europe/London'),
        'Europe/London',
      ),
    async listClaimed(period: readonly [string, string]): Promise<string[]> {
      const { rows } = await this.claim(period);
      return rows.map((row) => `${row['Donation date']} ${row.Amount}`);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test("claims a paid donation in the columns of HMRC's schedule", async () => {
  await using ledger = await openLedger();
  const firstName = 'A'.repeat(40);
  await ledger.donateOn('2026-11-09', {
    donor: { firstName, lastName: 'Souza-Lima' },
    total: 20_050,
  });
  const { rows, total } = await ledger.claim(NOVEMBER);
  assert.deepEqual(rows, [
    {
      Title: '',
      'First name': 'A'.repeat(35),
      'Last name': 'Souza Lima',
      'House name or number': '12',
      Postcode: 'S19 2BD',
      'Aggregated donations': '',
      'Sponsored event': '',
      'Donation date': '09/11/26',
      Amount: '200.50',
    },
  ]);
  assert.equal(total, '200.50');
});

test('claims no unpaid, test, foreign, and other donations without a declaration', async () => {
  await using ledger = await openLedger();
  for (const donation of [
    { outcome: 'failed' },
    { outcome: 'promised' },
    { outcome: 'settling' },
    { outcome: 'needs_review' },
    { isTest: true },
    { currency: 'USD' },
    { organization: 'other' },
    { donor: { ...DONOR, organization: 'Well Ltd' } },
    { giftAid: undefined },
  ] satisfies AddedDonation[])
    await ledger.donateOn('2026-11-09', donation);
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), []);
});

test('claims a bank debit in the period in which the money arrives', async () => {
  await using ledger = await openLedger();
  const reference = await ledger.donateOn('2026-11-29', { outcome: 'settling' });
  ledger.setDay('2026-12-03');
  const donation = (await ledger.repository.findByReference(reference))!;
  await ledger.repository.applyTrigger(donation, { type: 'succeeded' });
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), []);
  assert.deepEqual(await ledger.listClaimed(DECEMBER), ['03/12/26 50.00']);
});

test('claims a donation in the period in which the staff has confirmed its payment', async () => {
  await using ledger = await openLedger();
  const { reviewDecisions } = ledger.repository;
  const signature = { by: 'Mara', note: '' };
  const pledge = await ledger.donateOn('2026-11-29', { outcome: 'promised' });
  const debit = await ledger.donateOn('2026-11-30', { outcome: 'settling', platformId: 7 });
  const row = (await ledger.repository.findByReference(debit))!;
  await ledger.repository.applyTrigger(row, { type: 'contradicted' });
  ledger.setDay('2026-12-04');
  const decide = (reference: string, decision: 'succeeded' | 'entered', platformId?: string) =>
    reviewDecisions.applyAndSaveDecision({ reference, decision, platformId, ...signature });
  await decide(pledge, 'succeeded');
  await decide(debit, 'entered', '7');
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), []);
  assert.deepEqual(await ledger.listClaimed(DECEMBER), ['04/12/26 50.00', '04/12/26 50.00']);
});

test('claims the rest after a partial refund, and nothing after a full one', async () => {
  await using ledger = await openLedger();
  await ledger.refundOn('2026-11-12', await ledger.donateOn('2026-11-09'), 1_250);
  await ledger.refundOn('2026-11-12', await ledger.donateOn('2026-11-10'), 5_000);
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), ['09/11/26 37.50']);
});

test('lists a later refund and a lost dispute as adjustments of the later period', async () => {
  await using ledger = await openLedger();
  const refunded = await ledger.donateOn('2026-11-09');
  const disputed = await ledger.donateOn('2026-11-10', { total: 1_000 });
  await ledger.refundOn('2026-12-02', refunded, 2_000);
  await addEvent(ledger.repository, disputed, 'dispute_opened', { at: 1, amount: 1_000 });
  const { organization } = (await ledger.repository.findByReference(disputed))!;
  await ledger.repository.outbox.insertEntries(organization, [
    {
      id: `dispute_lost of ${disputed}`,
      reference: disputed,
      kind: 'dispute_lost',
      payload: { at: 1, amount: 1_000 },
    },
  ]);
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), ['09/11/26 50.00', '10/11/26 10.00']);
  const { rows, adjustments, adjustmentTotal } = await ledger.claim(DECEMBER);
  assert.deepEqual(rows, []);
  assert.deepEqual(
    new Map(adjustments.map(({ reference, amount }) => [reference, amount])),
    new Map([
      [refunded, '20.00'],
      [disputed, '10.00'],
    ]),
  );
  assert.equal(adjustmentTotal, '30.00');
});

test('claims renewals under a declaration for all donations until the donor cancels it', async () => {
  await using ledger = await openLedger();
  const monthly = { frequency: 'monthly', giftAid: ALL } as const;
  const reference = await ledger.donateOn('2026-11-09', monthly);
  for (const day of ['2026-12-09', '2026-12-20']) {
    ledger.setDay(day);
    await addRenewal(ledger.repository, reference, {
      at: Date.parse(`${day}T12:00:00Z`),
      amount: 6_000,
    });
  }
  assert.deepEqual(await ledger.listClaimed(DECEMBER), ['09/12/26 60.00', '20/12/26 60.00']);
  assert.deepEqual(await ledger.cancelOn('2026-12-15', reference), [reference]);
  assert.deepEqual(await ledger.listClaimed(DECEMBER), ['09/12/26 60.00']);
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), ['09/11/26 50.00']);
  assert.deepEqual(await ledger.cancelOn('2026-12-16', reference), []);
});

test('canceling one declaration for all donations cancels every other one of the donor', async () => {
  await using ledger = await openLedger();
  const declared = { donor: DONOR, giftAid: ALL };
  const first = await ledger.donateOn('2026-11-08', declared);
  const second = await ledger.donateOn('2026-11-09', declared);
  const other = { ...DONOR, firstName: 'Bram' };
  await ledger.donateOn('2026-11-09', { donor: other, giftAid: ALL });
  const canceled = await ledger.cancelOn('2026-12-01', first);
  assert.deepEqual(new Set(canceled), new Set([first, second]));
  await ledger.donateOn('2026-12-02', { donor: DONOR, giftAid: undefined });
  await ledger.donateOn('2026-12-03', { donor: other, giftAid: undefined });
  assert.deepEqual(await ledger.listClaimed(DECEMBER), ['03/12/26 50.00']);
});

test('claims what the declaration covers of the past 4 years in the period of the declaration', async () => {
  await using ledger = await openLedger();
  await ledger.donateOn('2022-11-08', { donor: DONOR, giftAid: undefined });
  await ledger.donateOn('2022-12-20', { donor: DONOR, giftAid: undefined, total: 1_000 });
  await ledger.donateOn('2026-11-09', { donor: DONOR, total: 2_000 });
  await ledger.donateOn('2026-11-10', {
    donor: { ...DONOR, lastName: 'Lima' },
    giftAid: undefined,
  });
  await ledger.donateOn('2026-12-01', { donor: DONOR, giftAid: ALL, total: 3_000 });
  assert.deepEqual(await ledger.listClaimed(NOVEMBER), ['09/11/26 20.00']);
  assert.deepEqual(await ledger.listClaimed(DECEMBER), ['20/12/22 10.00', '01/12/26 30.00']);
});

test("claims a donation at its own declaration's home, others at the newest one's, and once", async () => {
  await using ledger = await openLedger();
  const donate = (day: string, house?: string) =>
    ledger.donateOn(day, {
      donor: DONOR,
      giftAid: house === undefined ? house : { ...ALL, house },
    });
  const listHomes = async (period: readonly [string, string]) =>
    (await ledger.claim(period)).rows.map((row) => row['House name or number']);
  await donate('2026-11-01', 'old home');
  await donate('2026-11-08');
  await donate('2026-11-09', 'new home');
  await donate('2026-11-10');
  await donate('2026-12-05', 'newest home');
  await donate('2026-12-06');
  assert.deepEqual(await listHomes(NOVEMBER), ['old home', 'new home', 'new home', 'new home']);
  assert.deepEqual(await listHomes(DECEMBER), ['newest home', 'newest home']);
});
