import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addGiftAid, parseUkPostcode } from '../../src/core/donation/gift-aid.ts';
import { createFormState } from '../../src/core/form-state/form-state.ts';
import type { FormValues } from '../../src/core/form-state/form-values.ts';
import {
  toOptionalRequestFields,
  validateOptionalFields,
} from '../../src/core/form-state/optional-fields.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { giftAidForm } from '../gift-aid-form.ts';
import { createContext, findCandidates } from './settings-support.ts';

const DECLARED = {
  'giftAid.declared': ['true'],
  'giftAid.house': [' 12  '],
  'giftAid.postcode': ['sw1a1aa'],
};

const createForm = (values: FormValues, search = '') => {
  const context = createContext(
    resolveSettings(giftAidForm, findCandidates(search)).settings,
    giftAidForm,
  );
  return { context, state: createFormState(context, { optionalFields: values }) };
};
const readGiftAid = (values: FormValues, search?: string) => {
  const { context, state } = createForm(values, search);
  return toOptionalRequestFields(state, context, 5_000).declarations.giftAid;
};
const listErrors = (values: FormValues): string[] => {
  const { context, state } = createForm(values);
  return validateOptionalFields(state, context).map(({ control, code }) => `${control} ${code}`);
};

test('writes UK postcodes in capitals with a space, and refuses all others', () => {
  for (const [typed, postcode] of [
    ['s192bd', 'S19 2BD'],
    ['EC1A 1BB', 'EC1A 1BB'],
    ['m1-1ae', 'M1 1AE'],
    ['GIR 0AA', 'GIR 0AA'],
    ['JE2 3AB', undefined],
    ['IM1 1AA', undefined],
    ['10115', undefined],
    ['SW1A', undefined],
    ['', undefined],
  ])
    assert.equal(parseUkPostcode(typed!), postcode, typed);
});

test('adds a quarter, without a fraction of a penny', () => {
  assert.deepEqual([5_000, 1_001, 3].map(addGiftAid), [6_250, 1_251, 3]);
});

test('sends the declaration in the wording that the donor saw, with the home', () => {
  assert.deepEqual(readGiftAid(DECLARED), {
    scope: 'single',
    text: giftAidForm.giftAid!.single,
    house: '12',
    postcode: 'SW1A 1AA',
  });
  const all = readGiftAid({ ...DECLARED, 'giftAid.scope': ['all'] });
  assert.deepEqual([all?.scope, all?.text], ['all', giftAidForm.giftAid!.all]);
});

test('declares Gift Aid for all donations if the donation is recurring', () => {
  const monthly = readGiftAid({ ...DECLARED, 'giftAid.scope': ['single'] }, '?frequency=monthly');
  assert.equal(monthly?.scope, 'all');
});

test('sends no declaration of an organization, in another currency, or without a check mark', () => {
  const organization = { 'organization.enabled': ['true'], 'organization.name': ['Well Ltd'] };
  assert.deepEqual(
    [
      readGiftAid({ ...DECLARED, ...organization }),
      readGiftAid(DECLARED, '?currencyCode=USD'),
      readGiftAid({ ...DECLARED, 'giftAid.declared': [] }),
    ],
    [undefined, undefined, undefined],
  );
});

test('requires a home in the UK once the donor has declared Gift Aid', () => {
  assert.deepEqual(listErrors({}), []);
  assert.deepEqual(listErrors({ 'giftAid.declared': ['true'], 'giftAid.postcode': ['10115'] }), [
    'giftAid.house missing',
    'giftAid.postcode missing',
  ]);
  assert.deepEqual(listErrors(DECLARED), []);
});
