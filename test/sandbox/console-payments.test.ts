import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type ProcessorFixture } from './processor-support.ts';

const fetchConsole = async ({ request }: ProcessorFixture): Promise<string> =>
  String((await request('/', undefined, { headers: {} })).body);
const submitAction = (
  { visitPage }: ProcessorFixture,
  id: unknown,
  action: string,
  fields: Record<string, string> = {},
) => visitPage('/page/payments', { id: String(id), action, ...fields });

test('escapes the latest payments and shows their available actions', async () => {
  const fixture = openProcessor();
  await fixture.payWithCard(CARDS.insufficientFunds, { reference: 'R0', description: '<b>Wells' });
  assert.match(
    await fetchConsole(fixture),
    /&lt;b&gt;Wells[^]*R0 · card •••• 9995[^]*declined[^]*insufficient-funds/,
  );
  assert.doesNotMatch(await fetchConsole(fixture), /Actions|<b>/);
  await fixture.payWithCard(CARDS.succeeding, { frequency: 'monthly' });
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
  const fixture = openProcessor();
  const { id, subscription } = await fixture.payWithCard(CARDS.succeeding, {
    frequency: 'monthly',
  });
  assert.equal((await submitAction(fixture, id, 'refund', { amount: '12.50' })).status, 303);
  assert.match(await fetchConsole(fixture), /\$12\.50 refunded/);
  await submitAction(fixture, id, 'dispute');
  assert.match(await fetchConsole(fixture), /Win dispute[^]*Lose dispute/);
  await submitAction(fixture, id, 'won');
  await submitAction(fixture, id, 'refund');
  const { refunds, dispute } = (await fixture.fetchPayment(id)) as {
    refunds: Fields[];
    dispute: Fields;
  };
  assert.deepEqual([refunds.map(({ amount }) => amount), dispute.state], [[1_250, 3_750], 'won']);
  await submitAction(fixture, id, 'cancel');
  assert.equal((await fixture.fetchSubscription(subscription)).state, 'cancelled');
});

test('explains a rejected action on the page', async () => {
  const fixture = openProcessor();
  const { id } = await fixture.payWithCard(CARDS.succeeding);
  for (const [action, fields, expected] of [
    ['refund', { amount: '50.01' }, /from 1 to 5000/],
    ['refund', { amount: 'all' }, /amount is 'all'; expected an amount in USD/],
    ['lost', {}, /no open dispute/],
    ['cancel', {}, /action is 'cancel'/],
  ] as const) {
    const refused = await submitAction(fixture, id, action, fields);
    assert.equal(refused.status, 400);
    assert.match(
      /role="alert">([^<]*)/.exec(String(refused.body))?.[1]?.replaceAll('&#39;', "'") ?? '',
      expected,
    );
  }
  assert.equal((await submitAction(fixture, 'pay_none', 'refund')).status, 400);
});

test('accepts a partial refund in a currency without minor units', async () => {
  const fixture = openProcessor();
  const { id } = await fixture.payWithCard(CARDS.succeeding, { currency: 'JPY' });
  await submitAction(fixture, id, 'refund', { amount: '1200' });
  assert.match(await fetchConsole(fixture), /¥1,200 refunded/);
});
