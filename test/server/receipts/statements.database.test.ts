import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadStatement } from '../../../src/server/admin/read-models/statement.ts';
import type { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { getRemainingAmount } from '../../../src/server/donations/refunds-and-disputes.ts';
import { listStatementLines, sumLines } from '../../../src/server/receipts/statement-lines.ts';
import { getStatementPeriod } from '../../../src/server/receipts/statement-period.ts';
import { iterateLedgerEntryPages } from '../../../src/server/reporting/ledger-entries.ts';
import { isReportedInLedger, toLedgerRow } from '../../../src/server/reporting/ledger-rows.ts';
import { callAdmin, NOW, openAdmin } from '../admin/support.ts';
import { addDonation, addRenewal } from '../reporting/add-donation.ts';
import type { TestServer } from '../support.ts';
import { addReceipt } from './add-receipt.ts';
import { usReceipts } from './support.ts';

const DAY = 86_400_000;

/** A small generator of pseudorandom numbers (mulberry32), the same in every run. */
function createRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max;
  };
}

const EMAILS = ['ana@example.org', 'miriam@example.org', 'tomas@example.org'];
const OUTCOMES = ['succeeded', 'succeeded', 'succeeded', 'failed', 'promised', 'settling'] as const;

/** Saves random donations, renewals, and refunds of three years. */
async function addRandomDonations(
  repository: DonationRepository,
  random: (max: number) => number,
  setTime: (time: number) => void,
): Promise<void> {
  const start = Date.UTC(2024, 11, 20);
  for (let index = 0; index < 60; index += 1) {
    const at = start + random(800) * DAY + random(DAY);
    setTime(at);
    const reference = await addDonation(repository, {
      donor: { firstName: 'A', lastName: 'B', email: EMAILS[random(3)]! },
      total: 1 + random(10_000),
      currency: random(3) === 0 ? 'EUR' : 'USD',
      frequency: random(2) === 0 ? 'once' : 'monthly',
      isTest: random(10) === 0,
      outcome: OUTCOMES[random(OUTCOMES.length)]!,
    });
    const { status, subscriptionId } = (await repository.findByReference(reference))!;
    if (status !== 'succeeded') continue;
    const references = [reference];
    if (subscriptionId !== null)
      for (let month = 1; month <= random(4); month += 1) {
        await addRenewal(repository, reference, {
          at: at + month * 30 * DAY,
          amount: 1 + random(10_000),
        });
        references.push(`${reference}-${month + 1}`);
      }
    for (const refunded of references)
      if (random(4) === 0) await addRefund(repository, refunded, at + 40 * DAY, random);
  }
}

/** Refunds a part, all, or (if the refund fails) nothing. */
async function addRefund(
  repository: DonationRepository,
  reference: string,
  at: number,
  random: (max: number) => number,
): Promise<void> {
  const creation = (await repository.outbox.findGiftCreation(reference))!;
  const donation = (await repository.findByReference(creation.parentReference ?? reference))!;
  const total = creation.payload.amount ?? donation.payload.gift.total;
  const amount = random(3) === 0 ? total : 1 + random(total);
  const { organization, parentReference } = creation;
  const event = { reference, parentReference, payload: { at, amount } };
  await repository.outbox.insertEntries(organization, [
    { ...event, id: `refund re_${reference}`, kind: 'refund' },
  ]);
  if (random(4) === 0)
    await repository.outbox.insertEntries(organization, [
      { ...event, id: `refund_failed re_${reference}`, kind: 'refund_failed' },
    ]);
}

/** Issues a valid receipt for each donation and renewal with an amount left. */
async function issueReceipts({ database }: TestServer): Promise<void> {
  let number = 0;
  const everything = { from: 0, to: Number.MAX_SAFE_INTEGER };
  for await (const page of iterateLedgerEntryPages(database.db, 'lanternwell', everything))
    for (const entry of page) {
      const amount = getRemainingAmount(entry);
      const isPaid = entry.renewal !== undefined || entry.donation.status === 'succeeded';
      if (!isPaid || amount <= 0) continue;
      const { reference, currency, decimals, donation, createdAt } = entry;
      const { isTest } = donation.payload;
      const day = new Date(createdAt).toISOString().slice(0, 10);
      number += 1;
      await addReceipt(database, reference, {
        number,
        issuedAt: createdAt,
        data: { day, currency, decimals, amount, isTest },
      });
    }
}

