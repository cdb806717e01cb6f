import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddedReceipt, addReceipt } from '../receipts/add-receipt.ts';
import { addDonation, addRenewal } from '../reporting/add-donation.ts';
import { callAdmin, NOW, openAdmin } from './support.ts';

const DAY = 86_400_000;

test("shows a donation's receipts, what replaced them, and why they are void", async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository, { frequency: 'monthly' });
  await addRenewal(repository, reference, { at: NOW - DAY, amount: 5_000 });
  const replaced = await addReceipt(server.database, reference, { number: 1, status: 'void' });
  await addReceipt(server.database, reference, {
    number: 2,
    replaces: replaced,
    data: { amount: 3_000 },
  });
  await addReceipt(server.database, `${reference}-2`, {
    number: 3,
    data: { isTest: true, day: '2027-01-05' },
  });
  await admin.signIn();
  const { html } = await browser.request(`/donations/${reference}`);
  const section = /<section id="receipts">([^]*?)<\/section>/.exec(html)![1]!;
  const text = section.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  assert.match(text, new RegExp(`WEB-2026-000003 Valid 50.00 USD Test. Renewal ${reference}-2 on`));
  assert.match(text, /WEB-2026-000002 Valid 30.00 USD Donation on .* Replaces WEB-2026-000001\./);
  assert.match(
    text,
    /WEB-2026-000001 Void 50.00 USD .*The donation was refunded\. Replaced by WEB-2026-000002\./,
  );
  assert.equal(section.match(/correct-receipt"/g)?.length, 2);
  // The organization is in test mode, so only test donations count.
  assert.deepEqual(section.match(/statement\?year=\d+/g), ['statement?year=2027']);
  const statement = await browser.request(`/donations/${reference}/statement?year=2027`);
  assert.equal(statement.status, 200);
});

test('downloads a receipt as it was issued, and lets nothing in it run', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository);
  await addReceipt(server.database, reference, {
    content: new TextEncoder().encode('<script>alert(1)</script>'),
  });
  await admin.signIn();
  const path = `/donations/${reference}/receipts/WEB-2026-000001`;
  const { status, html, headers } = await browser.request(path);
  assert.deepEqual([status, html], [200, '<script>alert(1)</script>']);
  assert.deepEqual(
    ['Content-Type', 'Content-Disposition', 'Cache-Control', 'X-Content-Type-Options'].map((name) =>
      headers.get(name),
    ),
    [
      'text/html; charset=utf-8',
      'attachment; filename="WEB-2026-000001.html"',
      'no-store',
      'nosniff',
    ],
  );
  assert.match(headers.get('Content-Security-Policy')!, /^sandbox; default-src 'none'/);
  const other = await addDonation(repository);
  for (const wrong of [`/donations/${other}/receipts/WEB-2026-000001`, `${path}9`])
    assert.equal((await browser.request(wrong)).status, 404, wrong);
});

test('asks the issuer for a corrected receipt, once, with the name and address from the staff', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository);
  await addReceipt(server.database, reference);
  const csrf = await admin.signIn();
  const path = `/donations/${reference}/correct-receipt`;
  const fields = { csrf, name: ' Ana  Souza ', address: '2 High Street\r\n\r\nSpringfield' };
  await browser.request(path, { ...fields, note: 'Called us' });
  assert.match(
    (await browser.request(`/donations/${reference}`)).html,
    /The server will replace receipt WEB-2026-000001[^]*will check soon which receipt is due/,
  );
  const rows = await server.database.db
    .selectFrom('receipts')
    .selectAll()
    .where('status', '=', 'due')
    .execute();
  assert.deepEqual(
    rows.map(({ id, payload, number, nextRunAt }) => ({ id, payload, number, nextRunAt })),
    [
      {
        id: `correction ${reference} 1`,
        payload: {
          day: '2026-11-24',
          language: 'en',
          currency: 'USD',
          decimals: 2,
          amount: 5_000,
          isTest: false,
          donor: { name: 'Ana Souza', addressLines: ['2 High Street', 'Springfield'] },
          correction: { by: 'Ana', note: 'Called us' },
        },
        number: null,
        nextRunAt: NOW,
      },
    ],
  );
  await browser.request(path, fields);
  assert.match(
    (await browser.request(`/donations/${reference}`)).html,
    /Nothing was changed\. The server is about to issue a corrected receipt/,
  );
});

