import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { stateOf, sumsOf } from '../../src/donation-form/state/form-state.ts';
import { unreadInAddress, unreadInSettings } from '../../src/core/settings/explain.ts';
import { settingsOf } from '../../src/core/settings/read-global.ts';
import { callbackOf, readSettings } from '../../src/core/settings/from-page-settings.ts';
import { merge } from '../../src/core/settings/merge-settings.ts';

import { exampleForm } from '../example-form.ts';
import { found, from, ignored, offered } from './merging.ts';

test('a campaign link sets amount, frequency, name, segment and project', () => {
  const settings = from('?amt=75&Frequency=monthly&FName=Ana&segmentcode=MAIL26&fund-code=WATER');
  assert.equal(settings.amount, 7_500);
  assert.equal(settings.frequency, 'monthly');
  assert.deepEqual(settings.donor, { firstName: 'Ana' });
  assert.equal(settings.segment, 'MAIL26');
  assert.deepEqual([settings.project.name, settings.isProjectFixed], ['Village wells', true]);
});

test('without link and settings the definition decides', () => {
  const { settings, decisions } = merge(exampleForm, found(''));
  assert.deepEqual(
    [
      settings.amount,
      settings.frequency,
      settings.currency.code,
      settings.project.code,
      settings.isProjectFixed,
      settings.coverCosts,
    ],
    [5_000, 'once', 'USD', 'GENERAL', false, false],
  );
  assert.deepEqual([decisions.origins, decisions.ignored], [{}, []]);
});

test('rule 2: frequency, currency and booleans ignore case, codes are kept as given', () => {
  assert.equal(from('?frequency=MONTHLY').frequency, 'monthly');
  assert.equal(from('?currencycode=jpy').currency.code, 'JPY');
  assert.equal(from('?src=Mail-a').segment, 'Mail-a');
  assert.equal(from('', { giftInfo: { coverCosts: 'TRUE' } }).coverCosts, true);
  assert.equal(from('?fund-code=water').project.code, 'GENERAL');
});

test('rule 3: one name twice, the first counts', () => {
  assert.equal(from('?amount=50&Amount=25').amount, 5_000);
  assert.deepEqual(ignored('?amount=50&Amount=25'), ['url Amount repeated']);
});

test('rule 4: of two aliases the printed order decides, not the order in the address', () => {
  assert.equal(from('?amt=25&amount=75').amount, 7_500);
  assert.equal(from('?referencecode=B&segmentcode=A').segment, 'A');
});

test('rule 5: an empty value and an unfilled merge tag are absent', () => {
  assert.equal(from('?amount=&amt=25').amount, 2_500);
  assert.deepEqual(
    [from('?src=%%DATE%%').segment, ignored('?src=%%DATE%%')],
    [undefined, ['url src merge-tag']],
  );
  for (const tag of [
    '*|FNAME|*',
    '{{first_name}}',
    '%%FNAME%%',
    '[[name]]',
    '<FNAME>',
    '<First_Name>',
  ]) {
    assert.deepEqual(
      from(`?fname=${encodeURIComponent(tag)}`, { donorInfo: { firstName: 'Ana' } }).donor,
      { firstName: 'Ana' },
      tag,
    );
  }
});

test('rule 6: amountpreselect and amountoverride suggest, and the donor may change it', () => {
  for (const name of ['amountpreselect', 'amountoverride']) {
    const offer = offered(merge(exampleForm, found(`?${name}=75`)).settings);
    assert.equal(sumsOf(stateOf(offer, {}), offer)?.amount, 7_500);
    assert.equal(
      sumsOf(stateOf(offer, { choice: 'custom', customAmount: '33' }), offer)?.amount,
      3_300,
    );
  }
});

test('rule 8: an invalid value is ignored and the next layer decides', () => {
  assert.equal(from('?amount=1,000', { giftInfo: { amount: 75 } }).amount, 7_500);
  assert.deepEqual(ignored('?amount=1,000&frequency=fortnightly'), [
    'url amount invalid',
    'url frequency invalid',
  ]);
});

test('rule 9: an amount of a link outside the limits is ignored', () => {
  assert.equal(from('?amount=1').amount, 5_000);
  assert.equal(from('?amount=99999999').amount, 5_000);
});

test('rule 10: a plus in an e-mail address of a link stays a plus', () => {
  assert.equal(from('?email=ana+wells@example.org').donor.email, 'ana+wells@example.org');
});

test('rule 11: whatever the page has put into the global object, nothing throws', () => {
  const throwing = Object.defineProperty({}, 'donorInfo', {
    enumerable: true,
    get: () => {
      throw new Error('page');
    },
  });
  const proxy = new Proxy(
    {},
    {
      get: () => {
        throw new Error('page');
      },
      getOwnPropertyDescriptor: () => {
        throw new Error('page');
      },
    },
  );
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
    assert.deepEqual(readSettings(junk, 'global'), []);
    assert.deepEqual(readSettings(settingsOf({ ServiceDonorsForms: junk }), 'global'), []);
  }
  assert.equal(({} as Record<string, unknown>).donorInfo, undefined);
});

test('rule 28: other words for a frequency are tolerated', () => {
  for (const [word, frequency] of [
    ['one-time', 'once'],
    ['onetime', 'once'],
    ['single', 'once'],
    ['Yearly', 'annually'],
    ['annual', 'annually'],
  ] as const) {
    assert.equal(
      from(`?frequency=${word}`, { giftInfo: { frequency: 'monthly' } }).frequency,
      frequency,
      word,
    );
  }
});

