import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, TERMS } from './processor-support.ts';
import { messageOf } from './support.ts';

test('a payment is open first, and no money moves', async () => {
  const { open, payment } = openProcessor();
  const { id, created, ...rest } = await open();
  assert.match(String(id), /^pay_[0-9a-f]{32}$/);
  assert.equal(created, '2026-11-21T12:00:00.000Z');
  assert.deepEqual(rest, {
    ...TERMS,
    state: 'open',
    declineCode: null,
    method: null,
    lastFour: null,
    page: null,
    action: null,
    subscription: null,
    renewalOf: null,
    refunds: [],
    dispute: null,
  });
  assert.deepEqual(await payment(id), { id, created, ...rest });
});

test('a key opens one payment, keeps its first answer, and refuses another body', async () => {
  const { call, open, confirm } = openProcessor();
  const first = await open({}, 'K1');
  await confirm(first.id, CARDS.good);
  assert.deepEqual(await open({}, 'K1'), first);
  assert.equal(
    (await call('/payments', { ...TERMS, amount: 6_000 }, { 'Idempotency-Key': 'K1' })).status,
    409,
  );
  assert.match(messageOf(await call('/payments', TERMS)), /Idempotency-Key .* required/);
});

test('what is not understood is refused with words that say what is', async () => {
  const { call } = openProcessor();
  for (const [fields, words] of [
    [{ colour: 'red' }, /'colour' is no field of a payment; expected reference, amount/],
    [{ amount: 50.5 }, /amount is 50.5/],
    [{ amount: 0 }, /amount is 0/],
    [{ amount: '5000' }, /amount is '5000'/],
    [{ currency: 'usd' }, /currency is 'usd'/],
    [{ frequency: 'daily' }, /frequency is 'daily'; expected one of once, weekly/],
    [{ reference: '' }, /reference must be a string/],
    [{ email: 'ana' }, /email is 'ana'/],
    [{ receipt: 'yes' }, /receipt is 'yes'; expected true or false/],
    [{ hosted: true }, /returnUrl is missing/],
    [{ returnUrl: 'javascript:alert(1)' }, /returnUrl is 'javascript:alert\(1\)'/],
  ] as const) {
    const refused = await call('/payments', { ...TERMS, ...fields }, { 'Idempotency-Key': 'K1' });
    assert.equal(refused.status, 400);
    assert.match(messageOf(refused), words);
  }
});

test('test cards succeed and decline as they say; any other number is declined', async () => {
  const { pay } = openProcessor();
  for (const [number, state, code] of [
    [CARDS.good, 'succeeded', null],
    [CARDS.declined, 'declined', 'decline'],
    [CARDS.poor, 'declined', 'insufficient-funds'],
    [CARDS.expired, 'declined', 'expired-card'],
    [CARDS.disputed, 'succeeded', null],
    [CARDS.failingLater, 'succeeded', null],
    ['4111111111111111', 'declined', 'decline'],
  ] as const) {
    const paid = await pay(number);
    assert.deepEqual(
      [paid.state, paid.declineCode, paid.method, paid.lastFour],
      [state, code, 'card', number.slice(-4)],
      number,
    );
  }
});

test('a payment is confirmed once, and a token works once', async () => {
  const { call, open, token } = openProcessor();
  const [first, second] = [await open(), await open()];
  const used = await token(CARDS.good);
  assert.equal((await call(`/payments/${String(first.id)}/confirm`, { token: used })).status, 200);
  const again = await call(`/payments/${String(first.id)}/confirm`, {
    token: await token(CARDS.good),
  });
  assert.deepEqual(
    [again.status, (again.body as { payment: { state: string } }).payment.state],
    [409, 'succeeded'],
  );
  for (const unusable of [used, 'tok_unknown'])
    assert.match(
      messageOf(await call(`/payments/${String(second.id)}/confirm`, { token: unusable })),
      /unknown or was used/,
    );
  assert.equal(
    (await call(`/payments/${String(second.id)}/confirm`, { token: 'x', tip: 1 })).status,
    400,
  );
  assert.equal((await call('/payments/pay_none/confirm', { token: 'x' })).status, 404);
});

test('the reply of a card is lost after the work was done', async () => {
  const { open, confirm, payment } = openProcessor();
  const { id } = await open();
  await assert.rejects(confirm(id, CARDS.losing), SyntaxError);
  assert.equal((await payment(id)).state, 'succeeded');
});

test('one card is slow', async () => {
  const { pay } = openProcessor({ slowCardTime: 120 });
  const start = performance.now();
  assert.equal((await pay(CARDS.slow)).state, 'succeeded');
  assert.ok(performance.now() - start > 115);
});

test('payments are found by id and by reference', async () => {
  const { call, open } = openProcessor();
  const [first, second] = [await open(), await open()];
  await open({ reference: 'R2' });
  assert.deepEqual((await call('/payments?reference=R1')).body, { payments: [first, second] });
  assert.deepEqual((await call('/payments?reference=none')).body, { payments: [] });
  assert.deepEqual(
    [
      (await call('/payments')).status,
      (await call('/payments/pay_none')).status,
      (await call('/subscriptions/sub_none')).status,
    ],
    [400, 404, 404],
  );
});

test('a payment can be canceled until money moved', async () => {
  const { call, open, pay, confirm } = openProcessor();
  const { id } = await open();
  assert.equal(
    ((await call(`/payments/${String(id)}/cancel`, {})).body as { state: string }).state,
    'canceled',
  );
  assert.equal((await confirm(id, CARDS.good)).status, 409);
  const asking = await pay(CARDS.asking);
  assert.equal(
    ((await call(`/payments/${String(asking.id)}/cancel`, {})).body as { state: string }).state,
    'canceled',
  );
  const paid = await pay(CARDS.good);
  const refused = await call(`/payments/${String(paid.id)}/cancel`, {});
  assert.deepEqual([refused.status, (refused.body as { payment: unknown }).payment], [409, paid]);
});

test('a server needs the secret key', async () => {
  const { call } = openProcessor();
  for (const path of ['/payments?reference=R1', '/payments/pay_1', '/subscriptions/sub_1'])
    assert.equal(
      (await call(path, undefined, { Authorization: 'Bearer other' })).status,
      401,
      path,
    );
  for (const path of [
    '/payments',
    '/payments/pay_1/confirm',
    '/payments/pay_1/cancel',
    '/subscriptions/sub_1/cancel',
  ])
    assert.equal((await call(path, {}, { Authorization: '' })).status, 401, path);
});

test('the card frame has a strict policy, and its key is checked', async () => {
  const { call } = openProcessor();
  assert.match(
    (await call('/card-frame')).headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'.*trusted-types 'none'/,
  );
  assert.equal((await call('/tokens', { publicKey: 'other', number: CARDS.good })).status, 401);
  assert.equal((await call('/tokens', { publicKey: 'pk_sandbox', number: '42' })).status, 400);
});

test('a body has 64 kB at most', async () => {
  const { call } = openProcessor();
  const long = { ...TERMS, description: 'x'.repeat(70_000) };
  for (const path of ['/payments', '/tokens', '/payments/pay_1/confirm'])
    assert.equal((await call(path, long, { 'Idempotency-Key': 'K1' })).status, 413, path);
});