test('makes a receipt void with a reason, by the page and by the API', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const first = await addDonation(repository);
  const second = await addDonation(repository);
  await addReceipt(server.database, first, { number: 1 });
  await addReceipt(server.database, second, { number: 2 });
  const csrf = await admin.signIn();
  await browser.request(`/donations/${first}/void-receipt`, { csrf, reason: 'Sent by post' });
  assert.match(
    (await browser.request(`/donations/${first}`)).html,
    /Receipt WEB-2026-000001 is void[^]*Voided by Ana: Sent by post\.[^]*Issue again[^]*This receipt stays void\./,
  );
  const path = `/api/receipts/${second}/void`;
  const input = { by: 'Ana', reason: 'Sent by post' };
  assert.equal((await callAdmin(server, path, { by: 'Ana', reason: ' ' })).status, 400);
  assert.deepEqual(await (await callAdmin(server, path, input)).json(), {
    voided: 'WEB-2026-000002',
  });
  assert.equal((await callAdmin(server, path, input)).status, 409);
});

test('refuses to correct a receipt whose donor was deleted', async () => {
  await using admin = await openAdmin();
  const { server, repository } = admin;
  const reference = await addDonation(repository);
  await addReceipt(server.database, reference, { data: { donor: undefined } });
  const path = `/api/receipts/${reference}/correct`;
  const input = { name: 'Ana', addressLines: [], by: 'Ana' };
  const response = await callAdmin(server, path, input);
  assert.match(await response.text(), /donor’s data was deleted/);
  assert.equal(response.status, 409);
});

test('lets the staff add a name that the donor did not enter, but not for a deleted donor', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const addNext = async (
    number: number,
    data: NonNullable<AddedReceipt['data']>,
  ): Promise<string> => {
    const reference = await addDonation(repository);
    await addReceipt(server.database, reference, { number, data });
    return reference;
  };
  const nameless = await addNext(1, { donor: { name: '', addressLines: [] } });
  await addNext(2, { donor: undefined, isTest: true });
  const erased = await addNext(3, { donor: undefined });
  await admin.signIn();
  const { html } = await browser.request('/receipts');
  assert.deepEqual(
    [...html.matchAll(/class="name">([^<]*)</g)].map(([, name]) => name),
    ['Deleted donor', 'No name', 'No name'],
  );
  const readDonation = async (reference: string): Promise<string> =>
    (await browser.request(`/donations/${reference}`)).html;
  assert.match(await readDonation(nameless), /name="name" value=""/);
  assert.doesNotMatch(await readDonation(erased), /correct-receipt/);
});

test('says in words why receipts are void, also without a note', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository);
  const reasons = ['dispute_opened', 'Corrected by Ana: '];
  for (const [index, voidReason] of reasons.entries())
    await addReceipt(server.database, reference, {
      number: index + 1,
      status: 'void',
      voidReason,
    });
  await admin.signIn();
  const { html } = await browser.request(`/donations/${reference}`);
  assert.match(html, />Corrected by Ana\.<[^]*>The payment was disputed\.</);
  const { html: csv } = await browser.request('/receipts/export?year=2026');
  assert.match(csv, /"The payment was disputed"[^]*"Corrected by Ana"/);
});

