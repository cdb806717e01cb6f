import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calculateTotals,
  createFormState,
  type Edits,
  type FormContext,
  type FormState,
  mergeFormValues,
} from '../../src/core/form-state/form-state.ts';
import type { FormValues } from '../../src/core/form-state/form-values.ts';
import { toDonationRequest } from '../../src/core/form-state/to-donation-request.ts';
import { validateForm } from '../../src/core/form-state/validation.ts';
import { donationRequest } from '../../src/core/schemas/donation-request.ts';
import { readUrlParameters } from '../../src/core/settings/from-url.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { exampleForm } from '../example-form.ts';
import { createContext } from './settings-support.ts';

const createContextFor = (search = ''): FormContext =>
  createContext(resolveSettings(exampleForm, readUrlParameters(search)).settings);
const toFormValues = (values: Record<string, string>): FormValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'coverCosts' && value === '' ? [] : [value],
    ]),
  );
const donor = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' };
/** Applies entries; controls that are not named remain unchanged. */
const applyEdits = (
  offer: FormContext,
  values: Record<string, string> = {},
  before: Edits = {},
): Edits => {
  const { amountChoice, frequency, coverCosts } = createFormState(offer, before);
  return mergeFormValues(
    offer,
    before,
    toFormValues({
      ...(amountChoice !== undefined && { amount: String(amountChoice) }),
      frequency,
      coverCosts: coverCosts ? 'on' : '',
      ...values,
    }),
  );
};
const createFilledState = (offer: FormContext, values: Record<string, string> = {}): FormState =>
  createFormState(offer, applyEdits(offer, { ...donor, ...values }));
const createState = (search: string): FormState => createFormState(createContextFor(search), {});

test('rule 16: selects the option with the amount, or fills the custom amount', () => {
  assert.equal(createState('?amount=75').amountChoice, 2);
  const { amountChoice, customAmount } = createState('?amount=60');
  assert.deepEqual([amountChoice, customAmount], ['custom', '60']);
  assert.equal(createState('?amount=60.50').customAmount, '60.50');
});

test('the total is the amount plus the fee cover if selected', () => {
  const offer = createContextFor();
  for (const [values, totals] of [
    [{}, { amount: 5_000, coveredFees: 0, total: 5_000 }],
    [{ coverCosts: 'on' }, { amount: 5_000, coveredFees: 181, total: 5_181 }],
    [{ amount: 'custom', customAmount: '5,0000' }, undefined],
  ] as const)
    assert.deepEqual(calculateTotals(createFilledState(offer, values), offer), totals);
});

test('rule 27: changing the frequency keeps the amount', () => {
  const offer = createContextFor();
  const state = createFilledState(offer, { amount: '2', frequency: 'annually' });
  assert.equal(calculateTotals(state, offer)?.amount, 7_500);
});

test("reports missing and invalid fields in the form's order", () => {
  const offer = createContextFor();
  const custom = { amount: 'custom', customAmount: '' };
  for (const [values, ...problems] of [
    [{}],
    [
      { ...custom, firstName: ' ', email: 'ana' },
      ['amount', 'missing'],
      ['firstName', 'missing'],
      ['email', 'not-an-email'],
    ],
    [{ ...custom, customAmount: '1' }, ['amount', 'too-small']],
    [{ ...custom, customAmount: '1e5' }, ['amount', 'not-an-amount']],
    [{ ...custom, customAmount: '20,000' }, ['amount', 'too-large']],
  ] as const)
    assert.deepEqual(
      validateForm(createFilledState(offer, values), offer),
      problems.map(([control, code]) => ({ control, code })),
    );
});

test('sends the cleaned values that the form shows, as a valid request', () => {
  const offer = createContextFor('?segmentcode=MAIL26&fund-code=WATER');
  const state = createFilledState(offer, {
    coverCosts: 'on',
    firstName: ' Ana\u202e ',
    email: 'ana\u200b@example.org\u00a0',
    phone: '',
    comment: 'For the wells\r\n',
    frequency: 'monthly',
  });
  const request = {
    payment: { provider: 'stripe', token: 't' },
    ...toDonationRequest(state, calculateTotals(state, offer)!, offer, {
      optionalSettings: {
        segment: 'MAIL26',
        customFields: [{ id: '12', value: 'Event' }],
        tracking: { utmSource: 'mail' },
      },
      optionalFields: undefined,
      language: 'en',
      definition: '"e"',
      page: new URL('https://example.org/give?email=x#y'),
    }),
  };
  assert.deepEqual(request.gift, {
    amount: 5_000,
    coveredFees: 181,
    total: 5_181,
    currency: 'USD',
    frequency: 'monthly',
    coverCosts: true,
    comment: 'For the wells',
    segment: 'MAIL26',
    projects: [{ id: '2', amount: 5_000 }],
  });
  assert.deepEqual(request.donor, donor);
  assert.equal(request.form.page, 'https://example.org/give');
  assert.deepEqual(donationRequest.parse(request), request);
  const unclean = { ...request, donor: { ...donor, email: 'ana\u00ad@example.org' } };
  assert.deepEqual(donationRequest.parse(unclean), request);
});

test("keeps the donor's input when the definition or settings change", () => {
  const before = createContextFor();
  const now: FormContext = {
    ...before,
    settings: {
      ...before.settings,
      giftArray: [{ value: 7_500 }, { value: 9_900 }],
      frequency: 'monthly',
      donor: { firstName: 'Maria', phone: '555' },
    },
  };
  const chosen = createFormState(now, applyEdits(before, { ...donor, amount: '2' }));
  assert.deepEqual([chosen.amountChoice, calculateTotals(chosen, now)?.amount], [0, 7_500]);
  const gone = createFormState(now, applyEdits(before, { amount: '0' }));
  assert.deepEqual(
    [gone.amountChoice, gone.customAmount, calculateTotals(gone, now)?.amount],
    ['custom', '25', 2_500],
  );
  assert.deepEqual([chosen.donor, chosen.frequency], [{ ...donor, phone: '555' }, 'monthly']);
  assert.equal(
    createFormState(now, applyEdits(before, { frequency: 'annually' })).frequency,
    'annually',
  );
});

test('typing selects the custom amount, and selecting an option keeps the typed text', () => {
  const offer = createContextFor();
  const typed = applyEdits(offer, { customAmount: '80' });
  const state = createFormState(offer, typed);
  assert.deepEqual([state.amountChoice, calculateTotals(state, offer)?.amount], ['custom', 8_000]);
  const chosen = createFormState(
    offer,
    applyEdits(offer, { amount: '0', customAmount: '80' }, typed),
  );
  assert.deepEqual(
    [chosen.amountChoice, chosen.customAmount, calculateTotals(chosen, offer)?.amount],
    [0, '80', 2_500],
  );
});

test('rule 25: keeps the selected option if two have the same amount', () => {
  const { settings, ...context } = createContextFor();
  const giftArray = ['a', 'b'].map((description) => ({ value: 2_500, description }));
  const offer: FormContext = { ...context, settings: { ...settings, giftArray } };
  assert.equal(createFormState(offer, applyEdits(offer, { amount: '1' })).amountChoice, 1);
});
