import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS } from './index.ts';
import { errorOf, GIFT, openDesk } from './support.ts';

const key = { idempotencyKey: 'gift-1' };

test('a key answers the same again, without doing it again', async () => {
  await using desk = await openDesk();
  const first = await desk.stripe.paymentIntents.create(GIFT, key);
  const again = await desk.stripe.paymentIntents.create(GIFT, key);
  assert.deepEqual(
    [
      again.id,
      first.lastResponse.headers['idempotent-replayed'],
      again.lastResponse.headers['idempotent-replayed'],
    ],
    [first.id, undefined, 'true'],
  );
  assert.equal(desk.fake.paymentIntents().length, 1);
});

test('a key keeps a decline, and the state of the moment', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  const confirmation_token = desk.fake.confirmationToken(CARDS.declined);
  for (const time of ['first', 'again'])
    assert.equal(
      (await errorOf(desk.stripe.paymentIntents.confirm(id, { confirmation_token }, key))).code,
      'card_declined',
      time,
    );
  assert.equal(desk.fake.events.filter(({ type }) => type === 'charge.failed').length, 1);
});

test('a key is refused for another body and for another call', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT, key);
  for (const call of [
    desk.stripe.paymentIntents.create({ ...GIFT, amount: 6_000 }, key),
    desk.stripe.paymentIntents.cancel(id, {}, key),
  ]) {
    const { statusCode, type } = await errorOf(call);
    assert.deepEqual([statusCode, type], [400, 'StripeIdempotencyError']);
  }
});

test('a 500 is kept: only another key helps', async () => {
  await using desk = await openDesk();
  desk.fake.answer(500);
  for (const time of ['first', 'again'])
    assert.equal(
      (await errorOf(desk.stripe.paymentIntents.create(GIFT, key))).statusCode,
      500,
      time,
    );
  assert.deepEqual(desk.fake.paymentIntents(), []);
  assert.ok((await desk.stripe.paymentIntents.create(GIFT, { idempotencyKey: 'gift-2' })).id);
});

test('what was not begun is not kept: 429, 503, a wrong parameter', async () => {
  await using desk = await openDesk();
  desk.fake.answer(429);
  assert.equal(
    (await errorOf(desk.stripe.paymentIntents.create(GIFT, key))).type,
    'StripeRateLimitError',
  );
  desk.fake.answer(503);
  assert.equal((await errorOf(desk.stripe.paymentIntents.create(GIFT, key))).statusCode, 503);
  assert.equal(
    (await errorOf(desk.stripe.paymentIntents.create({ ...GIFT, amount: 0 }, key))).statusCode,
    400,
  );
  assert.ok((await desk.stripe.paymentIntents.create(GIFT, key)).id);
});

test('a key whose call is under way is in use', async () => {
  await using desk = await openDesk();
  const { begun, release } = desk.fake.hold();
  const first = desk.stripe.paymentIntents.create(GIFT, key);
  await begun;
  const { statusCode, code } = await errorOf(desk.stripe.paymentIntents.create(GIFT, key));
  assert.deepEqual([statusCode, code], [409, 'idempotency_key_in_use']);
  release();
  const { id } = await first;
  assert.equal((await desk.stripe.paymentIntents.create(GIFT, key)).id, id);
});

test('a lost reply is asked for again by the library, and is one payment', async () => {
  await using desk = await openDesk({ retries: 2 });
  const { id } = await desk.stripe.paymentIntents.create(GIFT);
  desk.fake.loseReplies(2, /confirm$/);
  const { status } = await desk.stripe.paymentIntents.confirm(id, {
    confirmation_token: desk.fake.confirmationToken(CARDS.good),
  });
  assert.equal(status, 'succeeded');
  assert.equal(desk.fake.charges('ABCDE-FGHJK').length, 1);
  assert.equal(desk.fake.calls.filter((call) => call.endsWith('/confirm')).length, 3);
});

test('a key is forgotten after its day', async () => {
  await using desk = await openDesk();
  const { id } = await desk.stripe.paymentIntents.create(GIFT, key);
  desk.fake.forgetIdempotencyKeys();
  assert.notEqual((await desk.stripe.paymentIntents.create(GIFT, key)).id, id);
});
