import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFormState, type Edits } from '../../src/core/form-state/form-state.ts';
import {
  getSelectedOffer,
  PROVIDER_CONTROL,
  toRowId,
} from '../../src/core/form-state/selected-offer.ts';
import { findCardNumberControls } from '../../src/core/form-state/validation.ts';
import { toMajorUnits } from '../../src/core/money/money.ts';
import {
  fromStripeAmount,
  getStripeDecimals,
  toStripeAmount,
} from '../../src/core/money/stripe-amount.ts';
import { resolveSettings } from '../../src/core/settings/resolve-settings.ts';
import {
  buildReturnUrl,
  isProviderParameter,
  removeProviderParameters,
} from '../../src/core/url/return-url.ts';
import { getRequiredPayerFields, toPayer } from '../../src/donation-form/state/payer.ts';
import { exampleForm } from '../example-form.ts';
import { createContext, findCandidates } from './settings-support.ts';

test("converts to Stripe's units for currencies with zero, two, and three decimals", () => {
  const cases: readonly (readonly [
    minor: number,
    currency: string,
    decimals: number,
    stripe: number,
  ])[] = [
    [5_181, 'USD', 2, 5_181],
    [50, 'EUR', 0, 5_000],
    [3_000, 'JPY', 0, 3_000],
    [3_000, 'jpy', 0, 3_000],
    [1_500, 'MGA', 0, 1_500],
    [150_000, 'MGA', 2, 1_500],
    [1_500, 'ISK', 0, 150_000],
    [1_500, 'UGX', 0, 150_000],
    [5_123, 'KWD', 3, 5_123],
    [512, 'KWD', 2, 5_120],
    [29, 'TND', 1, 2_900],
    [100_000_000_000, 'HUF', 2, 100_000_000_000],
  ];
  for (const [minor, currency, decimals, stripe] of cases) {
    assert.equal(
      toStripeAmount(minor, currency, decimals),
      stripe,
      `${minor} ${currency} ${decimals}`,
    );
    assert.equal(
      fromStripeAmount(stripe, currency, decimals),
      minor,
      `${stripe} ${currency} ${decimals}`,
    );
  }
  for (const code of [
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'JPY',
    'KMF',
    'KRW',
    'MGA',
    'PYG',
    'RWF',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ])
    assert.equal(toStripeAmount(7, code, 0), 7, code);
  for (const code of ['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
    assert.equal(toStripeAmount(7, code, 3), 7, code);
});

test("rejects an amount that Stripe's units cannot represent", () => {
  assert.throws(() => toStripeAmount(150_050, 'JPY', 2), /150050 \(JPY, 2 decimal places\)/);
  assert.throws(() => toStripeAmount(Number.MAX_SAFE_INTEGER, 'KWD', 0), RangeError);
  assert.equal(toStripeAmount(7, 'constructor', 2), 7);
});

test("reads any number of Stripe's units exactly, in every currency", () => {
  const removeZeros = (amount: string) => amount.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  for (const currency of [...Intl.supportedValuesOf('currency'), 'ISK', 'MGA'])
    for (const amount of [0, 1, 99, 1_550, 123_450, 512_345, 999_999_999_999])
      for (let decimals = 0; decimals <= getStripeDecimals(currency); decimals += 1)
        assert.equal(
          removeZeros(toMajorUnits(fromStripeAmount(amount, currency, decimals), decimals)),
          removeZeros(toMajorUnits(amount, getStripeDecimals(currency))),
          `${amount} ${currency} ${decimals}`,
        );
});

test("any amount survives conversion to Stripe's units and back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.constantFrom('USD', 'JPY', 'KWD', 'ISK', 'HUF'),
      (minor, currency) => {
        const decimals = { USD: 2, JPY: 0, KWD: 3, ISK: 0, HUF: 2 }[currency];
        return (
          fromStripeAmount(toStripeAmount(minor, currency, decimals), currency, decimals) === minor
        );
      },
    ),
  );
});

test('finds card numbers only in visible free-text fields', () => {
  const card = '4242 4242 4242 4242';
  const definition = {
    ...exampleForm,
    allowTribute: true,
    allowOrganizations: true,
    customFields: [
      { id: 'a', type: 3, formatter: 0, label: 'A', required: false },
      { id: 'b', type: 3, formatter: 0, required: false },
      { id: 'c', type: 6, formatter: 0, label: 'C', required: false },
    ],
  } as const;
  const offer = createContext(
    resolveSettings(
      { ...definition, customFields: [...definition.customFields] },
      findCandidates(''),
    ).settings,
    { ...definition, customFields: [...definition.customFields] },
  );
  const findCardNumbers = (edits: Edits): string[] =>
    findCardNumberControls(createFormState(offer, edits), offer);
  assert.deepEqual(
    findCardNumbers({
      donor: { firstName: card, phone: card, email: `${card}@example.org`, postal: card },
      comment: card,
    }),
    ['firstName', 'comment'],
  );
  const more = {
    'tribute.name': [card],
    'tribute.message': [card],
    'organization.name': [card],
    'custom.a': [card],
    'custom.b': [card],
    'custom.c': [card],
  };
  assert.deepEqual(findCardNumbers({ optionalFields: more }), ['custom.a']);
  assert.deepEqual(
    findCardNumbers({
      optionalFields: { ...more, 'tribute.kind': ['honor'], 'organization.enabled': ['true'] },
    }),
    ['tribute.name', 'tribute.message', 'organization.name', 'custom.a'],
  );
});

