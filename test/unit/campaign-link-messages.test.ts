import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatValueName } from '../../src/admin-ui/campaign-links/link-fields.ts';
import { checkLink, explainUnknownName } from '../../src/core/settings/campaign-link.ts';
import { explainIgnoredValue } from '../../src/core/settings/explain.ts';
import { exampleForm } from '../example-form.ts';

test("explains an ignored value with the accepted ones, in the link's currency", () => {
  const explainIgnoredParameters = (query: string): string[] => {
    const { ignored, settings } = checkLink(
      exampleForm,
      `https://lanternwell.example/give?${query}`,
    );
    return ignored.map(
      (one) =>
        `${formatValueName(one)}: ${explainIgnoredValue(one, exampleForm, settings.currency)}`,
    );
  };
  assert.deepEqual(explainIgnoredParameters('amt=1,000'), [
    'amt: the value is invalid; enter digits with at most one decimal point, such as 40 or 40.50',
  ]);
  assert.deepEqual(explainIgnoredParameters('amt=40.50&currencyCode=JPY'), [
    'amt: the value is invalid; enter digits only, such as 4000',
  ]);
  assert.deepEqual(explainIgnoredParameters('amt=400&currencyCode=JPY'), [
    'amt: the value is below the minimum or above the maximum; enter an amount from ¥500 to ¥1,000,000',
  ]);
  assert.deepEqual(explainIgnoredParameters('array-amounts=25,1,50'), [
    'array-amounts, entry 2: the value is below the minimum or above the maximum; enter an amount from $5 to $10,000',
  ]);
  assert.deepEqual(explainIgnoredParameters('fund-code=WATTER'), [
    'fund-code: this form does not offer this value; it offers GENERAL, WATER',
  ]);
  assert.deepEqual(explainIgnoredParameters('frequency=weekly'), [
    'frequency: this form does not offer this value; it offers once, monthly, annually',
  ]);
  assert.deepEqual(explainIgnoredParameters('frequency=monthy'), [
    'frequency: the value is invalid; this form offers once, monthly, annually',
  ]);
  assert.deepEqual(explainIgnoredParameters('currencyCode=EUR'), [
    'currencyCode: this form does not offer this value; it offers USD, JPY',
  ]);
  assert.deepEqual(explainIgnoredParameters('city=Paris'), [
    'city: this form does not offer this value',
  ]);
  assert.deepEqual(explainIgnoredParameters('src=A&src=B'), ['src: only the first value applies']);
});

test('explains a misspelled parameter, one after the #, and one without a ?', () => {
  const explainUnknown = (link: string): string[] =>
    checkLink(exampleForm, link).unknown.map((one) => `${one.name} ${explainUnknownName(one)}`);
  assert.deepEqual(explainUnknown('https://lanternwell.example/give?ammount=5#amt=50'), [
    'ammount is not a parameter of this form. Did you mean amount?',
    'amt comes after the #, where the form does not read it. Move it before the #.',
  ]);
  assert.deepEqual(
    explainUnknown('https://lanternwell.example/a&b/give&city&page=2&amount=75&frequency=once'),
    ['amount has no ? before it. Start the first parameter with ? instead of &.'],
  );
});
