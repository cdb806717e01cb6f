import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STRIPE_JS_URL } from '../../src/core/url/stripe-js-url.ts';

test('preloads the script that @stripe/stripe-js loads', () => {
  const code = readFileSync('node_modules/@stripe/stripe-js/dist/pure.mjs', 'utf8');
  const [, release] = /RELEASE_TRAIN = '(\w+)'/.exec(code)!;
  assert.equal(STRIPE_JS_URL, `https://js.stripe.com/${release!}/stripe.js`);
});
