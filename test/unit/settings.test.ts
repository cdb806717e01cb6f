import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTotals, createFormState } from '../../src/core/form-state/form-state.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import {
  findUnrecognizedParameters,
  findUnrecognizedSettings,
} from '../../src/core/settings/explain.ts';
import { getCallback, readSettingsObject } from '../../src/core/settings/from-page-settings.ts';
import { readUrlParameters, URL_PARAMETERS } from '../../src/core/settings/from-url.ts';
import { readGlobalSettings } from '../../src/core/settings/read-global.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import { exampleForm } from '../example-form.ts';
import { fullForm } from '../full-form.ts';
import {
  createContext,
  findCandidates,
  listIgnored,
  mergeAllSettings,
} from './settings-support.ts';

const fail = (): never => {
  throw new Error('page');
};

test('a campaign link sets amount, frequency, name, segment, and project', () => {
  const settings = mergeAllSettings(
    '?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER',
  );
  assert.equal(settings.amount, 7_500);
  assert.equal(settings.frequency, 'monthly');
  assert.deepEqual(settings.donor, { firstName: 'Ana' });
  assert.equal(settings.segment, 'MAIL26');
  assert.deepEqual([settings.project.name, settings.isProjectFixed], ['Village wells', true]);
});

test('uses the form definition without a link or settings', () => {
  const { settings, resolver } = resolveSettings(exampleForm, findCandidates(''));
  const { amount, frequency, currency, project, isProjectFixed, coverCosts } = settings;
  assert.deepEqual(
    [amount, frequency, currency.code, project.code, isProjectFixed, coverCosts],
    [5_000, 'once', 'USD', 'GENERAL', false, false],
  );
  assert.deepEqual([resolver.origins, resolver.ignored], [{}, []]);
});

test('rule 2: frequency, currency, and booleans are case-insensitive; codes are case-sensitive', () => {
  assert.equal(mergeAllSettings('?frequency=MONTHLY').frequency, 'monthly');
  assert.equal(mergeAllSettings('?currencycode=jpy').currency.code, 'JPY');
  assert.equal(mergeAllSettings('?src=Mail-a').segment, 'Mail-a');
  assert.equal(mergeAllSettings('', { giftInfo: { coverCosts: 'TRUE' } }).coverCosts, true);
  assert.equal(mergeAllSettings('?fund-code=water').project.code, 'GENERAL');
});

test('rule 3: uses the first of a repeated parameter', () => {
  assert.equal(mergeAllSettings('?amount=50&Amount=25').amount, 5_000);
  assert.deepEqual(listIgnored('?amount=50&Amount=25'), ['url Amount repeated']);
});

test('rule 4: prefers aliases in the printed order, not in the order of the URL', () => {
  assert.equal(mergeAllSettings('?amt=25&amount=75').amount, 7_500);
  assert.equal(mergeAllSettings('?referencecode=B&segmentcode=A').segment, 'A');
});

test('rule 5: ignores empty values and unreplaced merge tags', () => {
  assert.equal(mergeAllSettings('?amount=&amt=25').amount, 2_500);
  assert.deepEqual(
    [mergeAllSettings('?src=%%DATE%%').segment, listIgnored('?src=%%DATE%%')],
    [undefined, ['url src merge-tag']],
  );
  for (const tag of [
    '*|FNAME|*',
    '{{first_name}}',
    '%%FNAME%%',
    '[[name]]',
    '<FNAME>',
    '<First_Name>',
    '%FIRSTNAME%',
    '{!Contact.FirstName}',
    '[firstname,fallback=]',
    '{user_data~First Name}',
    '##First name##',
    '@FIRSTNAME@',
    '{$name}',
    '[% first_name %]',
    '~FirstName~',
    '{FIRST_NAME}',
  ]) {
    assert.deepEqual(
      mergeAllSettings(`?fname=${encodeURIComponent(tag)}`, { donorInfo: { firstName: 'Ana' } })
        .donor,
      { firstName: 'Ana' },
      tag,
    );
  }
});

