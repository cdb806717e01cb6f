import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../../src/core/i18n/languages.ts';
import type { Donation } from '../../../src/server/database/schema.ts';
import { loadEntryContext } from '../../../src/server/donations/outbox-entries.ts';
import { renderMail } from '../../../src/server/mail/render-mail.ts';
import { createThankYou } from '../../../src/server/mail/thank-you.ts';
import { addDonation } from '../reporting/add-donation.ts';
import { startServer, type TestServer } from '../support.ts';
import { createTestMail } from './support.ts';

async function createMessage(
  server: TestServer,
  reference: string,
  language = 'en',
  receiptSender: Donation['payload']['receiptSender'] = 'none',
) {
  const context = await loadEntryContext(server.database.db, `donation ${reference}`);
  const { donation } = context;
  const payload = {
    ...donation.payload,
    form: { ...donation.payload.form, language },
    receiptSender,
  };
  const content = await createThankYou(
    { ...context, donation: { ...donation, payload } },
    server.organizations.find('lanternwell')!,
  );
  return { ...content, ...(await renderMail(content)) };
}

test('thanks in every language, without a placeholder, a link, or anything to load', async () => {
  await using server = await startServer({ mail: createTestMail(1) });
  const reference = await addDonation(server.repository, { frequency: 'monthly' });
  const subjects = new Set<string>();
  for (const language of LANGUAGES) {
    const { subject, text, html, direction } = await createMessage(server, reference, language);
    subjects.add(subject);
    assert.match(subject, /Lanternwell/, language);
    assert.match(text, /Ana/, language);
    assert.match(text, /\b50\b/, language);
    assert.ok(text.includes(reference) && html.includes(reference), language);
    assert.doesNotMatch(
      `${subject}${text}${html.replace(/<style>[^]*<\/style>/, '')}`,
      /[{}]|undefined/,
    );
    assert.doesNotMatch(html, /https?:|src=|url\(|href=/, language);
    assert.match(html, new RegExp(`<html lang="${language}" dir="${direction}">`));
    assert.ok(Buffer.byteLength(html) < 60_000, language);
  }
  assert.equal(subjects.size, LANGUAGES.length - 1, 'British English has the same subject');
});

test('greets with a name, but carries no words or links to strangers', async () => {
  await using server = await startServer({ mail: createTestMail(1) });
  const greet = async (firstName: string): Promise<string> => {
    const donor = { firstName, email: 'ana@example.org' };
    const reference = await addDonation(server.repository, { donor });
    const { text, html } = await createMessage(server, reference);
    assert.doesNotMatch(html, /<script/);
    return /^Thank you.*$/m.exec(text)![0];
  };
  for (const name of ['Ana', 'Ana-Lú', 'O’Neil', 'José María', 'आरती', '花子', 'مريم'])
    assert.equal(await greet(name), `Thank you, ${name}!`);
  for (const name of [
    'evil.example',
    'https://evil.example',
    'Ana, call 555 0100',
    'You have won a prize today',
    'a@evil.example',
    '{reference}',
    'Ana\nSubject: x',
    '</td><script>alert(1)</script>',
    'x'.repeat(21),
    '您的账户已被冻结请立即致电客服电话一二三四五六七八九十',
    'Send Bitcoin to Bob',
    'Visit evil. com',
    'A\u3164B',
    ' ',
  ])
    assert.equal(await greet(name), 'Thank you!', name);
  for (const change of [{ outcome: 'promised' }, { isTest: true }] as const) {
    const reference = await addDonation(server.repository, change);
    assert.match((await createMessage(server, reference)).text, /^Thank you!$/m);
  }
});

test('says that a bank still has to pay, and names a receipt only once the money has arrived', async () => {
  await using server = await startServer({ mail: createTestMail(1) });
  const settling = await addDonation(server.repository, { outcome: 'settling' });
  const { text } = await createMessage(server, settling, 'en', 'platform');
  assert.match(text, /Your bank will complete the payment in a few days/);
  assert.doesNotMatch(text, /receipt/);
  const paid = await addDonation(server.repository);
  assert.match((await createMessage(server, paid, 'en', 'platform')).text, /email you a receipt/);
});
