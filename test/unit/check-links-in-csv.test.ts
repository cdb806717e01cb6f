import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkLinksInCsv,
  decodeCsv,
  hasProblem,
  summarizeLinks,
} from '../../src/core/settings/check-links-in-csv.ts';
import { exampleForm } from '../example-form.ts';

const PAGE = 'https://lanternwell.example/give';
const checkCsv = (text: string): ReturnType<typeof checkLinksInCsv> =>
  checkLinksInCsv(text, exampleForm);
const listLinks = (text: string): (readonly [number, string])[] =>
  checkCsv(text).map(({ line, link }) => [line, link] as const);

test('describes what each link selects and what is ignored', () => {
  const rows = checkCsv(
    `Mailing,Link\n"May, ` +
      `first",${PAGE}?amt=75&Frequency=monthly&fund-code=WATER&src=MAIL26&fname=*|FNAME|*\n` +
      `June,${PAGE}?amt=1&segmetcode=X&email=ana@example.org\n`,
  );
  assert.deepEqual(
    rows.map(({ line, selects }) => [line, selects]),
    [
      [2, ['amount $75', 'monthly', 'project Village wells', 'segment MAIL26']],
      [3, []],
    ],
  );
  assert.deepEqual(
    rows.map(({ ignored, unknown, personal }) => [
      ignored.map(({ name, reason }) => [name, reason]),
      unknown,
      personal,
    ]),
    [
      [[], [], []],
      [[['amt', 'out-of-range']], [{ name: 'segmetcode', suggestion: 'segmentcode' }], ['email']],
    ],
  );
  assert.deepEqual(rows.map(hasProblem), [false, true]);
  assert.equal(summarizeLinks(rows), '2 links, 1 with problems');
});

test('reports links to sites that cannot show the form', () => {
  const rows = checkLinksInCsv(
    `${PAGE}\nhttps://other.example/x\nhttps://other.example/x?amount=5`,
    exampleForm,
    [new URL(PAGE).origin],
  );
  assert.deepEqual(
    rows.map((row) => [row.isForeign, hasProblem(row)]),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  );
});

test('reports cells in a column of links that are not URLs', () => {
  const rows = checkCsv(
    `Mailing,Link\nMay,${PAGE}?amt=75\nJune,www.lanternwell.example/give?amt=5\n` +
      `July,see below\nAugust,https://\nSeptember,${PAGE}\nOctober,${PAGE}\nNovember,\n`,
  );
  assert.deepEqual(
    rows.map(({ line, link, isUrl }) => [line, link, isUrl]),
    [
      [2, `${PAGE}?amt=75`, true],
      [3, 'www.lanternwell.example/give?amt=5', false],
      [4, 'see below', false],
      [5, 'https://', false],
      [6, PAGE, true],
      [7, PAGE, true],
    ],
  );
  assert.deepEqual(rows.map(hasProblem), [false, true, true, true, false, false]);
});

test('reports links if none in the file starts with https://', () => {
  assert.deepEqual(
    checkCsv('www.lanternwell.example/give?amt=5\n').map(({ isUrl }) => isUrl),
    [false],
  );
});

test('skips headers and notes, and checks links inside notes columns', () => {
  assert.deepEqual(listLinks('Name\nnone\n'), []);
  assert.deepEqual(listLinks(''), []);
  assert.deepEqual(
    listLinks(
      `Mailing,Link/URL,Notes\nMay,${PAGE},by post\nJune,${PAGE}?amt=25,"as ${PAGE} says"\n` +
        `July,${PAGE},${PAGE}?amt=50\n`,
    ),
    [
      [2, PAGE],
      [3, `${PAGE}?amt=25`],
      [4, PAGE],
      [4, `${PAGE}?amt=50`],
    ],
  );
});

test('accepts tabs or semicolons and any line ending, and counts empty lines', () => {
  assert.deepEqual(listLinks(`Mailing\tLink\r\n\r\nMay\t${PAGE}?array-amounts=25,50\r\n`), [
    [3, `${PAGE}?array-amounts=25,50`],
  ]);
  assert.deepEqual(listLinks(`\ufeffMailing;Link\nMay;${PAGE}?amt=25\n`), [[2, `${PAGE}?amt=25`]]);
});

test("joins unquoted commas in a link's amounts, and leaves other cells separate", () => {
  assert.deepEqual(listLinks(`Mailing,Link\nMay,${PAGE}?amt=1,000&src=A\n`), [
    [2, `${PAGE}?amt=1,000&src=A`],
  ]);
  assert.deepEqual(listLinks(`Link,Clicks\n${PAGE}?amt=25,300\n`), [[2, `${PAGE}?amt=25`]]);
  const [row, ...others] = checkCsv(`${PAGE}?array-amounts=25,50,100&frequency=monthly\n`);
  assert.deepEqual([row?.selects, others], [['amounts $25, $50, $100', 'monthly'], []]);
});

test('names parameters without a value, which are no problem', () => {
  const [row, repeated] = checkCsv(
    `${PAGE}?amt=25&segmentcode=&email=\n${PAGE}?amt=&amt=50&currencyCode=USD\n`,
  );
  assert.deepEqual(
    [row?.emptyParameters, row && hasProblem(row)],
    [['email', 'segmentcode'], false],
  );
  assert.deepEqual(
    [repeated?.emptyParameters, repeated?.selects],
    [[], ['currency USD', 'amount $50']],
  );
});

test('accepts a stray quote and rejects an unclosed one', () => {
  assert.deepEqual(listLinks(`The "May" mail,${PAGE}\n`), [[1, PAGE]]);
  assert.throws(() => checkCsv(`"May,${PAGE}\n`), /Quote Not Closed/);
});

test('decodes UTF-16 and reports parameters after a #', () => {
  const text = 'Name\tLink\nÄ\thttps://example.org/give#/?amt=5&x=1\n';
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  const [row] = checkLinksInCsv(decodeCsv(bytes), exampleForm);
  assert.deepEqual(
    [row?.link, row?.unknown],
    ['https://example.org/give#/?amt=5&x=1', [{ name: 'amt', place: 'hash' }]],
  );
  assert.equal(decodeCsv(Buffer.from(bytes).swap16()), text);
  assert.equal(decodeCsv(Buffer.from('ä')), 'ä');
});