test('ignores names and emails that a mailer or encoding broke, in every text of a donor', () => {
  for (const search of [
    '?fname=Fran%EF%BF%BDois',
    '?email=none',
    '?email=[email]',
    '?email=ana@example',
    '?email=ana%EF%BF%BD@example.org',
  ])
    assert.deepEqual(mergeAllSettings(search).donor, {}, search);
  assert.deepEqual(listIgnored('?fname=Fran%EF%BF%BDois&email=none'), [
    'url fname invalid',
    'url email invalid',
  ]);
  assert.deepEqual(listIgnored('', { donorInfo: { email: 'none' } }), [
    'global donorInfo.email invalid',
  ]);
});

test('reads parameters that a mailer or editor encoded in another way', () => {
  for (const [search, name, value] of [
    ['?fname=Jos%E9', 'fname', 'José'],
    ['?fname=O%92Neil', 'fname', 'O’Neil'],
    ['?fname=Jos%C3', 'fname', 'Jos\ufffd'],
    ['?comment=%E2%82%AC5%E2%82%AC%E9', 'comment', '€5€\ufffd'],
    ['?fname=Jos%C3%A9%20Mar%c3%ada', 'fname', 'José María'],
    ['?fname=%FIRSTNAME%', 'fname', '%FIRSTNAME%'],
    ['?fname=%ADDRESS%', 'fname', '%ADDRESS%'],
    ['?tribute-name=%%DEDICATION_NAME%%', 'tribute-name', '%%DEDICATION_NAME%%'],
    ['?comment=%%DATE%%%20and%20%%FNAME%%', 'comment', '%%DATE%% and %%FNAME%%'],
    ['?comment=100%', 'comment', '100%'],
    ['?comment=a=b', 'comment', 'a=b'],
    ['?src=A&amp;amount=75', 'amount', '75'],
    ['?src=A&amp;amp;tribute=honor', 'tribute', 'honor'],
    ['?email=ana%2540example.org', 'email', 'ana@example.org'],
    ['?email=ana+well@example.org', 'email', 'ana+well@example.org'],
    ['?email=ana%252Bwell%2540example.org', 'email', 'ana+well@example.org'],
  ] as const) {
    const parameter = readUrlParameters(search).find((candidate) => candidate.name === name);
    assert.equal(parameter?.value, value, search);
  }
});

test('ignores a merge tag in every parameter, without decoding it', () => {
  const names = [
    ...Object.values(URL_PARAMETERS).flat(),
    'tribute',
    'tribute-name',
    'field.12',
    'consent.news',
  ];
  for (const name of names)
    for (const tag of ['%%DEDICATION_NAME%%', '%FIELD%', '*|DEAR|*', '{{de.ad}}', '~BEEF~']) {
      const candidates = readUrlParameters(`?${name}=${tag}`);
      assert.deepEqual(
        resolveSettings(fullForm, candidates).resolver.ignored,
        candidates.map((candidate) => ({ ...candidate, value: tag, reason: 'merge-tag' })),
        `${name}=${tag}`,
      );
      assert.equal(candidates.length, 1, name);
    }
});

test('accepts text in brackets that is no merge tag', () => {
  const form = { ...exampleForm, allowUnlistedCustomFields: true };
  for (const value of [
    '{"source":1}',
    '{3F2504E0-4F89-11D3}',
    '[Anonymous]',
    '~Bo~',
    '@x@',
    '{a}',
  ]) {
    const settings = {
      donorInfo: { firstName: value },
      giftInfo: { segmentOverrideCode: value },
      customFieldPreset: [{ id: 'crm-7', value }],
    };
    const { donor, segment, customFields } = mergeAllSettings('', settings, {}, form);
    assert.deepEqual(
      [donor, segment, customFields],
      [{ firstName: value }, value, [{ id: 'crm-7', value }]],
    );
    assert.equal(mergeAllSettings('', {}, { segment: value }).segment, value);
  }
  for (const segment of [
    '{3F2504E0-4F89-11D3-9A0C-0305E82C3301}',
    '{3f2504e0}',
    '[Email] Spring [A]',
    '[In memory of Ana]',
  ])
    assert.equal(mergeAllSettings(`?src=${segment}`).segment, segment);
  for (const amounts of ['[10,20]', '[$10,$20]'])
    assert.deepEqual(
      mergeAllSettings(`?array-amounts=${amounts}`).giftArray.map(({ value }) => value),
      [1_000, 2_000],
    );
});