test('rule 11: a value that throws when it is read is invalid', () => {
  const hostile = new Proxy([], {
    get: () => {
      throw new Error('page');
    },
  });
  assert.deepEqual(ignored('', { giftInfo: { giftArrays: hostile, amount: hostile } }), [
    'global giftInfo.giftArrays invalid',
    'global giftInfo.amount invalid',
  ]);
});

test('rule 30: weekly, every other week and twice a year are offered only where the form lists them', () => {
  const words = ['weekly', 'everyOtherWeek', 'biannual'] as const;
  for (const word of words) {
    assert.equal(from(`?frequency=${word}`).frequency, 'once', word);
    assert.equal(
      from(
        `?frequency=${word.toUpperCase()}`,
        {},
        {},
        { ...exampleForm, frequencies: ['once', ...words] },
      ).frequency,
      word,
    );
  }
});

test('rule 31: a frequency that this form does not offer is ignored', () => {
  assert.equal(from('?frequency=quarterly').frequency, 'once');
  assert.deepEqual(ignored('?frequency=quarterly'), ['url frequency not-offered']);
});

test('rule 32: the deprecated name counts only where the new one is absent or empty', () => {
  const project = (projectCodeOverride: string | undefined): string | undefined =>
    from('', { giftInfo: { projectCodeOverride, projectOverrideCode: 'WATER' } }).project.code;
  assert.deepEqual(
    [project(undefined), project(''), project('NOPE'), project('GENERAL')],
    ['WATER', 'WATER', 'GENERAL', 'GENERAL'],
  );
});

test('rule 33: an override beats a preselection whatever its layer', () => {
  const settings = from('?projectcodepreselect=GENERAL', {
    giftInfo: { projectCodeOverride: 'WATER' },
  });
  assert.deepEqual([settings.project.code, settings.isProjectFixed], ['WATER', true]);
  assert.deepEqual(
    ignored('?projectcodepreselect=GENERAL', { giftInfo: { projectCodeOverride: 'WATER' } }),
    ['url projectcodepreselect beaten'],
  );
});

test('rule 34: an unknown project falls back to the default and is reported', () => {
  assert.deepEqual(
    [from('?fund-code=WATTER').project.code, from('?fund-code=WATTER').isProjectFixed],
    ['GENERAL', false],
  );
  assert.deepEqual(ignored('?fund-code=WATTER'), ['url fund-code not-offered']);
});

test('rule 47: covering costs has no URL name and is never ticked by the form itself', () => {
  assert.equal(from('?coverCosts=true').coverCosts, false);
  assert.equal(from('?currencycode=JPY', { giftInfo: { coverCosts: true } }).coverCosts, false);
});

test('a callback is looked up when it is called', () => {
  const settings: Record<string, unknown> = {};
  assert.equal(callbackOf(settings, 'onSuccess'), undefined);
  settings.onSuccess = 'no function';
  assert.equal(callbackOf(settings, 'onSuccess'), undefined);
  settings.onSuccess = () => 'late';
  assert.equal(callbackOf(settings, 'onSuccess')?.(), 'late');
});

test('rule 45: address is another name of address1, and weaker', () => {
  const form: FormDefinition = {
    ...exampleForm,
    donorFields: [{ name: 'address1', required: false }],
  };
  assert.equal(from('?address=Mill Lane', {}, {}, form).donor.address1, 'Mill Lane');
  assert.equal(
    from('?address=Mill Lane&address1=High Street', {}, {}, form).donor.address1,
    'High Street',
  );
});

test('rule 46: a currency counts where the form offers it, converts nothing, and has no name in the settings', () => {
  assert.deepEqual(
    [
      from('?currencyCode=jpy&amount=3000').currency.code,
      from('?currencyCode=jpy&amount=3000').amount,
    ],
    ['JPY', 3_000],
  );
  assert.deepEqual(ignored('?currencyCode=EUR'), ['url currencyCode not-offered']);
  assert.equal(
    from('', { giftInfo: { currencyCode: 'JPY', currency: 'JPY' }, currencyCode: 'JPY' }).currency
      .code,
    'USD',
  );
});

test('rule 12: names that nothing reads are told, with the known name that each may stand for', () => {
  assert.deepEqual(unreadInAddress('?ammount=5&page=2&AMT=5'), [
    { layer: 'url', name: 'ammount', reason: 'unknown', meant: 'amount' },
    { layer: 'url', name: 'page', reason: 'unknown' },
  ]);
  assert.deepEqual(
    unreadInSettings(
      { giftInfo: { amout: 1, amount: 2 }, donorinfo: {}, onSuccess: () => 0 },
      'global',
    ),
    [
      { layer: 'global', name: 'donorinfo', reason: 'unknown', meant: 'donorInfo' },
      { layer: 'global', name: 'giftInfo.amout', reason: 'unknown', meant: 'giftInfo.amount' },
    ],
  );
  assert.deepEqual(
    unreadInSettings({ donorInfo: 7, customFieldPreset: {}, onLoad: 'x' }, 'element'),
    ['donorInfo', 'customFieldPreset', 'onLoad'].map((name) => ({
      layer: 'element',
      name,
      reason: 'wrong-kind',
    })),
  );
  assert.deepEqual(
    [unreadInSettings([], 'global'), unreadInSettings(undefined, 'global')],
    [[{ layer: 'global', name: 'settings', reason: 'wrong-kind' }], []],
  );
});
