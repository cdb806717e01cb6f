import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitEqually } from '../../src/core/donation/split.ts';
import { createFormState, type FormContext } from '../../src/core/form-state/form-state.ts';
import type { FormValues } from '../../src/core/form-state/form-values.ts';
import {
  toOptionalRequestFields,
  validateOptionalFields,
} from '../../src/core/form-state/optional-fields.ts';
import { calculateSplit } from '../../src/core/form-state/split.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { exampleForm } from '../example-form.ts';
import { createContext, findCandidates } from './settings-support.ts';

const form: FormDefinition = {
  ...exampleForm,
  allowSplit: true,
  projects: [
    { id: '1', name: 'One' },
    { id: '2', name: 'Two' },
    { id: '3', name: 'Three' },
  ],
};
const context: FormContext = createContext(
  resolveSettings(form, findCandidates('')).settings,
  form,
);
const toSplitEntries = (
  chosen: readonly string[],
  input: Readonly<Record<string, string>> = {},
): FormValues => ({
  'split.enabled': ['true'],
  'split.projects': chosen,
  ...Object.fromEntries(Object.entries(input).map(([id, text]) => [`split.amount.${id}`, [text]])),
});
const calculateSplitOf = (amount: number, more: FormValues) =>
  calculateSplit(createFormState(context, { optionalFields: more }), context, amount);
const listPartAmounts = (amount: number, more: FormValues): unknown[] =>
  calculateSplitOf(amount, more)!.parts.map((part) => part.amount);

test('rule 36: equal parts differ by at most one minor unit and add up to the total', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.integer({ min: 1, max: 20 }),
      (amount, count) => {
        const parts = splitEqually(amount, count);
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          amount,
        );
        assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
      },
    ),
  );
});

test('rule 36: empty parts share the remainder equally', () => {
  assert.deepEqual(listPartAmounts(5_000, toSplitEntries(['1', '2', '3'])), [1_667, 1_667, 1_666]);
  assert.deepEqual(
    listPartAmounts(5_000, toSplitEntries(['1', '2', '3'], { 2: '40' })),
    [500, 4_000, 500],
  );
  const complete = toSplitEntries(['1', '2'], { 1: '30', 2: '20' });
  assert.deepEqual(listPartAmounts(5_000, complete), [3_000, 2_000]);
  assert.equal(calculateSplitOf(5_000, complete)?.error, undefined);
});

test('reports parts that are invalid, zero, or do not add up to the amount', () => {
  const problems: readonly (readonly [FormValues, string])[] = [
    [toSplitEntries([]), 'missing'],
    [toSplitEntries(['1', '2'], { 1: '30', 2: '25' }), 'wrong-total'],
    [toSplitEntries(['1', '2'], { 1: '30', 2: '15' }), 'wrong-total'],
    [toSplitEntries(['1', '2'], { 1: '60' }), 'wrong-total'],
    [toSplitEntries(['1', '2'], { 1: 'some' }), 'not-an-amount'],
    [toSplitEntries(['1', '2'], { 1: '50' }), 'too-small'],
  ];
  for (const [more, problem] of problems)
    assert.equal(calculateSplitOf(5_000, more)?.error, problem, JSON.stringify(more));
  assert.equal(calculateSplitOf(1, toSplitEntries(['1', '2']))?.error, 'too-small');
  assert.equal(calculateSplitOf(5_000, { 'split.projects': ['1'] }), undefined);
});

test('sends the parts of a split donation, or the single project', () => {
  const state = createFormState(context, {
    optionalFields: toSplitEntries(['1', '3'], { 3: '12.50' }),
  });
  assert.deepEqual(validateOptionalFields(state, context), []);
  assert.deepEqual(toOptionalRequestFields(state, context, 5_000).gift.projects, [
    { id: '1', amount: 3_750 },
    { id: '3', amount: 1_250 },
  ]);
  assert.equal(
    toOptionalRequestFields(createFormState(context, {}), context, 5_000).gift.projects,
    undefined,
  );
});

test('does not offer a split if the project is fixed', () => {
  const fixed = createContext(resolveSettings(form, findCandidates('?fund-code=2')).settings, form);
  const state = createFormState(fixed, { optionalFields: toSplitEntries(['1', '2']) });
  assert.equal(calculateSplit(state, fixed, 5_000), undefined);
});