test('rule 6: amountpreselect and amountoverride preset an amount that the donor can change', () => {
  for (const name of ['amountpreselect', 'amountoverride']) {
    const offer = createContext(mergeAllSettings(`?${name}=75`));
    assert.equal(calculateTotals(createFormState(offer, {}), offer)?.amount, 7_500);
    const changed = createFormState(offer, { amountChoice: 'custom', customAmount: '33' });
    assert.equal(calculateTotals(changed, offer)?.amount, 3_300);
  }
});

test('rule 8: ignores an invalid value and uses the next source', () => {
  assert.equal(mergeAllSettings('?amount=1,000', { giftInfo: { amount: 75 } }).amount, 7_500);
  assert.deepEqual(listIgnored('?amount=1,000&frequency=fortnightly'), [
    'url amount invalid',
    'url frequency invalid',
  ]);
});

test("rule 9: ignores an amount outside the form's limits", () => {
  assert.equal(mergeAllSettings('?amount=1').amount, 5_000);
  assert.equal(mergeAllSettings('?amount=99999999').amount, 5_000);
});

test('rule 10: keeps a plus sign in an email address', () => {
  assert.equal(
    mergeAllSettings('?email=ana+wells@example.org').donor.email,
    'ana+wells@example.org',
  );
});

test('rule 11: never throws, whatever the global object contains', () => {
  const throwing = Object.defineProperty({}, 'donorInfo', { enumerable: true, get: fail });
  const proxy = new Proxy({}, { get: fail, getOwnPropertyDescriptor: fail });
  for (const junk of [
    undefined,
    null,
    'text',
    7,
    [],
    () => 0,
    throwing,
    proxy,
    Object.create({ donorInfo: { firstName: 'Inherited' } }),
    JSON.parse('{"__proto__": {"donorInfo": {"firstName": "x"}}}'),
  ] as unknown[]) {
    assert.deepEqual(readSettingsObject(junk, 'global'), []);
    assert.deepEqual(
      readSettingsObject(readGlobalSettings({ ServiceDonorsForms: junk }), 'global'),
      [],
    );
  }
  assert.equal(({} as Record<string, unknown>).donorInfo, undefined);
});

test('rule 28: accepts synonyms of frequencies', () => {
  for (const [word, frequency] of [
    ['one-time', 'once'],
    ['onetime', 'once'],
    ['single', 'once'],
    ['Yearly', 'annually'],
    ['annual', 'annually'],
  ] as const) {
    assert.equal(
      mergeAllSettings(`?frequency=${word}`, { giftInfo: { frequency: 'monthly' } }).frequency,
      frequency,
      word,
    );
  }
});

test('rule 11: treats a value that throws when read as invalid', () => {
  const hostile = new Proxy([], { get: fail });
  assert.deepEqual(listIgnored('', { giftInfo: { giftArrays: hostile, amount: hostile } }), [
    'global giftInfo.giftArrays invalid',
    'global giftInfo.amount invalid',
  ]);
});

test('rule 30: accepts weekly, everyOtherWeek, and biannual only if the form offers them', () => {
  const frequencies = ['weekly', 'everyOtherWeek', 'biannual'] as const;
  const form: FormDefinition = { ...exampleForm, frequencies: ['once', ...frequencies] };
  for (const frequency of frequencies) {
    const search = `?frequency=${frequency.toUpperCase()}`;
    assert.equal(mergeAllSettings(search).frequency, 'once', frequency);
    assert.equal(mergeAllSettings(search, {}, {}, form).frequency, frequency);
  }
});

test('rule 31: ignores a frequency that the form does not offer', () => {
  assert.equal(mergeAllSettings('?frequency=quarterly').frequency, 'once');
  assert.deepEqual(listIgnored('?frequency=quarterly'), ['url frequency not-offered']);
});

test('rule 32: uses the deprecated name only if the current one is missing or empty', () => {
  const codes = [undefined, '', 'NOPE', 'GENERAL'].map((projectCodeOverride) => {
    const giftInfo = { projectCodeOverride, projectOverrideCode: 'WATER' };
    return mergeAllSettings('', { giftInfo }).project.code;
  });
  assert.deepEqual(codes, ['WATER', 'WATER', 'GENERAL', 'GENERAL']);
});

