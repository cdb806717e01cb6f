import assert from 'node:assert/strict';
import { test } from 'node:test';
import { from, ignored } from './merging.ts';

test("the element's attributes and properties set every setting that they name", () => {
  const settings = from(
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
      from('', {}, { projectPreselect: 'WATER' }).project.code,
      from('', {}, { projectPreselect: 'WATER' }).isProjectFixed,
    ],
    ['WATER', false],
  );
  assert.deepEqual(
    from('', {}, { amounts: [10, '20.50'] }).giftArray.map(({ value }) => value),
    [1_000, 2_050],
  );
});

test("the element is weaker than the page's settings, and these than the address", () => {
  const component = {
    amount: '10',
    frequency: 'annually',
    segment: 'ELEMENT',
    settings: { giftInfo: { comments: 'element', amount: 11 }, donorInfo: { firstName: 'Eva' } },
  };
  assert.deepEqual(
    [
      from('', {}, component).amount,
      from('', {}, component).comment,
      from('', {}, component).donor.firstName,
    ],
    [1_000, 'element', 'Eva'],
  );
  const page = {
    giftInfo: { amount: 20, segmentOverrideCode: 'PAGE' },
    donorInfo: { firstName: 'Pia' },
  };
  assert.deepEqual(
    [
      from('', page, component).amount,
      from('', page, component).segment,
      from('', page, component).frequency,
      from('', page, component).donor.firstName,
    ],
    [2_000, 'PAGE', 'annually', 'Pia'],
  );
  assert.equal(from('?amt=30', page, component).amount, 3_000);
});

test('rule 47: an attribute cover-costs is on where it is present, and off where it says false', () => {
  assert.deepEqual(
    ['', 'true', true, 'false', false].map((coverCosts) => from('', {}, { coverCosts }).coverCosts),
    [true, true, true, false, false],
  );
  assert.deepEqual(ignored('', {}, { coverCosts: 'maybe' }), ['element cover-costs invalid']);
});

test('a language that the form does not speak is reported', () => {
  assert.deepEqual(
    [ignored('', {}, { language: 'tlh' }), ignored('', {}, { language: 'pt' })],
    [['element language not-offered'], []],
  );
});
