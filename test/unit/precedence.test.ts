import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { donationRequest } from '../../src/core/schemas/donation-request.ts';
import { toDonationRequest } from '../../src/donation-form/state/to-donation-request.ts';
import { stateOf, sumsOf } from '../../src/donation-form/state/form-state.ts';
import { mergeHidden } from '../../src/core/settings/hidden-fields.ts';
import { merge } from '../../src/core/settings/merge-settings.ts';
import { exampleForm } from '../example-form.ts';
import { found, from, offered } from './merging.ts';

/**
 * For each setting: where a layer writes it, and values with what a form makes of them;
 * `undefined`: nothing.
 */
const SUBJECTS = {
  amount: {
    url: 'amt',
    path: ['giftInfo', 'amount'],
    property: 'amount',
    values: {
      75: 7_500,
      '25.5': 2_550,
      '1,000': undefined,
      0: undefined,
      1: undefined,
      '*|AMOUNT|*': undefined,
      '': undefined,
    },
  },
  frequency: {
    url: 'Frequency',
    path: ['giftInfo', 'frequency'],
    property: 'frequency',
    values: {
      Monthly: 'monthly',
      once: 'once',
      yearly: 'annually',
      quarterly: undefined,
      constructor: undefined,
      '': undefined,
    },
  },
  segment: {
    url: 'src',
    path: ['giftInfo', 'segmentOverrideCode'],
    property: 'segment',
    values: {
      A: 'A',
      'é b': 'é b',
      '{{segment}}': undefined,
      ['x'.repeat(101)]: undefined,
      __proto__x: '__proto__x',
    },
  },
  project: {
    url: 'fund-code',
    path: ['giftInfo', 'projectCodeOverride'],
    property: 'project',
    values: { WATER: 'WATER', GENERAL: 'GENERAL', WATTER: undefined, water: undefined },
  },
} as const;
type Subject = keyof typeof SUBJECTS;

const choice = (subject: Subject) =>
  fc.option(fc.constantFrom(...Object.keys(SUBJECTS[subject].values)), { nil: undefined });
const layered = (subject: Subject) =>
  fc.record({ url: choice(subject), global: choice(subject), element: choice(subject) });

/** What the strongest layer with a valid value says. */
function expected(
  subject: Subject,
  {
    url,
    global,
    element,
  }: { url: string | undefined; global: string | undefined; element: string | undefined },
): unknown {
  const values: Readonly<Record<string, unknown>> = SUBJECTS[subject].values;
  return [url, global, element]
    .map((value) => (value === undefined ? undefined : values[value]))
    .find((value) => value !== undefined);
}

test('rules 37 to 41: of random settings in every layer the strongest valid value counts: 5,000 cases', () => {
  fc.assert(
    fc.property(
      fc.record({
        amount: layered('amount'),
        frequency: layered('frequency'),
        segment: layered('segment'),
        project: layered('project'),
      }),
      (given) => {
        const settings: Record<string, Record<string, unknown>> = {};
        const component: Record<string, unknown> = {};
        const search = new URLSearchParams();
        for (const [
          subject,
          {
            url,
            path: [section, name],
            property,
          },
        ] of Object.entries(SUBJECTS)) {
          const { url: inUrl, global, element } = given[subject as Subject];
          if (inUrl !== undefined) search.append(url, inUrl);
          if (global !== undefined) settings[section] = { ...settings[section], [name]: global };
          if (element !== undefined) component[property] = element;
        }
        const result = from(`?${search}`, settings, component);
        assert.equal(result.amount, expected('amount', given.amount) ?? 5_000);
        assert.equal(result.frequency, expected('frequency', given.frequency) ?? 'once');
        assert.equal(result.segment, expected('segment', given.segment));
        assert.equal(result.project.code, expected('project', given.project) ?? 'GENERAL');
      },
    ),
    { numRuns: 5_000 },
  );
});

test('whatever is set, nothing throws, Object.prototype stays as it is, and what would be sent fits the contract: 3,000 cases', () => {
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const junk = fc.oneof(
    fc.anything({ withNullPrototype: true, withObjectString: true }),
    fc.constantFrom<unknown>(
      '75',
      75,
      true,
      '*|X|*',
      '__proto__',
      'constructor',
      '\u202e',
      '\0',
      'x'.repeat(10_000),
      '<img src=x onerror=alert(1)>',
    ),
  );
  const giftInfo = fc.dictionary(
    fc.constantFrom(
      'giftArrays',
      'amount',
      'frequency',
      'coverCosts',
      'comments',
      'segmentOverrideCode',
      'projectCodeOverride',
      'projectOverrideCode',
      '__proto__',
      'constructor',
    ),
    fc.oneof(
      junk,
      fc.array(
        fc.dictionary(
          fc.constantFrom('value', 'description', 'isSelected', 'isDefault', '__proto__'),
          junk,
        ),
      ),
    ),
  );
  const settings = fc.oneof(
    junk,
    fc.record(
      {
        donorInfo: fc.oneof(
          junk,
          fc.dictionary(fc.constantFrom('firstName', 'email', 'toString'), junk),
        ),
        giftInfo: fc.oneof(junk, giftInfo),
        customFieldPreset: fc.oneof(junk, fc.array(fc.record({ id: junk, value: junk }))),
        analyticsTracking: fc.oneof(
          junk,
          fc.dictionary(fc.constantFrom('utmSource', 'adClickId'), junk),
        ),
      },
      { requiredKeys: [] },
    ),
  );
  const search = fc.array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          'amount',
          'AMT',
          'array-amounts',
          'firstname',
          'currencyCode',
          'fund-code',
          'src',
          'utm_source',
          '__proto__',
        ),
        fc.string(),
      ),
      fc.string({ unit: 'binary', maxLength: 40 }),
    ),
  );
  const property = fc.property(
    search,
    settings,
    fc.record({ amount: junk, amounts: junk, coverCosts: junk, settings }, { requiredKeys: [] }),
    (pairs, global, component) => {
      const form = { ...exampleForm, allowUnlistedCustomFields: true };
      const candidates = found(
        `?${new URLSearchParams(pairs.map(([name, value]) => [name, value]))}`,
        global,
        component,
      );
      const offer = offered(merge(form, candidates).settings, form);
      const state = stateOf(offer, {
        donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org', phone: '' },
      });
      const sums = sumsOf(state, offer);
      if (sums)
        donationRequest.parse({
          payment: { provider: 'sandbox' },
          ...toDonationRequest(state, sums, offer, {
            hidden: mergeHidden(form, candidates).settings,
            more: undefined,
            language: 'en',
            definition: '"e"',
            page: new URL('https://example.org/'),
          }),
        });
      assert.ok(!sums || sums.amount >= offer.settings.currency.minimum);
    },
  );
  fc.assert(property, { numRuns: 3_000 });
  assert.equal(Object.getOwnPropertyNames(Object.prototype).join(), before);
});
