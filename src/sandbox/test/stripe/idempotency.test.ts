import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS } from '../../../../test/fake-stripe.ts';
import { captureError, PAYMENT_PARAMS, openFakeStripe } from './support.ts';

const key = { idempotencyKey: 'gift-1' };

test('replays the response of a repeated key without processing the call again', async () => {
  await using fixture = await openFakeStripe();
  const first = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  const again = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  assert.deepEqual(
    [
      again.id,
      first.lastResponse.headers['idempotent-replayed'],
      again.lastResponse.headers['idempotent-replayed'],
    ],
    [first.id, undefined, 'true'],
  );
  assert.equal(fixture.fake.listPaymentIntents().length, 1);
});

test('replays a decline', async () => {
  await using fixture = await openFakeStripe();
  const { id } = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS);
  const confirmation_token = fixture.fake.createConfirmationToken(CARDS.declined);
  for (const time of ['first', 'again'])
    assert.equal(
      (await captureError(fixture.stripe.paymentIntents.confirm(id, { confirmation_token }, key)))
        .code,
      'card_declined',
      time,
    );
  assert.equal(fixture.fake.events.filter(({ type }) => type === 'charge.failed').length, 1);
});

test('rejects a key with a different body or endpoint', async () => {
  await using fixture = await openFakeStripe();
  const { id } = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  for (const call of [
    fixture.stripe.paymentIntents.create({ ...PAYMENT_PARAMS, amount: 6_000 }, key),
    fixture.stripe.paymentIntents.cancel(id, {}, key),
  ]) {
    const { statusCode, type } = await captureError(call);
    assert.deepEqual([statusCode, type], [400, 'StripeIdempotencyError']);
  }
});

test('replays a 500 until another key is used', async () => {
  await using fixture = await openFakeStripe();
  fixture.fake.failCalls(500);
  for (const time of ['first', 'again'])
    assert.equal(
      (await captureError(fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key))).statusCode,
      500,
      time,
    );
  assert.deepEqual(fixture.fake.listPaymentIntents(), []);
  assert.ok(
    (await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, { idempotencyKey: 'gift-2' })).id,
  );
});

test('does not save responses to calls that were not processed: 429, 503, and invalid parameters', async () => {
  await using fixture = await openFakeStripe();
  fixture.fake.failCalls(429);
  assert.equal(
    (await captureError(fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key))).type,
    'StripeRateLimitError',
  );
  fixture.fake.failCalls(503);
  assert.equal(
    (await captureError(fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key))).statusCode,
    503,
  );
  assert.equal(
    (
      await captureError(
        fixture.stripe.paymentIntents.create({ ...PAYMENT_PARAMS, amount: 0 }, key),
      )
    ).statusCode,
    400,
  );
  assert.ok((await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key)).id);
});

test('rejects a key whose call is in progress', async () => {
  await using fixture = await openFakeStripe();
  const { started, release } = fixture.fake.holdNextCall();
  const first = fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  await started;
  const { statusCode, code } = await captureError(
    fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key),
  );
  assert.deepEqual([statusCode, code], [409, 'idempotency_key_in_use']);
  release();
  const { id } = await first;
  assert.equal((await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key)).id, id);
});

test("charges once when Stripe's library retries after a dropped response", async () => {
  await using fixture = await openFakeStripe({ retries: 2 });
  const { id } = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS);
  fixture.fake.dropResponses(2, /confirm$/);
  const { status } = await fixture.stripe.paymentIntents.confirm(id, {
    confirmation_token: fixture.fake.createConfirmationToken(CARDS.good),
  });
  assert.equal(status, 'succeeded');
  assert.equal(fixture.fake.listCharges('ABCDE-FGHJK').length, 1);
  assert.equal(fixture.fake.calls.filter((call) => call.endsWith('/confirm')).length, 3);
});

test('accepts a key again after it has expired', async () => {
  await using fixture = await openFakeStripe();
  const { id } = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  fixture.fake.clearIdempotencyKeys();
  assert.notEqual((await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS, key)).id, id);
});
