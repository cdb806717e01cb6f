import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, PAYMENT_REQUEST } from './processor-support.ts';
import { getMessage } from './support.ts';

test('creates an open payment without charging it', async () => {
  const { createPayment, fetchPayment } = openProcessor();
  const { id, created, ...rest } = await createPayment();
  assert.match(String(id), /^pay_[0-9a-f]{32}$/);
  assert.equal(created, '2026-11-21T12:00:00.000Z');
  assert.deepEqual(rest, {
    ...PAYMENT_REQUEST,
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
  assert.deepEqual(await fetchPayment(id), { id, created, ...rest });
});

test('returns the first response for a repeated idempotency key and rejects a different body', async () => {
  const { callProcessor, createPayment, confirmWithCard } = openProcessor();
  const first = await createPayment({}, 'K1');
  await confirmWithCard(first.id, CARDS.succeeding);
  assert.deepEqual(await createPayment({}, 'K1'), first);
  assert.equal(
    (
      await callProcessor(
        '/payments',
        { ...PAYMENT_REQUEST, amount: 6_000 },
        { 'Idempotency-Key': 'K1' },
      )
    ).status,
    409,
  );
  assert.match(
    getMessage(await callProcessor('/payments', PAYMENT_REQUEST)),
    /Idempotency-Key .* required/,
  );
});

test('rejects invalid fields and lists the expected values', async () => {
  const { callProcessor } = openProcessor();
  for (const [fields, message] of [
    [{ color: 'red' }, /Unknown payment field 'color'; expected reference, amount/],
    [{ amount: 50.5 }, /amount is 50.5/],
    [{ amount: 0 }, /amount is 0/],
    [{ amount: '5000' }, /amount is '5000'/],
    [{ currency: 'usd' }, /currency is 'usd'/],
    [{ frequency: 'daily' }, /frequency is 'daily'; expected one of once, weekly/],
    [{ reference: '' }, /reference must be a nonempty string/],
    [{ email: 'ana' }, /email is 'ana'/],
    [{ receipt: 'yes' }, /receipt is 'yes'; expected true or false/],
    [{ hosted: true }, /returnUrl is missing/],
    [{ returnUrl: 'javascript:alert(1)' }, /returnUrl is 'javascript:alert\(1\)'/],
  ] as const) {
    const refused = await callProcessor(
      '/payments',
      { ...PAYMENT_REQUEST, ...fields },
      { 'Idempotency-Key': 'K1' },
    );
    assert.equal(refused.status, 400);
    assert.match(getMessage(refused), message);
  }
});

test('charges or declines each test card as documented, and declines any other number', async () => {
  const { payWithCard } = openProcessor();
  for (const [number, state, code] of [
    [CARDS.succeeding, 'succeeded', null],
    [CARDS.declined, 'declined', 'decline'],
    [CARDS.insufficientFunds, 'declined', 'insufficient-funds'],
    [CARDS.expired, 'declined', 'expired-card'],
    [CARDS.disputed, 'succeeded', null],
    [CARDS.failingRenewals, 'succeeded', null],
    ['4111111111111111', 'declined', 'decline'],
  ] as const) {
    const paid = await payWithCard(number);
    assert.deepEqual(
      [paid.state, paid.declineCode, paid.method, paid.lastFour],
      [state, code, 'card', number.slice(-4)],
      number,
    );
  }
});

test('confirms a payment once and accepts a token once', async () => {
  const { callProcessor, createPayment, createCardToken } = openProcessor();
  const [first, second] = [await createPayment(), await createPayment()];
  const used = await createCardToken(CARDS.succeeding);
  assert.equal(
    (await callProcessor(`/payments/${String(first.id)}/confirm`, { token: used })).status,
    200,
  );
  const again = await callProcessor(`/payments/${String(first.id)}/confirm`, {
    token: await createCardToken(CARDS.succeeding),
  });
  assert.deepEqual(
    [again.status, (again.body as { payment: { state: string } }).payment.state],
    [409, 'succeeded'],
  );
  for (const unusable of [used, 'tok_unknown'])
    assert.match(
      getMessage(
        await callProcessor(`/payments/${String(second.id)}/confirm`, { token: unusable }),
      ),
      /unknown or already used/,
    );
  assert.equal(
    (await callProcessor(`/payments/${String(second.id)}/confirm`, { token: 'x', tip: 1 })).status,
    400,
  );
  assert.equal((await callProcessor('/payments/pay_none/confirm', { token: 'x' })).status, 404);
});

test('charges the lose-reply card and truncates the response', async () => {
  const { createPayment, confirmWithCard, fetchPayment } = openProcessor();
  const { id } = await createPayment();
  await assert.rejects(confirmWithCard(id, CARDS.losingResponse), SyntaxError);
  assert.equal((await fetchPayment(id)).state, 'succeeded');
});

test('delays the response for the slow card', async () => {
  const { payWithCard } = openProcessor({ slowCardDelay: 120 });
  const start = performance.now();
  assert.equal((await payWithCard(CARDS.slow)).state, 'succeeded');
  assert.ok(performance.now() - start > 115);
});

test('finds payments by ID and by reference', async () => {
  const { callProcessor, createPayment } = openProcessor();
  const [first, second] = [await createPayment(), await createPayment()];
  await createPayment({ reference: 'R2' });
  assert.deepEqual((await callProcessor('/payments?reference=R1')).body, {
    payments: [first, second],
  });
  assert.deepEqual((await callProcessor('/payments?reference=none')).body, { payments: [] });
  assert.deepEqual(
    [
      (await callProcessor('/payments')).status,
      (await callProcessor('/payments/pay_none')).status,
      (await callProcessor('/subscriptions/sub_none')).status,
    ],
    [400, 404, 404],
  );
});

test('cancels a payment only before it is charged', async () => {
  const { callProcessor, createPayment, payWithCard, confirmWithCard } = openProcessor();
  const { id } = await createPayment();
  assert.equal(
    ((await callProcessor(`/payments/${String(id)}/cancel`, {})).body as { state: string }).state,
    'canceled',
  );
  assert.equal((await confirmWithCard(id, CARDS.succeeding)).status, 409);
  const asking = await payWithCard(CARDS.requiringAuthentication);
  assert.equal(
    ((await callProcessor(`/payments/${String(asking.id)}/cancel`, {})).body as { state: string })
      .state,
    'canceled',
  );
  const paid = await payWithCard(CARDS.succeeding);
  const refused = await callProcessor(`/payments/${String(paid.id)}/cancel`, {});
  assert.deepEqual([refused.status, (refused.body as { payment: unknown }).payment], [409, paid]);
});

test('requires the secret key for server calls', async () => {
  const { callProcessor } = openProcessor();
  for (const path of ['/payments?reference=R1', '/payments/pay_1', '/subscriptions/sub_1'])
    assert.equal(
      (await callProcessor(path, undefined, { Authorization: 'Bearer other' })).status,
      401,
      path,
    );
  for (const path of [
    '/payments',
    '/payments/pay_1/confirm',
    '/payments/pay_1/cancel',
    '/subscriptions/sub_1/cancel',
  ])
    assert.equal((await callProcessor(path, {}, { Authorization: '' })).status, 401, path);
});

test('serves the card frame with a strict policy and checks the publishable key', async () => {
  const { callProcessor } = openProcessor();
  assert.match(
    (await callProcessor('/card-frame')).headers.get('Content-Security-Policy') ?? '',
    /default-src 'none'.*trusted-types 'none'/,
  );
  assert.equal(
    (await callProcessor('/tokens', { publicKey: 'other', number: CARDS.succeeding })).status,
    401,
  );
  assert.equal(
    (await callProcessor('/tokens', { publicKey: 'pk_sandbox', number: '42' })).status,
    400,
  );
});

test('rejects bodies larger than 64 kB', async () => {
  const { callProcessor } = openProcessor();
  const long = { ...PAYMENT_REQUEST, description: 'x'.repeat(70_000) };
  for (const path of ['/payments', '/tokens', '/payments/pay_1/confirm'])
    assert.equal((await callProcessor(path, long, { 'Idempotency-Key': 'K1' })).status, 413, path);
});
