import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONOR_FIELDS } from '../../src/core/donor/donor.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { UrlSetting } from '../../src/core/settings/from-url.ts';
import {
  readUrlAndLanding,
  readUrlParameters,
  URL_PARAMETERS,
} from '../../src/core/settings/from-url.ts';
import { exampleForm } from '../example-form.ts';
import { listIgnored, mergeAllSettings } from './settings-support.ts';

const form: FormDefinition = {
  ...exampleForm,
  donorFields: DONOR_FIELDS.map((name) => ({ name, required: false })),
};
const BIDI = '%E2%80%AE';

/** A valid value and the expected results of its variants; text settings need no entry. */
interface Example {
  readonly good: string;
  readonly read: unknown;
  /** Result of the value with an invisible character at its end. */
  readonly damaged: unknown;
}
const textExample: Example = { good: 'Ab', read: 'Ab', damaged: 'Ab' };
const examples: Partial<Record<UrlSetting, Example>> = {
  email: { good: 'ana@example.org', read: 'ana@example.org', damaged: 'ana@example.org' },
  amount: { good: '75', read: 7_500, damaged: undefined },
  frequency: { good: 'monthly', read: 'monthly', damaged: undefined },
  currency: { good: 'jpy', read: 'JPY', damaged: undefined },
  projectOverride: { good: 'WATER', read: 'WATER', damaged: undefined },
  projectPreselect: { good: 'WATER', read: 'WATER', damaged: undefined },
  giftArray: { good: '10,20', read: '1000,2000', damaged: '1000' },
};

/** Returns the value that a URL sets; `undefined` if it changes nothing. */
function getEffect(setting: UrlSetting, search: string): unknown {
  const [plain, value] = ['', search].map((query): unknown => {
    const { currency, project, giftArray, donor, tracking, ...others } = mergeAllSettings(
      query,
      {},
      {},
      form,
    );
    const values = {
      ...others,
      ...donor,
      ...tracking,
      currency: currency.code,
      projectOverride: project.code,
      projectPreselect: project.code,
      giftArray: String(giftArray.map((option) => option.value)),
    };
    return (values as Readonly<Record<string, unknown>>)[setting];
  });
  return value === plain ? undefined : value;
}

for (const [setting, names] of Object.entries(URL_PARAMETERS) as [
  UrlSetting,
  readonly string[],
][]) {
  for (const name of names) {
    test(`rules 1 and 5: reads ${name} in any case, and handles repeated, empty, long, and hostile values`, () => {
      const { good, read, damaged } = examples[setting] ?? textExample;
      const mixed = name.replace(/[a-z]/g, (letter, at: number) =>
        at % 2 ? letter.toUpperCase() : letter,
      );
      for (const input of [name, name.toUpperCase(), mixed])
        assert.equal(getEffect(setting, `?${input}=${good}`), read, input);
      for (const [search, expected] of [
        [`${name}=${good}&${name.toUpperCase()}=zzz`, read],
        [`${name}=&${name.toUpperCase()}=${good}`, read],
        [`${name}=`, undefined],
        [`${name}=%20`, undefined],
        [name, undefined],
        [`${name}=${'x'.repeat(10_000)}`, undefined],
        [`${name}=${good}%00`, damaged],
        [`${name}=${good}${BIDI}`, damaged],
      ] as const)
        assert.equal(getEffect(setting, `?${search}`), expected, search);
    });
  }
}

test('rule 35: skips parameters that the site excludes, in any case', () => {
  assert.deepEqual(
    readUrlParameters('?SRC=A&amount=5', 'url', ['src']).map(({ name }) => name),
    ['amount'],
  );
});

test("rule 55: uses the landing URL for settings that the page's URL lacks", () => {
  const listReadParameters = (search: string, ...earlier: string[]): unknown[] =>
    readUrlAndLanding(search, earlier, [])
      .filter(({ value }) => value !== '')
      .map(({ source, name, value }) => `${source} ${name} ${String(value)}`);
  assert.deepEqual(listReadParameters('?amount=25&segmentcode=', '?amt=75&src=MAIL'), [
    'url amount 25',
    'landing amt 75',
    'landing src MAIL',
  ]);
  assert.deepEqual(listReadParameters('?amt=75&src=MAIL', '?amt=75&src=MAIL'), [
    'url amt 75',
    'url src MAIL',
  ]);
});

test('rule 55: never mixes campaigns, and a merge tag is not a campaign', () => {
  const listCampaignParameters = (search: string, ...earlier: string[]): unknown[] =>
    readUrlAndLanding(search, earlier, [])
      .filter(({ source }) => source === 'landing')
      .map(({ name }) => name);
  assert.deepEqual(listCampaignParameters('?utm_source=new', '?src=OLD&utm_campaign=old&amt=75'), [
    'amt',
  ]);
  assert.deepEqual(listCampaignParameters('', '?src=MAIL', '?src=OLD&utm_source=old'), ['src']);
  assert.deepEqual(listCampaignParameters('?src=*|CAMP|*', '?src=MAIL&fund-code=WATER'), [
    'src',
    'fund-code',
  ]);
});

test('ignores names of Object.prototype', () => {
  assert.deepEqual(
    [readUrlParameters('?__proto__=1&constructor=2&toString=3'), listIgnored('?__proto__=1')],
    [[], []],
  );
});
