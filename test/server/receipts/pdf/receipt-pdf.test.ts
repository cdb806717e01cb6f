import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiptDocument } from '../../../../src/server/receipts/receipt-document.ts';
import { createTestRenderer, readInfo, readLetters, readText, RECEIPT } from './support.ts';

const renderer = createTestRenderer();

test('contains everything that the receipt says, in order', async () => {
  const text = readText(await renderer.render(RECEIPT));
  assert.deepEqual(
    text.split('\n').flatMap((line) => line.trim().replace(/\s{2,}/g, ' | ') || []),
    [
      'Lanternwell',
      '1 Harbor Street',
      'Portland, ME 04101',
      'EIN: 12-3456789',
      'Donation receipt',
      'WEB-2026-000123',
      'November 30, 2026',
      'This is a test. No money was received.',
      'Ana Donor',
      '12 Elm Street',
      'Springfield, IL 62701',
      'Date of donation | November 28, 2026',
      'Amount | $250.00',
      'No goods or services were provided in exchange for this contribution.',
      'With thanks',
      'Your team at Lanternwell',
    ],
  );
});

test('is marked as PDF/UA-1, with a title, a language, and the roles of its parts', async () => {
  const pdf = await renderer.render({ ...RECEIPT, language: 'pt-BR', table: createTable(2) });
  assert.match(readInfo(pdf, '-meta'), /<pdfuaid:part>1<\/pdfuaid:part>/);
  assert.match(readInfo(pdf), /^Title: +Donation receipt WEB-2026-000123$/m);
  assert.match(readInfo(pdf), /^Tagged: +yes$/m);
  const source = Buffer.from(pdf).toString('latin1');
  assert.match(source, /\/MarkInfo\s*<<[^>]*\/Marked true/);
  assert.match(source, /\/Lang\s*\(pt-BR\)/);
  assert.match(source, /\/DisplayDocTitle true/);
  const structure = readInfo(pdf, '-struct-text');
  assert.match(structure, /H1 .*\n +"Donation receipt"/);
  assert.match(structure, /Lbl .*\n( +Span .*\n)? +"Amount"\n +LBody .*\n +"\$250\.00"/);
  assert.match(structure, /TH .*\n +\/Scope \/Column\n[^"]*"Date"/);
  assert.match(structure, /TD:\n[^"]*"January 1, 2026"/);
});

test('has the paper of its country', async () => {
  assert.match(readInfo(await renderer.render(RECEIPT)), /Page size: .*\(A4\)/);
  const letter = await renderer.render({ ...RECEIPT, paper: 'us-letter' });
  assert.match(readInfo(letter), /Page size: .*\(letter\)/);
});

function createTable(length: number): NonNullable<ReceiptDocument['table']> {
  return {
    columns: ['Date', 'Receipt', 'Amount'],
    rows: Array.from({ length }, (_, index) => [
      `January ${index + 1}, 2026`,
      `WEB-2026-${index + 1}`,
      `$${index + 10}.00`,
    ]),
    totals: [
      ['Total', '', '$2,370.00'],
      ['Total', '', '€20.00'],
    ],
  };
}

test('repeats the header of a long table, shows the totals once, and numbers the pages', async () => {
  const pages = readText(await renderer.render({ ...RECEIPT, table: createTable(60) }))
    .split('\f')
    .filter((page) => page !== '');
  assert.ok(pages.length >= 2);
  for (const [index, page] of pages.entries()) {
    assert.match(page, /Date +Receipt +Amount/);
    assert.match(page, new RegExp(`WEB-2026-000123 +${index + 1} ?/ ?${pages.length}\\s*$`));
    assert.equal(page.includes('2,370.00'), index === pages.length - 1);
  }
  assert.doesNotMatch(readText(await renderer.render(RECEIPT)), /1 \/ 1/);
});

for (const [language, name] of [
  ['uk', 'Олена Їжак'],
  ['hi', 'अनिता शर्मा'],
  ['zh-Hans', '王小明'],
  ['ja', 'やまだ花子'],
  ['ar', 'محمد'],
  ['he', 'רחל'],
] as const)
  test(`shows names in ${language}`, async () => {
    const direction = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
    const pdf = await renderer.render({
      ...RECEIPT,
      language,
      direction,
      recipient: { name, addressLines: [] },
    });
    assert.ok(readLetters(pdf).includes(name.replace(' ', '')), readText(pdf));
  });

test('keeps the order of numbers, addresses, and pages in right-to-left receipts', async () => {
  const pdf = await renderer.render({
    ...RECEIPT,
    language: 'ar',
    direction: 'rtl',
    details: [['رقم', '12-3456789']],
    table: createTable(60),
    paragraphs: ['شكراً لتبرعك (12-3456789) في 28/11/2026.'],
  });
  const text = readText(pdf);
  assert.match(text, /1 Harbor Street/);
  assert.match(text, /WEB-2026-000123/);
  assert.match(text, /1 ?\/ ?3/);
  assert.match(text, /28\/11\/2026/);
  assert.equal(text.match(/12-3456789/g)?.length, 3);
});

for (const [what, text] of [
  ['code', '#eval("1+1") #panic() #let x = 1; #sys.inputs'],
  ['a file', '#read("/etc/passwd") #include "/etc/passwd" #image("../../x.png")'],
  ['markup', '= A $x^2$ `raw` *b* _i_ \\ \\u{41} <label> @ref // c /* d */ #[x] [y] {z}'],
  ['JSON', '"}],"title":"x" \\" \\n \' ${x}'],
] as const)
  test(`shows a donor's text with ${what} literally`, async () => {
    const pdf = await renderer.render({
      ...RECEIPT,
      recipient: { name: text, addressLines: [text] },
      details: [[text, text]],
      notices: [text],
      paragraphs: [text],
    });
    const letters = readLetters(pdf);
    const count = letters.split(text.replace(/\s/g, '')).length - 1;
    // In the details, the lines of the label and the value alternate.
    assert.ok(count >= 4, readText(pdf));
    assert.doesNotMatch(letters, /root:/);
  });

test('keeps long, invisible, and broken text of a donor on the page', async () => {
  const tenLetters = 'abcdefghij';
  const pdf = await renderer.render({
    ...RECEIPT,
    recipient: {
      name: tenLetters.repeat(1_000),
      addressLines: ['\u202Egpj.exe\u0000\u0007\uD800 \u2069\u202E', 'Elm Street 😀'],
    },
  });
  assert.equal(readLetters(pdf).split(tenLetters).length - 1, 1_000);
  assert.match(readText(pdf), /Elm Street 😀/);
  assert.match(readText(pdf), /Amount +\$250\.00/);
});
