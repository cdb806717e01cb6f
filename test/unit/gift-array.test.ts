import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleForm } from '../example-form.ts';
import { from, ignored } from './merging.ts';

const amounts = (...args: Parameters<typeof from>): readonly number[] =>
  from(...args).giftArray.map(({ value }) => value);
const listOf = (...giftArrays: unknown[]): object => ({ giftInfo: { giftArrays } });

test('rule 17: where donors cannot write an amount, one that is not listed becomes the first option', () => {
  const form = { ...exampleForm, allowCustomAmount: false };
  assert.deepEqual(amounts('?amount=60', {}, {}, form), [6_000, 2_500, 5_000, 7_500]);
  assert.deepEqual(amounts('?amount=50', {}, {}, form), [2_500, 5_000, 7_500]);
  assert.deepEqual(amounts('?amount=60'), [2_500, 5_000, 7_500]);
});

test('rule 18: the strongest layer that selects decides; within it an amount, then isSelected, then isDefault', () => {
  const list = [
    { value: '10', isDefault: true },
    { value: '20', isSelected: true },
    { value: '30' },
  ];
  assert.equal(from('', listOf(...list)).amount, 2_000);
  assert.equal(from('', listOf(list[0]!, list[2]!)).amount, 1_000);
  assert.equal(from('', { giftInfo: { giftArrays: list, amount: 30 } }).amount, 3_000);
  assert.equal(from('?amount=30', listOf(...list)).amount, 3_000);
  assert.equal(from('', listOf(...list), { amount: '30' }).amount, 2_000);
  assert.deepEqual(ignored('', listOf(...list), { amount: '30' }), ['element amount beaten']);
  assert.equal(from('', listOf({ value: '10' }, { value: '30' })).amount, undefined);
});

test('rule 19: of several marks the first counts, the others are reported', () => {
  const settings = listOf(
    { value: '10', isSelected: true },
    { value: '20', isSelected: true },
    { value: '30', isDefault: true },
    { value: '40', isDefault: true },
  );
  assert.equal(from('', settings).amount, 1_000);
  assert.deepEqual(ignored('', settings), [
    'global giftInfo.giftArrays[1].isSelected repeated',
    'global giftInfo.giftArrays[3].isDefault repeated',
  ]);
});

test('rule 20: the address selects among the options of the global object', () => {
  const settings = from(
    '?amount=20',
    listOf({ value: '10' }, { value: '20', description: 'Twenty' }),
  );
  assert.deepEqual(
    [settings.giftArray.map(({ value }) => value), settings.amount],
    [[1_000, 2_000], 2_000],
  );
});

test('rule 21: a list in the address replaces the options whole; a description survives for its value, an earlier selection where it is still listed', () => {
  const global = listOf(
    { value: '10', description: 'Ten', displayValue: 'X' },
    { value: '20', description: 'Twenty', isSelected: true },
  );
  const kept = from('?array-amounts=20,40', global);
  const lost = from('?array-amounts=10,40', global);
  assert.deepEqual(
    [kept.giftArray.map(({ value, description }) => [value, description]), kept.amount],
    [
      [
        [2_000, 'Twenty'],
        [4_000, undefined],
      ],
      2_000,
    ],
  );
  assert.deepEqual(
    [lost.giftArray.map(({ description }) => description), lost.amount],
    [['Ten', undefined], undefined],
  );
  assert.equal(from('?array-amounts=10,40&amount=40', global).amount, 4_000);
  assert.equal(from('?array-amounts=50,60').amount, 5_000);
  assert.equal(from('', listOf({ value: '50' })).giftArray[0]?.description, undefined);
});

test('rule 22: array-amounts drops bad and double items, keeps the order, and takes twelve', () => {
  assert.deepEqual(
    from('?array-amounts=[75, x, 10,75,50]').giftArray.map(({ value, description }) => [
      value,
      description,
    ]),
    [
      [7_500, 'New seals'],
      [1_000, undefined],
      [5_000, 'A water test'],
    ],
  );
  assert.deepEqual(ignored('?array-amounts=[75, x, 1,75]'), [
    'url array-amounts[1] invalid',
    'url array-amounts[2] out-of-range',
    'url array-amounts[3] repeated',
  ]);
  assert.deepEqual(ignored('?array-amounts=x,y'), ['url array-amounts invalid']);
  assert.equal(
    amounts(`?array-amounts=${Array.from({ length: 20 }, (_, index) => index + 10).join()}`).length,
    12,
  );
});

test('rule 23: an empty list is ignored and reported', () => {
  assert.deepEqual(
    [amounts('', listOf()), ignored('', listOf())],
    [[2_500, 5_000, 7_500], ['global giftInfo.giftArrays invalid']],
  );
});

test('rule 24: an option without a valid value is dropped, its texts are plain, and one that is too long is left out', () => {
  const settings = listOf(
    { value: '10', description: '<b>Ten</b>\u202e', displayValue: 'Ten', onclick: 'x' },
    { value: 'x' },
    'junk',
    null,
    { value: 20, description: 'x'.repeat(201) },
  );
  assert.deepEqual(from('', settings).giftArray, [
    { value: 1_000, description: '<b>Ten</b>', displayValue: 'Ten' },
    { value: 2_000 },
  ]);
  assert.deepEqual(ignored('', settings), [
    'global giftInfo.giftArrays[1] invalid',
    'global giftInfo.giftArrays[2] invalid',
    'global giftInfo.giftArrays[3] invalid',
    'global giftInfo.giftArrays[4].description too-long',
  ]);
});

test('rule 26: a list of the page is for every frequency', () => {
  for (const frequency of exampleForm.frequencies)
    assert.deepEqual(
      amounts(`?frequency=${frequency}`, listOf({ value: '10' }, { value: '20' })),
      [1_000, 2_000],
      frequency,
    );
});

test('rule 25: two options of one value are both kept, and the marked one is selected', () => {
  const { giftArray, place } = from(
    '',
    listOf({ value: '10', description: 'A' }, { value: '10', description: 'B', isSelected: true }),
  );
  assert.deepEqual([giftArray.length, place], [2, 1]);
});
