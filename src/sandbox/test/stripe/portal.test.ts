import assert from 'node:assert/strict';
import type { Stripe } from 'stripe';
import { openFakeStripe, test } from './support.ts';

const CONFIGURATION: Stripe.BillingPortal.ConfigurationCreateParams = {
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

test('has a default configuration only after one is saved in the Dashboard', async () => {
  for (const portalSaved of [false, true]) {
    await using fixture = await openFakeStripe({ hasDefaultPortalConfiguration: portalSaved });
    const { configurations } = fixture.stripe.billingPortal;
    assert.equal(
      (await configurations.list({ is_default: true })).data.length,
      portalSaved ? 1 : 0,
    );
    assert.equal((await configurations.create(CONFIGURATION)).is_default, false);
  }
});

test('serves the login page when enabled, with the same response for every email', async (fixture) => {
  const { stripe } = fixture;
  const { configurations } = stripe.billingPortal;
  const { id, features, login_page } = await configurations.create(CONFIGURATION);
  assert.deepEqual(
    [
      features.payment_method_update.enabled,
      features.subscription_cancel.enabled,
      features.subscription_update.enabled,
      login_page,
    ],
    [true, true, false, { enabled: false, url: null }],
  );
  const setLoginPage = async (enabled: boolean) =>
    (await configurations.update(id, { login_page: { enabled } })).login_page;
  const { url } = await setLoginPage(true);
  assert.ok((await (await fetch(url!)).text()).includes('type="email"'));
  await stripe.customers.create({ email: 'ana@example.org' });
  const [known, unknown] = await Promise.all(
    ['ana@example.org', 'nobody@example.org'].map(async (email) =>
      (await fetch(url!, { method: 'POST', body: new URLSearchParams({ email }) })).text(),
    ),
  );
  assert.equal(known, unknown);
  assert.deepEqual(await setLoginPage(false), { enabled: false, url: null });
  assert.equal((await fetch(url!)).status, 404);
});

test('requires known features in a configuration', async ({ stripe }) => {
  const { configurations } = stripe.billingPortal;
  await assert.rejects(configurations.create({} as never), { param: 'features' });
  await assert.rejects(
    configurations.create({
      features: { giving: { enabled: true } },
    } as never),
    { param: 'features[giving]' },
  );
});
