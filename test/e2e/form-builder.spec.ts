import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { findViolations } from './find-violations.ts';
import {
  expect,
  fillCard,
  fillDonor,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

const findPreview = (page: Page) => page.frameLocator('form-builder iframe');
const findPreviewButton = (page: Page) =>
  findPreview(page).locator('donation-form button[type=submit]');
const findAmountEntry = (page: Page, number: number) =>
  page.getByRole('group', { name: `Amount ${number}`, exact: true }).first();

/** Unfolds all sections. The first is open from the beginning. */
async function unfoldSections(page: Page): Promise<void> {
  const folded = page.locator('form-builder details:not([open], .project) > summary');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function openPage(page: Page, world: World): Promise<void> {
  await world.signIn(page, '/builder', 'campaigner');
  await findPreviewButton(page).waitFor();
  await expect(findPreviewButton(page)).toHaveText('Give $50');
}

/** Section of the form builder, by its title. */
const findSection = (page: Page, title: string) =>
  page.locator('form-builder details', { has: page.locator('summary', { hasText: title }) });

test('builds a form with a live preview, starts an endpoint with its file, and donates with its snippet', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await expect(
    page.getByText('This configuration is valid. This is a test form: no money moves.'),
  ).toBeVisible();

  for (const placeholder of ['The wallet buttons appear here.', 'The payment fields appear here.'])
    await expect(findPreview(page).getByText(placeholder)).toBeVisible();
  await unfoldSections(page);
  await findAmountEntry(page, 1).getByLabel('Amount', { exact: true }).fill('30');
  await findAmountEntry(page, 1).getByLabel('Impact').fill('A bucket with a tap');
  await findAmountEntry(page, 1).getByLabel('Preselected').check();
  await expect(findPreviewButton(page)).toHaveText('Give $30');
  await expect(findPreview(page).locator('.impact .selected')).toHaveText('A bucket with a tap');
  await page.getByRole('button', { name: 'Monthly: suggest other amounts' }).click();
  await expect(
    page
      .getByRole('group', { name: 'Suggested amounts, monthly' })
      .getByLabel('Amount', { exact: true }),
  ).toBeFocused();
  await page.keyboard.insertText('12');
  await findPreview(page).getByLabel('Monthly').check();
  await expect(findPreview(page).getByText('$12')).toBeVisible();

  await page.getByRole('button', { name: 'Add project' }).click();
  await expect(page.getByLabel('Name', { exact: true }).last()).toBeFocused();
  await page.keyboard.insertText('Rain tanks');
  await expect(findPreview(page).getByLabel('Your donation supports')).toContainText('Rain tanks');
  await expect(findPreview(page).getByText('$12')).toBeVisible();
  await page.getByLabel('Accent, light', { exact: true }).fill('#7a2e8e');
  await expect(findPreviewButton(page)).toHaveCSS('background-color', 'rgb(122, 46, 142)');

  const name = page.getByLabel('Name', { exact: true }).first();
  await name.fill('');
  await expect(page.locator('#problems')).toContainText('some fields are still empty');
  // The error of the field that loses focus must not move the pressed button.
  await page
    .getByRole('button', { name: 'Download' })
    .click({ position: { x: 20, y: 4 }, delay: 100 });
  await expect(page.locator('#problems')).toBeFocused();
  await expect(name).toHaveAccessibleDescription(
    /found an empty string; expected a non-empty string/,
  );
  const organization = findSection(page, 'Organization');
  await expect(organization.locator('summary')).toHaveText('Organization 1 problem');
  await organization.locator('summary').click();
  await expect(name).toBeHidden();
  await page.locator('#problems').getByRole('link', { name: 'Name (organization)' }).click();
  await expect(name).toBeFocused();
  await page.keyboard.insertText('Lanternwell West');
  await expect(findPreview(page).getByText(/to Lanternwell West\./)).toBeVisible();
  await expect(name).not.toHaveAttribute('aria-invalid');
  await expect(organization.locator('summary')).toHaveText('Organization');

  const formId = page.getByLabel('Form ID');
  await formId.fill('full');
  await formId.blur();
  await page.locator('#problems').getByRole('link', { name: 'Form ID (form)' }).click();
  await expect(formId).toHaveAccessibleDescription(
    /found the ID "full" at organizations\.0\.forms\.0\.id and organizations\.0\.forms\.1\.id/,
  );
  await page.getByLabel('Form', { exact: true }).selectOption('Lanternwell West · Many projects');
  await page
    .locator('#problems')
    .getByRole('link', { name: 'Switch to the form Lanternwell West · All parts' })
    .click();
  await expect(page.getByLabel('Form', { exact: true })).toBeFocused();
  await page.getByLabel('Form', { exact: true }).selectOption({ index: 0 });
  await formId.fill('main');
  await page.getByLabel('URL of your donation server').fill('give.example.org');
  await page.getByLabel('URL of your donation server').blur();
  await expect(page.getByLabel('URL of your donation server')).toHaveAccessibleDescription(
    /Enter a URL that starts with https:\/\//,
  );

  await page.reload();
  await expect(name).toHaveValue('Lanternwell West');
  await unfoldSections(page);
  await page.getByLabel('Language of these texts').selectOption('German');
  await expect(findPreviewButton(page)).toHaveText('30 $ spenden');
  await page
    .getByLabel('Thank-you heading', { exact: true })
    .fill('Vielen Dank, auch von den Pumpen!');
  await page.getByLabel('Language of these texts').selectOption('Hebrew');
  const thanks = page.getByLabel('Thank-you heading', { exact: true });
  expect([await thanks.getAttribute('lang'), await thanks.getAttribute('dir')]).toEqual([
    'he',
    'rtl',
  ]);
  await page.getByLabel('Language of these texts').selectOption('English');
  await page.getByRole('button', { name: 'Start with an empty form' }).click();
  await expect(
    page.getByText('The form appears here when all required fields are filled in and valid.'),
  ).toBeVisible();
  await expect(
    page.getByText(/uses the sandbox at .* on the same machine, so no money moves/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Restore the previous draft' }).click();
  await expect(findPreviewButton(page)).toHaveText('Give $30');

  await findPreview(page).getByLabel('First name').fill('Ana');
  await findPreview(page).getByLabel('Last name').fill('Souza');
  await findPreview(page).getByLabel('Email').fill('ana@example.org');
  await findPreviewButton(page).click();
  await expect(
    findPreview(page).getByText('This is only a preview. No donation was made.'),
  ).toBeVisible();

  await page.getByLabel('URL of your donation server').fill(world.endpoint);
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
    .getByLabel('Open a configuration file')
    .setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(file) });
  await expect(page.getByText('Editing mine.json.')).toBeVisible();
  expect(await page.getByRole('textbox', { name: 'Configuration', exact: true }).inputValue()).toBe(
    file,
  );

  // Runs both servers as a user does.
  await world.spawnSandbox();
  await world.spawnEndpoint(file);
  world.pages.set(
    '/snippet',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title><body>${snippet}</body></html>`,
  );
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await page.goto(`${world.page}/snippet`);
  await expect(findSubmitButton(page)).toHaveText('Give $30');
  expect(paths).not.toContain('/form');
  await expect(findSubmitButton(page)).toHaveCSS('background-color', 'rgb(122, 46, 142)');
  await findForm(page).getByLabel('Your donation supports').selectOption('Rain tanks');
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(findForm(page).getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  await expect.poll(() => world.listActivities()).toHaveLength(1);
});

test('moving an entry up keeps its focus, moving or removing one keeps the others folded, and the preview says if it cannot load', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await unfoldSections(page);
  const amounts = page
    .getByRole('group', { name: 'Suggested amounts', exact: true })
    .first()
    .getByLabel('Amount', { exact: true });
  const listAmounts = (): Promise<string[]> =>
    amounts.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const [first, second, third, ...others] = await listAmounts();
  await page.getByRole('button', { name: 'Move up amount 3' }).first().focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Enter');
  expect(await listAmounts()).toEqual([third, first, second, ...others]);
  await expect(page.getByRole('button', { name: 'Move up amount 1' }).first()).toBeFocused();

  await page.getByRole('button', { name: 'Add project' }).click();
  await page.keyboard.insertText('Rain tanks');
  await page.getByRole('button', { name: 'Move up Rain tanks' }).click();
  const unfolded = page.locator('form-builder .project[open] > summary');
  await expect(unfolded).toHaveText(['Rain tanks']);
  await page.locator('form-builder summary', { hasText: 'Village wells' }).click();
  await page.getByRole('button', { name: 'Remove Village wells' }).click();
  await expect(unfolded).toHaveText(['Rain tanks']);

  await page.route('**/donation-form.js', (route) => route.abort());
  await page.reload();
  await expect(findPreview(page).getByText('Cannot load the form. Reload the page.')).toBeVisible();
});

test('the form builder is aligned, short at the top of a phone, and passes axe with and without errors', async ({
  page,
  world,
}) => {
  await openPage(page, world);
  await unfoldSections(page);
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    expect((await page.locator('.bar').boundingBox())!.height).toBeLessThanOrEqual(96);
    const [name, id] = await Promise.all(
      ['Name', 'ID'].map((label) => page.getByLabel(label, { exact: true }).first().boundingBox()),
    );
    if (width > 400) expect(name!.y).toBe(id!.y);
    await page.getByLabel('Dark', { exact: true }).check();
    await page.getByLabel(width > 400 ? 'Wide' : 'Phone').check();
    expect([
      await findViolations(page),
      await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    ]).toEqual([[], false]);
    await page.getByLabel('Accent, light', { exact: true }).fill('#faf000');
    await expect(
      page.getByText('Accent color on the background, light: the contrast is 1.1:1'),
    ).toBeVisible();
    await page.getByLabel('Minimum').first().fill('1000');
    await page.getByLabel('Maximum').first().focus();
    await expect(
      page.locator('#problems').getByText('organizations.0.forms.0.currencies.0.giftArray.0.value'),
    ).toBeVisible();
  }
});