test('rule 33: a fixed project overrides a preselected one in any source', () => {
  const sources = [
    '?projectcodepreselect=GENERAL',
    { giftInfo: { projectCodeOverride: 'WATER' } },
  ] as const;
  const { project, isProjectFixed } = mergeAllSettings(...sources);
  assert.deepEqual([project.code, isProjectFixed], ['WATER', true]);
  assert.deepEqual(listIgnored(...sources), ['url projectcodepreselect overridden']);
});

test('rule 34: reports an unknown project and uses the default', () => {
  const { project, isProjectFixed } = mergeAllSettings('?fund-code=WATTER');
  assert.deepEqual([project.code, isProjectFixed], ['GENERAL', false]);
  assert.deepEqual(listIgnored('?fund-code=WATTER'), ['url fund-code not-offered']);
});

test('rule 47: the fee cover has no URL parameter and is off by default', () => {
  assert.equal(mergeAllSettings('?coverCosts=true').coverCosts, false);
  assert.equal(
    mergeAllSettings('?currencycode=JPY', { giftInfo: { coverCosts: true } }).coverCosts,
    false,
  );
});

test('looks up a callback each time it is called', () => {
  const settings: Record<string, unknown> = {};
  assert.equal(getCallback(settings, 'onSuccess'), undefined);
  settings.onSuccess = 'no function';
  assert.equal(getCallback(settings, 'onSuccess'), undefined);
  settings.onSuccess = () => 'late';
  assert.equal(getCallback(settings, 'onSuccess')?.(), 'late');
});

test('rule 45: address is a weaker alias of address1', () => {
  const form: FormDefinition = {
    ...exampleForm,
    donorFields: [{ name: 'address1', required: false }],
  };
  assert.equal(mergeAllSettings('?address=Mill Lane', {}, {}, form).donor.address1, 'Mill Lane');
  assert.equal(
    mergeAllSettings('?address=Mill Lane&address1=High Street', {}, {}, form).donor.address1,
    'High Street',
  );
});

test('rule 46: accepts only offered currencies, converts no amounts, and has no settings path', () => {
  const { currency, amount } = mergeAllSettings('?currencyCode=jpy&amount=3000');
  assert.deepEqual([currency.code, amount], ['JPY', 3_000]);
  assert.deepEqual(listIgnored('?currencyCode=EUR'), ['url currencyCode not-offered']);
  assert.equal(
    mergeAllSettings('', {
      giftInfo: { currencyCode: 'JPY', currency: 'JPY' },
      currencyCode: 'JPY',
    }).currency.code,
    'USD',
  );
});

test('rule 12: reports unrecognized names with suggestions', () => {
  assert.deepEqual(findUnrecognizedParameters('?ammount=5&page=2&AMT=5'), [
    { source: 'url', name: 'ammount', reason: 'unknown', suggestion: 'amount' },
    { source: 'url', name: 'page', reason: 'unknown' },
  ]);
  assert.deepEqual(
    findUnrecognizedSettings(
      { giftInfo: { amout: 1, amount: 2 }, donorinfo: {}, onSuccess: () => 0 },
      'global',
    ),
    [
      { source: 'global', name: 'donorinfo', reason: 'unknown', suggestion: 'donorInfo' },
      {
        source: 'global',
        name: 'giftInfo.amout',
        reason: 'unknown',
        suggestion: 'giftInfo.amount',
      },
    ],
  );
  assert.deepEqual(
    findUnrecognizedSettings({ donorInfo: 7, customFieldPreset: {}, onLoad: 'x' }, 'element'),
    ['donorInfo', 'customFieldPreset', 'onLoad'].map((name) => ({
      source: 'element',
      name,
      reason: 'wrong-type',
    })),
  );
  assert.deepEqual(
    [findUnrecognizedSettings([], 'global'), findUnrecognizedSettings(undefined, 'global')],
    [[{ source: 'global', name: 'settings', reason: 'wrong-type' }], []],
  );
});
