import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDonationRequest } from '../../src/form/donation-request.ts';
import { carriedOver, initialState, problemsOf, sumsOf, withEntries, type FormState, type Offer } from '../../src/form/state.ts';
import { donationRequest } from '../../src/contract/donation-request.ts';
import { merge } from '../../src/settings/settings.ts';
import { readUrl } from '../../src/settings/url.ts';
import { exampleForm } from '../example-form.ts';

const offerOf = (search = ''): Offer => ({ definition: exampleForm, settings: merge(exampleForm, readUrl(search)).settings });
const entries = (values: Record<string, string>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  return data;
};
const donor = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' };
const filled = (offer: Offer, values: Record<string, string> = {}): FormState => withEntries(initialState(offer), entries({ ...donor, ...values }));

test('rule 16: an amount that is an option selects it, another fills the own amount', () => {
  assert.equal(initialState(offerOf('?amount=75')).choice, 2);
  assert.deepEqual([initialState(offerOf('?amount=60')).choice, initialState(offerOf('?amount=60')).customAmount], ['custom', '60']);
  assert.equal(initialState(offerOf('?amount=60.50')).customAmount, '60.50');
});

test('the sum of a gift is its amount and, if ticked, its costs', () => {
  const offer = offerOf();
  assert.deepEqual(sumsOf(filled(offer), offer), { amount: 5_000, costs: 0, total: 5_000 });
  assert.deepEqual(sumsOf(filled(offer, { coverCosts: 'on' }), offer), { amount: 5_000, costs: 181, total: 5_181 });
  assert.equal(sumsOf(filled(offer, { amount: 'custom', customAmount: '5,00' }), offer), undefined);
});

test('rule 27: changing the frequency leaves the amount', () => {
  const offer = offerOf();
  assert.deepEqual(sumsOf(filled(offer, { amount: '2', frequency: 'annually' }), offer)?.amount, 7_500);
});

test('what is missing or wrong is named in the order of the form', () => {
  const offer = offerOf();
  assert.deepEqual(problemsOf(filled(offer), offer), []);
  assert.deepEqual(problemsOf(filled(offer, { amount: 'custom', customAmount: '', firstName: ' ', email: 'ana' }), offer),
    [{ control: 'amount', code: 'missing' }, { control: 'firstName', code: 'missing' }, { control: 'email', code: 'not-an-email' }]);
  for (const [typed, code] of [['1', 'too-small'], ['1e5', 'not-an-amount'], ['20,000', 'too-large']] as const) {
    assert.deepEqual(problemsOf(filled(offer, { amount: 'custom', customAmount: typed }), offer), [{ control: 'amount', code }]);
  }
});

test('what is sent is what is shown, cleaned, and fits the contract', () => {
  const offer = offerOf('?segmentcode=MAIL26&fund-code=WATER');
  const state = filled(offer, { coverCosts: 'on', firstName: ' Ana\u202e ', phone: '', comment: 'For the wells\r\n', frequency: 'monthly' });
  const request = toDonationRequest(state, sumsOf(state, offer)!, offer, { definition: '"e"', page: new URL('https://example.org/give?email=x#y'), language: 'en', token: 't' });
  assert.deepEqual(request.gift, {
    amount: 5_000, costs: 181, total: 5_181, currency: 'USD', frequency: 'monthly', coverCosts: true, comment: 'For the wells', segment: 'MAIL26', projects: [{ id: '2', amount: 5_000 }],
  });
  assert.deepEqual(request.donor, donor);
  assert.equal(request.form.page, 'https://example.org/give');
  assert.deepEqual(donationRequest.parse(request), request);
});

test('a changed definition keeps what the donor chose where it is still offered', () => {
  const before = offerOf();
  const now: Offer = { ...before, settings: { ...before.settings, giftArray: [{ value: 7_500 }, { value: 9_900 }] } };
  const chosen = carriedOver(filled(before, { amount: '2' }), before, now);
  assert.deepEqual([chosen.choice, sumsOf(chosen, now)?.amount], [0, 7_500]);
  const gone = carriedOver(filled(before, { amount: '0' }), before, now);
  assert.deepEqual([gone.choice, gone.customAmount, sumsOf(gone, now)?.amount], ['custom', '25', 2_500]);
  assert.equal(gone.donor.email, 'ana@example.org');
});
