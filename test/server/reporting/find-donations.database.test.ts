import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDonations } from '../../../src/server/admin/read-models/donation-list.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import type { DonationFilter } from '../../../src/server/reporting/donation-filter.ts';
import { iterateExportLines } from '../../../src/server/reporting/export-rows.ts';
import {
  type DonationQuery,
  findDonations,
  type ListPosition,
} from '../../../src/server/reporting/find-donations.ts';
import { openTestDatabase } from '../test-database.ts';
import { addDonation, addEvent, addRenewal, recordOnPlatform } from './add-donation.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 9, 1);
const ALL_TIME = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Opens a database whose clock is one hour later after each donation. */
async function openBooks() {
  let time = START;
  const database = await openTestDatabase(undefined, () => time);
  const repository = new DonationRepository(database);
  return {
    database,
    repository,
    add: async (
      ...options: Parameters<typeof addDonation> extends [unknown, ...infer Rest] ? Rest : never
    ) => {
      time += HOUR;
      return addDonation(repository, ...options);
    },
    find: async (query: Partial<DonationQuery> = {}) =>
      findDonations(database.db, {
        organization: 'lanternwell',
        period: ALL_TIME,
        filter: {},
        limit: 50,
        ...query,
      }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const listReferences = ({ entries }: Awaited<ReturnType<typeof findDonations>>): string[] =>
  entries.map(({ reference }) => reference);

test('finds donations by name, email, ID, or exact amount, without regard to case and accents', async () => {
  await using books = await openBooks();
  const zoe = await books.add({
    donor: { firstName: 'Zoë', lastName: 'García', email: 'zoe@example.org' },
    total: 7_500,
    platformId: 4_711,
  });
  const club = await books.add({ donor: { organization: 'Müller & Söhne' }, total: 120_050 });
  const names = [
    'zoe garcia',
    'GARCÍA zoë',
    'zoe@EXAMPLE',
    zoe,
    `pi_${zoe}`,
    '4711',
    '75',
    '$75.00',
  ];
  for (const search of names)
    assert.deepEqual(listReferences(await books.find({ filter: { search } })), [zoe], search);
  for (const search of ['muller', '1,200.50', '1200.5 USD'])
    assert.deepEqual(listReferences(await books.find({ filter: { search } })), [club], search);
  for (const search of ['garcia ana', '7.5', '47', 'zoe%', "'"])
    assert.deepEqual(listReferences(await books.find({ filter: { search } })), [], search);
});

test('finds words of a name by their beginning, and a whole email only by itself', async () => {
  await using books = await openBooks();
  const addDonor = async (firstName: string, lastName: string, email: string) =>
    books.add({ donor: { firstName, lastName, email } });
  const ana = await addDonor('Ana', 'Silva', 'Ana.Silva@example.org');
  const mariana = await addDonor('Mariana', 'Silva', 'mariana.silva@example.org');
  const suffix = await addDonor('Jean-Luc', "O'Brien", 'ana.silva@example.org.uk');
  const expected: [string, string[]][] = [
    ['ana silva', [suffix, ana]],
    ['ANA.SILVA@example.org', [ana]],
    ['ana ana.silva@example.org', [ana]],
    ['mariana', [mariana]],
    ['silva', [suffix, mariana, ana]],
    ['luc brien', [suffix]],
    ['@example.org', [suffix, mariana, ana]],
    ['riana', []],
    ['silva@example.org', []],
  ];
  for (const [search, references] of expected)
    assert.deepEqual(listReferences(await books.find({ filter: { search } })), references, search);
});

test('filters by status, form, frequency, method, platform, and period, and shows no other organization', async () => {
  await using books = await openBooks();
  const { repository } = books;
  const paid = await books.add({ platformId: 1, method: 4 });
  const promised = await books.add({ outcome: 'promised' });
  const failed = await books.add({ outcome: 'failed', form: 'spring' });
  const review = await books.add({ outcome: 'needs_review', total: 300 });
  const monthly = await books.add({ frequency: 'monthly' });
  await books.add({ organization: 'other', platformId: 2 });
  const renewedAt = START + 30 * 24 * HOUR;
  await addRenewal(repository, monthly, { at: renewedAt, amount: 6_000 });
  await recordOnPlatform(repository, `${monthly}-2`, 3);
  await addEvent(repository, paid, 'refund', { at: START + 9 * HOUR, amount: 1_000 });
  const renewal = `${monthly}-2`;
  const filters: [DonationFilter, string[]][] = [
    [{}, [renewal, monthly, review, failed, promised, paid]],
    [{ status: 'received' }, [renewal, monthly, paid]],
    [{ status: 'promised' }, [promised]],
    [{ status: 'outstanding' }, [promised]],
    [{ status: 'settling' }, []],
    [{ status: 'failed' }, [failed]],
    [{ status: 'refunded' }, [paid]],
    [{ status: 'needs-review' }, [review]],
    [{ form: 'spring' }, [failed]],
    [{ frequency: 'recurring' }, [renewal, monthly]],
    [{ frequency: 'once' }, [review, failed, promised, paid]],
    [{ method: 'offline' }, [promised]],
    [{ method: 'wallet' }, [paid]],
    [{ isOnPlatform: true }, [renewal, paid]],
    [{ isOnPlatform: false }, [monthly, review, promised]],
    [{ search: '60', frequency: 'recurring' }, [renewal]],
  ];
  for (const [filter, expected] of filters)
    assert.deepEqual(
      listReferences(await books.find({ filter })),
      expected,
      JSON.stringify(filter),
    );
  const november = { from: renewedAt, to: renewedAt + 1 };
  assert.deepEqual(listReferences(await books.find({ period: november })), [renewal]);
  const { summary } = await books.find();
  assert.deepEqual(summary, {
    count: 6,
    totals: [
      {
        currency: 'USD',
        decimals: 2,
        received: { count: 3, total: 16_000 },
        outstanding: { count: 1, total: 5_000 },
        needsReview: { count: 1, total: 300 },
        refunded: { count: 0, total: 0 },
      },
    ],
  });
});

test('lists recurring donations whose renewals fail, once each and however old', async () => {
  await using books = await openBooks();
  const { repository } = books;
  const [retrying, suspended] = [
    await books.add({ frequency: 'monthly' }),
    await books.add({ frequency: 'annually' }),
  ];
  await books.add({ frequency: 'monthly' });
  await addRenewal(repository, retrying, { at: START + 9 * HOUR, amount: 5_000 });
  for (const [reference, status] of [
    [retrying, 'retrying'],
    [suspended, 'suspended'],
  ] as const) {
    const donation = (await repository.findByReference(reference))!;
    await repository.applyTrigger(
      donation,
      { type: 'subscription_changed', status },
      { outboxEntry: { id: status } },
    );
  }
  for (const [status, reference] of [
    ['retrying', retrying],
    ['suspended', suspended],
  ] as const) {
    assert.deepEqual(listReferences(await books.find({ filter: { status } })), [reference]);
    for (const days of [1, 400]) {
      const { items } = await listDonations(
        books.database.db,
        { status, days: 30 },
        undefined,
        START + days * 24 * HOUR,
      );
      assert.deepEqual(
        items.map((item) => item.reference),
        [reference],
      );
    }
  }
});

test('exports the amount that each renewal charged', async () => {
  await using books = await openBooks();
  const { repository, database } = books;
  const reference = await books.add({ frequency: 'monthly', total: 5_000 });
  await addRenewal(repository, reference, { at: START + 9 * HOUR, amount: 6_000 });
  const totals: string[] = [];
  for await (const line of iterateExportLines(database.db, 'lanternwell', ALL_TIME, 'UTC'))
    if (line.kind === 'row') totals.push(line.row.total!);
  assert.deepEqual(totals, ['50.00', '60.00']);
});

test('totals the refunds of refunded donations, without refunds that failed', async () => {
  await using books = await openBooks();
  const { repository } = books;
  const [partly, fully, unchanged] = [await books.add(), await books.add(), await books.add()];
  await addEvent(repository, partly, 'refund', { at: START, amount: 1_000 });
  await addEvent(repository, fully, 'refund', { at: START, amount: 5_000 });
  for (const kind of ['refund', 'refund_failed'] as const)
    await addEvent(repository, unchanged, kind, { at: START, amount: 5_000 });
  const found = await books.find({ filter: { status: 'refunded' } });
  assert.deepEqual(listReferences(found), [fully, partly]);
  const [total] = found.summary!.totals;
  assert.deepEqual(
    [total!.received, total!.refunded],
    [
      { count: 2, total: 10_000 },
      { count: 2, total: 6_000 },
    ],
  );
});

test('shows each donation and renewal on one page, even if they have the same time', async () => {
  await using books = await openBooks();
  const { repository } = books;
  const monthly = await books.add({ frequency: 'monthly' });
  const at = START + 2 * HOUR;
  const expected = [monthly, await books.add()];
  for (let month = 0; month < 3; month += 1) {
    expected.push(await addDonation(repository, {}));
    await addRenewal(repository, monthly, { at: at + month, amount: 5_000 });
    expected.push(`${monthly}-${month + 2}`);
  }
  const found: string[] = [];
  let after: ListPosition | undefined;
  do {
    const page = await books.find({ limit: 2, after });
    assert.ok(page.entries.length <= 2);
    assert.equal(page.summary === undefined, after !== undefined);
    found.push(...listReferences(page));
    after = page.next;
  } while (after);
  assert.deepEqual(found.toSorted(), expected.toSorted());
  assert.equal(found.at(-1), monthly);
});

test('stops a search after a number of donations, says so, and continues on the next page', async () => {
  await using books = await openBooks();
  const zoe = await books.add({ donor: { firstName: 'Zoë' } });
  for (let index = 0; index < 4; index += 1) await books.add();
  const query = { filter: { search: 'zoe' }, maxEntriesRead: 3 };
  const first = await books.find(query);
  assert.deepEqual(
    [listReferences(first), first.searchedUntil, first.summary],
    [[], START + 3 * HOUR, undefined],
  );
  const second = await books.find({ ...query, after: first.next });
  assert.deepEqual([listReferences(second), second.next], [[zoe], undefined]);
  const counted = await books.find({ limit: 2, maxEntriesCounted: 3 });
  assert.deepEqual(
    [counted.entries.length, counted.summary, counted.searchedUntil],
    [2, undefined, undefined],
  );
  assert.equal(counted.next?.reference, counted.entries[1]!.reference);
});