test("removes the providers' parameters from a URL, and keeps the rest and others with the same names", () => {
  for (const [search, expected, isReturn] of [
    [
      '?a=%20b+c&x&payment_intent=pi&payment_intent_client_secret=s&redirect_status=failed&session_id=cs#d',
      '?a=%20b+c&x#d',
    ],
    ['?session_id=cs', ''],
    ['?a=%7B%7Bb%7D%7D&&Session_id=cs', '?a=%7B%7Bb%7D%7D&&Session_id=cs'],
    ['?%73ession_id=cs&a=1', '?a=1'],
    ['?session_id=mine&payment_intent=pi&redirect_status=x', '?session_id=mine', false],
    ['?a=b&token=5O190127TN364715T&PayerID=QYR5Z8XDVJNXQ', '?a=b'],
    [
      '?donation-form-canceled=1&subscription_id=I-BW452GLLEP1G&ba_token=BA-2M539689T3856352J&token=BA-2M539689T3856352J',
      '',
    ],
    ['?token=eyJhbGciOi&subscription_id=12', '?token=eyJhbGciOi&subscription_id=12'],
    ['?token=5O190127TN364715T&donation-form-canceled=1', '?token=5O190127TN364715T', false],
  ] as const) {
    const url = new URL(`https://example.org/give${search}`);
    const { href } = removeProviderParameters(url, isReturn);
    assert.equal(href, `https://example.org/give${expected}`);
  }
  assert.deepEqual(['session_id', 'src', 'token', 'constructor'].map(isProviderParameter), [
    true,
    false,
    true,
    false,
  ]);
});

test("returns the donor to the form's page", () => {
  const toReturnUrl = (address: string): string | undefined => buildReturnUrl(new URL(address));
  assert.equal(
    toReturnUrl('https://example.org/give?id=%207&payment_intent=pi'),
    'https://example.org/give?id=%207',
  );
  for (const [page, expected] of [
    [
      'https://example.org/give?id=%207#a',
      'https://example.org/give?id=%207&donation-form-fragment=1',
    ],
    ['https://example.org/give#a', 'https://example.org/give?donation-form-fragment=1'],
  ] as const) {
    assert.equal(toReturnUrl(page), expected);
    assert.equal(toReturnUrl(`${expected}#a`), expected);
    assert.equal(
      removeProviderParameters(new URL(expected), false).href,
      page.slice(0, -'#a'.length),
    );
  }
  assert.equal(
    toReturnUrl(`https://example.org/give?long=${'x'.repeat(2_000)}`),
    'https://example.org/give',
  );
  assert.equal(
    toReturnUrl(`https://example.org/give?long=${'x'.repeat(2_000)}#a`),
    'https://example.org/give?donation-form-fragment=1',
  );
  assert.equal(
    toReturnUrl(`https://example.org/${'x'.repeat(1_970)}#a`),
    `https://example.org/${'x'.repeat(1_970)}`,
  );
  assert.equal(toReturnUrl(`https://example.org/${'x'.repeat(2_000)}`), undefined);
  assert.deepEqual(
    [toReturnUrl('about:srcdoc'), toReturnUrl('file:///give.html')],
    [undefined, undefined],
  );
});

test('uses the chosen payment method if the form has it, and the first one otherwise', () => {
  const [first] = exampleForm.payments;
  const second = { ...first, provider: 'second' };
  const form = { ...exampleForm, payments: [first, second] as typeof exampleForm.payments };
  const getSelectedProvider = (...values: string[]): string =>
    getSelectedOffer({ optionalFields: { [PROVIDER_CONTROL]: values } }, form).provider;
  assert.deepEqual(
    [
      getSelectedProvider('second'),
      getSelectedProvider(toRowId('second', 'ideal')),
      getSelectedProvider('gone'),
      getSelectedProvider(),
      getSelectedOffer({ optionalFields: {} }, form).provider,
    ],
    ['second', 'second', 'stripe', 'stripe', 'stripe'],
  );
});

test("passes the payer's details to a payment field, and which of them the form always asks for", () => {
  assert.deepEqual(getRequiredPayerFields(exampleForm), ['name', 'email']);
  assert.deepEqual(
    getRequiredPayerFields({
      ...exampleForm,
      donorFields: [
        { name: 'firstName', required: true },
        { name: 'lastName', required: false },
        { name: 'email', required: false },
      ],
    }),
    [],
  );
  assert.deepEqual(toPayer({ firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' }), {
    name: 'Ana Souza',
    email: 'ana@example.org',
  });
  assert.deepEqual(toPayer({ firstName: 'Ana', organization: 'Well Drillers' }), {
    name: 'Well Drillers',
  });
  assert.deepEqual(toPayer({}), {});
});
