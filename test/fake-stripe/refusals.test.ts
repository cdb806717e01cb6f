import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, GIFT, openDesk } from './support.ts';

test('unknown, missing and wrong parameters are refused by name', async () => {
  await using desk = await openDesk();
  for (const [params, code, param] of [
    [{ ...GIFT, donor: 'Ana' }, 'parameter_unknown', 'donor'],
    [{ amount: 5_000 }, 'parameter_missing', 'currency'],
    [{ ...GIFT, description: '' }, 'parameter_invalid_empty', 'description'],
    [{ ...GIFT, amount: 49.5 }, 'parameter_invalid_integer', 'amount'],
    [{ ...GIFT, amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ ...GIFT, amount: -1 }, 'parameter_invalid_integer', 'amount'],
    [{ ...GIFT, amount: 49 }, 'amount_too_small', 'amount'],
    [{ ...GIFT, amount: 100_000_000 }, 'amount_too_large', 'amount'],
    [{ ...GIFT, currency: 'zzz' }, undefined, 'currency'],
    [
      { ...GIFT, allowed_payment_method_types: ['cowries'] },
      undefined,
      'allowed_payment_method_types[0]',
    ],
    [{ ...GIFT, payment_method_types: ['card'] }, 'parameter_unknown', 'payment_method_types'],
    [{ ...GIFT, customer: 'cus_nobody' }, 'resource_missing', 'customer'],
    [
      { ...GIFT, allowed_payment_method_types: ['sepa_debit'] },
      undefined,
      'allowed_payment_method_types',
    ],
    [{ ...GIFT, expand: ['donor'] }, undefined, 'expand[0]'],
  ] as const) {
    const error = await errorOf(desk.stripe.paymentIntents.create(params as never));
    assert.deepEqual(
      [error.statusCode, error.type, error.code, error.param],
      [400, 'StripeInvalidRequestError', code, param],
    );
  }
});

test('amounts keep to their currency: none, two and three decimals', async () => {
  await using desk = await openDesk();
  for (const [currency, good, bad] of [
    ['jpy', 501, 0],
    ['kwd', 5_120, 5_123],
    ['bhd', 10, 11],
    ['jod', 1_000, 1_001],
    ['omr', 1_000, 1_009],
    ['tnd', 1_000, 1_005],
    ['isk', 500, 550],
    ['ugx', 500_000, 500_001],
    ['krw', 1, 0],
  ] as const) {
    assert.equal(
      (await desk.stripe.paymentIntents.create({ amount: good, currency })).amount,
      good,
    );
    assert.equal(
      (await errorOf(desk.stripe.paymentIntents.create({ amount: bad, currency }))).param,
      'amount',
    );
  }
});

test("a wrong key opens nothing, and the browser's key little", async () => {
  for (const [key, status] of [
    ['sk_test_other', 401],
    ['pk_test_fake', 401],
  ] as const) {
    await using desk = await openDesk({ key });
    const error = await errorOf(desk.stripe.paymentIntents.create(GIFT));
    assert.deepEqual([error.statusCode, error.type], [status, 'StripeAuthenticationError']);
    assert.ok(!error.message.includes('other'));
  }
});

test('what is not there is missing, and what is no call is none', async () => {
  await using desk = await openDesk();
  const error = await errorOf(desk.stripe.paymentIntents.retrieve('pi_nowhere'));
  assert.deepEqual([error.statusCode, error.code], [404, 'resource_missing']);
  assert.equal((await errorOf(desk.stripe.payouts.list())).statusCode, 404);
});

test('another version of the interface is refused', async () => {
  await using desk = await openDesk();
  assert.equal(
    (await errorOf(desk.stripe.paymentIntents.create(GIFT, { apiVersion: '2024-06-20' })))
      .statusCode,
    400,
  );
});
