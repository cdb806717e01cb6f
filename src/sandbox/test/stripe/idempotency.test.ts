import assert from 'node:assert/strict';
import { CARDS } from '../../../../test/fake-stripe.ts';
import { openFakeStripe, PAYMENT_PARAMS, test } from './support.ts';

const key = { idempotencyKey: 'gift-1' };

test('replays the response of a repeated key without processing the call again', async (fixture) => {
  const { fake, stripe } = fixture;
  const first = await stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  const again = await stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  assert.deepEqual(
    [
      again.id,
      first.lastResponse.headers['idempotent-replayed'],
      again.lastResponse.headers['idempotent-replayed'],
    ],
    [first.id, undefined, 'true'],
  );
  assert.equal(fake.listPaymentIntents().length, 1);
});

test('replays a decline', async ({ fake, stripe }) => {
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS);
  const confirmation_token = fake.createConfirmationToken(CARDS.declined);
  for (let attempt = 1; attempt <= 2; attempt += 1)
    await assert.rejects(stripe.paymentIntents.confirm(id, { confirmation_token }, key), {
      code: 'card_declined',
    });
  assert.equal(fake.events.filter(({ type }) => type === 'charge.failed').length, 1);
});

test('rejects a key with a different body or endpoint', async ({ stripe }) => {
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  for (const call of [
    stripe.paymentIntents.create({ ...PAYMENT_PARAMS, amount: 6_000 }, key),
    stripe.paymentIntents.cancel(id, {}, key),
  ]) {
    await assert.rejects(call, { statusCode: 400, type: 'StripeIdempotencyError' });
  }
});

test('replays a 500 until another key is used', async ({ fake, stripe }) => {
  fake.failCalls(500);
  for (let attempt = 1; attempt <= 2; attempt += 1)
    await assert.rejects(stripe.paymentIntents.create(PAYMENT_PARAMS, key), { statusCode: 500 });
  assert.deepEqual(fake.listPaymentIntents(), []);
  assert.ok((await stripe.paymentIntents.create(PAYMENT_PARAMS, { idempotencyKey: 'gift-2' })).id);
});

test('does not save responses to calls that were not processed: 429, 503, and invalid parameters', async (fixture) => {
  const { fake, stripe } = fixture;
  fake.failCalls(429);
  await assert.rejects(stripe.paymentIntents.create(PAYMENT_PARAMS, key), {
    type: 'StripeRateLimitError',
  });
  fake.failCalls(503);
  await assert.rejects(stripe.paymentIntents.create(PAYMENT_PARAMS, key), { statusCode: 503 });
  await assert.rejects(stripe.paymentIntents.create({ ...PAYMENT_PARAMS, amount: 0 }, key), {
    statusCode: 400,
  });
  assert.ok((await stripe.paymentIntents.create(PAYMENT_PARAMS, key)).id);
});

test('rejects a key whose call is in progress', async ({ fake, stripe }) => {
  const { started, release } = fake.holdNextCall();
  const first = stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  await started;
  await assert.rejects(stripe.paymentIntents.create(PAYMENT_PARAMS, key), {
    statusCode: 409,
    code: 'idempotency_key_in_use',
  });
  release();
  const { id } = await first;
  assert.equal((await stripe.paymentIntents.create(PAYMENT_PARAMS, key)).id, id);
});

test("charges once when Stripe's library retries after a dropped response", async () => {
  await using fixture = await openFakeStripe({ retries: 2 });
  const { id } = await fixture.stripe.paymentIntents.create(PAYMENT_PARAMS);
  fixture.fake.dropResponses(2, /confirm$/);
  const { status } = await fixture.confirm(id, CARDS.good);
  assert.equal(status, 'succeeded');
  assert.equal(fixture.fake.listCharges('ABCDE-FGHJK').length, 1);
  assert.equal(fixture.fake.calls.filter((call) => call.endsWith('/confirm')).length, 3);
});

test('accepts a key again after it has expired', async ({ fake, stripe }) => {
  const { id } = await stripe.paymentIntents.create(PAYMENT_PARAMS, key);
  fake.clearIdempotencyKeys();
  assert.notEqual((await stripe.paymentIntents.create(PAYMENT_PARAMS, key)).id, id);
});
