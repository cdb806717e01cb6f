import type { Page } from 'playwright/test';
import { startFakeStripe, buildStripeJs, type FakeStripe } from '../fake-stripe.ts';
import { World, expect, addFormPage, test as base } from './world.ts';

const test = base.extend<{ stripe: FakeStripe; form: object; world: World }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  stripe: async ({}, use) => {
    await using fake = await startFakeStripe();
    await use(fake);
  },
  form: [{}, { option: true }],
  world: async ({ stripe, context, form }, use) => {
    const world = await World.open(
      () => [
        {
          provider: 'stripe',
          publicKey: stripe.publishableKey,
          secretKey: { env: 'STRIPE_KEY' },
          webhookSecret: { env: 'STRIPE_WEBHOOK' },
          methods: ['card', 'link'],
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
    await world.close();
  },
});

const findButton = (page: Page, name: string) =>
  page.frameLocator('[slot=wallets] iframe').getByRole('button', { name });
const findSheet = (page: Page) => page.frameLocator('iframe[title=Wallet]');
const findThankYou = (page: Page) => page.getByRole('heading', { name: /Thank you/ });
const listChargedAmounts = (stripe: FakeStripe): number[] =>
  stripe
    .listPaymentIntents()
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount_received }) => amount_received);

test('a donor with a wallet types nothing', async ({ page, world, stripe }) => {
  await page.goto(addFormPage(world, {}));
  await expect(findButton(page, 'Google Pay')).toBeVisible();
  await findButton(page, 'Google Pay').click();
  await expect(findSheet(page).getByText('$50.00')).toBeVisible();
  await findSheet(page).getByRole('button', { name: 'Pay' }).click();
  await expect(findThankYou(page)).toBeVisible();
  expect(listChargedAmounts(stripe)).toEqual([5_000]);
});