test('lists receipts by year, finds a number, and says on the first page whether the numbers are complete', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository);
  for (let number = 1; number <= 52; number += 1)
    await addReceipt(server.database, reference, {
      number,
      status: number > 2 ? 'issued' : 'void',
    });
  await addReceipt(server.database, reference, { number: 1, year: 2025 });
  await admin.signIn();
  const listNumbers = (html: string): string[] =>
    [...html.matchAll(/scope="row"><a [^>]*>(WEB-[\d-]+)</g)].map(([, number]) => number!);
  const { html } = await browser.request('/receipts');
  assert.equal(listNumbers(html).length, 50);
  assert.equal(listNumbers(html)[0], 'WEB-2026-000052');
  assert.match(
    html,
    /50 valid receipts, 2 void\. Numbers WEB-2026-000001 to WEB-2026-000052 are complete/,
  );
  const next = /href="([^"]+)" rel="next"/.exec(html)![1]!.replaceAll('&amp;', '&');
  const older = (await browser.request(next)).html;
  assert.deepEqual(listNumbers(older), ['WEB-2026-000002', 'WEB-2026-000001']);
  assert.doesNotMatch(older, /are complete|Missing numbers/);
  assert.deepEqual(listNumbers((await browser.request('/receipts?year=2025')).html), [
    'WEB-2025-000001',
  ]);
  for (const search of ['7', ' web-2026-7 ', 'WEB-2026-000007'])
    assert.deepEqual(
      listNumbers((await browser.request(`/receipts?${new URLSearchParams({ search })}`)).html),
      ['WEB-2026-000007'],
      search,
    );
  for (const search of ['99', '%', 'x'])
    assert.match((await browser.request(`/receipts?search=${search}`)).html, /No receipt has/);
  await server.database.db
    .deleteFrom('receipts')
    .where('number', 'in', [7, 52])
    .where('year', '=', 2026)
    .execute();
  assert.match(
    (await browser.request('/receipts')).html,
    /Missing numbers[^]*are missing: WEB-2026-000007, WEB-2026-000052\./,
  );
});

test('continues a page of receipts with the next series, and counts the void ones of each', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository);
  for (let number = 1; number <= 30; number += 1)
    for (const series of ['TEST', 'WEB'])
      await addReceipt(server.database, reference, {
        series,
        number,
        status: series === 'TEST' && number === 3 ? 'void' : 'issued',
      });
  await admin.signIn();
  const listNumbers = (html: string): string[] =>
    [...html.matchAll(/scope="row"><a [^>]*>(\w+)-2026-0*(\d+)</g)].map(
      ([, series, number]) => `${series} ${number}`,
    );
  const { html } = await browser.request('/receipts');
  const first = listNumbers(html);
  assert.deepEqual(
    [first.length, first[0], first[29], first[30], first[49]],
    [50, 'WEB 30', 'WEB 1', 'TEST 30', 'TEST 11'],
  );
  assert.match(
    html,
    /29 valid receipts, 1 void\. Numbers TEST-[^]*30 valid receipts, 0 void\. Numbers WEB-/,
  );
  const next = /href="([^"]+)" rel="next"/.exec(html)![1]!.replaceAll('&amp;', '&');
  const second = listNumbers((await browser.request(next)).html);
  assert.deepEqual([second.length, second[0], second.at(-1)], [10, 'TEST 10', 'TEST 1']);
});

test('exports the receipts of a year as CSV, with formulas escaped', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository);
  const replaced = await addReceipt(server.database, reference, { number: 1, status: 'void' });
  await addReceipt(server.database, reference, {
    number: 2,
    replaces: replaced,
    data: { donor: { name: '=1+1', addressLines: ['1 Main Street', 'Springfield'] } },
  });
  await admin.signIn();
  const { html, headers } = await browser.request('/receipts/export?year=2026');
  assert.equal(
    headers.get('Content-Disposition'),
    'attachment; filename="receipts-lanternwell-2026.csv"',
  );
  const [, first, second] = html.split('\r\n');
  assert.match(first!, /^"WEB-2026-000001","void","2026-11-24T[^"]+","2026-11-24",50\.00,"USD",/);
  assert.match(
    second!,
    new RegExp(
      `50\\.00,"USD","'=1\\+1","1 Main Street, Springfield","${reference}","WEB-2026-000001"`,
    ),
  );
  assert.equal((await browser.request('/receipts/export?year=x')).status, 400);
});
