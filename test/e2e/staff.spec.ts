import { findViolationsInBothSchemes } from './find-violations.ts';
import { ADMIN_KEY, expect, test } from './world.ts';

test('people and API tokens are managed on a phone, by keyboard, in both color schemes, until the admin key is refused', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const expectGoodPage = async (): Promise<void> => {
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect([await findViolationsInBothSchemes(page), isWide]).toEqual([[], false]);
  };
  await page.goto(world.admin);
  await page.getByLabel('Your name').fill('Miriam Okafor');
  await page.getByLabel('Admin key').fill(ADMIN_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Staff' }).press('Enter');
  await expectGoodPage();
  await page.getByText('Create an API token').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Purpose').fill('Export');
  await page.getByLabel('records:export').press('Space');
  await page.getByRole('button', { name: 'Create' }).press('Enter');
  await expect(page.getByText(/^dft_[0-9a-f]{48}$/)).toBeVisible();
  await expect(page.getByText('Never used.').first()).toBeVisible();
  await expectGoodPage();
  await page.getByRole('link', { name: 'Audit log' }).press('Enter');
  await expect(page.getByRole('cell', { name: /tokens\.create/ }).first()).toBeVisible();
  await expectGoodPage();
  await page.getByRole('link', { name: 'Staff' }).press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Miriam Okafor');
  await page.getByRole('textbox', { name: 'Email' }).fill('miriam@example.org');
  await page.getByLabel('Administrator').press('Space');
  await page.getByRole('button', { name: 'Invite' }).press('Enter');
  await expect(page.getByText(/\/invitation\/[\w-]{43}/)).toBeVisible();
  await expectGoodPage();
  await page.goto(`${world.admin}/staff`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Sign in/);
});
