import { readFile } from 'node:fs/promises';
import {
  addFormPage,
  expect,
  fillDonor,
  findForm,
  findSubmitButton,
  PLATFORM_KEY,
  readReference,
  test as base,
  World,
} from './world.ts';

/** Charges at the platform, with the sandbox's stand-in for the site's payment field. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open(
      () => [{ provider: 'platform', name: 'raise', isTest: true }],
      {
        createPlatform: (sandbox) => ({
          adapter: 'virtuous-raise',
          baseUrl: sandbox,
          apiKey: { env: 'FUNDRAISING_API_KEY' },
          currency: 'USD',
          body: { donor: { email: '{donor.email}' }, comment: '{reference}' },
          referencePath: 'comment',
        }),
        form: {
          frequencies: ['once'],
          monthlyUpsell: false,
          currencies: [
            {
              code: 'USD',
              minimum: '5',
              maximum: '25000',
              giftArray: [{ value: '50', isDefault: true }],
            },
          ],
        },
      },
    );
    await use(world);
  },
});

test('a donor pays in the payment field of the site, and the platform charges and records the gift once', async ({
  page,
  world,
}) => {
  await page.route(`${world.page}/package/**`, async (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: await readFile(
        `dist/donation-form/lib/${new URL(route.request().url()).pathname.slice('/package/'.length)}`,
        'utf8',
      ),
    }),
  );
  const register = `<script type="importmap">{ "imports": { "donation-form/payment": "/package/payment.js" } }</script><script type="module">
    import { registerPaymentProvider } from 'donation-form/payment';
    registerPaymentProvider('raise', () => import('${world.sandbox}/virtuous-raise/payment-field.js'));
  </script>`;
  await page.goto(addFormPage(world, {}, register));
  await fillDonor(page);
  const field = page.locator('donation-form > [slot=payment] select');
  await field.selectOption('declined');
  await findSubmitButton(page).click();
  await expect(findForm(page).getByText('was declined')).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  await field.selectOption('timeout');
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  const reference = await readReference(page);
  const response = await fetch(`${world.sandbox}/api/Gift/list?Skip=0&Take=100`, {
    headers: { Authorization: `Bearer ${PLATFORM_KEY}` },
  });
  const { items } = (await response.json()) as { items: { amount: number; comment: string }[] };
  const gifts = items.map(({ amount, comment }) => ({ amount, comment }));
  expect(gifts).toEqual([{ amount: 50, comment: reference }]);
});
