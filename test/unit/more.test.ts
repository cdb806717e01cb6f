import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { readShownField, type ShownField } from '../../src/donation-form/state/custom-fields.ts';
import {
  moreOfGift,
  moreProblemsOf,
  startOf,
} from '../../src/donation-form/state/optional-fields.ts';
import { problemsOf } from '../../src/donation-form/state/validation.ts';
import {
  stateOf,
  sumsOf,
  withEntries,
  type Entries,
  type FormState,
} from '../../src/donation-form/state/form-state.ts';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
} from '../../src/core/donor/custom-field.ts';
import { languageOf } from '../../src/core/i18n/language.ts';
import { monthlyInstead } from '../../src/core/donation/monthly-equivalent.ts';
import { merge } from '../../src/core/settings/merge-settings.ts';
import { exampleForm } from '../example-form.ts';
import { found, offered } from './merging.ts';

const field = (
  type: keyof typeof CustomFieldDataType,
  more: Partial<ShownField> = {},
): ShownField => ({
  id: '9',
  label: 'Nine',
  type: CustomFieldDataType[type],
  formatter: CustomFieldDataFormatter.None,
  required: false,
  ...more,
});
const [usd, ...currencies] = exampleForm.currencies;
const form: FormDefinition = {
  ...exampleForm,
  allowTribute: true,
  allowOrganizations: true,
  allowAnonymous: true,
  currencies: [
    { ...usd, giftArrays: { monthly: [{ value: 1_000, isDefault: true }, { value: 7_500 }] } },
    ...currencies,
  ],
  consents: [
    { id: 'terms', words: 'I agree.', required: true },
    { id: 'news', words: 'Write to me.', required: false },
  ],
  customFields: [
    field('Integer', { id: '20', label: 'How many' }),
    field('Multiselect', {
      id: '21',
      label: 'What',
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    }),
    { ...field('Text', { id: '22' }), label: undefined! },
    field('Decimal', { id: '23' }),
  ],
};
const offer = offered(merge(form, found('')).settings, form);
const state = (more: Entries): FormState => stateOf(offer, { more });
const missing = (more: Entries): string[] =>
  moreProblemsOf(state(more), offer).map(({ control, code }) => `${control} ${code}`);

test('what a donor enters in a custom field is sent as its data type has it', () => {
  const cases: readonly (readonly [ShownField, readonly string[], string])[] = [
    [field('Boolean'), ['true'], 'true'],
    [field('Boolean'), [], 'false'],
    [field('Boolean', { formatter: CustomFieldDataFormatter.BooleanRadio }), [], ''],
    [field('Date'), ['2026-11-21'], '2026-11-21'],
    [field('Decimal'), ['1.250,5'], '1250.5'],
    [field('Decimal'), ['−3,5'], '-3.5'],
    [field('Integer'), ['١٢'], '12'],
    [field('Text'), [' a  b '], 'a b'],
    [field('List', { options: [{ value: 'x', label: 'X' }] }), ['x'], 'x'],
    [field('Link'), ['example.org/wells'], 'https://example.org/wells'],
    [field('Paragraph'), ['one\ntwo '], 'one\ntwo'],
    [
      field('Multiselect', {
        options: [
          { value: 'a', label: 'A' },
          { value: 'b', label: 'B' },
        ],
      }),
      ['a', 'b'],
      'a,b',
    ],
    [field('Text'), [], ''],
  ];
  for (const [shown, values, value] of cases)
    assert.deepEqual(
      readShownField(shown, values, ','),
      { value },
      `${shown.type} ${values.join()}`,
    );
});

test("what does not fit a custom field's data type is named", () => {
  for (const [shown, written, problem] of [
    [field('Date'), '2026-02-30', 'not-a-date'],
    [field('Decimal'), 'many', 'not-a-number'],
    [field('Integer'), '1.5', 'not-a-whole-number'],
    [field('Link'), 'wells', 'not-a-link'],
    [field('Text', { required: true }), ' ', 'missing'],
    [field('Boolean', { required: true }), '', 'missing'],
  ] as const) {
    assert.deepEqual(
      readShownField(shown, written === '' ? [] : [written], '.'),
      { problem },
      written,
    );
  }
});

test("a form's rarer parts are checked where the donor uses them, and required ones always", () => {
  assert.deepEqual(missing({}), ['consent.terms missing']);
  assert.deepEqual(
    missing({
      'consent.terms': ['I agree.'],
      'tribute.kind': ['honor'],
      'tribute.notify': ['eva@'],
      'organization.is': ['true'],
      'custom.20': ['two'],
    }),
    [
      'tribute.name missing',
      'tribute.notify not-an-email',
      'organization.name missing',
      'custom.20 not-a-whole-number',
    ],
  );
  assert.deepEqual(
    missing({
      'consent.terms': ['I agree.'],
      'tribute.kind': ['none'],
      'tribute.notify': ['eva@'],
    }),
    [],
  );
});

