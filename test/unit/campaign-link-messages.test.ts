import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatValueName, explainIgnoredValue } from '../../src/admin-ui/campaign-links/labels.ts';
import { checkLink } from '../../src/core/settings/campaign-link.ts';
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
    'amt: enter digits with at most one decimal point, such as 40 or 40.50',
  ]);
  assert.deepEqual(explainIgnoredParameters('amt=40.50&currencyCode=JPY'), [
    'amt: enter digits only, such as 4000',
  ]);
  assert.deepEqual(explainIgnoredParameters('amt=400&currencyCode=JPY'), [
    'amt: this form accepts amounts from ¥500 to ¥1,000,000',
  ]);
  assert.deepEqual(explainIgnoredParameters('array-amounts=25,1,50'), [
    'array-amounts, entry 2: this form accepts amounts from $5 to $10,000',
  ]);
  assert.deepEqual(explainIgnoredParameters('fund-code=WATTER'), [
    'fund-code: this form offers GENERAL, WATER',
  ]);
  assert.deepEqual(explainIgnoredParameters('frequency=weekly'), [
    'frequency: this form offers once, monthly, annually',
  ]);
  assert.deepEqual(explainIgnoredParameters('currencyCode=EUR'), [
    'currencyCode: this form offers USD, JPY',
  ]);
  assert.deepEqual(explainIgnoredParameters('city=Paris'), [
    'city: this form does not offer the value',
  ]);
  assert.deepEqual(explainIgnoredParameters('src=A&src=B'), [
    'src: the parameter appears more than once, so the form uses the first value',
  ]);
});
