import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestMonthlyAmount } from '../../src/core/donation/monthly-equivalent.ts';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
} from '../../src/core/donor/custom-field.ts';
import {
  parseCustomField,
  type VisibleCustomField,
} from '../../src/core/form-state/custom-fields.ts';
import {
  calculateTotals,
  createFormState,
  type FormState,
  mergeFormValues,
} from '../../src/core/form-state/form-state.ts';
import type { FormValues } from '../../src/core/form-state/form-values.ts';
import {
  getInitialOptionalValues,
  toOptionalRequestFields,
  validateOptionalFields,
} from '../../src/core/form-state/optional-fields.ts';
import { validateForm } from '../../src/core/form-state/validation.ts';
import { findLanguage } from '../../src/core/i18n/languages.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { exampleForm } from '../example-form.ts';
import { createContext, findCandidates } from './settings-support.ts';

const createCustomField = (
  type: keyof typeof CustomFieldDataType,
  overrides: Partial<VisibleCustomField> = {},
): VisibleCustomField => ({
  id: '9',
  label: 'Nine',
  type: CustomFieldDataType[type],
  formatter: CustomFieldDataFormatter.None,
  required: false,
  ...overrides,
});
const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
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
    { id: 'terms', text: 'I agree.', required: true },
    { id: 'news', text: 'Write to me.', required: false },
  ],
  customFields: [
    createCustomField('Integer', { id: '20', label: 'How many' }),
    createCustomField('Multiselect', { id: '21', label: 'What', options }),
    { ...createCustomField('Text', { id: '22' }), label: undefined! },
    createCustomField('Decimal', { id: '23' }),
  ],
};
const context = createContext(resolveSettings(form, findCandidates('')).settings, form);
const toState = (more: FormValues): FormState => createFormState(context, { optionalFields: more });
const listProblems = (more: FormValues): string[] =>
  validateOptionalFields(toState(more), context).map(({ control, code }) => `${control} ${code}`);

test('converts entered custom field values to their data types', () => {
  for (const [shown, values, value] of [
    [createCustomField('Boolean'), ['true'], 'true'],
    [createCustomField('Boolean'), [], 'false'],
    [createCustomField('Boolean', { formatter: CustomFieldDataFormatter.BooleanRadio }), [], ''],
    [createCustomField('Date'), ['2026-11-21'], '2026-11-21'],
    [createCustomField('Decimal'), ['1.250,5'], '1250.5'],
    [createCustomField('Decimal'), ['−3,5'], '-3.5'],
    [createCustomField('Integer'), ['١٢'], '12'],
    [createCustomField('Text'), [' a  b '], 'a b'],
    [createCustomField('List', { options: [{ value: 'x', label: 'X' }] }), ['x'], 'x'],
    [createCustomField('Link'), ['example.org/wells'], 'https://example.org/wells'],
    [createCustomField('Paragraph'), ['one\ntwo '], 'one\ntwo'],
    [createCustomField('Multiselect', { options }), ['a', 'b'], 'a,b'],
    [createCustomField('Text'), [], ''],
  ] as const)
    assert.deepEqual(parseCustomField(shown, values, ','), { value }, value);
});

test("reports a problem for a value that does not match the custom field's data type", () => {
  for (const [shown, input, problem] of [
    [createCustomField('Date'), '2026-02-30', 'not-a-date'],
    [createCustomField('Decimal'), 'many', 'not-a-number'],
    [createCustomField('Integer'), '1.5', 'not-a-whole-number'],
    [createCustomField('Link'), 'wells', 'not-a-link'],
    [createCustomField('Text', { required: true }), ' ', 'missing'],
    [createCustomField('Boolean', { required: true }), '', 'missing'],
  ] as const) {
    assert.deepEqual(
      parseCustomField(shown, input === '' ? [] : [input], '.'),
      { error: problem },
      input,
    );
  }
});