test("a form's rarer parts are sent as they are shown, and nothing of what was put away again", () => {
  const { gift, donor, consents, customFields } = moreOfGift(
    state({
      'consent.terms': ['I agree.'],
      'tribute.kind': ['memory'],
      'tribute.name': [' Eva '],
      'tribute.message': ['Thank you'],
      'gift.anonymous': ['true'],
      'organization.is': ['true'],
      'organization.name': ['Well Ltd'],
      'custom.20': ['1,000'],
      'custom.21': ['a', 'b'],
    }),
    offer,
    5_000,
  );
  assert.deepEqual(gift, {
    tribute: { kind: 'memory', name: 'Eva', message: 'Thank you' },
    anonymous: true,
  });
  assert.deepEqual(
    [donor, customFields],
    [
      { organization: 'Well Ltd' },
      [
        { id: '20', value: '1000' },
        { id: '21', value: 'a,b' },
      ],
    ],
  );
  assert.deepEqual(consents, [
    { id: 'terms', words: 'I agree.', given: true },
    { id: 'news', words: 'Write to me.', given: false },
  ]);
  const away = moreOfGift(
    state({ 'tribute.kind': ['none'], 'tribute.name': ['Eva'], 'organization.name': ['Well Ltd'] }),
    offer,
    5_000,
  );
  assert.deepEqual([away.gift, away.donor], [{}, {}]);
});

test("an organisation gives without a person's name", () => {
  const codes = (more: Entries): string[] =>
    problemsOf(state(more), offer).map(({ control }) => control);
  assert.deepEqual(
    [codes({}), codes({ 'organization.is': ['true'] })],
    [['firstName', 'lastName', 'email'], ['email']],
  );
});

test("rule 48: a shown custom field starts from the page's preset, and a hidden one is none of its controls", () => {
  const candidates = found('', {
    customFieldPreset: [
      { id: '21', value: 'B,a' },
      { id: '20', value: 7 },
      { id: '22', value: 'x' },
      { id: '23', value: '1.250' },
    ],
  });
  assert.deepEqual(startOf(form, candidates, ','), {
    'custom.20': ['7'],
    'custom.21': ['b', 'a'],
    'custom.23': ['1,250'],
  });
});

test('a preset that says no ticks no box, and an option with a comma is one option', () => {
  const definition: FormDefinition = {
    ...form,
    customFields: [
      field('Boolean', { id: '30' }),
      field('List', { id: '31', options: [{ value: 'Smith, John', label: 'John' }] }),
    ],
  };
  const start = startOf(
    definition,
    found('', {
      customFieldPreset: [
        { id: '30', value: 'no' },
        { id: '31', value: 'smith, john' },
      ],
    }),
    '.',
  );
  const sent = moreOfGift(
    { ...state({}), more: start },
    offered(merge(definition, []).settings, definition),
    5_000,
  );
  assert.deepEqual(sent.customFields, [
    { id: '30', value: 'false' },
    { id: '31', value: 'Smith, John' },
  ]);
});

test('who agreed to some words has not agreed to others', () => {
  const changed = {
    ...form,
    consents: [{ id: 'terms', words: 'I agree to more.', required: true }],
  };
  const given = state({ 'consent.terms': ['I agree.'] });
  assert.deepEqual(
    moreOfGift(given, offered(merge(changed, []).settings, changed), 5_000).consents,
    [{ id: 'terms', words: 'I agree to more.', given: false }],
  );
});

test('what the form no longer offers is not sent, whatever was entered before', () => {
  const plain: FormDefinition = {
    ...form,
    allowComment: false,
    allowTribute: false,
    allowOrganizations: false,
    allowAnonymous: false,
    consents: [],
    customFields: [],
  };
  const before = offered(merge(plain, []).settings, plain);
  const entered = stateOf(before, {
    comment: 'Hello',
    more: { 'tribute.kind': ['honor'], 'organization.is': ['true'], 'gift.anonymous': ['true'] },
  });
  assert.deepEqual(
    [entered.comment, moreOfGift(entered, before, 5_000), moreProblemsOf(entered, before)],
    ['', { gift: {}, donor: {}, customFields: [], consents: [] }, []],
  );
  assert.deepEqual(
    problemsOf(entered, before).map(({ control }) => control),
    ['firstName', 'lastName', 'email'],
  );
});

