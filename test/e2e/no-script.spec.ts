import type { Page } from 'playwright/test';
import { findViolations } from './find-violations.ts';
import { expect, fillDonor, test as base, World } from './world.ts';

/** A server whose own origin may show the form, in a browser without scripting. */
const test = base.extend<{ url: string }>({
  javaScriptEnabled: false,
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open(undefined, { allowsOwnOrigin: true });
    await use(world);
  },
  url: async ({ world }, use) => use(`${world.endpoint}/donate`),
});

async function payOnHostedPage(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 30');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^Donate/ }).click();
}

const giveButton = (page: Page) => page.getByRole('button', { name: /^Give\b/ });

test('without JavaScript, a donor corrects an error, pays on the hosted page, and reloads the thank-you', async ({
  page,
  world,
  url,
}) => {
  await page.goto(`${url}?amt=75&fund-code=WATER`);
  await page.getByLabel('First name').fill('Ana');
  await giveButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Please check 2 fields.');
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Enter your email.');
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  await fillDonor(page);
  await giveButton(page).click();
  await payOnHostedPage(page, '4242 4242 4242 4242');
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await expect(page.getByText('$75', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  expect(await world.listCharges()).toMatchObject([{ amount: 7_500 }]);
  await expect.poll(() => world.listActivities()).toHaveLength(1);
  await giveButton(page).click();
  await expect(page.getByLabel('First name')).toBeEmpty();
});

test('without JavaScript, a declined donor goes back, cancels, and gives again with the same entries', async ({
  page,
  world,
  url,
}) => {
  await page.goto(url);
  await fillDonor(page);
  await giveButton(page).click();
  await payOnHostedPage(page, '4000 0000 0000 0002');
  await expect(page.getByRole('alert')).toContainText('declined');
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toContainText("You haven't been charged.");
  await expect(page.getByLabel('Last name')).toHaveValue('Souza');
  expect(await world.listCharges()).toEqual([]);
  await giveButton(page).click();
  await payOnHostedPage(page, '4242 4242 4242 4242');
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  expect(await world.listCharges()).toHaveLength(1);
});

test('without JavaScript, a donor changes the frequency after entering details, and presses Enter', async ({
  page,
  url,
}) => {
  await page.goto(url);
  await fillDonor(page);
  const monthly = page.getByRole('button', { name: 'Monthly' });
  await expect(giveButton(page)).toHaveAccessibleName('Give $50');
  await monthly.click();
  await expect(giveButton(page)).toHaveAccessibleName('Give $50 a month');
  for (const [choice, name] of [
    [/^\$75/, 'Give $75 a month'],
    [/^Other/, 'Give'],
    [/^\$50\b/, 'Give $50 a month'],
  ] as const) {
    await page.getByRole('radio', { name: choice }).check();
    await expect(giveButton(page)).toHaveAccessibleName(name);
  }
  const feeCover = page.getByRole('checkbox', { name: 'cover the transaction fees' });
  await feeCover.check();
  await expect(giveButton(page)).toHaveAccessibleName('Give');
  await feeCover.uncheck();
  await expect(monthly).toHaveAttribute('aria-current', 'true');
  await expect(page.getByLabel('Last name')).toHaveValue('Souza');
  await page.getByLabel('Email').press('Enter');
  await page.waitForURL('**/c/pay/**');
  await expect(page.getByText('$50.00 every month')).toBeVisible();
});

test('without JavaScript, pressing twice, Back, and reload charge once', async ({
  page,
  world,
  url,
}) => {
  await page.goto(url);
  await fillDonor(page);
  await giveButton(page).dblclick();
  await page.waitForURL('**/c/pay/**');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await page.reload();
  await page.getByRole('link', { name: 'Continue' }).click();
  await payOnHostedPage(page, '4242 4242 4242 4242');
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  expect(await world.listCharges()).toHaveLength(1);
});

base(
  'the page without JavaScript passes axe and fits a phone, in English and Arabic',
  async ({ page }) => {
    await using world = await World.open(undefined, { allowsOwnOrigin: true });
    await page.setViewportSize({ width: 320, height: 640 });
    for (const language of ['en', 'ar']) {
      await page.goto(`${world.endpoint}/donate?language=${language}`);
      expect(await findViolations(page)).toEqual([]);
      await page.locator('button.submit').click();
      expect(await findViolations(page)).toEqual([]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
    }
  },
);