test('the statements of a year add up to its valid receipts, and to the report less refunds', async () => {
  for (const seed of [1, 2, 3]) {
    await using admin = await openAdmin();
    const { server, repository, setTime } = admin;
    await addRandomDonations(repository, createRandom(seed), setTime);
    await issueReceipts(server);
    const { db, donorKeys } = server.database;
    let total = 0;
    for (const startMonth of [1, 4, 12])
      for (const year of [2024, 2025, 2026]) {
        const period = getStatementPeriod({ year, startMonth }, 'UTC');
        const options = { organization: 'lanternwell', period, isTest: false };
        const lines = await Promise.all(
          EMAILS.map((email) =>
            listStatementLines(server.database, donorKeys.createKey('lanternwell', email), options),
          ),
        );
        const sums = new Map(
          sumLines(lines.flat()).map(({ currency, amount }) => [currency, amount]),
        );
        total += lines.flat().length;
        const reported = new Map<string, number>();
        const pages = iterateLedgerEntryPages(db, 'lanternwell', period);
        for await (const page of pages)
          for (const entry of page.filter(isReportedInLedger)) {
            const { status, currency, ...row } = toLedgerRow(entry, 'UTC');
            if (status === 'Pending' || status === 'Declined') continue;
            if (entry.donation.payload.isTest) continue;
            const rest = Math.round((Number(row.total) - Number(row.refunded)) * 100);
            if (rest > 0) reported.set(currency, (reported.get(currency) ?? 0) + rest);
          }
        assert.deepEqual(
          [...sums].sort(),
          [...reported].sort(),
          `seed ${seed}, ${year}-${startMonth}`,
        );
      }
    assert.ok(total > 50, String(total));
  }
});

test('a statement lists payments by the day on their receipts, not the day of the donation', async () => {
  await using admin = await openAdmin();
  const { server, repository, setTime } = admin;
  const days = ['2026-03-31', '2026-04-01', '2027-03-31', '2027-04-01'];
  // The first three were promised or debited earlier.
  for (const [index, day] of days.entries()) {
    setTime(Date.parse(index < 3 ? '2026-03-15' : day));
    await addReceipt(server.database, await addDonation(repository), {
      number: index + 1,
      data: { day },
    });
  }
  const lines = await listStatementLines(
    server.database,
    server.database.donorKeys.createKey('lanternwell', 'ana@example.org'),
    {
      organization: 'lanternwell',
      period: getStatementPeriod({ year: 2026, startMonth: 4 }, 'UTC'),
      isTest: false,
    },
  );
  assert.deepEqual(
    lines.map(({ data }) => data.day),
    ['2026-04-01', '2027-03-31'],
  );
});

test('the statement of a US organization has the size of US Letter, like its receipts', async () => {
  await using admin = await openAdmin({ receipts: usReceipts });
  const { server, repository } = admin;
  await addReceipt(server.database, await addDonation(repository), { data: { isTest: true } });
  const donorKey = server.database.donorKeys.createKey('lanternwell', 'ana@example.org');
  const statement = await loadStatement(
    server.organizations.find('lanternwell')!,
    { donorKey, year: 2026, startMonth: 1 },
    { database: server.database, now: () => NOW },
  );
  assert.equal(statement!.document.paper, 'us-letter');
});

test("a donor's statement lists valid receipts, in the language of the latest donation", async () => {
  await using admin = await openAdmin();
  const { server, repository, browser, setTime } = admin;
  setTime(Date.UTC(2026, 4, 2));
  const first = await addDonation(repository);
  setTime(Date.UTC(2026, 5, 3));
  const second = await addDonation(repository);
  const refunded = await addDonation(repository);
  const foreign = await addDonation(repository, { donor: { email: 'miriam@example.org' } });
  const { database } = server;
  // The form of the test server is in test mode.
  const isTest = true;
  const amount = 2_050;
  await addReceipt(database, first, { number: 1, data: { isTest, day: '2026-05-02' } });
  await addReceipt(database, second, { number: 2, data: { isTest, day: '2026-06-03', amount } });
  await addReceipt(database, refunded, { number: 3, status: 'void', data: { isTest } });
  await addReceipt(database, foreign, { number: 4, data: { isTest } });
  const row = await database.db
    .selectFrom('donations')
    .select('payload')
    .where('reference', '=', second)
    .executeTakeFirstOrThrow();
  const payload = { ...row.payload, form: { ...row.payload.form, language: 'de' } };
  await database.db
    .updateTable('donations')
    .set({ payload: JSON.stringify(payload) })
    .where('reference', '=', second)
    .execute();
  const input = { email: 'Ana@example.org', year: 2026 };
  const { table, base64, mediaType } = (await (
    await callAdmin(server, '/api/statements', input)
  ).json()) as { table: object; base64: string; mediaType: string };
  assert.deepEqual(table, {
    columns: ['Datum der Spende', 'Quittung', 'Betrag'],
    rows: [
      ['2. Mai 2026', 'WEB-2026-000001', '50\u00a0$'],
      ['3. Juni 2026', 'WEB-2026-000002', '20,50\u00a0$'],
    ],
    totals: [['Summe', '', '70,50\u00a0$']],
  });
  assert.equal(mediaType, 'text/html');
  assert.match(
    Buffer.from(base64, 'base64').toString(),
    /<html lang="de"[^]*1\. Januar 2026 – 31\. Dezember 2026/,
  );
  const empty = await callAdmin(server, '/api/statements', { ...input, year: 2025 });
  assert.equal(empty.status, 404);
  await admin.signIn();
  const download = await browser.request(`/donations/${first}/statement?year=2026`);
  assert.equal(
    download.headers.get('Content-Disposition'),
    `attachment; filename="statement-2026-${first}.html"`,
  );
  assert.match(download.html, /WEB-2026-000002/);
  const fiscal = await browser.request(`/donations/${first}/statement?year=2026&startMonth=6`);
  assert.doesNotMatch(fiscal.html, /WEB-2026-000001/);
});