test('costs that the chosen currency does not offer are not covered', () => {
  const yen = offered(merge(form, [], 'JPY').settings, form);
  assert.deepEqual(
    [
      stateOf(yen, { coverCosts: true }).coverCosts,
      stateOf(offer, { coverCosts: true }).coverCosts,
    ],
    [false, true],
  );
});

test('an own amount that is emptied is no amount', () => {
  const taken = {
    frequency: 'monthly',
    choice: { place: -1, value: 1_200, currency: 'USD' },
  } as const;
  assert.equal(stateOf(offer, taken).customAmount, '12');
  const emptied = withEntries(offer, taken, {
    frequency: ['monthly'],
    amount: ['custom'],
    customAmount: [''],
  });
  assert.deepEqual(
    [stateOf(offer, emptied).customAmount, sumsOf(stateOf(offer, emptied), offer)],
    ['', undefined],
  );
});

test('what the donor typed in a part stays when the part is put away and taken out again', () => {
  const typed = withEntries(offer, {}, { 'tribute.kind': ['honor'], 'tribute.name': ['Eva'] });
  const away = withEntries(offer, typed, { 'tribute.kind': ['none'] });
  assert.deepEqual(
    [stateOf(offer, away).more['tribute.kind'], stateOf(offer, away).more['tribute.name']],
    [['none'], ['Eva']],
  );
});

test("rule 26: a frequency with a list of its own shows that one, and the page's list takes the place of both", () => {
  const values = (search: string, frequency: 'once' | 'monthly'): unknown => {
    const { settings } = merge(form, found(search));
    const { giftArray, amount } = settings.suggestedFor[frequency] ?? settings;
    return [giftArray.map(({ value }) => value), amount];
  };
  assert.deepEqual(
    [values('', 'once'), values('', 'monthly')],
    [
      [[2_500, 5_000, 7_500], 5_000],
      [[1_000, 7_500], 1_000],
    ],
  );
  assert.deepEqual(
    [values('?array-amounts=75,80', 'once'), values('?array-amounts=75,80', 'monthly')],
    [
      [[7_500, 8_000], undefined],
      [[7_500, 8_000], undefined],
    ],
  );
});

test('rule 27: another frequency brings its own default, and keeps an amount that the donor chose', () => {
  const sum = (edits: Parameters<typeof stateOf>[1]): number | undefined =>
    sumsOf(stateOf(offer, edits), offer)?.amount;
  assert.deepEqual([sum({}), sum({ frequency: 'monthly' })], [5_000, 1_000]);
  const chosen = withEntries(offer, {}, { amount: ['2'], frequency: ['once'] });
  assert.deepEqual(
    [
      sum(chosen),
      sum({ ...chosen, frequency: 'monthly' }),
      stateOf(offer, { ...chosen, frequency: 'monthly' }).choice,
    ],
    [7_500, 7_500, 1],
  );
  const other = withEntries(offer, {}, { amount: ['0'], frequency: ['once'] });
  assert.deepEqual(
    [
      sum({ ...other, frequency: 'monthly' }),
      stateOf(offer, { ...other, frequency: 'monthly' }).choice,
    ],
    [2_500, 'custom'],
  );
});

test('rule 46: a currency that the donor chooses brings its own amounts; what was typed stays', () => {
  const { settings } = merge(form, found('?amount=75'), 'JPY');
  const yen = offered(settings, form);
  assert.deepEqual(
    [settings.currency.code, settings.giftArray.map(({ value }) => value), settings.amount],
    ['JPY', [3_000], undefined],
  );
  assert.equal(
    sumsOf(stateOf(yen, { choice: 'custom', customAmount: '4000', currency: 'JPY' }), yen)?.amount,
    4_000,
  );
});

test('a monthly gift is suggested at about a quarter, in a round sum', () => {
  for (const [amount, decimals, monthly] of [
    [5_000, 2, 1_500],
    [10_000, 2, 2_500],
    [2_500, 2, 600],
    [100_000, 2, 25_000],
    [5_000, 0, 1_500],
    [400, 2, 100],
  ] as const)
    assert.equal(monthlyInstead(amount, decimals), monthly, String(amount));
});

test('a language is found by its tag, its region or its script', () => {
  for (const [tag, language] of [
    ['de-AT', 'de'],
    ['PT', 'pt-BR'],
    ['pt_PT', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW', undefined],
    ['zh_Hant_HK', undefined],
    ['EN-gb', 'en'],
    ['fa', undefined],
    ['', undefined],
    ['constructor', undefined],
  ] as const)
    assert.equal(languageOf(tag), language, tag);
});
