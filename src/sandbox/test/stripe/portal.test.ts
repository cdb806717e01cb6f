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
    assert.equal(
      (await fixture.stripe.billingPortal.configurations.list({ is_default: true })).data.length,
      portalSaved ? 1 : 0,
    );
    assert.equal(
      (await fixture.stripe.billingPortal.configurations.create(CONFIGURATION)).is_default,
      false,
    );
  }
});

test('serves the login page when enabled, with the same response for every email', async ({
  stripe,
}) => {
  const { id, features, login_page } =
    await stripe.billingPortal.configurations.create(CONFIGURATION);
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
  } = await stripe.billingPortal.configurations.update(id, {
    login_page: { enabled: true },
  });
  assert.ok((await (await fetch(url!)).text()).includes('type="email"'));
  await stripe.customers.create({ email: 'ana@example.org' });
  const [known, unknown] = await Promise.all(
    ['ana@example.org', 'nobody@example.org'].map(async (email) =>
      (await fetch(url!, { method: 'POST', body: new URLSearchParams({ email }) })).text(),
    ),
  );
  assert.equal(known, unknown);
  assert.deepEqual(
    (
      await stripe.billingPortal.configurations.update(id, {
        login_page: { enabled: false },
      })
    ).login_page,
    { enabled: false, url: null },
  );
  assert.equal((await fetch(url!)).status, 404);
});

test('requires known features in a configuration', async ({ stripe }) => {
  await assert.rejects(stripe.billingPortal.configurations.create({} as never), {
    param: 'features',
  });
  await assert.rejects(
    stripe.billingPortal.configurations.create({
      features: { giving: { enabled: true } },
    } as never),
    { param: 'features[giving]' },
  );
});
