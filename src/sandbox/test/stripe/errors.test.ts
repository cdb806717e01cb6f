import assert from 'node:assert/strict';
import { captureError, openFakeStripe, PAYMENT_PARAMS, test } from './support.ts';

test('rejects unknown, missing, and invalid parameters by name', async ({ stripe }) => {
  for (const [params, code, param] of [
    [{ ...PAYMENT_PARAMS, donor: 'Ana' }, 'parameter_unknown', 'donor'],
    [{ amount: 5_000 }, 'parameter_missing', 'currency'],
    [{ ...PAYMENT_PARAMS, description: '' }, 'parameter_invalid_empty', 'description'],
    [{ ...PAYMENT_PARAMS, amount: 49.5 }, 'parameter_invalid_integer', 'amount'],
    [{ ...PAYMENT_PARAMS, amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ ...PAYMENT_PARAMS, amount: -1 }, 'parameter_invalid_integer', 'amount'],
    [{ ...PAYMENT_PARAMS, amount: 49 }, 'amount_too_small', 'amount'],
    [{ ...PAYMENT_PARAMS, amount: 100_000_000 }, 'amount_too_large', 'amount'],
    [{ ...PAYMENT_PARAMS, currency: 'zzz' }, undefined, 'currency'],
    [
      { ...PAYMENT_PARAMS, allowed_payment_method_types: ['cowries'] },
      undefined,
      'allowed_payment_method_types[0]',
    ],
    [
      { ...PAYMENT_PARAMS, payment_method_types: ['card'] },
      'parameter_unknown',
      'payment_method_types',
    ],
    [{ ...PAYMENT_PARAMS, customer: 'cus_nobody' }, 'resource_missing', 'customer'],
    [
      { ...PAYMENT_PARAMS, allowed_payment_method_types: ['sepa_debit'] },
      undefined,
      'allowed_payment_method_types',
    ],
    [{ ...PAYMENT_PARAMS, expand: ['donor'] }, undefined, 'expand[0]'],
  ] as const) {
    await assert.rejects(stripe.paymentIntents.create(params as never), {
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      code,
      param,
    });
  }
});

test('validates amounts in currencies with zero, two, and three decimals', async ({ stripe }) => {
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
    assert.equal((await stripe.paymentIntents.create({ amount: good, currency })).amount, good);
    await assert.rejects(stripe.paymentIntents.create({ amount: bad, currency }), {
      param: 'amount',
    });
  }
});

test('rejects an unknown key, and the publishable key for server calls', async () => {
  for (const key of ['sk_test_other', 'pk_test_fake']) {
    await using fixture = await openFakeStripe({ key });
    const error = await captureError(fixture.stripe.paymentIntents.create(PAYMENT_PARAMS));
    assert.deepEqual([error.statusCode, error.type], [401, 'StripeAuthenticationError']);
    assert.ok(!error.message.includes('other'));
  }
});

test('returns 404 for unknown objects and endpoints', async ({ stripe }) => {
  await assert.rejects(stripe.paymentIntents.retrieve('pi_nowhere'), {
    statusCode: 404,
    code: 'resource_missing',
  });
  await assert.rejects(stripe.payouts.list(), { statusCode: 404 });
});

test('rejects another API version', async ({ stripe }) => {
  await assert.rejects(stripe.paymentIntents.create(PAYMENT_PARAMS, { apiVersion: '2024-06-20' }), {
    statusCode: 400,
  });
});
