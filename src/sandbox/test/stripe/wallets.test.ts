import assert from 'node:assert/strict';
import { WALLET_TYPES, WALLETS } from '../../stripe/browser/wallet-types.ts';
import { captureError, PAYMENT_PARAMS, test } from './support.ts';

const NEXT_ACTIONS: Readonly<Record<string, string>> = {
  cashapp: 'cashapp_handle_redirect_or_display_qr_code',
  swish: 'swish_handle_redirect_or_display_qr_code',
  mb_way: 'mb_way_await_authorization',
};

for (const type of WALLET_TYPES) {
  const [currencies, usage] = WALLETS[type];
  const currency = currencies.split(' ')[0]!;

  test(`asks the donor to approve a payment by ${type}`, async ({ confirm, fake, stripe }) => {
    const { id } = await stripe.paymentIntents.create({
      ...PAYMENT_PARAMS,
      currency,
      allowed_payment_method_types: [type],
    });
    const { status, next_action } = await confirm(id, type, {
      return_url: 'https://give.example/thanks',
    });
    assert.deepEqual(
      [status, next_action?.type],
      ['requires_action', NEXT_ACTIONS[type] ?? 'redirect_to_url'],
    );
    fake.completeAuthentication(id, false);
    const { last_payment_error } = await stripe.paymentIntents.retrieve(id);
    assert.equal(last_payment_error?.code, 'payment_method_customer_decline');
  });

  test(`rejects ${type} in another currency`, async ({ stripe }) => {
    const { param } = await captureError(
      stripe.paymentIntents.create({
        ...PAYMENT_PARAMS,
        currency: 'brl',
        allowed_payment_method_types: [type],
      }),
    );
    assert.equal(param, 'allowed_payment_method_types');
  });

  if (usage === 'single-use')
    test(`rejects ${type} for a subscription`, async ({ stripe }) => {
      const { id: customer } = await stripe.customers.create({});
      const { id: product } = await stripe.products.create({ name: 'Donation' });
      const recurring = { interval: 'month' } as const;
      await assert.rejects(
        stripe.subscriptions.create({
          customer,
          payment_behavior: 'default_incomplete',
          items: [{ price_data: { currency, product, unit_amount: 5_000, recurring } }],
          payment_settings: { payment_method_types: ['card', type] },
        }),
        { param: 'payment_settings[payment_method_types][1]' },
      );
    });
}
