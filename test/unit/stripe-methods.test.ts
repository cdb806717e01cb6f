import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  STRIPE_METHODS,
  toPaymentMethodType,
} from '../../src/core/donation/stripe-method-facts.ts';
import { getMethodOrder } from '../../src/donation-form/payment-fields/stripe-options.ts';

const METHODS = ['card', 'paypal', 'ideal', 'twint', 'mobilepay', 'swish', 'eps', 'p24'];

for (const [title, currency, country, languages, order] of [
  ["the address's country decides", 'EUR', 'AT', ['nl-NL'], ['eps']],
  ['a country without a local method leaves the order to Stripe', 'EUR', 'FR', ['nl-NL'], []],
  ["without a country, the browser's regions count", 'EUR', '', ['en', 'nl-NL'], ['ideal']],
  ['a script is not a region', 'EUR', undefined, ['zh-Hans', 'de-Latn-AT'], ['eps']],
  ['a national currency counts too', 'CHF', undefined, ['en-US'], ['twint']],
  [
    'several methods keep the configured order',
    'SEK',
    undefined,
    ['da-DK'],
    ['mobilepay', 'swish'],
  ],
  ['methods that do not support the currency are left out', 'PLN', 'AT', ['pl-PL'], []],
] as const)
  test(`orders payment methods: ${title}`, () => {
    const charge = { total: 5_000, decimals: 2, frequency: 'once', currency, country } as const;
    assert.deepEqual(getMethodOrder(METHODS, undefined, charge, languages), order);
  });

test('orders payment methods as configured, without those that cannot be used', () => {
  const charge = { total: 5_000, decimals: 2, currency: 'SEK' } as const;
  assert.deepEqual(
    getMethodOrder(METHODS, 'configured', { ...charge, frequency: 'once' }, ['sv-SE']),
    ['card', 'paypal', 'mobilepay', 'swish'],
  );
  assert.deepEqual(
    getMethodOrder(METHODS, 'configured', { ...charge, frequency: 'monthly' }, ['sv-SE']),
    ['card', 'paypal'],
  );
});

test('converts wallets and unknown methods to the wallet of the platform', () => {
  assert.equal(toPaymentMethodType('card'), 0);
  assert.equal(toPaymentMethodType('card', true), 4);
  for (const method of ['apple_pay', 'google_pay', 'constructor']) {
    assert.equal(toPaymentMethodType(method), 4);
  }
});

test('every payment method has a currency of three letters', () => {
  for (const [method, facts] of Object.entries(STRIPE_METHODS))
    for (const currency of 'currencies' in facts ? facts.currencies : [])
      assert.match(currency, /^[A-Z]{3}$/, method);
});
