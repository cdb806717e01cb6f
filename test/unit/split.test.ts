import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { moreOfGift, moreProblemsOf } from '../../src/donation-form/state/optional-fields.ts';
import { splitOf } from '../../src/donation-form/state/split.ts';
import {
  stateOf,
  type Entries,
  type FormContext,
} from '../../src/donation-form/state/form-state.ts';
import { equalParts } from '../../src/core/donation/split.ts';
import { merge } from '../../src/core/settings/merge-settings.ts';
import { exampleForm } from '../example-form.ts';
import { found, offered } from './merging.ts';

const form: FormDefinition = {
  ...exampleForm,
  allowSplit: true,
  projects: [
    { id: '1', name: 'One' },
    { id: '2', name: 'Two' },
    { id: '3', name: 'Three' },
  ],
};
const offer: FormContext = offered(merge(form, found('')).settings, form);
const divided = (
  chosen: readonly string[],
  written: Readonly<Record<string, string>> = {},
): Entries => ({
  'split.on': ['true'],
  'split.chosen': chosen,
  ...Object.fromEntries(Object.entries(written).map(([id, text]) => [`part.${id}`, [text]])),
});
const split = (amount: number | undefined, more: Entries): ReturnType<typeof splitOf> =>
  splitOf(stateOf(offer, { more }), offer, amount);
const amounts = (amount: number, more: Entries): unknown[] =>
  split(amount, more)!.parts.map((part) => part.amount);

test('rule 36: equal parts differ by one minor unit at most and sum to the gift exactly, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.integer({ min: 1, max: 20 }),
      (amount, count) => {
        const parts = equalParts(amount, count);
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          amount,
        );
        assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
      },
    ),
  );
});

test('rule 36: a part that is left empty gets an equal share of what the others leave', () => {
  assert.deepEqual(amounts(5_000, divided(['1', '2', '3'])), [1_667, 1_667, 1_666]);
  assert.deepEqual(amounts(5_000, divided(['1', '2', '3'], { 2: '40' })), [500, 4_000, 500]);
  assert.deepEqual(
    [
      amounts(5_000, divided(['1', '2'], { 1: '30', 2: '20' })),
      split(5_000, divided(['1', '2'], { 1: '30', 2: '20' }))?.problem,
    ],
    [[3_000, 2_000], undefined],
  );
});

test('parts that do not come to the gift, cannot be read or would be nothing are named', () => {
  const problems: readonly (readonly [Entries, string])[] = [
    [divided([]), 'missing'],
    [divided(['1', '2'], { 1: '30', 2: '25' }), 'wrong'],
    [divided(['1', '2'], { 1: '30', 2: '15' }), 'wrong'],
    [divided(['1', '2'], { 1: '60' }), 'wrong'],
    [divided(['1', '2'], { 1: 'some' }), 'not-an-amount'],
    [divided(['1', '2'], { 1: '50' }), 'too-small'],
  ];
  for (const [more, problem] of problems)
    assert.equal(split(5_000, more)?.problem, problem, JSON.stringify(more));
  assert.equal(split(1, divided(['1', '2']))?.problem, 'too-small');
  assert.equal(split(5_000, { 'split.chosen': ['1'] }), undefined);
});

test('a divided gift is sent with its parts, and one that is not with its project alone', () => {
  const state = stateOf(offer, { more: divided(['1', '3'], { 3: '12.50' }) });
  assert.deepEqual(moreProblemsOf(state, offer), []);
  assert.deepEqual(moreOfGift(state, offer, 5_000).gift.projects, [
    { id: '1', amount: 3_750 },
    { id: '3', amount: 1_250 },
  ]);
  assert.equal(moreOfGift(stateOf(offer, {}), offer, 5_000).gift.projects, undefined);
});

test('where an override fixes the project nothing is divided', () => {
  const fixed = offered(merge(form, found('?fund-code=2')).settings, form);
  assert.equal(splitOf(stateOf(fixed, { more: divided(['1', '2']) }), fixed, 5_000), undefined);
});
