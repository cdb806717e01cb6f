import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDonationRequest } from '../../src/donation-form/state/to-donation-request.ts';
import { problemsOf } from '../../src/donation-form/state/validation.ts';
import {
  stateOf,
  sumsOf,
  withEntries,
  type Edits,
  type Entries,
  type FormState,
  type FormContext,
} from '../../src/donation-form/state/form-state.ts';
import { donationRequest } from '../../src/core/schemas/donation-request.ts';
import { merge } from '../../src/core/settings/merge-settings.ts';
import { readUrl } from '../../src/core/settings/from-url.ts';
import { offered } from './merging.ts';
import { exampleForm } from '../example-form.ts';

const offerOf = (search = ''): FormContext => offered(merge(exampleForm, readUrl(search)).settings);
const entries = (values: Record<string, string>): Entries =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'coverCosts' && value === '' ? [] : [value],
    ]),
  );
const donor = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' };
/** What the donor would see after these entries; a control that is not named stays as it was. */
const edited = (
  offer: FormContext,
  values: Record<string, string> = {},
  before: Edits = {},
): Edits => {
  const { choice, frequency, coverCosts } = stateOf(offer, before);
  return withEntries(
    offer,
    before,
    entries({
      ...(choice !== undefined && { amount: String(choice) }),
      frequency,
      coverCosts: coverCosts ? 'on' : '',
      ...values,
    }),
  );
};
const filled = (offer: FormContext, values: Record<string, string> = {}): FormState =>
  stateOf(offer, edited(offer, { ...donor, ...values }));
const fresh = (search: string): FormState => stateOf(offerOf(search), {});

test('rule 16: an amount that is an option selects it, another fills the own amount', () => {
  assert.equal(fresh('?amount=75').choice, 2);
  assert.deepEqual(
    [fresh('?amount=60').choice, fresh('?amount=60').customAmount],
    ['custom', '60'],
  );
  assert.equal(fresh('?amount=60.50').customAmount, '60.50');
});

test('the sum of a gift is its amount and, if ticked, its costs', () => {
  const offer = offerOf();
  assert.deepEqual(sumsOf(filled(offer), offer), { amount: 5_000, costs: 0, total: 5_000 });
  assert.deepEqual(sumsOf(filled(offer, { coverCosts: 'on' }), offer), {
    amount: 5_000,
    costs: 181,
    total: 5_181,
  });
  assert.equal(
    sumsOf(filled(offer, { amount: 'custom', customAmount: '5,0000' }), offer),
    undefined,
  );
});

test('rule 27: changing the frequency leaves the amount', () => {
  const offer = offerOf();
  assert.deepEqual(
    sumsOf(filled(offer, { amount: '2', frequency: 'annually' }), offer)?.amount,
    7_500,
  );
});

test('what is missing or wrong is named in the order of the form', () => {
  const offer = offerOf();
  assert.deepEqual(problemsOf(filled(offer), offer), []);
  assert.deepEqual(
    problemsOf(
      filled(offer, { amount: 'custom', customAmount: '', firstName: ' ', email: 'ana' }),
      offer,
    ),
    [
      { control: 'amount', code: 'missing' },
      { control: 'firstName', code: 'missing' },
      { control: 'email', code: 'not-an-email' },
    ],
  );
  for (const [typed, code] of [
    ['1', 'too-small'],
    ['1e5', 'not-an-amount'],
    ['20,000', 'too-large'],
  ] as const) {
    assert.deepEqual(problemsOf(filled(offer, { amount: 'custom', customAmount: typed }), offer), [
      { control: 'amount', code },
    ]);
  }
});

test('what is sent is what is shown, cleaned, and fits the contract', () => {
  const offer = offerOf('?segmentcode=MAIL26&fund-code=WATER');
  const state = filled(offer, {
    coverCosts: 'on',
    firstName: ' Ana\u202e ',
    phone: '',
    comment: 'For the wells\r\n',
    frequency: 'monthly',
  });
  const request = {
    payment: { provider: 'sandbox', token: 't' },
    ...toDonationRequest(state, sumsOf(state, offer)!, offer, {
      hidden: {
        segment: 'MAIL26',
        customFields: [{ id: '12', value: 'Event' }],
        tracking: { utmSource: 'mail' },
      },
      more: undefined,
      language: 'en',
      definition: '"e"',
      page: new URL('https://example.org/give?email=x#y'),
    }),
  };
  assert.deepEqual(request.gift, {
    amount: 5_000,
    costs: 181,
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
});

test('what the donor entered stays when definition or settings change; an amount stays in any case', () => {
  const before = offerOf();
  const now: FormContext = {
    ...before,
    settings: {
      ...before.settings,
      giftArray: [{ value: 7_500 }, { value: 9_900 }],
      frequency: 'monthly',
      donor: { firstName: 'Maria', phone: '555' },
    },
  };
  const chosen = stateOf(now, edited(before, { ...donor, amount: '2' }));
  assert.deepEqual([chosen.choice, sumsOf(chosen, now)?.amount], [0, 7_500]);
  const gone = stateOf(now, edited(before, { amount: '0' }));
  assert.deepEqual(
    [gone.choice, gone.customAmount, sumsOf(gone, now)?.amount],
    ['custom', '25', 2_500],
  );
  assert.deepEqual([chosen.donor, chosen.frequency], [{ ...donor, phone: '555' }, 'monthly']);
  assert.equal(stateOf(now, edited(before, { frequency: 'annually' })).frequency, 'annually');
});

test('typing an amount chooses it, and choosing an option keeps what was typed', () => {
  const offer = offerOf();
  const typed = edited(offer, { customAmount: '80' });
  assert.deepEqual(
    [stateOf(offer, typed).choice, sumsOf(stateOf(offer, typed), offer)?.amount],
    ['custom', 8_000],
  );
  const chosen = stateOf(offer, edited(offer, { amount: '0', customAmount: '80' }, typed));
  assert.deepEqual(
    [chosen.choice, chosen.customAmount, sumsOf(chosen, offer)?.amount],
    [0, '80', 2_500],
  );
});

test('rule 25: of two options with the same amount the chosen one stays chosen', () => {
  const offer: FormContext = {
    ...offerOf(),
    settings: {
      ...offerOf().settings,
      giftArray: [
        { value: 2_500, description: 'a' },
        { value: 2_500, description: 'b' },
      ],
    },
  };
  assert.equal(stateOf(offer, edited(offer, { amount: '1' })).choice, 1);
});
