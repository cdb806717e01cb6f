import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Browser, openAdmin } from '../admin/support.ts';
import { addDonation } from '../reporting/add-donation.ts';
import type { TestServer } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { addReceipt } from './add-receipt.ts';

/** Downloads a zip and extracts it with Info-ZIP. `files` are its names in order. */
async function downloadZip({ server, browser }: Parts, path: string) {
  const response = await server.fetchAdmin(path, { headers: { Cookie: browser.cookie } });
  const folder = createFolder();
  const zip = join(folder, 'archive.zip');
  const content = Buffer.from(await response.arrayBuffer());
  writeFileSync(zip, content);
  const list = spawnSync('unzip', ['-Z1', zip], { encoding: 'utf8' });
  const extraction = spawnSync('unzip', ['-q', zip, '-d', folder], { encoding: 'utf8' });
  assert.deepEqual([extraction.status, extraction.stderr], [0, '']);
  return {
    headers: response.headers,
    files: list.stdout.trimEnd().split('\n'),
    read: (name: string): string => readFileSync(join(folder, name), 'utf8'),
  };
}

interface Parts {
  readonly server: TestServer;
  readonly browser: Browser;
}

test("downloads a year's receipts as a zip, with a list and void ones apart", async () => {
  await using admin = await openAdmin();
  const { server, repository } = admin;
  const reference = await addDonation(repository);
  const { database } = server;
  await addReceipt(database, reference, { number: 1, status: 'void' });
  const content = new Uint8Array([37, 80, 68, 70]);
  await addReceipt(database, reference, { number: 2, mediaType: 'application/pdf', content });
  await addReceipt(database, reference, { number: 3, data: { donor: undefined } });
  await addReceipt(database, reference, { number: 1, year: 2025 });
  await database.db.deleteFrom('receiptFiles').where('receipt', 'like', '%2026 3').execute();
  await admin.signIn();
  const zip = await downloadZip(admin, '/receipts/archive?year=2026');
  assert.deepEqual(zip.files, [
    'void/WEB-2026-000001.html',
    'WEB-2026-000002.pdf',
    'receipts-2026.csv',
  ]);
  assert.equal(
    zip.headers.get('Content-Disposition'),
    'attachment; filename="receipts-lanternwell-2026.zip"',
  );
  assert.equal(zip.read('WEB-2026-000002.pdf'), '%PDF');
  assert.equal(zip.read('void/WEB-2026-000001.html'), '<p>Receipt 1</p>');
  const [columns, ...rows] = zip.read('receipts-2026.csv').trimEnd().split('\r\n');
  assert.match(columns!, /"number","status",.*"file"$/);
  assert.deepEqual(
    rows.map((row) => row.split(',').at(-1)),
    ['"void/WEB-2026-000001.html"', '"WEB-2026-000002.pdf"', '""'],
  );
});

test("downloads all donors' statements of a year as a zip with a list", async () => {
  await using admin = await openAdmin();
  const { server, repository, setTime } = admin;
  const { database } = server;
  const emails = ['ana@example.org', 'miriam@example.org', undefined];
  for (const [index, email] of emails.entries()) {
    const donor = { firstName: 'A', lastName: 'B', ...(email !== undefined && { email }) };
    for (const [position, currency] of (['USD', 'EUR'] as const).entries()) {
      const reference = await addDonation(repository, { donor, currency });
      const number = 2 * index + position + 1;
      const amount = 1_000 * number;
      const name = '../=Ana';
      const data = {
        currency,
        amount,
        isTest: true,
        donor: { name, addressLines: ['1 Main Street'] },
      };
      await addReceipt(database, reference, { number, data });
    }
  }
  setTime(Date.UTC(2025, 1, 1));
  await addDonation(repository, { donor: { email: 'tomas@example.org' } });
  await admin.signIn();
  const zip = await downloadZip(admin, '/statements/archive?year=2026&startMonth=1');
  const names = emails
    .filter((email) => email !== undefined)
    .map((email) => `statement-2026-${database.donorKeys.createKey('lanternwell', email)}.html`);
  assert.deepEqual(zip.files, [...names.sort(), 'statements-2026.csv']);
  const rows = zip.read('statements-2026.csv').trimEnd().split('\r\n').slice(1);
  assert.deepEqual(
    rows.map((row) => /"(\w+@[^"]*)",.*,([\d.]+),"([A-Z]+)",/.exec(row)!.slice(1).join(' ')).sort(),
    [
      'ana@example.org 10.00 USD',
      'ana@example.org 20.00 EUR',
      'miriam@example.org 30.00 USD',
      'miriam@example.org 40.00 EUR',
    ],
  );
});
