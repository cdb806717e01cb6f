import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../../src/core/i18n/languages.ts';
import type { ReceiptConfiguration } from '../../../src/core/schemas/receipt-configuration.ts';
import type { DonationPayload } from '../../../src/server/database/schema.ts';
import { createReceiptDocument } from '../../../src/server/receipts/create-receipt-document.ts';
import type { ReceiptDocument } from '../../../src/server/receipts/receipt-document.ts';
import { planReceipt } from '../../../src/server/receipts/receipt-plan.ts';
import { renderReceiptHtml } from '../../../src/server/receipts/render-receipt.ts';
import { createTestMail } from '../mail/support.ts';
import { addDonation, type AddedDonation } from '../reporting/add-donation.ts';
import { startServer } from '../support.ts';
import { neutralReceipts, usReceipts } from './support.ts';

const NOON = Date.UTC(2026, 10, 30, 12);

async function createDocuments(
  receipts: ReceiptConfiguration,
  languages: readonly string[],
  donation: AddedDonation = {},
  changes: Partial<DonationPayload['gift']> = {},
): Promise<readonly ReceiptDocument[]> {
  await using server = await startServer({
    receipts,
    mail: createTestMail(1),
    now: () => NOON,
  });
  await addDonation(server.repository, donation);
  const organization = server.organizations.find('lanternwell')!;
  const [row] = await server.receipts.queue.listDueReceipts('lanternwell', 1);
  const { db } = server.database;
  const plan = await planReceipt(db, row!, organization, { at: NOON, locks: false });
  const issued = plan!.issued!;
  Object.assign(issued.gift.donation.payload.gift, changes);
  return await Promise.all(
    languages.map((language) =>
      createReceiptDocument({ ...issued, data: { ...issued.data, language } }, organization, NOON),
    ),
  );
}

const renderText = async (document: ReceiptDocument): Promise<string> =>
  new TextDecoder().decode((await renderReceiptHtml(document)).content);

test('confirms a donation in every language without a placeholder, a script, or anything to load', async () => {
  const documents = await createDocuments(neutralReceipts, LANGUAGES, { frequency: 'monthly' });
  for (const [index, document] of documents.entries()) {
    const language = LANGUAGES[index]!;
    const html = await renderText(document);
    assert.equal(document.language, language);
    assert.match(html, new RegExp(`<html lang="${language}" dir="${document.direction}">`));
    for (const part of ['WEB-2026-000001', 'Lanternwell, Inc.', 'Ana Silva', '1 Harbor Road'])
      assert.ok(html.includes(part), `${language}: ${part}`);
    assert.match(html, /\b50\b/, language);
    const [styles = ''] = /<style>[^]*<\/style>/.exec(html)!;
    assert.doesNotMatch(styles, /&/, 'browsers decode no entities in styles');
    const content = html.replace(styles, '');
    assert.doesNotMatch(content, /[{}]|undefined|https?:|src=|href=|<script|url\(/, language);
    assert.doesNotMatch(content, /\btax|501/i, language);
  }
  assert.equal(new Set(documents.map(({ title }) => title)).size, LANGUAGES.length - 1);
});

test('contains what the IRS asks for in a written acknowledgment, in English and Spanish', async () => {
  const [english, spanish, french] = await createDocuments(usReceipts, ['en', 'es', 'fr'], {
    total: 25_050,
  });
  const html = await renderText(english!);
  for (const part of [
    /Lanternwell, Inc\./,
    /EIN: 12-3456789/,
    /Lanternwell, Inc\. received a cash contribution of \$250\.50 from you on November 30, 2026\./,
    /section 501\(c\)\(3\) of the Internal Revenue Code/,
    /No goods or services were provided in exchange for this contribution\./,
    /\$250 or more/,
  ])
    assert.match(html, part);
  assert.match(await renderText(spanish!), /No se proporcionaron bienes ni servicios a cambio/);
  assert.equal(french!.language, 'en');
});

test("mentions the covered fees, a recurring payment, and the organization's own paragraph", async () => {
  const message = { en: 'See you in spring.', de: 'Bis zum Frühling.' };
  const [english, german] = await createDocuments(
    { ...neutralReceipts, message },
    ['en', 'de'],
    { frequency: 'monthly' },
    { amount: 4_819, coveredFees: 181 },
  );
  const html = await renderText(english!);
  assert.match(html, /\$48\.19 donation \+ \$1\.81 transaction fees/);
  assert.match(html, /This is one payment of a recurring donation\./);
  assert.match(html, /See you in spring\./);
  assert.match(await renderText(german!), /Bis zum Frühling\./);
});

/** Lists everything that a browser could take for markup, and reads the recipient. */
function inspect(html: string): { readonly tags: readonly string[]; readonly recipient: string } {
  const [, escaped = ''] = /<div class="recipient"><bdi>(.*?)<\/bdi><\/div>/.exec(html) ?? [];
  const recipient = escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  return { tags: html.match(/<[^>]*>?/g) ?? [], recipient };
}

const FRAGMENTS = [
  ...'<>&"\'`/=-;:!#{}$()[]|\\'.split(''),
  '</td>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</title>',
  '<!--',
  ']]>',
  '&lt;',
  '&#60;script',
  '{number}',
  '${x}',
  'javascript:',
  '\u202e',
  '\u2066',
  'مريم',
  '花子',
  'Ana',
];

test('shows 10,000 hostile names as text', async () => {
  const [document] = await createDocuments(neutralReceipts, ['en']);
  const render = (name: string) =>
    renderText({ ...document!, recipient: { name, addressLines: [] } });
  const expected = inspect(await render('Ana')).tags;
  for (let count = 0; count < 10_000; count += 1) {
    const name = [count, count * 7 + 3, count * 13 + 5, Math.floor(count / FRAGMENTS.length)]
      .map((index) => FRAGMENTS[index % FRAGMENTS.length]!)
      .join('');
    const { tags, recipient } = inspect(await render(name));
    assert.equal(recipient, name);
    assert.deepEqual(tags, expected, name);
  }
});
