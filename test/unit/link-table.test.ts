import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkTable,
  decodeTable,
  isFaulty,
  summaryOf,
} from '../../src/core/settings/link-checker.ts';
import { exampleForm } from '../example-form.ts';

const PAGE = 'https://lanternwell.example/give';
const check = (text: string): ReturnType<typeof checkTable> => checkTable(text, exampleForm);
const linksOf = (text: string): (readonly [number, string])[] =>
  check(text).map(({ line, link }) => [line, link] as const);

test('each link of a table says what it selects and what does not count', () => {
  const rows = check(
    `Mailing,Link\n"May, first",${PAGE}?amt=75&Frequency=monthly&fund-code=WATER&src=MAIL26&fname=*|FNAME|*\nJune,${PAGE}?amt=1&segmetcode=X&email=ana@example.org\n`,
  );
  assert.deepEqual(
    rows.map(({ line, selected }) => [line, selected]),
    [
      [2, ['amount $75', 'monthly', 'project Village wells', 'segment MAIL26']],
      [3, ['amount $50']],
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
      [[['amt', 'out-of-range']], [{ name: 'segmetcode', meant: 'segmentcode' }], ['email']],
    ],
  );
  assert.deepEqual(rows.map(isFaulty), [false, true]);
  assert.equal(summaryOf(rows), '2 links, 1 with something that does not count');
});

test('what stands among links and is no web address is a row, and faulty', () => {
  const rows = check(
    `Mailing,Link\nMay,${PAGE}?amt=75\nJune,www.lanternwell.example/give?amt=5\nJuly,see below\nAugust,https://\nSeptember,${PAGE}\nOctober,${PAGE}\nNovember,\n`,
  );
  assert.deepEqual(
    rows.map(({ line, link, isAddress }) => [line, link, isAddress]),
    [
      [2, `${PAGE}?amt=75`, true],
      [3, 'www.lanternwell.example/give?amt=5', false],
      [4, 'see below', false],
      [5, 'https://', false],
      [6, PAGE, true],
      [7, PAGE, true],
    ],
  );
  assert.deepEqual(rows.map(isFaulty), [false, true, true, true, false, false]);
});

test('a file in which no address has its https:// is not silent', () => {
  assert.deepEqual(
    check('www.lanternwell.example/give?amt=5\n').map(({ isAddress }) => isAddress),
    [false],
  );
});

test('titles and notes are no links, and a link among notes is checked', () => {
  assert.deepEqual(linksOf('Name\nnone\n'), []);
  assert.deepEqual(linksOf(''), []);
  assert.deepEqual(
    linksOf(
      `Mailing,Link/URL,Notes\nMay,${PAGE},by post\nJune,${PAGE}?amt=25,"as ${PAGE} says"\nJuly,${PAGE},${PAGE}?amt=50\n`,
    ),
    [
      [2, PAGE],
      [3, `${PAGE}?amt=25`],
      [4, PAGE],
      [4, `${PAGE}?amt=50`],
    ],
  );
});

test('cells may be parted by tabs or semicolons, lines end as they like, and empty ones count', () => {
  assert.deepEqual(linksOf(`Mailing\tLink\r\n\r\nMay\t${PAGE}?array-amounts=25,50\r\n`), [
    [3, `${PAGE}?array-amounts=25,50`],
  ]);
  assert.deepEqual(linksOf(`\ufeffMailing;Link\nMay;${PAGE}?amt=25\n`), [[2, `${PAGE}?amt=25`]]);
});

test('amounts with commas that are not quoted belong to their link, and other cells do not', () => {
  assert.deepEqual(linksOf(`Mailing,Link\nMay,${PAGE}?amt=1,000&src=A\n`), [
    [2, `${PAGE}?amt=1,000&src=A`],
  ]);
  assert.deepEqual(linksOf(`Link,Clicks\n${PAGE}?amt=25,300\n`), [[2, `${PAGE}?amt=25`]]);
  const [row, ...others] = check(`${PAGE}?array-amounts=25,50,100&frequency=monthly\n`);
  assert.deepEqual(
    [row?.selected, others],
    [['amount $50', 'amounts $25, $50, $100', 'monthly'], []],
  );
});

test('a stray quote is read as it stands, and one that does not end is an error', () => {
  assert.deepEqual(linksOf(`The "May" mail,${PAGE}\n`), [[1, PAGE]]);
  assert.throws(() => check(`"May,${PAGE}\n`), /Quote Not Closed/);
});

test('a table of a spreadsheet in UTF-16 is read, and parameters behind a # are told', () => {
  const text = 'Name\tLink\nÄ\thttps://example.org/give#/?amt=5&x=1\n';
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  const [row] = checkTable(decodeTable(bytes), exampleForm);
  assert.deepEqual(
    [row?.link, row?.unknown],
    [
      'https://example.org/give#/?amt=5&x=1',
      [{ name: 'amt behind the #', meant: 'amt before it' }],
    ],
  );
  assert.equal(decodeTable(Buffer.from(bytes).swap16()), text);
  assert.equal(decodeTable(Buffer.from('ä')), 'ä');
});
