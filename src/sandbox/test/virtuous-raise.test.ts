import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getItems, openSandbox } from './support.ts';

const give = {
  amount: 50,
  paymentMethodId: 'good-1',
  paymentMethodType: 0,
  donor: { email: 'ana@example.org' },
  comment: '7K4M9-QXD2P',
};
const SEARCH = '/api/Gift/list?Filter=7k4m9&Skip=0&Take=20';

test('makes a second gift for a repeated call, and finds both by their comment', async () => {
  const { request } = openSandbox();
  for (const expected of [1, 2]) {
    const { status, body } = await request('/api/Raise/give', give);
    const { success, amount, giftId } = body as Record<string, unknown>;
    assert.deepEqual([status, success, amount, giftId], [200, true, 50, expected]);
  }
  const gifts = getItems(await request(SEARCH));
  assert.deepEqual(
    gifts.map(({ id, amount, currency, statusText, comment }) => [
      id,
      amount,
      currency,
      statusText,
      comment,
    ]),
    [1, 2].map((id) => [id, 50, 'USD', 'Approved', '7K4M9-QXD2P']),
  );
});

test('records nothing if the card is declined or the request is invalid', async () => {
  const { request } = openSandbox();
  const declined = await request('/api/Raise/give', { ...give, paymentMethodId: 'declined-1' });
  assert.equal(declined.status, 400);
  assert.equal((declined.body as { detail: string }).detail, 'Card declined');
  const invalid = await request('/api/Raise/give', { ...give, amount: 0 });
  assert.deepEqual(Object.keys((invalid.body as { errors: object }).errors), ['amount']);
  assert.deepEqual(getItems(await request(SEARCH)), []);
});

test('charges although it reports a timeout of the payment gateway', async () => {
  const { request } = openSandbox();
  const { status } = await request('/api/Raise/give', { ...give, paymentMethodId: 'timeout-1' });
  assert.deepEqual([status, getItems(await request(SEARCH)).length], [400, 1]);
});

test('shows a gift late in the search', async () => {
  const { request, advanceTime } = openSandbox({
    faults: [{ kind: 'late-search', times: null, ms: 60_000 }],
  });
  await request('/api/Raise/give', give);
  assert.equal(getItems(await request(SEARCH)).length, 0);
  advanceTime(60_000);
  assert.equal(getItems(await request(SEARCH)).length, 1);
});
