import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import {
  expect,
  fillCard,
  fillDonor,
  form,
  giveButton,
  OPERATOR_KEY,
  test,
  type World,
} from './world.ts';

const preview = (page: Page) => page.frameLocator('form-builder iframe');
const previewButton = (page: Page) => preview(page).locator('donation-form button[type=submit]');
const gift = (page: Page, number: number) =>
  page.getByRole('group', { name: `Gift ${number}`, exact: true }).first();

async function open(page: Page, world: World): Promise<void> {
  await page.goto(`${world.operator}/builder`);
  await page.getByLabel('Your name').fill('Miriam Okafor');
  await page.getByLabel('The operator’s key').fill(OPERATOR_KEY);
  await page.getByRole('button', { name: 'Log in' }).click();
  await previewButton(page).waitFor();
  await expect(previewButton(page)).toHaveText('Give $50');
}

async function accessibilityProblems(page: Page): Promise<string[]> {
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  for (const frame of page.frames()) await frame.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`);
  });
}

test('a form is put together and seen while it is written, its file starts a real endpoint, and its snippet takes a gift', async ({
  page,
  world,
}) => {
  await open(page, world);
  await expect(
    page.getByText('A server takes this file. It is a test: no money moves.'),
  ).toBeVisible();

  await gift(page, 1).getByLabel('Amount').fill('30');
  await gift(page, 1).getByLabel('What it does').fill('A bucket with a tap');
  await gift(page, 1).getByLabel('Chosen beforehand').check();
  await expect(previewButton(page)).toHaveText('Give $30');
  await expect(preview(page).getByText('A bucket with a tap')).toBeVisible();
  await page.getByRole('button', { name: 'Monthly: suggest other gifts' }).click();
  await expect(
    page.getByRole('group', { name: 'Suggested gifts, monthly' }).getByLabel('Amount'),
  ).toBeFocused();
  await page.keyboard.type('12');
  await preview(page).getByLabel('Monthly').check();
  await expect(preview(page).getByText('$12')).toBeVisible();

  await page.getByRole('button', { name: 'Add a project' }).click();
  await expect(page.getByLabel('Name', { exact: true }).last()).toBeFocused();
  await page.keyboard.type('Rain tanks');
  await expect(preview(page).getByLabel('Your gift is for')).toContainText('Rain tanks');
  await expect(preview(page).getByText('$12')).toBeVisible();
  await page.getByLabel('Accent, light', { exact: true }).fill('#7a2e8e');
  await expect(previewButton(page)).toHaveCSS('background-color', 'rgb(122, 46, 142)');

  const name = page.getByLabel('Name', { exact: true }).first();
  await name.fill('');
  await page.getByRole('button', { name: 'Download' }).click();
  await expect(page.locator('#problems')).toBeFocused();
  await expect(name).toHaveAccessibleDescription(
    /expected something written here; found an empty text/,
  );
  await page.locator('#problems').getByRole('link', { name: 'Name (organisation)' }).click();
  await expect(name).toBeFocused();
  await page.keyboard.type('Lanternwell West');
  await expect(preview(page).getByText('Your gift goes to Lanternwell West.')).toBeVisible();
  await expect(name).not.toHaveAttribute('aria-invalid');

  const shortName = page.getByLabel('Short name of the form');
  await shortName.fill('whole');
  await shortName.blur();
  await page
    .locator('#problems')
    .getByRole('link', { name: 'Short name of the form (form)' })
    .click();
  await expect(shortName).toHaveAccessibleDescription(
    /found the id "whole" at organizations\.0\.forms\.0\.id and organizations\.0\.forms\.1\.id/,
  );
  await page.getByLabel('Form', { exact: true }).selectOption('Lanternwell West · many');
  await page
    .locator('#problems')
    .getByRole('link', { name: 'It is of another form: choose Lanternwell West · whole' })
    .click();
  await expect(page.getByLabel('Form', { exact: true })).toBeFocused();
  await page.getByLabel('Form', { exact: true }).selectOption({ index: 0 });
  await shortName.fill('main');
  await page.getByLabel('Endpoint’s address').fill('give.example.org');
  await page.getByLabel('Endpoint’s address').blur();
  await expect(page.getByLabel('Endpoint’s address')).toHaveAccessibleDescription(
    /Write https:\/\/ before it/,
  );

  await page.reload();
  await expect(name).toHaveValue('Lanternwell West');
  await page.getByLabel('Language that you write in').selectOption('German');
  await expect(previewButton(page)).toHaveText('30 $ spenden');
  await page.getByLabel('Thank-you', { exact: true }).fill('Vielen Dank, auch von den Pumpen!');
  await page.getByLabel('Language that you write in').selectOption('Hebrew');
  const thanks = page.getByLabel('Thank-you', { exact: true });
  expect([await thanks.getAttribute('lang'), await thanks.getAttribute('dir')]).toEqual([
    'he',
    'rtl',
  ]);
  await page.getByLabel('Language that you write in').selectOption('English');
  await page.getByRole('button', { name: 'Begin with an empty form' }).click();
  await expect(
    page.getByText('The form appears here when all that is needed is written and right.'),
  ).toBeVisible();
  await expect(
    page.getByText(/go to a sandbox on the same machine, .* no money moves/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Take back what was here before' }).click();
  await expect(previewButton(page)).toHaveText('Give $30');

  await preview(page).getByLabel('First name').fill('Ana');
  await preview(page).getByLabel('Last name').fill('Souza');
  await preview(page).getByLabel('E-mail').fill('ana@example.org');
  await previewButton(page).click();
  await expect(
    preview(page).getByText('This is only a preview: your gift was not sent.'),
  ).toBeVisible();

  await page.getByLabel('Endpoint’s address').fill(world.endpoint);
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const download = await waiting;
  const file = await readFile(await download.path(), 'utf8');
  const snippet = await page.getByRole('textbox', { name: 'Snippet for your page' }).inputValue();
  expect(download.suggestedFilename()).toBe('donation-form.config.json');
  expect(file).toContain(
    '"de": {\n              "thanksTitle": "Vielen Dank, auch von den Pumpen!"',
  );
  await page
    .getByLabel('Or open a configuration file')
    .setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await expect(page.getByText('You work on mine.json.')).toBeVisible();
  expect(await page.getByRole('textbox', { name: 'Configuration' }).inputValue()).toBe(file);

  // Both servers run as a user starts them.
  await world.spawnSandbox();
  await world.spawnEndpoint(file);
  world.pages.set(
    '/snippet',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><body>${snippet}</body></html>`,
  );
  await page.goto(`${world.page}/snippet`);
  await expect(giveButton(page)).toHaveText('Give $30');
  await expect(giveButton(page)).toHaveCSS('background-color', 'rgb(122, 46, 142)');
  await form(page).getByLabel('Your gift is for').selectOption('Rain tanks');
  await fillDonor(page);
  await fillCard(page);
  await giveButton(page).click();
  await expect(form(page).getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  await expect.poll(() => world.activities()).toHaveLength(1);
});

test('the form builder has no accessibility problem, light and dark, wide and on a phone, with problems and without', async ({
  page,
  world,
}) => {
  await open(page, world);
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await page.getByLabel('Dark', { exact: true }).check();
    await page.getByLabel(width > 400 ? 'Wide' : 'Phone').check();
    expect([
      await accessibilityProblems(page),
      await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    ]).toEqual([[], false]);
    await page.getByText('More colours, corners and space').click();
    await page.getByLabel('Accent, light', { exact: true }).fill('#faf000');
    await expect(page.getByText('The accent on the ground, light: 1.1 to 1')).toBeVisible();
    await page.getByLabel('Least').first().fill('1000');
    await page.getByLabel('Most').first().focus();
    await expect(
      page.locator('#problems').getByText('organizations.0.forms.0.currencies.0.giftArray.0.value'),
    ).toBeVisible();
  }
});
