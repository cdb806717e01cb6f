import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { DONOR_FIELDS } from '../../src/core/donor/donor.ts';
import type { UrlSetting } from '../../src/core/settings/from-url.ts';
import { URL_NAMES, readAddresses, readUrl } from '../../src/core/settings/from-url.ts';
import { exampleForm } from '../example-form.ts';
import { from, ignored } from './merging.ts';

const form: FormDefinition = {
  ...exampleForm,
  donorFields: DONOR_FIELDS.map((name) => ({ name, required: false })),
};
const BIDI = '%E2%80%AE';

/**
 * A value that is valid, and what a form makes of each way of writing it; texts where it is none of
 * these.
 */
interface Row {
  readonly good: string;
  readonly read: unknown;
  readonly nul: unknown;
  readonly bidi: unknown;
}
const text: Row = { good: 'Ab', read: 'Ab', nul: 'Ab', bidi: 'Ab' };
const rows: Partial<Record<UrlSetting, Row>> = {
  email: {
    good: 'ana@example.org',
    read: 'ana@example.org',
    nul: 'ana@example.org',
    bidi: 'ana@example.org',
  },
  amount: { good: '75', read: 7_500, nul: undefined, bidi: undefined },
  frequency: { good: 'monthly', read: 'monthly', nul: undefined, bidi: undefined },
  currency: { good: 'jpy', read: 'JPY', nul: undefined, bidi: undefined },
  projectOverride: { good: 'WATER', read: 'WATER', nul: undefined, bidi: undefined },
  projectPreselect: { good: 'WATER', read: 'WATER', nul: undefined, bidi: undefined },
  giftArray: { good: '10,20', read: '1000,2000', nul: '1000', bidi: '1000' },
};

/** What this address sets, beyond what the form has by itself. */
function effect(setting: UrlSetting, search: string): unknown {
  const plain = from('', {}, {}, form);
  const settings = from(search, {}, {}, form);
  const of = ({
    amount,
    frequency,
    currency,
    project,
    giftArray,
    segment,
    comment,
    donor,
    tracking,
  }: typeof settings): unknown =>
    ({
      amount,
      frequency,
      currency: currency.code,
      projectOverride: project.code,
      projectPreselect: project.code,
      giftArray: String(giftArray.map(({ value }) => value)),
      segment,
      comment: comment || undefined,
      ...donor,
      ...tracking,
    })[setting as string];
  return of(settings) === of(plain) ? undefined : of(settings);
}

for (const [setting, names] of Object.entries(URL_NAMES) as [UrlSetting, readonly string[]][]) {
  for (const name of names) {
    test(`rules 1 and 5: ${name}, as printed, in capitals, mixed, twice, empty, 10 kB, with %00, with a direction override`, () => {
      const { good, read, nul, bidi } = rows[setting] ?? text;
      const mixed = name.replace(/[a-z]/g, (letter, at: number) =>
        at % 2 ? letter.toUpperCase() : letter,
      );
      for (const written of [name, name.toUpperCase(), mixed])
        assert.equal(effect(setting, `?${written}=${good}`), read, written);
      assert.deepEqual(
        [
          effect(setting, `?${name}=${good}&${name.toUpperCase()}=zzz`),
          effect(setting, `?${name}=&${name.toUpperCase()}=${good}`),
        ],
        [read, read],
      );
      assert.deepEqual(
        [
          effect(setting, `?${name}=`),
          effect(setting, `?${name}=%20`),
          effect(setting, `?${name}`),
        ],
        [undefined, undefined, undefined],
      );
      assert.equal(effect(setting, `?${name}=${'x'.repeat(10_000)}`), undefined);
      assert.equal(effect(setting, `?${name}=${good}%00`), nul);
      assert.equal(effect(setting, `?${name}=${good}${BIDI}`), bidi);
    });
  }
}

test('rule 35: names that a site switches off are not read, in any case', () => {
  assert.deepEqual(
    readUrl('?SRC=A&amount=5', 'url', ['src']).map(({ name }) => name),
    ['amount'],
  );
});

test('rule 55: an earlier address counts where this one says nothing', () => {
  const read = (search: string, ...earlier: string[]): unknown[] =>
    readAddresses(search, earlier, [])
      .filter(({ value }) => value !== '')
      .map(({ layer, name, value }) => `${layer} ${name} ${String(value)}`);
  assert.deepEqual(read('?amount=25&segmentcode=', '?amt=75&src=MAIL'), [
    'url amount 25',
    'landing amt 75',
    'landing src MAIL',
  ]);
  assert.deepEqual(read('?amt=75&src=MAIL', '?amt=75&src=MAIL'), ['url amt 75', 'url src MAIL']);
});

test('rule 55: an address that tells of a campaign tells all of it, and a merge tag tells nothing', () => {
  const campaigns = (search: string, ...earlier: string[]): unknown[] =>
    readAddresses(search, earlier, [])
      .filter(({ layer }) => layer === 'landing')
      .map(({ name }) => name);
  assert.deepEqual(campaigns('?utm_source=new', '?src=OLD&utm_campaign=old&amt=75'), ['amt']);
  assert.deepEqual(campaigns('', '?src=MAIL', '?src=OLD&utm_source=old'), ['src']);
  assert.deepEqual(campaigns('?src=*|CAMP|*', '?src=MAIL&fund-code=WATER'), ['src', 'fund-code']);
});

test('names of Object.prototype are no parameters', () => {
  assert.deepEqual(
    [readUrl('?__proto__=1&constructor=2&toString=3'), ignored('?__proto__=1')],
    [[], []],
  );
});
