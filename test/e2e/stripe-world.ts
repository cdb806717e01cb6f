import type { Page } from 'playwright/test';
import { buildStripeJs, CARDS, type FakeStripe, startFakeStripe } from '../fake-stripe.ts';
import { addFormPage, expect, fillDonor, findSubmitButton, test as base, World } from './world.ts';

interface StripeFixtures {
  readonly stripe: FakeStripe;
  /** Stripe's types of the payment methods. */
  readonly methods: readonly string[];
  /** Values to merge into the form's configuration. */
  readonly form: object;
  readonly world: World;
}

/**
 * Runs an endpoint with Stripe payments: Stripe's library with a fake API on the server, and a fake
 * Stripe.js in the browser, served only from Stripe's URL.
 */
export const test = base.extend<StripeFixtures>({
  methods: [['card', 'us_bank_account', 'paypal'], { option: true }],
  form: [{}, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  stripe: async ({}, use) => {
    await using fake = await startFakeStripe();
    await use(fake);
  },
  world: async ({ stripe, context, methods, form }, use) => {
    await using world = await World.open(
      () => [
        {
          provider: 'stripe',
          publicKey: stripe.publishableKey,
          secretKey: { env: 'STRIPE_KEY' },
          webhookSecret: { env: 'STRIPE_WEBHOOK' },
          methods,
          apiUrl: stripe.url,
        },
      ],
      {
        environment: { STRIPE_KEY: stripe.secretKey, STRIPE_WEBHOOK: stripe.webhookSecret },
        form,
      },
    );
    await context.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ body: buildStripeJs(stripe.url), contentType: 'text/javascript' }),
    );
    await use(world);
  },
});

/** Returns a page that records the arguments of onSuccess, even across reloads. */
export const addRecordingPage = (world: World, attributes = {}, around = ''): string =>
  addFormPage(
    world,
    attributes,
    `${around}<script>
  window.ServiceDonorsForms = { settings: { onSuccess: (response) => { localStorage.setItem('amounts', (localStorage.getItem('amounts') ?? '') + response.amount + ' '); } } };
</script>`,
  );

export const findStripeFrame = (page: Page) => page.frameLocator('[slot=payment] iframe');
export async function fillStripeCard(page: Page, number: string): Promise<void> {
  await findStripeFrame(page).getByLabel('Card number').fill(number);
  await findStripeFrame(page).getByLabel('Expiration date').fill('12 / 34');
  await findStripeFrame(page).getByLabel('Security code').fill('123');
}

export const findBankDialog = (page: Page) => page.frameLocator('iframe[src*="/authenticate/"]');
/** Donates with a card that requires authentication, until the bank's dialog opens. */
export async function donateUntilAuthentication(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await fillDonor(page);
  await fillStripeCard(page, CARDS.authenticated);
  await findSubmitButton(page).click();
  await expect(findBankDialog(page).getByRole('button', { name: 'Complete' })).toBeVisible();
}

/** Donates until PayPal's page opens. */
export async function donateUntilPayPal(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => {
    window.stripeWallets = [];
  });
  await page.goto(url);
  await fillDonor(page);
  await page.getByRole('radio', { name: 'PayPal' }).check();
  await findSubmitButton(page).click();
  await expect(page.getByRole('button', { name: 'Complete' })).toBeVisible();
}

export const findThankYou = (page: Page) => page.getByRole('heading', { name: /Thank you/ });
export const listChargedAmounts = (stripe: FakeStripe): number[] =>
  stripe
    .listPaymentIntents()
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount_received }) => amount_received);
