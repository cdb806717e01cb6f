import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { getStripeMethodFacts, STRIPE_METHODS } from '../../src/core/donation/stripe-methods.ts';
import { WEBHOOK_EVENTS } from '../../src/server/payments/stripe/webhook.ts';

test('docs/payments.md lists exactly the events that Stripe has to send', () => {
  const [list = ''] =
    /`payment_intent\.succeeded`.*/.exec(readFileSync('docs/payments.md', 'utf8')) ?? [];
  assert.deepEqual(
    [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(),
    [...WEBHOOK_EVENTS].sort(),
  );
});

test('docs/payments.md states what the code knows of each Stripe payment method', () => {
  const rows = readFileSync('docs/payments.md', 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, method = '']) => /^`\w+`$/.test(method));
  const places = {
    immediate: 'in the form',
    redirect: 'on another page or in an app',
    delayed: 'days later, by bank debit',
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
      .filter(([, method = '']) => Object.hasOwn(STRIPE_METHODS, method.replaceAll('`', '')))
      .map(([, method, , ...facts]) => [
        method,
        ...facts.slice(0, 4),
        facts[4]!.replace(', Apple Pay and Google Pay 4', ''),
      ]),
    expected,
  );
});
