import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { calculateTotals, createFormState } from '../../src/core/form-state/form-state.ts';
import { toDonationRequest } from '../../src/core/form-state/to-donation-request.ts';
import { donationRequest } from '../../src/core/schemas/donation-request.ts';
import {
  readElementSettings,
  readSettingsObject,
} from '../../src/core/settings/from-page-settings.ts';
import { readUrlAndLanding } from '../../src/core/settings/from-url.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { exampleForm } from '../example-form.ts';
import { createContext, findCandidates, mergeAllSettings } from './settings-support.ts';

/**
 * For each setting of the element: its name in the URL and in `giftInfo`, and values with the
 * expected result; `undefined` means ignored.
 */
const SETTINGS = {
  amount: {
    parameter: 'amt',
    name: 'amount',
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
    parameter: 'Frequency',
    name: 'frequency',
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
    parameter: 'src',
    name: 'segmentOverrideCode',
    values: {
      A: 'A',
      'é b': 'é b',
      '{{segment}}': undefined,
      ['x'.repeat(101)]: undefined,
      __proto__x: '__proto__x',
    },
  },
  project: {
    parameter: 'fund-code',
    name: 'projectCodeOverride',
    values: { WATER: 'WATER', GENERAL: 'GENERAL', WATTER: undefined, water: undefined },
  },
} as const;
type Setting = keyof typeof SETTINGS;

const arbitraryValue = (subject: Setting) =>
  fc.option(fc.constantFrom(...Object.keys(SETTINGS[subject].values)), { nil: undefined });
const arbitrarySources = (subject: Setting) =>
  fc.record({
    url: arbitraryValue(subject),
    global: arbitraryValue(subject),
    element: arbitraryValue(subject),
  });

/** Returns the value of the strongest source with a valid value. */
function getExpectedValue(
  subject: Setting,
  { url, global, element }: Record<'url' | 'global' | 'element', string | undefined>,
): unknown {
  const values: Readonly<Record<string, unknown>> = SETTINGS[subject].values;
  return [url, global, element]
    .map((value) => (value === undefined ? undefined : values[value]))
    .find((value) => value !== undefined);
}

test('rules 37 to 41: the strongest valid value of random sources wins (5,000 cases)', () => {
  fc.assert(
    fc.property(
      fc.record({
        amount: arbitrarySources('amount'),
        frequency: arbitrarySources('frequency'),
        segment: arbitrarySources('segment'),
        project: arbitrarySources('project'),
      }),
      (sources) => {
        const giftInfo: Record<string, unknown> = {};
        const component: Record<string, unknown> = {};
        const search = new URLSearchParams();
        for (const subject of Object.keys(SETTINGS) as Setting[]) {
          const { parameter, name } = SETTINGS[subject];
          const { url, global, element } = sources[subject];
          if (url !== undefined) search.append(parameter, url);
          if (global !== undefined) giftInfo[name] = global;
          if (element !== undefined) component[subject] = element;
        }
        const result = mergeAllSettings(`?${search}`, { giftInfo }, component);
        assert.equal(result.amount, getExpectedValue('amount', sources.amount) ?? 5_000);
        assert.equal(result.frequency, getExpectedValue('frequency', sources.frequency) ?? 'once');
        assert.equal(result.segment, getExpectedValue('segment', sources.segment));
        assert.equal(
          result.project.code,
          getExpectedValue('project', sources.project) ?? 'GENERAL',
        );
      },
    ),
    { numRuns: 5_000 },
  );
});

test('prefers the URL to earlier URLs of the visit, and those to the page, the element, and the form definition', () => {
  const element = { segment: 'element' };
  const page = { giftInfo: { segmentOverrideCode: 'page' } };
  for (const [search, earlier, settings, expected] of [
    ['?src=url', ['?src=earlier'], page, 'url'],
    ['', ['?src=earlier', '?src=earliest'], page, 'earlier'],
    ['?src=', ['?src=earlier'], page, 'earlier'],
    ['', [], page, 'page'],
    ['', [], {}, 'element'],
  ] as const)
    assert.equal(
      resolveSettings(exampleForm, [
        ...readElementSettings(element),
        ...readSettingsObject(settings, 'global'),
        ...readUrlAndLanding(search, earlier, []),
      ]).settings.segment,
      expected,
    );
});

test('random settings never throw, never change Object.prototype, and always yield a valid request (3,000 cases)', () => {
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
      const candidates = findCandidates(
        `?${new URLSearchParams(pairs.map(([name, value]) => [name, value]))}`,
        global,
        component,
      );
      const { settings } = resolveSettings(form, candidates);
      const offer = createContext(settings, form);
      const state = createFormState(offer, {
        donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org', phone: '' },
      });
      const sums = calculateTotals(state, offer);
      if (sums)
        donationRequest.parse({
          payment: { provider: 'stripe' },
          ...toDonationRequest(state, sums, offer, {
            optionalSettings: settings,
            optionalFields: undefined,
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
