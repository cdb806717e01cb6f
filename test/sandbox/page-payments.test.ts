import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type OpenedProcessor } from './processor-support.ts';

const pageOf = async ({ ask }: OpenedProcessor): Promise<string> =>
  String((await ask('/', undefined, { headers: {} })).body);
const press = (
  { visit }: OpenedProcessor,
  id: unknown,
  action: string,
  more: Record<string, string> = {},
) => visit('/page/payments', { id: String(id), action, ...more });

test('the page shows the latest payments as text, and what can be done with each', async () => {
  const opened = openProcessor();
  await opened.pay(CARDS.poor, { reference: 'R0', description: '<b>Wells' });
  assert.match(
    await pageOf(opened),
    /&lt;b&gt;Wells[^]*R0 · card •••• 9995[^]*declined[^]*insufficient-funds/,
  );
  assert.doesNotMatch(await pageOf(opened), /What can happen|<b>/);
  await opened.pay(CARDS.good, { frequency: 'monthly' });
  const text = await pageOf(opened);
  for (const words of [
    'Refund all',
    'Refund a part',
    'Dispute',
    'Cancel the subscription',
    'subscription active',
  ])
    assert.ok(text.includes(words), words);
});

test('buttons of the page refund, dispute and cancel', async () => {
  const opened = openProcessor();
  const { id, subscription } = await opened.pay(CARDS.good, { frequency: 'monthly' });
  assert.equal((await press(opened, id, 'refund', { amount: '12.50' })).status, 303);
  assert.match(await pageOf(opened), /\$12\.50 refunded/);
  await press(opened, id, 'dispute');
  assert.match(await pageOf(opened), /Win the dispute[^]*Lose the dispute/);
  await press(opened, id, 'won');
  await press(opened, id, 'refund');
  const { refunds, dispute } = (await opened.payment(id)) as { refunds: Fields[]; dispute: Fields };
  assert.deepEqual([refunds.map(({ amount }) => amount), dispute.state], [[1_250, 3_750], 'won']);
  await press(opened, id, 'cancel');
  assert.equal((await opened.subscription(subscription)).state, 'cancelled');
});

test('what cannot be done is said on the page', async () => {
  const opened = openProcessor();
  const { id } = await opened.pay(CARDS.good);
  for (const [action, more, words] of [
    ['refund', { amount: '50.01' }, /from 1 to 5000/],
    ['refund', { amount: 'all' }, /'all' is no sum in USD/],
    ['lost', {}, /No dispute/],
    ['cancel', {}, /action is 'cancel'/],
  ] as const) {
    const refused = await press(opened, id, action, more);
    assert.equal(refused.status, 400);
    assert.match(
      /role="alert">([^<]*)/.exec(String(refused.body))?.[1]?.replaceAll('&#39;', "'") ?? '',
      words,
    );
  }
  assert.equal((await press(opened, 'pay_none', 'refund')).status, 400);
});

test('a part of a currency without minor units is read as it is written', async () => {
  const opened = openProcessor();
  const { id } = await opened.pay(CARDS.good, { currency: 'JPY' });
  await press(opened, id, 'refund', { amount: '1200' });
  assert.match(await pageOf(opened), /¥1,200 refunded/);
});
