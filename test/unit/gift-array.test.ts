import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleForm } from '../example-form.ts';
import { listIgnored, mergeAllSettings } from './settings-support.ts';

const listAmounts = (...args: Parameters<typeof mergeAllSettings>): readonly number[] =>
  mergeAllSettings(...args).giftArray.map(({ value }) => value);
const toSettings = (...giftArrays: unknown[]): object => ({ giftInfo: { giftArrays } });

test('rule 17: without custom amounts, an unlisted amount becomes the first option', () => {
  const form = { ...exampleForm, allowCustomAmount: false };
  assert.deepEqual(listAmounts('?amount=60', {}, {}, form), [6_000, 2_500, 5_000, 7_500]);
  assert.deepEqual(listAmounts('?amount=50', {}, {}, form), [2_500, 5_000, 7_500]);
  assert.deepEqual(listAmounts('?amount=60'), [2_500, 5_000, 7_500]);
});

test('rule 18: the strongest source with a selection wins; within a source amount, isSelected, isDefault', () => {
  const list = [
    { value: '10', isDefault: true },
    { value: '20', isSelected: true },
    { value: '30' },
  ];
  assert.equal(mergeAllSettings('', toSettings(...list)).amount, 2_000);
  assert.equal(mergeAllSettings('', toSettings(list[0]!, list[2]!)).amount, 1_000);
  assert.equal(mergeAllSettings('', { giftInfo: { giftArrays: list, amount: 30 } }).amount, 3_000);
  assert.equal(mergeAllSettings('?amount=30', toSettings(...list)).amount, 3_000);
  assert.equal(mergeAllSettings('', toSettings(...list), { amount: '30' }).amount, 2_000);
  assert.deepEqual(listIgnored('', toSettings(...list), { amount: '30' }), [
    'element amount overridden',
  ]);
  assert.equal(
    mergeAllSettings('', toSettings({ value: '10' }, { value: '30' })).amount,
    undefined,
  );
});

test('rule 19: uses the first of several selected options and reports the others', () => {
  const settings = toSettings(
    { value: '10', isSelected: true },
    { value: '20', isSelected: true },
    { value: '30', isDefault: true },
    { value: '40', isDefault: true },
  );
  assert.equal(mergeAllSettings('', settings).amount, 1_000);
  assert.deepEqual(listIgnored('', settings), [
    'global giftInfo.giftArrays[1].isSelected repeated',
    'global giftInfo.giftArrays[3].isDefault repeated',
  ]);
});

test("rule 20: an amount in the URL selects an option of the page's settings", () => {
  const settings = mergeAllSettings(
    '?amount=20',
    toSettings({ value: '10' }, { value: '20', description: 'Twenty' }),
  );
  assert.deepEqual(
    [settings.giftArray.map(({ value }) => value), settings.amount],
    [[1_000, 2_000], 2_000],
  );
});

test('rule 21: a list in the URL replaces all options but keeps descriptions and a selection still listed', () => {
  const global = toSettings(
    { value: '10', description: 'Ten', displayValue: 'X' },
    { value: '20', description: 'Twenty', isSelected: true },
  );
  const withSelected = mergeAllSettings('?array-amounts=20,40', global);
  const withoutSelected = mergeAllSettings('?array-amounts=10,40', global);
  assert.deepEqual(
    [
      withSelected.giftArray.map(({ value, description }) => [value, description]),
      withSelected.amount,
    ],
    [
      [
        [2_000, 'Twenty'],
        [4_000, undefined],
      ],
      2_000,
    ],
  );
  assert.deepEqual(
    [withoutSelected.giftArray.map(({ description }) => description), withoutSelected.amount],
    [['Ten', undefined], undefined],
  );
  assert.equal(mergeAllSettings('?array-amounts=10,40&amount=40', global).amount, 4_000);
  assert.equal(mergeAllSettings('?array-amounts=50,60').amount, 5_000);
  assert.equal(
    mergeAllSettings('', toSettings({ value: '50' })).giftArray[0]?.description,
    undefined,
  );
});

test('rule 22: array-amounts drops invalid and repeated items and keeps the order', () => {
  assert.deepEqual(
    mergeAllSettings('?array-amounts=[75, x, 10,75,50]').giftArray.map(({ value, description }) => [
      value,
      description,
    ]),
    [
      [7_500, 'New seals'],
      [1_000, undefined],
      [5_000, 'A water test'],
    ],
  );
  assert.deepEqual(listIgnored('?array-amounts=[75, x, 1,75]'), [
    'url array-amounts[1] invalid',
    'url array-amounts[2] out-of-range',
    'url array-amounts[3] repeated',
  ]);
  assert.deepEqual(listIgnored('?array-amounts=x,y'), ['url array-amounts invalid']);
});

test('rule 22: array-amounts accepts at most 100 amounts, and lists of pages and elements have no limit', () => {
  const amounts = Array.from({ length: 120 }, (_, index) => String(index + 10));
  const link = `?array-amounts=${amounts.join()}`;
  assert.equal(listAmounts(link).length, 100);
  assert.deepEqual(listIgnored(link), ['url array-amounts[100] too-long']);
  assert.equal(listAmounts('', {}, { amounts: amounts.join() }).length, 120);
  assert.equal(listAmounts('', {}, { amounts }).length, 120);
  const page = toSettings(
    ...amounts.map((value) => ({ value, ...(value === '125' && { isDefault: true }) })),
  );
  assert.equal(listAmounts('', page).length, 120);
  assert.equal(mergeAllSettings('', page).amount, 12_500);
  assert.deepEqual(listIgnored('', page), []);
});

test('rule 23: ignores and reports an empty list', () => {
  assert.deepEqual(
    [listAmounts('', toSettings()), listIgnored('', toSettings())],
    [[2_500, 5_000, 7_500], ['global giftInfo.giftArrays invalid']],
  );
});

test('rule 24: drops options without a valid value, and treats labels of any length as plain text', () => {
  const settings = toSettings(
    { value: '10', description: '<b>Ten</b>\u202e', displayValue: 'Ten', onclick: 'x' },
    { value: 'x' },
    'junk',
    null,
    { value: 20, description: 'x'.repeat(201), displayValue: 'y'.repeat(1_000) },
  );
  assert.deepEqual(mergeAllSettings('', settings).giftArray, [
    { value: 1_000, description: '<b>Ten</b>', displayValue: 'Ten' },
    { value: 2_000, description: 'x'.repeat(201), displayValue: 'y'.repeat(1_000) },
  ]);
  assert.deepEqual(listIgnored('', settings), [
    'global giftInfo.giftArrays[1] invalid',
    'global giftInfo.giftArrays[2] invalid',
    'global giftInfo.giftArrays[3] invalid',
  ]);
});

test("rule 26: a list in the page's settings applies to every frequency", () => {
  for (const frequency of exampleForm.frequencies)
    assert.deepEqual(
      listAmounts(`?frequency=${frequency}`, toSettings({ value: '10' }, { value: '20' })),
      [1_000, 2_000],
      frequency,
    );
});

test('rule 25: keeps two options with the same amount and selects the marked one', () => {
  const { giftArray, selectedIndex } = mergeAllSettings(
    '',
    toSettings(
      { value: '10', description: 'A' },
      { value: '10', description: 'B', isSelected: true },
    ),
  );
  assert.deepEqual([giftArray.length, selectedIndex], [2, 1]);
});
