import type Stripe from 'stripe';

/** Our own configuration of the portal is found again by this. */
const OURS = { donation_form: 'manage' } as const;

/**
 * The page of Stripe's customer portal that asks for an e-mail address and sends a link to it,
 * where that is a donor's: of the account's own configuration where it has that page, else of one
 * of ours, which is made once.
 */
export async function createPortalUrl(stripe: Stripe): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const withPage = data.filter(({ login_page: page }) => page.enabled);
  const found =
    withPage.find((one) => one.is_default) ??
    withPage.find(({ metadata }) => metadata?.donation_form === OURS.donation_form);
  const { login_page: page } =
    found ??
    (await stripe.billingPortal.configurations.create({
      login_page: { enabled: true },
      metadata: OURS,
      features: {
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'immediately' },
        invoice_history: { enabled: true },
      },
    }));
  if (page.url === null)
    throw new Error(
      "Stripe has no sign-in page of its customer portal; switch it on in Stripe's settings",
    );
  return page.url;
}
