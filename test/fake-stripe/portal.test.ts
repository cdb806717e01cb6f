import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stripe } from 'stripe';
import { errorOf, openDesk } from './support.ts';

const WISHED: Stripe.BillingPortal.ConfigurationCreateParams = {
  features: {
    payment_method_update: { enabled: true },
    invoice_history: { enabled: true },
    subscription_cancel: {
      enabled: true,
      mode: 'at_period_end',
      cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] },
    },
  },
  business_profile: { headline: 'Lanternwell' },
  default_return_url: 'https://give.example/',
};

test('an account has a default configuration once somebody saved one in the Dashboard', async () => {
  for (const portalSaved of [false, true]) {
    await using desk = await openDesk({ portalSaved });
    assert.equal(
      (await desk.stripe.billingPortal.configurations.list({ is_default: true })).data.length,
      portalSaved ? 1 : 0,
    );
    assert.equal((await desk.stripe.billingPortal.configurations.create(WISHED)).is_default, false);
  }
});

test('the login page comes with its switch, and answers everybody alike', async () => {
  await using desk = await openDesk();
  const { id, features, login_page } =
    await desk.stripe.billingPortal.configurations.create(WISHED);
  assert.deepEqual(
    [
      features.payment_method_update.enabled,
      features.subscription_cancel.enabled,
      features.subscription_update.enabled,
      login_page,
    ],
    [true, true, false, { enabled: false, url: null }],
  );
  const {
    login_page: { url },
  } = await desk.stripe.billingPortal.configurations.update(id, { login_page: { enabled: true } });
  assert.ok((await (await fetch(url!)).text()).includes('type="email"'));
  await desk.stripe.customers.create({ email: 'ana@example.org' });
  const [known, unknown] = await Promise.all(
    ['ana@example.org', 'nobody@example.org'].map(async (email) =>
      (await fetch(url!, { method: 'POST', body: new URLSearchParams({ email }) })).text(),
    ),
  );
  assert.equal(known, unknown);
  assert.deepEqual(
    (await desk.stripe.billingPortal.configurations.update(id, { login_page: { enabled: false } }))
      .login_page,
    { enabled: false, url: null },
  );
  assert.equal((await fetch(url!)).status, 404);
});

test('a configuration needs features, and known ones', async () => {
  await using desk = await openDesk();
  assert.equal(
    (await errorOf(desk.stripe.billingPortal.configurations.create({} as never))).param,
    'features',
  );
  assert.equal(
    (
      await errorOf(
        desk.stripe.billingPortal.configurations.create({
          features: { giving: { enabled: true } },
        } as never),
      )
    ).param,
    'features[giving]',
  );
});
