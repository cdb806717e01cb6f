import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  STRIPE_METHODS,
  toPaymentMethodType,
} from '../../src/core/donation/stripe-method-facts.ts';
import { sortMethods } from '../../src/donation-form/payment-fields/stripe-options.ts';

const METHODS = ['card', 'paypal', 'ideal', 'twint', 'mobilepay', 'swish', 'eps', 'p24'];

for (const [title, currency, languages, order] of [
  ["methods of the browser's regions come first", 'EUR', ['en', 'nl-NL'], ['ideal', 'card']],
  ['a script is not a region', 'EUR', ['zh-Hans', 'de-Latn-AT'], ['eps', 'card']],
  ['a national currency counts too', 'CHF', ['en-US'], ['twint', 'card']],
  ['several methods keep the configured order', 'SEK', ['da-DK'], ['mobilepay', 'swish', 'card']],
  ['methods that do not support the currency are left out', 'USD', ['pl-PL'], ['card', 'paypal']],
] as const)
  test(`orders payment methods: ${title}`, () => {
    const sorted = sortMethods(METHODS, undefined, { currency, frequency: 'once' }, languages);
    assert.deepEqual(sorted.slice(0, order.length), order);
  });

test('orders payment methods as configured, without those that cannot be used', () => {
  assert.deepEqual(
    sortMethods(METHODS, 'configured', { currency: 'SEK', frequency: 'once' }, ['sv-SE']),
    ['card', 'paypal', 'mobilepay', 'swish'],
  );
  assert.deepEqual(
    sortMethods(METHODS, 'configured', { currency: 'SEK', frequency: 'monthly' }, ['sv-SE']),
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