test('validates optional sections only if the donor uses them, and required fields always', () => {
  assert.deepEqual(listProblems({}), ['consent.terms missing']);
  assert.deepEqual(
    listProblems({
      'consent.terms': ['I agree.'],
      'tribute.kind': ['honor'],
      'tribute.notify': ['eva@'],
      'organization.enabled': ['true'],
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
    listProblems({
      'consent.terms': ['I agree.'],
      'tribute.kind': ['none'],
      'tribute.notify': ['eva@'],
    }),
    [],
  );
});

test('sends the optional sections that are shown and nothing from closed ones', () => {
  const { gift, donor, declarations, customFields } = toOptionalRequestFields(
    toState({
      'consent.terms': ['I agree.'],
      'tribute.kind': ['memory'],
      'tribute.name': [' Eva '],
      'tribute.message': ['Thank you'],
      'gift.anonymous': ['true'],
      'organization.enabled': ['true'],
      'organization.name': ['Well Ltd'],
      'custom.20': ['1,000'],
      'custom.21': ['a', 'b'],
    }),
    context,
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
  assert.deepEqual(declarations.consents, [
    { id: 'terms', text: 'I agree.', given: true },
    { id: 'news', text: 'Write to me.', given: false },
  ]);
  const away = toOptionalRequestFields(
    toState({
      'tribute.kind': ['none'],
      'tribute.name': ['Eva'],
      'organization.name': ['Well Ltd'],
    }),
    context,
    5_000,
  );
  assert.deepEqual([away.gift, away.donor], [{}, {}]);
});

test("an organization can donate without a person's name", () => {
  const listControls = (more: FormValues): string[] =>
    validateForm(toState(more), context).map(({ control }) => control);
  assert.deepEqual(
    [listControls({}), listControls({ 'organization.enabled': ['true'] })],
    [['firstName', 'lastName', 'email'], ['email']],
  );
});

test('rule 48: presets a visible custom field and has no control for a hidden one', () => {
  const candidates = findCandidates('', {
    customFieldPreset: [
      { id: '21', value: 'B,a' },
      { id: '20', value: 7 },
      { id: '22', value: 'x' },
      { id: '23', value: '1.250' },
    ],
  });
  const { settings } = resolveSettings(form, candidates);
  assert.deepEqual(getInitialOptionalValues(form, settings, ','), {
    'custom.20': ['7'],
    'custom.21': ['b', 'a'],
    'custom.23': ['1,250'],
  });
});

test('a preset of "no" leaves the box unchecked, and an option may contain a comma', () => {
  const definition: FormDefinition = {
    ...form,
    customFields: [
      createCustomField('Boolean', { id: '30' }),
      createCustomField('List', { id: '31', options: [{ value: 'Smith, John', label: 'John' }] }),
    ],
  };
  const candidates = findCandidates('', {
    customFieldPreset: [
      { id: '30', value: 'no' },
      { id: '31', value: 'smith, john' },
    ],
  });
  const { settings } = resolveSettings(definition, candidates);
  const optionalFields = getInitialOptionalValues(definition, settings, '.');
  const sent = toOptionalRequestFields(
    { ...toState({}), optionalFields },
    createContext(resolveSettings(definition, []).settings, definition),
    5_000,
  );
  assert.deepEqual(sent.customFields, [
    { id: '30', value: 'false' },
    { id: '31', value: 'Smith, John' },
  ]);
});

test('a consent does not carry over to a changed text', () => {
  const text = 'I agree to more.';
  const changed = { ...form, consents: [{ id: 'terms', text, required: true }] };
  const offer = createContext(resolveSettings(changed, []).settings, changed);
  const consented = toState({ 'consent.terms': ['I agree.'] });
  const { declarations } = toOptionalRequestFields(consented, offer, 5_000);
  assert.deepEqual(declarations.consents, [{ id: 'terms', text, given: false }]);
});

test('omits input for sections that the form no longer offers', () => {
  const plain: FormDefinition = {
    ...form,
    allowComment: false,
    allowTribute: false,
    allowOrganizations: false,
    allowAnonymous: false,
    consents: [],
    customFields: [],
  };
  const before = createContext(resolveSettings(plain, []).settings, plain);
  const entered = createFormState(before, {
    comment: 'Hello',
    optionalFields: {
      'tribute.kind': ['honor'],
      'organization.enabled': ['true'],
      'gift.anonymous': ['true'],
    },
  });
  assert.deepEqual(
    [
      entered.comment,
      toOptionalRequestFields(entered, before, 5_000),
      validateOptionalFields(entered, before),
    ],
    ['', { gift: {}, donor: {}, customFields: [], declarations: {} }, []],
  );
  assert.deepEqual(
    validateForm(entered, before).map(({ control }) => control),
    ['firstName', 'lastName', 'email'],
  );
});

test('turns the fee cover off for a currency without one', () => {
  const yen = createContext(resolveSettings(form, [], 'JPY').settings, form);
  const covered = [yen, context].map(
    (offer) => createFormState(offer, { coverCosts: true }).coverCosts,
  );
  assert.deepEqual(covered, [false, true]);
});

test('clearing the custom amount leaves no amount', () => {
  const taken = {
    frequency: 'monthly',
    amountChoice: { index: -1, value: 1_200, currency: 'USD' },
  } as const;
  assert.equal(createFormState(context, taken).customAmount, '12');
  const emptied = mergeFormValues(context, taken, {
    frequency: ['monthly'],
    amount: ['custom'],
    customAmount: [''],
  });
  const state = createFormState(context, emptied);
  assert.deepEqual([state.customAmount, calculateTotals(state, context)], ['', undefined]);
});

test('keeps typed text when a section is closed and reopened', () => {
  const typed = { 'tribute.kind': ['honor'], 'tribute.name': ['Eva'] };
  const away = mergeFormValues(context, mergeFormValues(context, {}, typed), {
    'tribute.kind': ['none'],
  });
  const { optionalFields } = createFormState(context, away);
  assert.deepEqual(
    [optionalFields['tribute.kind'], optionalFields['tribute.name']],
    [['none'], ['Eva']],
  );
});

test("rule 26: a frequency's own list is used unless the page provides a list", () => {
  for (const [search, frequency, amounts, expectedAmount] of [
    ['', 'once', [2_500, 5_000, 7_500], 5_000],
    ['', 'monthly', [1_000, 7_500], 1_000],
    ['?array-amounts=75,80', 'once', [7_500, 8_000], undefined],
    ['?array-amounts=75,80', 'monthly', [7_500, 8_000], undefined],
  ] as const) {
    const { settings } = resolveSettings(form, findCandidates(search));
    const { giftArray, amount } = settings.suggestedByFrequency[frequency] ?? settings;
    assert.deepEqual([giftArray.map(({ value }) => value), amount], [amounts, expectedAmount]);
  }
});

test('rule 27: another frequency changes the default amount but keeps an amount that the donor chose', () => {
  const calculateAmount = (edits: Parameters<typeof createFormState>[1]): number | undefined =>
    calculateTotals(createFormState(context, edits), context)?.amount;
  assert.deepEqual(
    [calculateAmount({}), calculateAmount({ frequency: 'monthly' })],
    [5_000, 1_000],
  );
  for (const [index, amount, choice] of [
    ['2', 7_500, 1],
    ['0', 2_500, 'custom'],
  ] as const) {
    const chosen = mergeFormValues(context, {}, { amount: [index], frequency: ['once'] });
    const monthly = { ...chosen, frequency: 'monthly' } as const;
    assert.deepEqual(
      [
        calculateAmount(chosen),
        calculateAmount(monthly),
        createFormState(context, monthly).amountChoice,
      ],
      [amount, amount, choice],
    );
  }
});

test('rule 46: changing the currency changes the suggested amounts and keeps typed amounts', () => {
  const { settings } = resolveSettings(form, findCandidates('?amount=75'), 'JPY');
  const yen = createContext(settings, form);
  assert.deepEqual(
    [settings.currency.code, settings.giftArray.map(({ value }) => value), settings.amount],
    ['JPY', [3_000], undefined],
  );
  const typed = { amountChoice: 'custom', customAmount: '4000', currency: 'JPY' } as const;
  assert.equal(calculateTotals(createFormState(yen, typed), yen)?.amount, 4_000);
});

test('suggests a round monthly amount of about a quarter', () => {
  for (const [amount, decimals, monthly] of [
    [5_000, 2, 1_500],
    [10_000, 2, 2_500],
    [2_500, 2, 600],
    [100_000, 2, 25_000],
    [5_000, 0, 1_500],
    [400, 2, 100],
  ] as const)
    assert.equal(suggestMonthlyAmount(amount, decimals), monthly, String(amount));
});

test('finds a language by its tag, region, or script', () => {
  for (const [tag, language] of [
    ['de-AT', 'de'],
    ['PT', 'pt-BR'],
    ['pt_PT', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW', undefined],
    ['zh_Hant_HK', undefined],
    ['EN-gb', 'en-GB'],
    ['en_GB', 'en-GB'],
    ['en-GB-oxendict', 'en'],
    ['en-AU', 'en'],
    ['fa', undefined],
    ['', undefined],
    ['constructor', undefined],
  ] as const)
    assert.equal(findLanguage(tag), language, tag);
});
