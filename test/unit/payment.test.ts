import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cardNumbersIn } from '../../src/donation-form/state/card-number-check.ts';
import {
  PROVIDER,
  askedOfPayer,
  payerOf,
  paymentOf,
} from '../../src/donation-form/state/payment-options.ts';
import { stateOf, type Edits } from '../../src/donation-form/state/form-state.ts';
import { hasCardNumber } from '../../src/core/donor/card-number.ts';
import { isProcessors, returnAddress, withoutProcessors } from '../../src/core/url/return-url.ts';
import { fromStripeAmount, stripeAmount } from '../../src/core/money/stripe-amount.ts';
import { merge } from '../../src/core/settings/merge-settings.ts';
import { exampleForm } from '../example-form.ts';
import { found, offered } from './merging.ts';

test("an amount in Stripe's units: none, two or three decimals, whatever the form counts in", () => {
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
      stripeAmount(minor, currency, decimals),
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
    assert.equal(stripeAmount(7, code, 0), 7, code);
  for (const code of ['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
    assert.equal(stripeAmount(7, code, 3), 7, code);
});

test('an amount that Stripe cannot count is an error, and no other amount', () => {
  assert.throws(() => stripeAmount(150_050, 'JPY', 2), /150050 with 2 decimals in JPY/);
  assert.throws(() => fromStripeAmount(1_550, 'USD', 0), /1550/);
  assert.throws(() => stripeAmount(Number.MAX_SAFE_INTEGER, 'KWD', 0), RangeError);
  assert.equal(stripeAmount(7, 'constructor', 2), 7);
});

test("any amount is the same after it went to Stripe's units and back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.constantFrom('USD', 'JPY', 'KWD', 'ISK', 'HUF'),
      (minor, currency) => {
        const decimals = { USD: 2, JPY: 0, KWD: 3, ISK: 0, HUF: 2 }[currency];
        return (
          fromStripeAmount(stripeAmount(minor, currency, decimals), currency, decimals) === minor
        );
      },
    ),
  );
});

test('a card number is known in a text, however it is written, and other numbers are not', () => {
  const cards = [
    '4242424242424242',
    'my card: 4242 4242 4242 4242, thanks',
    '4242-4242-4242-4242',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '5555.5555.5555.4444',
    '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
    '４２４２４２４２４２４２４２４２',
    '4242\u20114242\u20114242\u20114242',
    'x4242424242424242y',
  ];
  for (const text of cards) assert.ok(hasCardNumber(text), text);
  const others = [
    '',
    'For the wells',
    '4242424242424241',
    '555 0100',
    '+49 171 1234567',
    'DE89 3704 0044 0532 0130 00',
    '0000000000000000',
    '42424242424242424242',
    '12345678901234567890123',
    '4242 4242',
    '1234567812345670',
    '2026-11-21 10:00:00',
  ];
  for (const text of others) assert.ok(!hasCardNumber(text), text);
});

test('a card number is found in free text only, and only where that is asked for', () => {
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
  const offer = offered(
    merge({ ...definition, customFields: [...definition.customFields] }, found('')).settings,
    { ...definition, customFields: [...definition.customFields] },
  );
  const inside = (edits: Edits): string[] => cardNumbersIn(stateOf(offer, edits), offer);
  assert.deepEqual(
    inside({
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
  assert.deepEqual(inside({ more }), ['custom.a']);
  assert.deepEqual(
    inside({ more: { ...more, 'tribute.kind': ['honor'], 'organization.is': ['true'] } }),
    ['tribute.name', 'tribute.message', 'organization.name', 'custom.a'],
  );
});

test('what processors append is taken out of an address, and everything else stays as it is written', () => {
  const clean = (address: string, isReturn?: boolean): string =>
    withoutProcessors(new URL(address), isReturn).href;
  assert.equal(
    clean(
      'https://example.org/give?a=%20b+c&payment=p&x&payment_intent=pi&payment_intent_client_secret=s&redirect_status=failed&session_id=cs#d',
    ),
    'https://example.org/give?a=%20b+c&x#d',
  );
  assert.equal(clean('https://example.org/give?payment=p'), 'https://example.org/give');
  assert.equal(
    clean('https://example.org/give?a=%7B%7Bb%7D%7D&&Payment=p'),
    'https://example.org/give?a=%7B%7Bb%7D%7D&&Payment=p',
  );
  assert.equal(clean('https://example.org/give?%70ayment=p&a=1'), 'https://example.org/give?a=1');
  assert.equal(
    clean(
      'https://example.org/give?payment=p&session_id=mine&payment_intent=pi&redirect_status=x',
      false,
    ),
    'https://example.org/give?payment=p&session_id=mine',
  );
  assert.deepEqual(['payment', 'session_id', 'src'].map(isProcessors), [true, true, false]);
});

test('the donor comes back to the page of the form', () => {
  const back = (address: string): string | undefined => returnAddress(new URL(address));
  assert.equal(
    back('https://example.org/give?id=7&payment_intent=pi#donate'),
    'https://example.org/give?id=7',
  );
  assert.equal(
    back(`https://example.org/give?long=${'x'.repeat(2_000)}`),
    'https://example.org/give',
  );
  assert.equal(back(`https://example.org/${'x'.repeat(2_000)}`), undefined);
  assert.deepEqual([back('about:srcdoc'), back('file:///give.html')], [undefined, undefined]);
});

test("the chosen way to pay is one of the form's, or the first", () => {
  const [first] = exampleForm.payments;
  const second = { ...first, provider: 'second' };
  const form = { ...exampleForm, payments: [first, second] as typeof exampleForm.payments };
  const chosen = (...values: string[]): string =>
    paymentOf({ more: { [PROVIDER]: values } }, form).provider;
  assert.deepEqual(
    [chosen('second'), chosen('gone'), chosen(), paymentOf({ more: {} }, form).provider],
    ['second', 'sandbox', 'sandbox', 'sandbox'],
  );
});

test('a payment field is told who pays, and what of it the form always asks', () => {
  assert.deepEqual(askedOfPayer(exampleForm), ['name', 'email']);
  assert.deepEqual(
    askedOfPayer({
      ...exampleForm,
      donorFields: [
        { name: 'firstName', required: true },
        { name: 'lastName', required: false },
        { name: 'email', required: false },
      ],
    }),
    [],
  );
  assert.deepEqual(payerOf({ firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' }), {
    name: 'Ana Souza',
    email: 'ana@example.org',
  });
  assert.deepEqual(payerOf({ firstName: 'Ana', organization: 'Well Drillers' }), {
    name: 'Well Drillers',
  });
  assert.deepEqual(payerOf({}), {});
});
