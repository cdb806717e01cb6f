import type Stripe from 'stripe';

/** Metadata that identifies the portal configuration that the server creates. */
const PORTAL_METADATA = { donation_form: 'manage' } as const;

/**
 * Returns the URL of the customer portal's login page, which emails donors a sign-in link. Uses the
 * account's portal configuration if it has a login page. Otherwise, creates a configuration once
 * and reuses it.
 */
export async function providePortalUrl(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const withLoginPage = data.filter(({ login_page: page }) => page.enabled);
  const found =
    withLoginPage.find((configuration) => configuration.is_default) ??
    withLoginPage.find(({ metadata }) => metadata?.donation_form === PORTAL_METADATA.donation_form);
  const { login_page: page } =
    found ??
    (await stripe.billingPortal.configurations.create({
      login_page: { enabled: true },
      metadata: PORTAL_METADATA,
      features: {
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'immediately' },
        invoice_history: { enabled: true },
      },
    }));
  if (page.url === null)
    throw new Error(
      'the Stripe customer portal has no login page; enable it in the Stripe Dashboard',
    );
  return page.url;
}
