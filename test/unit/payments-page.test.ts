import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  getStripeMethodFacts,
  STRIPE_METHODS,
} from '../../src/core/donation/stripe-method-facts.ts';
import { getPayPalDecimals } from '../../src/server/payments/paypal/amounts.ts';
import { PAYPAL_WEBHOOK_EVENTS as PAYPAL_EVENTS } from '../../src/server/payments/paypal/webhook.ts';
import { STRIPE_WEBHOOK_EVENTS } from '../../src/server/payments/stripe/webhook.ts';
import { extractCode } from '../markdown-table.ts';

test('docs/server/payments.md lists exactly the events that Stripe has to send', () => {
  const page = readFileSync('docs/server/payments.md', 'utf8');
  const [list = ''] = /`payment_intent\.succeeded`.*/.exec(page) ?? [];
  assert.deepEqual(extractCode(list).sort(), [...STRIPE_WEBHOOK_EVENTS].sort());
});

test('docs/server/paypal.md lists exactly the events that PayPal has to send, and its currencies', () => {
  const page = readFileSync('docs/server/paypal.md', 'utf8');
  const [list = ''] = /`CHECKOUT\.ORDER\.APPROVED`, .*/.exec(page) ?? [];
  assert.deepEqual(extractCode(list).sort(), [...PAYPAL_EVENTS].sort());
  const [, currencies = ''] = /\*\*Currencies:\*\* (.*)/.exec(page) ?? [];
  const listed = currencies.match(/\b[A-Z]{3}\b/g) ?? [];
  assert.equal(listed.length, 24);
  for (const currency of listed) assert.notEqual(getPayPalDecimals(currency), undefined, currency);
});

test('docs/reference/payment-methods.md lists each Stripe payment method with the properties in the code', () => {
  const rows = readFileSync('docs/reference/payment-methods.md', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    // A method may link to Stripe's page about it.
    .map(([, method = '', ...facts]) => [method.replace(/^\[(.*)\]\(.*\)$/, '$1'), ...facts])
    .filter(([method = '', ...facts]) => /^`\w+`$/.test(method) && facts.length > 4);
  const places = {
    immediate: 'in the form',
    redirect: 'elsewhere',
    delayed: 'days later',
  };
  const renewals = {
    'same-method': 'yes',
    sepa_debit: 'renewed by `sepa_debit`',
    none: 'no',
  };
  const expected = Object.keys(STRIPE_METHODS).map((method) => {
    const facts = getStripeMethodFacts(method)!;
    return [
      `\`${method}\``,
      facts.currencies?.join(', ') ?? 'all',
      facts.localTo?.join(', ') ?? '',
      renewals[facts.renewal],
      places[facts.completion],
      String(facts.paymentMethodType),
    ];
  });
  assert.deepEqual(
    rows
      .filter(([method = '']) => Object.hasOwn(STRIPE_METHODS, method.replaceAll('`', '')))
      .map((cells) => cells.slice(0, 6)),
    expected,
  );
});
