import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import { BANKS, CARDS } from '../../../test/fake-stripe.ts';
import { openStripeSandbox, type StripeSandboxFixture } from './stripe/sandbox-support.ts';
import { fetchConsole } from './support.ts';

const submitAction = (
  { visitPage }: StripeSandboxFixture,
  id: string,
  action: string,
  fields: Record<string, string> = {},
): Promise<Response> => visitPage('/page/payments', { id, action, ...fields });

test('escapes the latest payments and shows their available actions', async () => {
  const fixture = openStripeSandbox();
  await fixture.createPayment(CARDS.insufficientFunds, {
    description: '<b>Wells',
    metadata: { donation_form_reference: 'R0' },
  });
  assert.match(
    await fetchConsole(fixture),
    /&lt;b&gt;Wells[^]*R0 · card •••• 9995[^]*requires payment method[^]*insufficient_funds/,
  );
  assert.doesNotMatch(await fetchConsole(fixture), /Actions|<b>/);
  await fixture.createSubscription(CARDS.good);
  const text = await fetchConsole(fixture);
  for (const expected of [
    'Refund in full',
    'Refund part',
    'Dispute',
    'Cancel subscription',
    'subscription active',
  ])
    assert.ok(text.includes(expected), expected);
});

test('refunds, disputes, and cancels from the console', async () => {
  const fixture = openStripeSandbox();
  const { stripe } = fixture;
  const subscription = await fixture.createSubscription(CARDS.good);
  const { id } = (await stripe.paymentIntents.list({ limit: 1 })).data[0]!;
  assert.equal((await submitAction(fixture, id, 'refund', { amount: '12.50' })).status, 303);
  assert.match(await fetchConsole(fixture), /\$12\.50 refunded/);
  await submitAction(fixture, id, 'dispute');
  assert.match(
    await fetchConsole(fixture),
    /dispute needs response[^]*Win dispute[^]*Lose dispute/,
  );
  await submitAction(fixture, id, 'won');
  await submitAction(fixture, id, 'refund');
  const { latest_charge } = await stripe.paymentIntents.retrieve(id, {
    expand: ['latest_charge.refunds'],
  });
  assert.deepEqual(
    (latest_charge as Stripe.Charge).refunds?.data.map(({ amount }) => amount).sort(),
    [1_250, 3_750],
  );
  await submitAction(fixture, id, 'cancel');
  assert.equal((await stripe.subscriptions.retrieve(subscription)).status, 'canceled');
});

test('fails a processing bank debit from the console', async () => {
  const fixture = openStripeSandbox();
  const { id } = await fixture.createPayment(BANKS.ach);
  assert.match(await fetchConsole(fixture), /Fail debit/);
  await submitAction(fixture, id, 'fail-debit');
  assert.equal(
    (await fixture.stripe.paymentIntents.retrieve(id)).status,
    'requires_payment_method',
  );
});

test('explains a rejected action on the page', async () => {
  const fixture = openStripeSandbox();
  const { id } = await fixture.createPayment(CARDS.good);
  for (const [action, fields, expected] of [
    ['refund', { amount: '50.01' }, /greater than/],
    ['refund', { amount: 'all' }, /amount is 'all'; expected an amount greater than 0 in USD/],
    ['lost', {}, /no dispute/],
    ['cancel', {}, /action is 'cancel'/],
  ] as const) {
    const rejected = await submitAction(fixture, id, action, fields);
    assert.equal(rejected.status, 400);
    assert.match(
      /role="alert">([^<]*)/.exec(await rejected.text())?.[1]?.replaceAll('&#39;', "'") ?? '',
      expected,
    );
  }
  assert.equal((await submitAction(fixture, 'pi_none', 'refund')).status, 400);
});

test('accepts a partial refund in a currency without minor units', async () => {
  const fixture = openStripeSandbox();
  const { id } = await fixture.createPayment(CARDS.good, { currency: 'jpy' });
  await submitAction(fixture, id, 'refund', { amount: '1200' });
  assert.match(await fetchConsole(fixture), /¥1,200 refunded/);
});
