import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIgnored, mergeAllSettings } from './settings-support.ts';

test("reads every setting from the element's attributes and properties", () => {
  const settings = mergeAllSettings(
    '',
    {},
    {
      amount: 75,
      amounts: '25,75',
      frequency: 'Monthly',
      currency: 'usd',
      language: 'EN',
      segment: 'SITE',
      project: 'WATER',
      coverCosts: '',
    },
  );
  assert.deepEqual(
    [
      settings.amount,
      settings.giftArray.map(({ value }) => value),
      settings.frequency,
      settings.currency.code,
      settings.segment,
      settings.project.code,
      settings.isProjectFixed,
      settings.coverCosts,
    ],
    [7_500, [2_500, 7_500], 'monthly', 'USD', 'SITE', 'WATER', true, true],
  );
  assert.deepEqual(
    [
      mergeAllSettings('', {}, { projectPreselect: 'WATER' }).project.code,
      mergeAllSettings('', {}, { projectPreselect: 'WATER' }).isProjectFixed,
    ],
    ['WATER', false],
  );
  assert.deepEqual(
    mergeAllSettings('', {}, { amounts: [10, '20.50'] }).giftArray.map(({ value }) => value),
    [1_000, 2_050],
  );
});

test("prefers the page's settings to the element, and the URL to both", () => {
  const component = {
    amount: '10',
    frequency: 'annually',
    segment: 'ELEMENT',
    settings: { giftInfo: { comments: 'element', amount: 11 }, donorInfo: { firstName: 'Eva' } },
  };
  assert.deepEqual(
    [
      mergeAllSettings('', {}, component).amount,
      mergeAllSettings('', {}, component).comment,
      mergeAllSettings('', {}, component).donor.firstName,
    ],
    [1_000, 'element', 'Eva'],
  );
  const page = {
    giftInfo: { amount: 20, segmentOverrideCode: 'PAGE' },
    donorInfo: { firstName: 'Pia' },
  };
  assert.deepEqual(
    [
      mergeAllSettings('', page, component).amount,
      mergeAllSettings('', page, component).segment,
      mergeAllSettings('', page, component).frequency,
      mergeAllSettings('', page, component).donor.firstName,
    ],
    [2_000, 'PAGE', 'annually', 'Pia'],
  );
  assert.equal(mergeAllSettings('?amt=30', page, component).amount, 3_000);
});

test('rule 47: the cover-costs attribute turns the fee cover on unless its value is false', () => {
  assert.deepEqual(
    ['', 'true', true, 'false', false].map(
      (coverCosts) => mergeAllSettings('', {}, { coverCosts }).coverCosts,
    ),
    [true, true, true, false, false],
  );
  assert.deepEqual(listIgnored('', {}, { coverCosts: 'maybe' }), ['element cover-costs invalid']);
});

test('reports an unsupported language', () => {
  assert.deepEqual(
    [listIgnored('', {}, { language: 'tlh' }), listIgnored('', {}, { language: 'pt' })],
    [['element language not-offered'], []],
  );
});
